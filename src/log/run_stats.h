/* run_stats.h - times of a run or range (mutator, GC, sync, idle, productivity) and statistics of its pauses. */
#ifndef EVL_RUN_STATS_H
#define EVL_RUN_STATS_H

#include "gc/gc_scan.h"
#include "sched/busy_union.h"
#include "sched/caps.h"

/* Division of a time range, in ns; gc, sync, idle and mutator add up to total.
 *   gc      union of [GC_START, GC_END) of all collections: what +RTS -s calls the elapsed time of GC
 *   sync    union of [REQUEST_*_GC, GC_START), without gc; +RTS -s and ThreadScope count it as mutator time
 *   idle    no capability runs a thread, and there is neither gc nor sync; they count this as mutator time, too
 *   mutator the rest: at least one capability runs Haskell threads */
struct time_split {
	uint64_t total, mutator, gc, minor_gc, major_gc, sync, idle;
	uint64_t run; /* time running threads, summed over all capabilities */
};

/* Return mutator / total, or NaN if total is 0. */
double time_productivity(const struct time_split *t);

/* Return (total - gc) / total: the elapsed productivity of +RTS -s, which includes sync and idle time. NaN if total is
 * 0. */
double time_productivity_rts(const struct time_split *t);

/* Statistics of pauses, from request to GC_END (gc.h), in ns; the quantiles are exact. */
struct pause_stats {
	size_t n, n_major; /* number of all pauses, of those of major collections */
	uint64_t total, p50, p90, p99, max;
};

struct run_stats {
	uint64_t from, to; /* range covered by `time` */
	struct time_split time;
	struct pause_stats pauses;
};

/* Divide [t0, t1). This reads the events of the range, so the cost is proportional to their number. cancel may be NULL.
 * Return 0, EVL_NOMEM or EVL_CANCELLED. */
int run_stats_time(const struct blocks *b, const struct tile_table *tiles, const struct gcs *g, uint64_t t0,
	uint64_t t1, const atomic_bool *cancel, struct time_split *out) EVL_MUST_USE;

/* Divide the time of a whole log, `total` ns, from the sums that were computed while it was indexed. */
void run_stats_whole(const struct busy *busy, const struct gcs *g, uint64_t total, struct time_split *out);

/* Compute the statistics of the pauses that start in the range. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int run_stats_pauses(const struct gc_range *range, struct pause_stats *out) EVL_MUST_USE;

#endif
