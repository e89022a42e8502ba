/* alloc_rate.h - bytes allocated per column of the timeline or in a range, as far as known none of them while idle */
#ifndef EVL_ALLOC_RATE_H
#define EVL_ALLOC_RATE_H

#include "gc/gc.h"
#include "heap/heap.h"
#include "sched/caps.h"

/* The collections whose pauses overlap a window, in order of start. */
struct alloc_pauses {
	const struct gcs *gcs;
	const struct gc_row *const *rows;
	size_t n;
};

/* When threads ran: columns of the window for each chain, NULL where they are not known. */
struct alloc_runs {
	const struct blocks *blocks;
	const struct tile_table *tiles;
	const struct cap_column *const *cols;
};

/* Store in out[n] the allocation in each of n equal parts of [t0, t1), as heap_allocations does, but in parts of a byte,
 * ALLOC_PARTS of them to a byte (a short column has less than a byte), and spread the allocation of a capability between two
 * samples evenly over the time that threads ran on it between them (evenly within each column); if none did, or runs are
 * NULL, over the time outside of pauses. Allocation past ALLOC_MOST bytes in total is left out. */
enum { ALLOC_PARTS = 1 << 14 };
#define ALLOC_MOST (UINT64_MAX / ALLOC_PARTS)
void alloc_rate_columns(const struct heap *h, const struct alloc_pauses *pauses, const struct alloc_runs *runs,
	uint64_t t0, uint64_t t1, int n, uint64_t *out);

/* Return the bytes allocated in [t0, t1): allocation between two samples of a capability is spread evenly over the time
 * that threads ran on it between them, or over all of that time if none ran as far as the log tells. */
uint64_t alloc_in_runs(
	const struct heap *h, const struct blocks *b, const struct tile_table *tiles, uint64_t t0, uint64_t t1);

#endif
