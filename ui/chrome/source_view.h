/* source_view.h - the source next to the table of a pane (the S key), each line preceded by its cost; ]h goes to the
 * next hot line. */
#ifndef EVTUI_SOURCE_VIEW_H
#define EVTUI_SOURCE_VIEW_H

#include "draw/canvas.h"
#include "jobs/source_job.h"
#include "term/keymap.h"

struct pane_host;

struct source_view {
	struct source_job *job;
	bool open;
	uint32_t hot;                /* the rank that ]h went to; 0: the selected row's place is shown */
	char location[SOURCE_PLACE]; /* of that row, when it was last drawn */
	char place[SOURCE_PLACE];    /* shown in the last frame */
	uint32_t n_hot;              /* lines that cost anything; 0: not known */
};

/* S, ]h and [h; false: another action. */
bool source_view_act(struct pane_host *h, enum action action);

/* Draw it, if it is open. The location is that of the selected row: as long as that stays, so does the hot line. */
void source_view_draw(struct pane_host *h, struct canvas *c, int y, int x, int rows, int cols, struct evl_str location);

/* Return the place that E opens: the hot line, if one is shown, or else the location. */
struct evl_str source_view_place(const struct pane_host *h, struct evl_str location);

bool source_view_news(struct pane_host *h);
bool source_view_busy(const struct pane_host *h);

/* The log is another one, or names have come: what was read is of no use. */
void source_view_forget(struct pane_host *h);

#endif
