/* figures.h - compute all metrics of a log or a range (struct figures): collections, heap, threads, spans
 *
 * `stats` and the Stats pane show these metrics.
 *
 *   struct figures f;
 *   if (figures_make(&f, log, &(struct figures_ask){.from = a, .to = b, .deep = true}) == 0)
 *           … f.values[METRIC_TIME_GC] …
 *   figures_free(&f);
 *
 * For the whole log, all figures but the deep ones come from the index. For a range, splitting its time by activity
 * takes one reading of that part of the log. Deep figures (waits of threads, critical path, ticky counters, …) take a
 * second reading. Run it as a background job: it may wait for the disk, reports progress and can be cancelled. Memory
 * while it runs: 24 bytes per collection (of 65,536 at a time), 32 per capability, 16 per span and 350 per living
 * thread. */
#ifndef EVL_FIGURES_H
#define EVL_FIGURES_H

#include "gc/gc_pauses.h"
#include "log/run_stats.h"
#include "query/gc_detail.h"
#include "query/gc_laggards.h"
#include "query/heap_trend.h"
#include "query/nm_cycles.h"
#include "query/path.h"
#include "query/phases.h"
#include "query/span_stats.h"
#include "query/thread_waits.h"
#include "query/ticky.h"
#include "report/label_waits.h"
#include "report/metrics.h"
#include "sched/thread_lives.h"
#include "sys/progress.h"

enum { FIGURE_LONGEST = 10, MMU_WINDOWS = 7, FIGURE_CAPS = 1 << 12 };

/* Collections of one generation. */
struct gen_figures {
	unsigned gen; /* GC_GEN_UNKNOWN: collections without statistics */
	struct gc_gen sum;
	/* bytes per second that they usually copy (gc_rates_usual), without those for heap censuses; NAN: fewer than
	 * GC_COPYING_LEAST, or unknown */
	double usual;
};

/* Time of one capability in ns, as in cap_shares.h. Without gc_wait, which is a part of gc, the first six add up to the
 * range. If the log has no GC events, only run, absent and switches are known. */
struct cap_figures {
	uint16_t cap;
	bool exact; /* false, for big logs unless the figures are deep: gc and idle are upper, the others lower bounds */
	uint64_t run, gc, sync, stopped, idle, off;
	uint64_t gc_wait;
	uint64_t absent;   /* time in which it was not created yet, disabled or deleted, whatever else went on */
	uint64_t switches; /* number of changes between run, GC and idle */
};

/* Live bytes after major collections. */
struct live_trend {
	uint64_t n;               /* number of major collections */
	uint64_t first_t, last_t; /* times of the first and the last of them, ns */
	uint64_t first, last;     /* live bytes at these times */
	uint64_t most;            /* the largest number of live bytes */
};

/* Collections requested by heap censuses: major collections in which a sample was taken. Profiling causes them, not
 * the program. */
struct census_gcs {
	uint64_t touching,
		range_ns;         /* those with a pause in the range: number, and the time that they share with it; if
				       * touching is 0, ignore the rest */
	uint64_t n, pause_ns;     /* those that start in the range, as all below: number, and sum of their pauses */
	uint64_t long_n, long_ns; /* the pauses of LONG_PAUSE_NS or more: number and sum */
	uint64_t longest;         /* the longest pause */
	uint64_t most_ns, at;     /* of those with a pause in the range: the most time in it of one, and its start */
	uint64_t own_longest, own_at; /* the longest pause of all other collections and its start; 0: none */
	uint64_t elapsed_ns, sync_ns; /* sums: GC_START to GC_END; request to GC_START */
	uint64_t collecting_ns;       /* the part of range_ns from GC_START to GC_END */
	uint64_t long_in_ns;          /* the part of long_ns that lies in the range */
	uint64_t long_sync_ns;        /* the part of long_in_ns from request to GC_START */
	struct mmu mmu[MMU_WINDOWS];  /* minimum mutator utilisation (MMU), computed without them */
};

/* Parallel collections, without those requested by censuses. */
struct shared_gcs {
	uint64_t n;
	uint32_t threads; /* largest number of GC threads in one of them */
	double ns;        /* their time, from GC_START to GC_END */
	double balance;   /* see gc_work_balance; NAN: unknown */
};
enum { LONG_PAUSE_NS = 10000000 };

/* The time that all spans of one label cover. A span's label is its name without the number of the instance ("job"
 * for "3 job"). If a label is set, all metrics are computed over this time only. */
struct figures_windows {
	uint64_t label;            /* hash of the label, as in span_is_of; 0: none, metrics cover the whole range */
	struct evl_str name;       /* borrowed from the log */
	uint64_t spans;            /* number of spans of the label */
	struct time_window *items; /* disjoint, in time order: overlapping spans are merged */
	size_t n;
	uint64_t covered; /* ns */
};

/* Shown for a metric that is known for a range but not over the windows of spans. */
#define FIGURES_NOT_OVER_WINDOWS "not available for spans"

/* All metrics of a log or a range, and the lists that belong to them. */
struct figures {
	uint64_t from, to; /* the range clipped to the log; if from == to, it contains nothing */
	struct figures_windows windows;
	/* events before this time are included: to, or just after the last event if the range reaches the end of the
	 * log */
	uint64_t until;
	bool whole, deep;       /* whole: the range is the whole log; deep: deep figures are computed */
	const char *group;      /* rule that groups heap-profile bands; NULL: not grouped */
	struct run_stats stats; /* split of the time, and pauses */
	double values[METRICS]; /* indexed by enum metric; NAN: unknown */

	struct gen_figures gens[GC_GENS]; /* generations that occur, ascending */
	size_t n_gens;
	uint64_t pause_classes[PAUSE_CLASSES];        /* number of pauses by length (gc_pauses.h) */
	struct gc_row longest[FIGURE_LONGEST];        /* longest pauses first */
	bool longest_census[FIGURE_LONGEST];          /* whether a heap census requested it */
	uint64_t longest_census_ns[FIGURE_LONGEST];   /* the time that it took at most (gc_after_work); 0: unknown */
	struct gc_lull longest_lulls[FIGURE_LONGEST]; /* their lulls (gc_detail.h); zeros: none */
	/* Bytes that they copied per second, if they are slow: they took longer than the mean of their generation, and
	 * copied at less than a tenth of its rate; otherwise NAN. */
	double longest_slow[FIGURE_LONGEST];
	/* how far copying explains them, compared with the other collections of their generation that the figures cover
	 * and that no heap census requested; explained otherwise: the time of the census at most, or else the lull */
	struct gc_copying longest_copying[FIGURE_LONGEST];
	size_t n_longest;
	struct census_gcs census;
	struct shared_gcs shared;
	uint64_t long_n, long_ns;            /* pauses of LONG_PAUSE_NS or more: number and sum */
	uint64_t long_major_n, long_minor_n; /* numbers of major and minor ones; of the rest it is not known */
	uint64_t long_minor_elapsed, long_minor_copied; /* minor ones: from GC_START to GC_END, and bytes */
	uint64_t long_in_ns;                            /* the part of long_ns that lies in the range */
	uint64_t long_sync_ns;                          /* the part of long_in_ns from request to GC_START */
	uint64_t long_minor_ns; /* the part of long_in_ns from GC_START to GC_END of minor collections */
	struct gc_laggards sync;
	/* the time within the range, also of collections that start after it; without those requested by censuses, and those
	 * that start after the log is complete (evl_complete_until): what findings blame */
	struct gc_laggards blamed;
	struct mmu mmu[MMU_WINDOWS];
	bool has_sched, has_gc;   /* the log has scheduler events; the log has GC events */
	struct cap_figures *caps; /* sorted by capability number, at most FIGURE_CAPS */
	size_t n_caps;
	struct live_trend live;     /* after major collections */
	struct heap_trend trend;    /* deep only */
	struct thread_lives lives;  /* lives.top always covers the whole run */
	struct waits *waits;        /* NULL unless deep */
	struct labels_waits labels; /* deep only */
	struct path path;           /* critical path; deep only, else path.found is false */
	struct nm_cycles nonmoving;
	struct span_stats spans;       /* grouped by name; the split of their time by activity is deep only */
	struct span_stats span_labels; /* grouped by label, if some names hold instance numbers; else n is 0 */
	struct ticky ticky;            /* deep only */
	struct phases phases;          /* deep only */
};

/* Further results of the second reading, for a caller that needs more than the figures. */
struct figures_share {
	void (*each)(void *ctx, const struct thread_waits *t); /* called for each thread, as by thread_waits_run */
	void *ctx;
	uint32_t segments;           /* number of longest segments of the critical path to list; 0: some */
	struct span_budgets budgets; /* time of each span by activity (span_budget.h); the caller frees them */
};

/* The range to compute, and options. */
struct figures_ask {
	uint64_t from, to;            /* half-open, ns; 0 and UINT64_MAX: the whole log */
	bool deep;                    /* also compute deep figures */
	const struct progress *watch; /* may be NULL */
	/* Hash of a span label: compute over the time covered by its spans only (span_is_of); 0: over the whole
	 * range. With a label, these are unknown: thread lifetimes, phases, nonmoving cycles, ticky counters, and
	 * the bands that explain a heap trend. */
	uint64_t label;
	/* grouping of bands as census_grouping_parse reads it; must outlive the figures; NULL: no grouping */
	const char *group;
	bool ticky_sources;          /* if deep: also look up the source locations of ticky counters */
	struct figures_share *share; /* further results, if deep and without label; NULL: none wanted */
};

/* Compute the figures. Return 0; or EVL_CANCELLED or EVL_NOMEM, then there is nothing to free. */
int figures_make(struct figures *f, const struct evl_log *log, const struct figures_ask *ask) EVL_MUST_USE;
void figures_free(struct figures *f);

/* The figures of a whole log for the cache of indexes (index_cache.h): figures_make takes them from there, unless they
 * are deep. */
extern const struct index_figures figures_kept;

/* Return the idle times of the capabilities, one per element of `caps`; NULL: unknown. */
static inline const struct cap_idle *figures_idle(const struct figures *f)
{
	return f->has_gc && f->waits ? f->waits->idle : NULL;
}

/* Return the ns that the metrics cover: all windows, or the range. */
static inline uint64_t figures_total(const struct figures *f)
{
	return f->windows.label ? f->windows.covered : f->to - f->from;
}

/* Return the figures of a collection's generation; NULL: it is unknown, or has none. */
static inline const struct gen_figures *figures_gen(const struct figures *f, const struct gc_row *gc)
{
	for (size_t i = 0; i < f->n_gens && gc->gen != GC_GEN_UNKNOWN; i++)
		if (f->gens[i].gen == min_u64(gc->gen, GC_GENS - 2))
			return &f->gens[i];
	return NULL;
}

/* Return the number of windows that the metrics cover, and window i. Without a label the range is the only window. */
static inline size_t figures_n_windows(const struct figures *f) { return f->windows.label ? f->windows.n : 1; }
static inline struct time_window figures_window(const struct figures *f, size_t i)
{
	return f->windows.label ? f->windows.items[i] : (struct time_window){f->from, f->until};
}

/* Collections that start outside of the range, where a part of their pause is in it: the one at its start, the one at its end;
 * NULL: none, or not over windows. figures_cut_ns: that part, in ns; 0: none. */
struct cut_gcs {
	const struct gc_row *begin, *end;
};
struct cut_gcs figures_cut_gcs(const struct figures *f, const struct evl_log *log);
static inline uint64_t figures_cut_ns(const struct figures *f, const struct gc_row *gc)
{
	return gc ? sub_or_0(min_u64(gc_end(gc), f->to), max_u64(gc_requested(gc), f->from)) : 0;
}

/* Count a capability's single-spark events (-lf) in the range; set *known to false if the log lacks them. Return 0
 * or EVL_CANCELLED. */
int figures_sparks_of(const struct figures *f, const struct evl_log *log, uint32_t chain, struct spark_sums *out,
	bool *known, const struct progress *watch) EVL_MUST_USE;

/* Return true if the log's single-spark events also include the creation of sparks, not only running and stealing (GHC
 * 7.4 and later). */
bool spark_events_enter(const struct evl_log *log);

/* Return true if reading the range again takes at most about a second (256 MB). Batch commands then compute deep
 * figures without being asked. */
bool figures_is_small(const struct evl_log *log, uint64_t from, uint64_t to);

#endif
