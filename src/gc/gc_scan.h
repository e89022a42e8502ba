/* gc_scan.h - parallel scan over all collections of a range, and exact quantiles of pause and sync lengths.
 *
 * Quantiles need no memory proportional to the rows: they are found in a few scans. */
#ifndef EVL_GC_SCAN_H
#define EVL_GC_SCAN_H

#include "gc/gc.h"

/* The collections that start in [from, to). */
struct gc_range {
	const struct gcs *gcs;
	uint64_t from, to;
	const struct time_window *windows; /* only those that start in one of these, in order and apart; NULL: all */
	size_t n_windows;
	int workers;               /* as many as are asked for; 0: as many as there are processors (worker.h) */
	const atomic_bool *cancel; /* may be NULL */
	const uint64_t *skip;      /* GC_STARTs in order of collections that gc_pauses_worst leaves out */
	size_t n_skip;
};

/* Looks at rows that lie side by side in the order of their chain. own: what this worker gathers. */
typedef void gc_look(const void *ctx, void *own, const struct gc_row *rows, size_t n);

/* Is a collection that starts at t one of them? */
bool gc_range_has(const struct gc_range *range, uint64_t t);

/* How many collections all tables hold, whatever the range. */
size_t gc_range_rows(const struct gc_range *range);

/* How many workers look: few where there are few rows. */
enum { GC_SCAN_WORKERS = 8 };
int gc_scan_workers(const struct gc_range *range);

/* Call look for all rows, in no order. own: an array of elements of `size` bytes, one per worker. Return 0 or EVL_CANCELLED. */
int gc_scan(const struct gc_range *range, gc_look *look, const void *ctx, void *own, size_t size) EVL_MUST_USE;

/* Compute percentiles of the pauses, or of the syncs, of n collections, none longer than max: for each the shortest
 * length that at least that percentage does not exceed. Return 0, EVL_NOMEM or EVL_CANCELLED. */
enum { GC_QUANTILES = 3 };
int gc_quantiles(const struct gc_range *range, bool syncs, size_t n, uint64_t max, const unsigned *percents,
	int n_percents, uint64_t *out) EVL_MUST_USE;

#endif
