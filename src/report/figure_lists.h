/* figure_lists.h - lists of metrics (generations, longest pauses, capabilities, …) as kinds of table (table.h)
 *
 *   struct figure_list list = {.log = log, .f = figures};
 *   table_json(j, figure_list(FIGURES_generations), &list, SIZE_MAX); */
#ifndef EVL_FIGURE_LISTS_H
#define EVL_FIGURE_LISTS_H

#include "report/figures.h"
#include "table/table.h"

enum figure_list_id {
#define LIST(list, rows, row) FIGURES_##list,
#define COLUMN(list, id, key, use, title, unit, meaning, value)
#define END_LIST(list)
#include "report/figure_lists.def"
	FIGURE_LISTS
};

/* One enum of column numbers per list (generations_GEN, …), and its array of columns. */
#define LIST(list, rows, row)                                                                                          \
	enum list##_figure                                                                                             \
	{
#define COLUMN(list, id, key, use, title, unit, meaning, value) list##_##id,
#define END_LIST(list)                                                                                                 \
	list##_FIGURES                                                                                                 \
	}                                                                                                              \
	;                                                                                                              \
	extern const struct table_column figure_##list##_columns[];
#include "report/figure_lists.def"

/* Keep what depends on a column only if the column is in CSV and SQL. */
#define IN_ROWS_SHOWN(...) __VA_ARGS__
#define IN_ROWS_ROWS(...)  __VA_ARGS__
#define IN_ROWS_HIDDEN(...)
#define IN_ROWS_JSON(...)
#define IN_ROWS_KNOWN(...)

/* The columns of CSV and SQL: their numbers (findings_ROW_T, …), the columns, and their numbers among all columns. */
#define LIST(list, rows, row)                                                                                          \
	enum list##_row_figure                                                                                         \
	{                                                                                                              \
		list##_NO_ROW = -1,
#define COLUMN(list, id, key, use, title, unit, meaning, value) IN_ROWS_##use(list##_ROW_##id, )
#define END_LIST(list)                                                                                                 \
	list##_ROWS                                                                                                    \
	}                                                                                                              \
	;                                                                                                              \
	extern const struct table_column figure_##list##_rows[];                                                       \
	extern const uint8_t figure_##list##_in_rows[];
#include "report/figure_lists.def"

struct findings;
struct difference_item;

/* Source of a list: pass a pointer to it as the `of` of a table. */
struct figure_list {
	const struct evl_log *log;
	const struct figures *f;
	const struct span_stats *spans;            /* only for FIGURES_spans: spans by name or by label */
	bool no_quantiles;                         /* leave out the quantiles of these spans */
	const struct findings *findings;           /* only for FIGURES_findings */
	const struct difference_item *differences; /* only for FIGURES_differences */
	size_t n_differences;
};

/* The lists as kinds of table that take metrics already computed (figure_list.f). */
extern const struct table_kind figure_kinds[FIGURE_LISTS];
static inline const struct table_kind *figure_list(enum figure_list_id id) { return &figure_kinds[id]; }

/* Return a value as a cell, rounded if its unit is whole; unknown if it is NAN. */
struct datum figure_cell(enum unit unit, double value);

/* A term shown on the screen and its meaning: the title of a table column or the label of a metric. */
struct figure_term {
	const char *title, *key, *meaning; /* as shown; name in JSON; explanation in one sentence */
	const char *list;                  /* list of which it is a column, or "findings"; "": a metric */
};

/* Get term number i, counted from 0. Return false if there are fewer. */
bool figure_term(size_t i, struct figure_term *out);

/* The same lists as kinds of table that compute the metrics of the list, and no others, when they are made. The table's
 * struct table_range gives the range; its `list` is the enum figure_list_id. Spans are grouped by label if some names hold
 * instance numbers, else by name. */
extern const struct table_kind figure_tables[FIGURE_LISTS];

#endif
