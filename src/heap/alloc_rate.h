/* alloc_rate.h - bytes allocated per column of the timeline, none of them in pauses */
#ifndef EVL_ALLOC_RATE_H
#define EVL_ALLOC_RATE_H

#include "gc/gc.h"
#include "heap/heap.h"

/* The collections whose pauses overlap a window, in order of start. */
struct alloc_pauses {
	const struct gcs *gcs;
	const struct gc_row *const *rows;
	size_t n;
};

/* Store in out[n] the bytes allocated in each of n equal parts of [t0, t1), as heap_allocations does, but spread the
 * allocation between two samples evenly over the time between them that is outside of pauses. */
void alloc_rate_columns(
	const struct heap *h, const struct alloc_pauses *pauses, uint64_t t0, uint64_t t1, int n, uint64_t *out);

#endif
