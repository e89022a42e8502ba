/* phase_list.h - the table of phases: a row each, all columns of phase_columns.def.
 *
 * A reference is the place of the phase in the list. */
#ifndef EVL_PHASE_LIST_H
#define EVL_PHASE_LIST_H

#include "query/phases.h"
#include "table/table.h"

enum phase_list_column {
#define COLUMN(id, key, title, unit, meaning) PHASE_COLUMN_##id,
#include "table/phase_columns.def"
#undef COLUMN
	PHASE_COLUMNS
};

struct phase_list {
	const struct evl_log *log;
	struct phases phases;
};

/* Its cell function takes a const struct phase_list * as ctx. */
extern const struct table_column phase_columns[PHASE_COLUMNS];
extern const struct table_kind phase_list_kind;

/* References to all phases in order of time: *refs is the caller's. EVL_NOMEM or 0. */
int phase_list_refs(const struct phase_list *l, uint64_t **refs, size_t *n) EVL_MUST_USE;

#endif
