/* source_view.h - source text next to a table (S key), each line preceded by its cost; ]h goes to the next hot line
 *
 * A hot line is one with samples of the time profile or live bytes of the heap profile. Hot lines are ranked by
 * cost; 1 is the most expensive. */
#ifndef EVTUI_SOURCE_VIEW_H
#define EVTUI_SOURCE_VIEW_H

#include "draw/canvas.h"
#include "jobs/source_job.h"
#include "term/keymap.h"

struct pane_host;

struct source_view {
	struct answer_job *job;
	bool open;
	uint32_t hot;                /* rank of the line that ]h went to; 0: show the location of the selected row */
	char location[SOURCE_PLACE]; /* location of the selected row when last drawn */
	char place[SOURCE_PLACE];    /* location shown in the last frame */
	uint32_t n_hot;              /* number of hot lines; 0: unknown */
};

/* Handle S, ]h and [h. Return false for other actions. */
bool source_view_act(struct pane_host *h, enum action action);

/* Close it. Return false if it is not open. */
bool source_view_close(struct pane_host *h);

/* Draw the source, if open. location: that of the selected row; when it changes, the hot line is left. */
void source_view_draw(struct pane_host *h, struct canvas *c, int y, int x, int rows, int cols, struct evl_str location);

/* Return the place that E opens in the editor: the hot line if one is shown, else `location`. */
struct evl_str source_view_place(const struct pane_host *h, struct evl_str location);

/* source_view_news: return whether there is anything new to draw. source_view_busy: return whether the source is
 * being read. */
bool source_view_news(struct pane_host *h);
bool source_view_busy(const struct pane_host *h);

/* Drop everything that was read, after the log was replaced, or after its executable was found, which gives more
 * source locations. */
void source_view_forget(struct pane_host *h);

#endif
