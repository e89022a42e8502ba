/* blocked_list.h - the table of blocked time: a row per reason, all columns of blocked_columns.def.
 *
 * A reference is the place of the reason in the waits of the range, which has the most time first. */
#ifndef EVL_BLOCKED_LIST_H
#define EVL_BLOCKED_LIST_H

#include "query/thread_waits.h"
#include "table/table.h"

enum blocked_list_column {
#define COLUMN(id, key, title, unit, meaning) BLOCKED_COLUMN_##id,
#include "table/blocked_columns.def"
#undef COLUMN
	BLOCKED_COLUMNS
};

struct blocked_list {
	const struct evl_log *log;
	struct waits *waits;
};

/* Its cell function takes a const struct blocked_list * as ctx. */
extern const struct table_column blocked_columns[BLOCKED_COLUMNS];
extern const struct table_kind blocked_list_kind;

/* Make it of [from, to), which reads that part of the log once. 0, EVL_NOMEM or EVL_CANCELLED; then it holds nothing. */
int blocked_list_make(struct blocked_list *l, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;
void blocked_list_free(struct blocked_list *l);

/* References to all reasons, most time first: *refs is the caller's. EVL_NOMEM or 0. */
int blocked_list_refs(const struct blocked_list *l, uint64_t **refs, size_t *n) EVL_MUST_USE;

#endif
