/* figure_lists.h - the lists in struct figures as kinds of table (table.h): generations, longest pauses, capabilities, …
 *
 *   struct figure_list list = {.log = log, .f = figures};
 *   table_json(j, figure_list(FIGURES_generations), &list, SIZE_MAX); */
#ifndef EVL_FIGURE_LISTS_H
#define EVL_FIGURE_LISTS_H

#include "report/figures.h"
#include "table/table.h"

enum figure_list_id {
#define LIST(list, rows, row) FIGURES_##list,
#define COLUMN(list, id, key, hidden, title, unit, meaning, value)
#define END_LIST(list)
#include "report/figure_lists.def"
	FIGURE_LISTS
};

/* The columns of each: generations_GEN, … */
#define LIST(list, rows, row)                                                                                          \
	enum list##_figure                                                                                             \
	{
#define COLUMN(list, id, key, hidden, title, unit, meaning, value) list##_##id,
#define END_LIST(list)                                                                                                 \
	list##_FIGURES                                                                                                 \
	}                                                                                                              \
	;                                                                                                              \
	extern const struct table_column figure_##list##_columns[];
#include "report/figure_lists.def"

struct figure_list {
	const struct evl_log *log;
	const struct figures *f;
	const struct span_stats *spans; /* by name or by label, for FIGURES_spans */
	bool no_quantiles;              /* of these spans */
};

const struct table_kind *figure_list(enum figure_list_id id);

/* Words of the screen that tables explain: titles of the columns of all tables, labels of metrics. */
struct figure_term {
	const char *title, *key, *meaning;
};

/* Return the term number i, counted from 0; false: there are fewer. */
bool figure_term(size_t i, struct figure_term *out);

/* The same with its metrics, for a range whose `list` is the id: made by reading what the metrics take. */
extern const struct table_kind figure_tables[FIGURE_LISTS];

#endif
