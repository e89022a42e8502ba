/* table_view.h - a table on the screen: scroll, sort, filter, copy, with any number of rows
 *
 * Times are in ns. */
#ifndef EVTUI_TABLE_VIEW_H
#define EVTUI_TABLE_VIEW_H

#include "lanes/parts.h"
#include "tables/table_job.h"
#include "term/keymap.h"

struct export_list;
struct pane_host;

enum { TABLE_WIDEST = 44 }; /* columns of the screen that a column takes at most, but for the last one */

struct table_view {
	const struct table_source *source; /* NULL: no table is open */
	const char *none;                  /* message if there are no rows */
	char subject[96];                  /* follows the title: " of thread 7"; mostly empty */
	struct answer_job *job, *deep;     /* deep: makes the table with its deep columns, then replaces `job` */
	struct table_page page;
	struct table_ask ask, had; /* the last question; the question that `page` answers */
	bool asked, pending;       /* a question was asked; its page is not ready */
	uint64_t at, top;          /* indices of the selected row and of the first visible row */
	int64_t moved;             /* rows to move on once the page is ready */
	int y, rows;               /* first screen row of the table's rows; number of visible rows */
	int first_column;          /* first visible column after column 0, which does not scroll */
	int columns, width;        /* number of columns that were last drawn; width of the screen then */
	int spare;                 /* columns of the screen that the wide column has more (table_source.fills) */
	bool all_columns;          /* the last column was visible */
	uint64_t cut;              /* bits of the columns whose text was cut in the selected row */
	struct filter_field items[TABLE_FIELDS];
	struct filter_fields fields; /* fields that Tab completes in a filter */
};

/* Open a table. of: the data of the source (see table_job_new), which must outlive the view; filter: the initial
 * filter, "" for none. Return false, with nothing open, if memory ran out or a thread could not be started. */
bool table_view_open(struct table_view *v, const struct table_source *source, const void *of, const char *filter,
	void (*wake)(void *), void *wake_ctx) EVL_MUST_USE;
void table_view_close(struct table_view *v);

/* table_view_on_log_replaced: open the table of a new log (`of`) at the same place. The old page stays visible until a new one is
 * ready. table_view_end_jobs: for this, end the jobs that read the old data, if that is about to be freed. */
void table_view_end_jobs(struct table_view *v);
void table_view_on_log_replaced(struct table_view *v, const void *of, void (*wake)(void *), void *wake_ctx);

/* Draw into rows [y, end). wait_ms: how long to wait for the rows (-1: no limit, also for all cells). */
void table_view_draw(struct table_view *v, struct canvas *c, int y, int end, int wait_ms);

/* Handle an action that moves, sorts or changes columns. Return false for other actions. */
bool table_view_act(struct table_view *v, enum action action);

/* Set the filter. Return 0; or EVL_USAGE with *err filled, then the old filter stays. */
int table_view_filter(struct table_view *v, const char *text, struct evl_err *err) EVL_MUST_USE;

/* Ask for a filter at the prompt, and set it while it is typed. */
void table_view_ask(struct table_view *v, struct pane_host *h);

/* Get the reference of the selected row. Return false if there is none or it is not known yet. */
bool table_view_row(const struct table_view *v, uint64_t *ref);

/* Get a number of the selected row. Return false if it is unknown. */
bool table_view_number(const struct table_view *v, int column, double *out);

/* Return a text of the selected row, valid until the next page; empty if it is unknown. */
struct evl_str table_view_text(const struct table_view *v, int column);

/* Get the time of the selected row: the sort column if that is a moment, else the source's `at` column. Return false
 * if there is none. */
bool table_view_moment(const struct table_view *v, uint64_t *t);

/* Handle a click at row y, column x: select the row there, or, on the headings, sort by that column or reverse the
 * order. Return whether a row was selected. */
bool table_view_click(struct table_view *v, int y, int x);

/* Draw all columns of the selected row into row 0 of a canvas that is wide enough. */
void table_view_copy(const struct table_view *v, struct canvas *c);

/* Get the table as it is shown, to export it. range: the range that it was opened with. */
void table_view_list(const struct table_view *v, const struct table_range *range, struct export_list *out);

/* Cancel the deep table and all other work. Return false if nothing was in progress. */
bool table_view_stop(struct table_view *v);

/* table_view_news: return whether there is anything new to draw. table_view_busy: return whether work is in
 * progress. */
bool table_view_news(struct table_view *v);
bool table_view_busy(const struct table_view *v);

#endif
