/* diff_view.h - metrics of this log and another (:diff), or of two ranges (D), in two columns. */
#ifndef EVTUI_DIFF_VIEW_H
#define EVTUI_DIFF_VIEW_H

#include "lanes/parts.h"
#include "panes/stats/diff_job.h"
#include "term/keymap.h"

struct diff_view {
	struct answer_job *job; /* NULL: not open */
	struct diff_ask ask;
	struct diff_answer answer;
	int at, top, shown; /* among the rows that say something */
};

/* Start to compare. Return false without memory or threads. */
bool diff_view_open(struct diff_view *v, const struct evl_log *log, const struct diff_ask *ask, void (*wake)(void *),
	void *wake_ctx) EVL_MUST_USE;
void diff_view_close(struct diff_view *v);

/* Into rows [y, end). */
void diff_view_draw(struct diff_view *v, struct canvas *c, int y, int end, int wait_ms);

/* Draw the selected row into a row of a separate canvas. */
void diff_view_copy(const struct diff_view *v, struct canvas *c);

bool diff_view_act(struct diff_view *v, enum action action);

#endif
