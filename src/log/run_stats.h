/* run_stats.h - times of a run or range (mutator, GC, sync, idle, productivity) and statistics of its pauses. */
#ifndef EVL_RUN_STATS_H
#define EVL_RUN_STATS_H

#include "gc/gc_scan.h"
#include "sched/busy_union.h"
#include "sched/caps.h"

/* How a range of time divides, in ns; the four parts add up to the total.
 *   gc      union of the leaders' [GC_START, GC_END]: what +RTS -s calls the elapsed time of GC
 *   sync    union of [REQUEST_*_GC, GC_START], without what is gc; +RTS -s and ThreadScope have it in the mutator
 *   idle    no capability runs a thread, and there is neither gc nor sync; they have this in the mutator, too
 *   mutator the rest: at least one capability runs Haskell threads. Ours */
struct time_split {
	uint64_t total, mutator, gc, minor_gc, major_gc, sync, idle;
	uint64_t run; /* thread time summed over all capabilities */
};

/* mutator / total: how much of the time the program got on. Ours. NAN where there is no time. */
double time_productivity(const struct time_split *t);

/* (total - gc) / total: the elapsed productivity as +RTS -s reckons it, which takes idling and waiting for work. */
double time_productivity_rts(const struct time_split *t);

/* Pauses from request to GC_END (gc.h); quantiles are those of the sorted pauses, exact. */
struct pause_stats {
	size_t n, n_major;
	uint64_t total, p50, p90, p99, max;
};

struct run_stats {
	uint64_t from, to; /* what the time split covers */
	struct time_split time;
	struct pause_stats pauses;
};

/* Split [t0, t1). Decodes the chains once: proportional to the range. EVL_NOMEM or 0; `cancel` (may be NULL) is looked
 * at now and then: EVL_CANCELLED. */
int run_stats_time(const struct blocks *b, const struct tile_table *tiles, const struct gcs *g, uint64_t t0,
	uint64_t t1, const atomic_bool *cancel, struct time_split *out) EVL_MUST_USE;

/* The same for a whole log of `total` ns, from what the walk gathered. */
void run_stats_whole(const struct busy *busy, const struct gcs *g, uint64_t total, struct time_split *out);

/* The pauses that start in the range. EVL_NOMEM, EVL_CANCELLED or 0. */
int run_stats_pauses(const struct gc_range *range, struct pause_stats *out) EVL_MUST_USE;

#endif
