/* figures.h - compute all metrics of a log or range (struct figures): collections, heap, threads, spans; by
 * figures*.c. */
#ifndef EVL_FIGURES_H
#define EVL_FIGURES_H

#include "gc/gc_pauses.h"
#include "log/run_stats.h"
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
	unsigned gen; /* GC_GEN_UNKNOWN: without statistics */
	struct gc_gen sum;
};

/* One capability; the shares add up to 1. Stopped for a collection of others counts as idle. */
struct cap_figures {
	uint16_t cap;
	double run, gc, idle; /* gc: works or waits in a collection that it takes part in */
	uint64_t run_ns, gc_ns;
	uint64_t switches; /* changes of what it does */
};

/* Regression line through the live bytes after major collections. */
struct live_trend {
	uint64_t n;               /* samples */
	uint64_t first_t, last_t; /* of the first and the last of them, */
	uint64_t first, last;     /* and what they say */
};

/* Collections that heap censuses asked for: major ones in which a sample was taken. Not the program's doing. */
struct census_gcs {
	uint64_t n, pause_ns;         /* their pauses added up; n 0: there are none, and the rest says nothing */
	uint64_t long_n, long_ns;     /* pauses of LONG_PAUSE_NS or more */
	uint64_t longest, at;         /* the longest pause, and its start */
	uint64_t own_longest, own_at; /* the longest pause of all others; 0: there are none */
	uint64_t elapsed_ns, sync_ns;
	struct mmu mmu[MMU_WINDOWS]; /* without them */
};

/* Collections by several threads, without those that censuses asked for. */
struct shared_gcs {
	uint64_t n;
	uint32_t threads; /* at most, in one of them */
	double ns;        /* of each generation that part of the time that they are of its collections */
	double balance;   /* gc_work_balance; NAN: not known */
};
enum { LONG_PAUSE_NS = 10000000 };

/* The windows of spans that metrics are of: the time that all spans of one label cover. */
struct figures_windows {
	uint64_t label;            /* span_is_of; 0: figures are of all of the range */
	struct evl_str name;       /* borrowed from the log */
	uint64_t spans;            /* of the label */
	struct time_window *items; /* in order and apart: spans that overlap are one */
	size_t n;
	uint64_t covered; /* ns */
};

/* Why a metric is unknown that is known of a range. */
#define FIGURES_NOT_OVER_WINDOWS "not available for spans"

struct figures {
	uint64_t from, to; /* the range, clipped to the log; from == to: there is nothing in it */
	struct figures_windows windows;
	uint64_t until;         /* events before this time are in it: to or, at the end of the log, past it */
	bool whole, deep;       /* deep: waits are known */
	const char *group;      /* of bands; NULL: none */
	struct run_stats stats; /* time split and pauses */
	double values[METRICS]; /* NAN: not known */

	struct gen_figures gens[GC_GENS]; /* that occur, in order */
	size_t n_gens;
	uint64_t pause_classes[PAUSE_CLASSES];
	struct gc_row longest[FIGURE_LONGEST]; /* pauses, longest first */
	bool longest_census[FIGURE_LONGEST];   /* a census asked for it */
	size_t n_longest;
	struct census_gcs census;
	struct shared_gcs shared;
	uint64_t long_n, long_ns; /* pauses of LONG_PAUSE_NS or more */
	uint64_t long_major_ns;   /* those of major collections */
	struct gc_laggards sync;
	struct mmu mmu[MMU_WINDOWS];
	bool has_sched, has_gc;   /* the log holds events of the scheduler, of collections */
	struct cap_figures *caps; /* by number; at most FIGURE_CAPS */
	size_t n_caps;
	struct live_trend live;
	struct heap_trend trend;    /* deep */
	struct thread_lives lives;  /* lives.top is that of the whole run, whatever the range */
	struct waits *waits;        /* NULL: not deep */
	struct labels_waits labels; /* deep */
	struct path path;           /* the critical path; deep, else found is false */
	struct nm_cycles nonmoving;
	struct span_stats spans;       /* by name; deep: with budgets */
	struct span_stats span_labels; /* by label, if some names hold numbers of instances; else n is 0 */
	struct ticky ticky;            /* deep */
	struct phases phases;          /* deep */
};

/* Everything that `stats` and the Stats pane say of a log or a range of it, in one structure.
 *
 *   struct figures f;
 *   if (figures_make(&f, log, &(struct figures_ask){.from = a, .to = b, .deep = true}) == 0) … f.values[METRIC_TIME_GC] …
 *   figures_free(&f);
 *
 * Of the whole log all but the waits of threads come from the index; of a range, the time split reads its log once, and
 * the waits (deep) once more. So it is work for a job: it can be cancelled, tells how far it is, and needs 24 bytes a
 * collection of a stretch of 65,536, 32 a capability, 16 a span and 350 a living thread while it works. Only when the walk is
 * over. May wait for the disk. */

/* Further results of the second reading, for a caller that needs them in addition to the figures. */
struct figures_share {
	void (*each)(void *ctx, const struct thread_waits *t); /* called for every thread, as by thread_waits_run */
	void *ctx;
	struct span_budgets budgets; /* of the log's spans; freed by the caller */
};

struct figures_ask {
	uint64_t from, to;            /* [from, to); 0 and UINT64_MAX: the whole log */
	bool deep;                    /* also what takes a second reading: waits of threads, ticky counters */
	const struct progress *watch; /* may be NULL */
	/* Only over the time that spans of this label (span_is_of) cover; 0: all. Lives of threads, phases, cycles of the
	 * nonmoving collector, ticky counters and the bands that explain a trend are unknown then. */
	uint64_t label;
	const char
		*group; /* of bands, as census_grouping_parse reads it, must outlive the figures; NULL: each is told */
	bool ticky_sources;          /* of a deep answer: look for the places of ticky counters, too */
	struct figures_share *share; /* of a deep answer without label; NULL: nothing is taken */
};

/* 0, EVL_CANCELLED or EVL_NOMEM; what failed holds nothing. */
int figures_make(struct figures *f, const struct evl_log *log, const struct figures_ask *ask) EVL_MUST_USE;
void figures_free(struct figures *f);

/* The time that the metrics are of. */
static inline uint64_t figures_total(const struct figures *f)
{
	return f->windows.label ? f->windows.covered : f->to - f->from;
}

/* The windows that they are of; without, the range is the only one. */
static inline size_t figures_n_windows(const struct figures *f) { return f->windows.label ? f->windows.n : 1; }
static inline struct time_window figures_window(const struct figures *f, size_t i)
{
	return f->windows.label ? f->windows.items[i] : (struct time_window){f->from, f->until};
}

/* Count a capability's events of single sparks in the range; clear *known where they are not. Return 0 or EVL_CANCELLED. */
int figures_sparks_of(const struct figures *f, const struct evl_log *log, uint32_t chain, struct spark_sums *out,
	bool *known, const struct progress *watch) EVL_MUST_USE;

/* Do the events of single sparks say more than which were run and stolen? Not before GHC 7.4. */
bool spark_events_enter(const struct evl_log *log);

/* A deep answer of the whole log reads it twice. Is that a matter of a moment (256 MB at most)? Batch commands go deep then
 * without being asked. */
bool figures_is_small(const struct evl_log *log, uint64_t from, uint64_t to);

#endif
