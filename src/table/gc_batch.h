/* gc_batch.h - columns of the GC table that need events of all capabilities, computed for many collections at once
 *
 * Computing such a column row by row (gc_allocated, gc_workers) visits every capability for every collection; this
 * reads each capability once. */
#ifndef EVL_GC_BATCH_H
#define EVL_GC_BATCH_H

#include "log/log.h"
#include "sys/progress.h"

/* Columns of one collection. */
struct gc_batch_row {
	uint64_t allocated; /* bytes allocated, as from gc_allocated; valid if has_allocated */
	bool has_allocated;
	uint32_t workers, working; /* number of capabilities that took part, and that had work */
};

/* Memory: 24 bytes per collection; while it is made, 56 more, and 24 per heap sample of one capability. */
struct gc_batch {
	struct gc_batch_row *rows;
	size_t n;
};

/* Compute the columns for the collections refs[n] (from gc_table_refs). Return 0, EVL_NOMEM or EVL_CANCELLED. */
int gc_batch_make(struct gc_batch *b, const struct evl_log *log, const uint64_t *refs, size_t n,
	const struct progress *watch) EVL_MUST_USE;
void gc_batch_free(struct gc_batch *b);

#endif
