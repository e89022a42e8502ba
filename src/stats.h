/* stats.h - the figures of the whole run: where the time went, how long the pauses were. */
#ifndef EVL_STATS_H
#define EVL_STATS_H

#include "caps.h"
#include "gc.h"

/* How a range of time divides, in ns. Idle is apart: ThreadScope counts it as mutator.
 *   gc      union of the leaders' [GC_START, GC_END]
 *   sync    union of [REQUEST_*_GC, GC_START], without what is gc
 *   idle    no capability runs a thread and there is neither gc nor sync
 *   mutator the rest */
struct time_split {
	uint64_t total, mutator, gc, minor_gc, major_gc, sync, idle;
	uint64_t run; /* thread time summed over all capabilities */
};

/* Pauses from request to GC_END (gc.h); quantiles are those of the sorted pauses, exact. */
struct pause_stats {
	size_t n, n_major;
	uint64_t total, p50, p90, p99, max;
};

struct stats {
	struct time_split time;
	struct pause_stats pauses;
};

struct names;

/* Split [t0, t1). Decodes the chains once: proportional to the range. EVL_NOMEM or 0; `cancel` (may be NULL) is looked
 * at now and then: EVL_CANCELLED. */
int stats_time(const struct blocks *b, const struct tile_table *tiles, const struct gcs *g, uint64_t t0, uint64_t t1,
	const atomic_bool *cancel, struct time_split *out) EVL_MUST_USE;

/* The pauses that start in [t0, t1). */
int stats_pauses(const struct gcs *g, uint64_t t0, uint64_t t1, struct pause_stats *out) EVL_MUST_USE;

#endif
