/* diff_view.h - two ranges side by side with their differences, of this log (D) or of two logs (:diff) */
#ifndef EVTUI_DIFF_VIEW_H
#define EVTUI_DIFF_VIEW_H

#include "jobs/other_log.h"
#include "lanes/parts.h"
#include "panes/stats/diff_job.h"
#include "table/table.h"
#include "term/keymap.h"

/* Fields of a filter of lines. A name passes with all its metrics if one of them does. */
enum { DIFF_FIELDS = 4 };

struct export_list;

/* Columns that names are sorted by. Differences are compared without their sign; unknown values come last. */
enum diff_order {
	DIFF_IN_LIST,
	DIFF_BY_A,
	DIFF_BY_B,
	DIFF_BY_CHANGE,
	DIFF_BY_RATIO,
	DIFF_BY_RATE,
	DIFF_BY_VERDICT,
	DIFF_ORDERS
};

struct diff_view {
	bool open;
	const struct evl_log *log;
	struct other_log *other; /* the other log; NULL: two ranges of this log are compared */
	void (*wake)(void *);
	void *wake_ctx;
	struct answer_job *job; /* NULL: the other log is not indexed yet */
	struct diff_ask ask;
	struct diff_answer answer;
	char filter[TABLE_FILTER];
	enum diff_order order; /* of the names of each group */
	bool rising;           /* the smallest first */
	int ends[DIFF_ORDERS]; /* where the columns that were last drawn end; 0: not drawn */
	int *rows;             /* lines that pass the filter, in their order */
	size_t n;              /* of them */
	size_t names;          /* without titles */
	int at, top, shown, y; /* selected row; first visible row; number of visible rows; screen row of the first */
};

/* Start a comparison. other: the log for ranges marked `other`; NULL: none are. */
void diff_view_open(struct diff_view *v, const struct evl_log *log, struct other_log *other, const struct diff_ask *ask,
	void (*wake)(void *), void *wake_ctx);
void diff_view_close(struct diff_view *v);

/* diff_view_news: return whether there is anything new to draw. diff_view_busy: return whether a comparison is
 * running. diff_view_stop: cancel it; return false if none was running. */
bool diff_view_news(struct diff_view *v);
bool diff_view_busy(const struct diff_view *v);
bool diff_view_stop(struct diff_view *v);

/* Draw into rows [y, end). wait_ms: how long to wait for an answer (-1: no limit). */
void diff_view_draw(struct diff_view *v, struct canvas *c, int y, int end, int wait_ms);

/* Get a copy of the lines as they are shown, to export them. Return false if there are none. */
bool diff_view_list(const struct diff_view *v, struct export_list *out);

/* Draw the selected line into row 0 of a separate canvas. */
void diff_view_copy(const struct diff_view *v, struct canvas *c);

/* Return the fields that Tab completes in a filter. */
const struct filter_fields *diff_view_fields(void);

/* Set the filter. Return 0; or EVL_USAGE with *err filled, then the old filter stays. */
int diff_view_filter(struct diff_view *v, const char *text, struct evl_err *err) EVL_MUST_USE;

/* Return the selected line, or NULL. */
const struct difference_item *diff_view_line(const struct diff_view *v);

/* Select the line on screen row y; on the headings, sort by the column at x. Return whether a line was selected. */
bool diff_view_click(struct diff_view *v, int y, int x);

/* Compare again, after the log was replaced by a longer version. */
void diff_view_on_log_replaced(struct diff_view *v, const struct evl_log *log);

/* Handle an action. Return false if it has no meaning here. */
bool diff_view_act(struct diff_view *v, enum action action);

#endif
