/* path_table.h - the table of a critical path: its longest segments, all columns of path_columns.def.
 *
 * A reference is the number of a segment in struct path. */
#ifndef EVL_PATH_TABLE_H
#define EVL_PATH_TABLE_H

#include "query/path.h"
#include "table/table.h"

enum path_column {
#define COLUMN(id, key, title, unit, meaning) PATH_COLUMN_##id,
#include "table/path_columns.def"
#undef COLUMN
	PATH_COLUMNS
};

/* The ctx of its cell function. */
struct path_table {
	const struct evl_log *log;
	struct path path;
};
extern const struct table_kind path_table_kind;

/* References to all segments, in order of time: *refs is the caller's. EVL_NOMEM or 0. */
int path_table_refs(const struct path_table *t, uint64_t **refs, size_t *n) EVL_MUST_USE;

#endif
