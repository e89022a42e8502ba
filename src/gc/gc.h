/* gc.h - garbage collections, one row each (struct gc_row): start, pause length (gc_pause), sync, generation; sums and
 * searches.
 *
 * A collection belongs to its leader: the capability that posts GC_STATS_GHC (GHC 7.6 and later); in older logs the
 * capability that posted the request, or the only capability. Its row is in the table of the leader's chain (a chain is
 * all blocks of one capability, in file order), in order of start. The pauses of one chain never overlap. Times and
 * durations are in ns.
 *   pause   = from the leader's REQUEST_*_GC (else GC_START) to its GC_END: the time for which the program stops
 *   sync    = from the request to GC_START: the part of the pause in which the other capabilities stop
 *   elapsed = from GC_START to GC_END, as +RTS -s counts it */
#ifndef EVL_GC_H
#define EVL_GC_H

#include "base/rows.h"
#include "gc/gc_pyramid.h"
#include "index/blocks.h"

enum { GC_GEN_UNKNOWN = 255 };

struct gc_row {
	uint64_t start; /* the leader's GC_START */
	uint64_t elapsed;
	uint64_t off : 48;     /* file offset of GC_STATS_GHC; 0: none */
	uint64_t cap : 16;     /* the leader */
	uint64_t sync : 48;    /* from the request to GC_START; 0 if no request was posted */
	uint64_t gen : 8;      /* generation collected, or GC_GEN_UNKNOWN */
	uint64_t parallel : 1; /* by more than one GC thread (GC_STATS_GHC); without statistics: so requested */
	uint64_t spare : 7;
};
_Static_assert(sizeof(struct gc_row) == 32, "32 bytes a collection");

/* Return the length of the pause, the time of its start (the request), or the time of its end, in ns. */
static inline uint64_t gc_pause(const struct gc_row *r) { return r->elapsed + r->sync; }
static inline uint64_t gc_requested(const struct gc_row *r) { return r->start - r->sync; }
static inline uint64_t gc_end(const struct gc_row *r) { return r->start + r->elapsed; }

/* Sums over collections, by generation. Generations from GC_GENS - 2 on share an entry; the last entry is for
 * collections of unknown generation. */
enum { GC_GENS = 66 };
struct gc_gen {
	uint64_t n, par;               /* number of collections; par: by more than one GC thread */
	uint64_t elapsed, max, copied; /* max: largest elapsed; copied: bytes */
};
struct gc_sums {
	struct gc_gen gens[GC_GENS];
	/* collections by more than one GC thread: bytes copied by all threads, by the busiest one, in balance (GHC 8.4
	 * and later) */
	struct gc_balance {
		uint64_t copied, most, balanced;
		uint32_t threads; /* largest number of GC threads */
		bool has_balanced;
	} par;
};

/* Add a collection. stats is the payload of its GC_STATS_GHC, or empty. */
void gc_sums_add(struct gc_sums *s, const struct gc_row *row, struct evl_str stats);
void gc_sums_join(struct gc_sums *to, const struct gc_sums *s);

/* Return how evenly the GC threads shared the work: 0 if one thread copied everything, 1 if all copied the same amount,
 * NaN if no collection had more than one thread. Computed as +RTS -s does: balanced / copied; before GHC 8.4 the result
 * is (copied / most - 1) / (threads - 1). */
double gc_work_balance(const struct gc_sums *s);

/* The collections led by the capability of one chain. */
struct gc_table {
	struct rows rows; /* struct gc_row */
	struct gc_pyramid pyramid;
	uint64_t without_interval; /* number of GC_STATS_GHC for which no start or no end was found */
};

/* The collections found so far in one part of a chain (a piece that one worker reads), and the state of the search. */
struct gc_partial {
	struct gc_row *rows;
	size_t n, room;
	struct gc_sums sums;
	struct evl_str stats;
	uint64_t start, request, stats_off;
	uint8_t gen;
	uint16_t cap;
	bool open, requested, has_stats;
	bool parallel; /* as requested */
	uint64_t without_interval;
};

/* All tables, one per chain, in the order of blocks.chains. */
struct gcs {
	struct gc_table *tables;
	size_t n;
	bool has_stats;               /* the log declares GC_STATS_GHC */
	struct gc_sums sums;          /* complete once the whole log is indexed */
	_Atomic uint32_t generations; /* number of generations, from HEAP_INFO_GHC; 2 until then */
};

/* Allocate empty tables for all chains. Return 0 or EVL_NOMEM. */
int gcs_init(struct gcs *g, const struct blocks *blocks) EVL_MUST_USE;
void gcs_free(struct gcs *g);

/* Report whether gcs_event uses events with this tag. */
bool gcs_wants(uint16_t tag);

/* Process the next event of a part. For a RUN_THREAD call gcs_run instead: it discards a collection whose end is
 * missing. */
void gcs_event(struct gcs *g, struct gc_partial *partial, const struct frame *f);
void gcs_run(struct gc_partial *partial);

/* Append the collections of the next part of a chain to its table, and free the part's state. */
void gcs_join(struct gcs *g, uint32_t chain, struct gc_partial *partial);

/* A collection is major if it collects the oldest generation. gcs_oldest returns the number of that generation;
 * gc_collects reports whether a collection included the given generation. */
uint32_t gcs_oldest(const struct gcs *g);
static inline bool gc_collects(const struct gc_row *r, uint32_t oldest)
{
	return r->gen != GC_GEN_UNKNOWN && r->gen >= oldest;
}
bool gc_is_major(const struct gcs *g, const struct gc_row *r);

/* Sums over the pauses that overlap [t0, t1), in all chains. */
struct gc_sum {
	size_t n;                    /* number of collections whose GC_START is in the range */
	uint64_t longest;            /* longest pause that overlaps the range, in full length */
	bool major, minor;           /* there are major collections, minor ones */
	uint64_t minor_ns, major_ns; /* time from start to end, within the range */
	uint64_t sync_ns;            /* time from request to start, within the range */
};
void gcs_sum(const struct gcs *g, uint64_t t0, uint64_t t1, struct gc_sum *out);

/* Widen [*t0, *t1) until the GC_STARTs of all pauses that overlap it are in it, and no other ones. Return their number. */
size_t gcs_widen(const struct gcs *g, uint64_t *t0, uint64_t *t1);

/* Reader of the sums of one chain's collections over successive time ranges, each of which starts at the end of the
 * previous one. Fast if the ranges are short. gc_walk_next adds the sums of the range up to `to` to *out. */
struct gc_walk {
	const struct gcs *gcs;
	const struct gc_table *table;
	uint64_t at;   /* end of the previous range */
	size_t row, n; /* the first row that starts at `at` or later; number of rows */
	size_t stride; /* rows in the previous range */
};
void gc_walk_begin(struct gc_walk *w, const struct gcs *g, uint32_t chain, uint64_t t0);
void gc_walk_next(struct gc_walk *w, uint64_t to, struct gc_sum *out);

/* The time of minor and of major collections from some time up to t. */
struct gc_time {
	uint64_t t, minor_ns, major_ns;
};
/* Fill in the sums from the first of n ascending times up to each of them, as gcs_sum counts them. */
void gcs_until(const struct gcs *g, struct gc_time *times, size_t n);

/* Call visit for each collection that starts in [from, to), chain by chain and in time order within a chain, until
 * visit returns false. */
void gcs_each(
	const struct gcs *g, uint64_t from, uint64_t to, bool (*visit)(void *ctx, const struct gc_row *r), void *ctx);

/* Return the next or previous collection in time order, either of all collections or of the major ones; NULL if there
 * is none. The row is valid as long as the log. */
enum gc_kind { GC_ALL, GC_MAJOR };
const struct gc_row *gcs_after(const struct gcs *g, uint64_t t, enum gc_kind kind);  /* the first that starts after t */
const struct gc_row *gcs_before(const struct gcs *g, uint64_t t, enum gc_kind kind); /* the last that starts before t */

/* Return the collection whose pause contains t, or NULL. */
const struct gc_row *gcs_at(const struct gcs *g, uint64_t t);

/* Return the collection with the longest pause that starts in [t0, t1). Pauses are ordered by length, longest first,
 * and equal ones by start; if `than` is not NULL, return the first one after it in this order. NULL if there is
 * none. */
const struct gc_row *gcs_longest(const struct gcs *g, uint64_t t0, uint64_t t1, const struct gc_row *than);

/* Fill out with the first `most` of them in that order, in one search. Return their number. */
size_t gcs_ranking(const struct gcs *g, uint64_t t0, uint64_t t1, const struct gc_row **out, size_t most);

/* Save or load all tables (image.h). */
void gcs_image(struct image *im, struct gcs *g, const struct blocks *blocks);

#endif
