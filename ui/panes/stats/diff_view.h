/* diff_view.h - two runs or ranges in two columns with their differences: of this log (D), or of this and another (:diff). */
#ifndef EVTUI_DIFF_VIEW_H
#define EVTUI_DIFF_VIEW_H

#include "jobs/other_log.h"
#include "lanes/parts.h"
#include "panes/stats/diff_job.h"
#include "term/keymap.h"

struct diff_view {
	bool open;
	const struct evl_log *log;
	struct other_log *other; /* NULL: ranges of this log are compared */
	void (*wake)(void *);
	void *wake_ctx;
	struct answer_job *job; /* NULL: the other log is not there yet */
	struct diff_ask ask;
	struct diff_answer answer;
	int at, top, shown, y; /* the selected line, those on the screen, and where */
};

/* Start to compare. other: the log that a range may be of; NULL: neither is. */
void diff_view_open(struct diff_view *v, const struct evl_log *log, struct other_log *other, const struct diff_ask *ask,
	void (*wake)(void *), void *wake_ctx);
void diff_view_close(struct diff_view *v);

/* Is there anything new to draw; is it being compared; stop that (false: it was not). */
bool diff_view_news(struct diff_view *v);
bool diff_view_busy(const struct diff_view *v);
bool diff_view_stop(struct diff_view *v);

/* Into rows [y, end). */
void diff_view_draw(struct diff_view *v, struct canvas *c, int y, int end, int wait_ms);

/* Draw the selected row into a row of a separate canvas. */
void diff_view_copy(const struct diff_view *v, struct canvas *c);

/* The log was replaced by a longer version: compare that. */
void diff_view_on_log_replaced(struct diff_view *v, const struct evl_log *log);

bool diff_view_act(struct diff_view *v, enum action action);

#endif
