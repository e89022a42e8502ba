/* span_list.h - the table of spans: a row each, all columns of span_columns.def.
 *
 * A reference is the place of the span in the table of spans (spans.h). */
#ifndef EVL_SPAN_LIST_H
#define EVL_SPAN_LIST_H

#include "query/span_budget.h"
#include "table/table.h"

enum span_list_column {
#define COLUMN(id, key, title, unit, deep, meaning) SPAN_COLUMN_##id,
#include "table/span_columns.def"
#undef COLUMN
	SPAN_COLUMNS
};

struct span_list {
	const struct evl_log *log;
	const struct span_table *table; /* NULL: there are no spans */
	uint64_t from, to;              /* spans that start in [from, to) */
	uint64_t label;                 /* idmap_key of the label of all of them; 0: any */
	struct span_budgets budgets;
	bool is_deep;
};

/* Its cell function takes a const struct span_list * as ctx. */
extern const struct table_column span_columns[SPAN_COLUMNS];
extern const struct table_kind span_list_kind;

/* Make it; deep: with budgets, which reads the log from the first of the spans to the last once. 0, EVL_NOMEM or
 * EVL_CANCELLED; then it holds nothing. */
int span_list_make(struct span_list *l, const struct evl_log *log, uint64_t from, uint64_t to, uint64_t label,
	bool deep, const struct progress *watch) EVL_MUST_USE;
void span_list_free(struct span_list *l);

/* Return references to its spans in order of start; the caller frees *refs. EVL_NOMEM or 0. */
int span_list_refs(const struct span_list *l, uint64_t **refs, size_t *n) EVL_MUST_USE;

#endif
