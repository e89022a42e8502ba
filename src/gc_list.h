/* gc_list.h - the table of collections: a row each, all columns of gc_columns.def, decoded for the rows that are asked
 * for.
 *
 * A reference holds the chain (upper 24 bits) and the row in its table (lower 40). */
#ifndef EVL_GC_LIST_H
#define EVL_GC_LIST_H

#include "evl.h"
#include "table.h"

enum gc_column {
#define C(id, key, title, unit, meaning) GC_COLUMN_##id,
#include "gc_columns.def"
#undef C
	GC_COLUMNS
};

/* Its cell function takes a const struct evl_log * as ctx; where bytes of the log are not in memory and the log must
 * not wait (evl_never_wait), cells are not known yet and fetched. */
extern const struct table_kind gc_table_kind;

/* References to the collections that start in [from, to), in order of GC_START: *refs is the caller's. EVL_NOMEM or 0. */
int gc_list_refs(const struct evl_log *log, uint64_t from, uint64_t to, uint64_t **refs, size_t *n) EVL_MUST_USE;

const struct gc_row *gc_list_row(const struct evl_log *log, uint64_t ref);

/* What each capability did in a collection: its GC_START, first GC_WORK, time in GC_IDLE, last GC_DONE, GC_END. */
struct gc_worker {
	uint16_t cap;
	uint64_t start, work, idle_ns, done, end; /* 0: no such event */
};
/* In the order of capabilities, those that took part; how many there are, at most `room` are filled in. */
size_t gc_list_workers(const struct evl_log *log, const struct gc_row *gc, struct gc_worker *out, size_t room);

#endif
