/* gc_scan.h - parallel scan over all collections of a range, and exact quantiles of pause and sync lengths.
 *
 * Quantiles are computed in a few scans, without memory proportional to the number of rows. */
#ifndef EVL_GC_SCAN_H
#define EVL_GC_SCAN_H

#include "gc/gc.h"

/* The collections that start in [from, to). */
struct gc_range {
	const struct gcs *gcs;
	uint64_t from, to;
	/* only collections that start in one of these windows, which are sorted and disjoint; NULL: all */
	const struct time_window *windows;
	size_t n_windows;
	int workers;               /* largest number of worker threads; 0: the number of processors (worker.h) */
	const atomic_bool *cancel; /* may be NULL */
	const uint64_t *skip;      /* sorted GC_STARTs of collections that are ignored (gc_range_skips) */
	size_t n_skip;
};

/* Process n consecutive rows of one table. `own` belongs to this worker alone and collects its results. */
typedef void gc_look(const void *ctx, void *own, const struct gc_row *rows, size_t n);

/* Report whether a collection that starts at t is in the range. */
bool gc_range_has(const struct gc_range *range, uint64_t t);

/* Return how much of [from, to) lies in the range and its windows, in ns. */
uint64_t gc_range_covers(const struct gc_range *range, uint64_t from, uint64_t to);

/* Return the end of the range; or, if collections were requested in it that start later, but before `until`, the time just
 * after the last of these starts. */
uint64_t gc_range_requested(const struct gc_range *range, uint64_t until);

/* Report whether gc_pauses_worst and gc_laggards_make ignore a collection that starts at t. */
bool gc_range_skips(const struct gc_range *range, uint64_t t);

/* Return the number of collections in all tables, whatever the range. */
size_t gc_range_rows(const struct gc_range *range);

/* Return the number of workers that gc_scan uses: at most GC_SCAN_WORKERS, and fewer for few rows. */
enum { GC_SCAN_WORKERS = 8 };
int gc_scan_workers(const struct gc_range *range);

/* Call look for all rows of the range, in no particular order. `own` is an array with one element of `size` bytes for
 * each of gc_scan_workers. Return 0 or EVL_CANCELLED. */
int gc_scan(const struct gc_range *range, gc_look *look, const void *ctx, void *own, size_t size) EVL_MUST_USE;

/* Compute percentiles of the pauses, or of the syncs, of the collections of the range. n is the number of these
 * collections, max the longest length in ns. out[i] is the shortest length that at least percents[i] percent of them do
 * not exceed. n_percents is at most GC_QUANTILES. Return 0, EVL_NOMEM or EVL_CANCELLED. */
enum { GC_QUANTILES = 3 };
int gc_quantiles(const struct gc_range *range, bool syncs, size_t n, uint64_t max, const unsigned *percents,
	int n_percents, uint64_t *out) EVL_MUST_USE;

#endif
