/* gc_batch.h - columns of many collections that take events of all capabilities: each capability is read once.
 *
 * One by one (gc_allocated, gc_workers) such a column costs a look at every capability for every collection. */
#ifndef EVL_GC_BATCH_H
#define EVL_GC_BATCH_H

#include "log/log.h"
#include "sys/progress.h"

struct gc_batch_row {
	uint64_t allocated; /* gc_allocated */
	bool has_allocated;
	uint32_t workers, working; /* capabilities that took part, and that had work in it */
};

/* 24 bytes per collection, 40 more and 24 per sample of one capability while it is made. */
struct gc_batch {
	struct gc_batch_row *rows;
	size_t n;
};

/* Of all collections refs[n] (gc_table_refs). EVL_NOMEM, EVL_CANCELLED or 0. */
int gc_batch_make(struct gc_batch *b, const struct evl_log *log, const uint64_t *refs, size_t n,
	const struct progress *watch) EVL_MUST_USE;
void gc_batch_free(struct gc_batch *b);

#endif
