/* table_view.h - a table on the screen: scrolling, sorting, filtering, copying, any number of rows. */
#ifndef EVTUI_TABLE_VIEW_H
#define EVTUI_TABLE_VIEW_H

#include "lanes/parts.h"
#include "tables/table_job.h"
#include "term/keymap.h"

struct table_view {
	const struct table_source *source; /* NULL: not open */
	const char *none;                  /* why there are no rows */
	struct answer_job *job, *deep;     /* deep: makes the table that says more, and then takes the other's place */
	struct table_page page;
	struct table_ask ask, had; /* the last; that of the page */
	bool asked, pending;       /* its page is not there yet */
	uint64_t at, top;          /* positions of the selected row and of the first on the screen */
	int64_t moved;             /* rows to go on once the order is there */
	int y, rows;               /* of the first row on the screen, and how many */
	int first_column;          /* after the first one, which does not scroll */
	int columns;               /* that were last drawn */
	bool all_columns;          /* the last one was among them */
	struct filter_field items[TABLE_FIELDS];
	struct filter_fields fields; /* of them: what Tab completes in a filter */
};

/* Open a view. of: the data that the source opens, which must outlive the view; filter: the initial filter, "" for none. Return
 * false, with nothing open, without memory or threads. */
bool table_view_open(struct table_view *v, const struct table_source *source, const void *of, const char *filter,
	void (*wake)(void *), void *wake_ctx) EVL_MUST_USE;
void table_view_close(struct table_view *v);

/* `of` is of another log: open the table again at the same place, and show the former page until there is a newer
 * one. */
void table_view_on_log_replaced(struct table_view *v, const void *of, void (*wake)(void *), void *wake_ctx);

/* Draw into rows [y, end). wait_ms: how long a frame may wait for its rows (-1: no limit, and for all their cells). */
void table_view_draw(struct table_view *v, struct canvas *c, int y, int end, int wait_ms);

/* Handle a key: moves, order, columns. Return false if it has no meaning here. */
bool table_view_act(struct table_view *v, enum action action);

/* Show only rows that pass. EVL_USAGE with err filled: it stays as it is. */
int table_view_filter(struct table_view *v, const char *text, struct evl_err *err) EVL_MUST_USE;

/* Return the selected row, or false if there is none or it is not known yet. */
bool table_view_row(const struct table_view *v, uint64_t *ref);

/* Get a number in it. Return false if it is unknown. */
bool table_view_number(const struct table_view *v, int column, double *out);

/* Return a text in it, which is valid until the next page comes; empty if it is unknown. */
struct evl_str table_view_text(const struct table_view *v, int column);

/* Get its time: from the sort column if that is a time, else from the source's column. Return false if it has none. */
bool table_view_moment(const struct table_view *v, uint64_t *t);

/* Select the row at row y of the screen; on the titles, sort by the column at x, or reverse its order. Return false if no row was
 * selected. */
bool table_view_click(struct table_view *v, int y, int x);

/* All columns of that row, into the first one of a canvas that is wide enough. */
void table_view_copy(const struct table_view *v, struct canvas *c);

/* Cancel the deep table and all other work. Return false if there was none. */
bool table_view_stop(struct table_view *v);

bool table_view_news(struct table_view *v);
bool table_view_busy(const struct table_view *v);

#endif
