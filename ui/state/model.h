/* model.h - state shared by all panes: window, cursor, selected range; zoom, pan, undo
 *
 * Ranges are half-open. While a range is being selected (`moving`), one end is fixed and the other follows the
 * cursor. */
#ifndef EVTUI_MODEL_H
#define EVTUI_MODEL_H

#include "base/base.h"
#include "log/log.h"
#include "query/gc_detail.h"
#include "state/bookmarks.h"

/* A selected range. */
struct selection {
	bool on, moving;
	uint64_t anchor, end; /* the two ends in either order; while moving, `end` is the cursor */
};

/* Start selecting at t, which is both ends. */
void selection_begin(struct selection *s, uint64_t t);

/* Move the free end to t. Do nothing unless the selection is moving. */
void selection_move(struct selection *s, uint64_t t);

/* Finish selecting. An empty selection is dropped; return false then. */
bool selection_keep(struct selection *s);

/* Select [from, to). */
void selection_set(struct selection *s, uint64_t from, uint64_t to);
void selection_drop(struct selection *s);

/* Swap the fixed end and the free end. Return the new free end, where the cursor has to go. */
uint64_t selection_turn(struct selection *s);

static inline uint64_t selection_from(const struct selection *s) { return min_u64(s->anchor, s->end); }
static inline uint64_t selection_to(const struct selection *s) { return max_u64(s->anchor, s->end); }

/* The window of time and the cursor in it.
 *
 * Times are in ns. The window is [t0, t1), the whole run [first, last + 1). The cursor always stays in the window: a
 * pan moves it if necessary. The plot is `cols` columns wide; a step of the cursor is one column. */

enum { MODEL_UNDO = 64, MODEL_BURST_MS = 1000 };

/* Window and cursor. */
struct model_place {
	uint64_t t0, t1, cursor; /* window [t0, t1) and cursor, ns */
	size_t finding;          /* number of the finding shown there, from 1; 0: none, or no longer one */
	const void *lane;        /* for undo: lane (struct lane_ops) selected before a jump to another; NULL: none */
	uint32_t lane_index;
	size_t lane_first; /* with it: position of the first lane below the top */
	uint8_t pane;      /* for undo: 1 + the pane whose list was left by a jump to the timeline; 0: none */
	bool of_finding;   /* a finding was shown there, even if a newer list does not have it */
	bool in_whole;     /* the finding was shown by a window of the whole run */
};

/* Kind of the last change. Changes of one kind in quick succession are undone together. */
enum { MODEL_LONGEST = 10 };
enum model_change { CHANGE_NONE, CHANGE_ZOOM, CHANGE_PAN, CHANGE_JUMP };

struct model {
	struct evl_log *log;
	uint64_t first, last; /* times of the first and last event of the run, as far as known */
	bool ranged;          /* the run has events, so first and last are valid */
	struct model_place at;
	int cols;
	struct model_place undo[MODEL_UNDO], redo[MODEL_UNDO];
	int n_undo, n_redo;
	struct model_place before; /* place before the last jump */
	uint32_t jumps;            /* number of jumps so far */
	enum model_change change;  /* kind of the last change */
	int64_t changed_ms;        /* time of the last change */
	struct selection selection;
	struct bookmarks marks;
	uint64_t origin; /* time that the ruler shows as 0 */
	bool wall;       /* the ruler shows the time of day */
	bool live;       /* the log grows; the window only grows with it if `follow` */
	bool growing;    /* it has not ended yet */
	/* If the log grows: time from which on events may still be added, because not all capabilities have flushed;
	 * 0: none. */
	uint64_t final_t;
	bool follow;                 /* window and cursor stay at the end of the run until the user moves them */
	struct model_place followed; /* place that following set last */
	/* The longest pauses of the run whose copying is known (gc_copying). */
	struct model_copying {
		uint64_t gc_start;
		struct gc_copying is;
	} copying[MODEL_LONGEST];
	size_t n_copying;
	bool oversubscribed; /* there is a finding that collections waited for a processor, as far as is known */
};

/* Return whether the model shows this place. */
static inline bool model_is_at(const struct model *m, const struct model_place *p)
{
	return m->at.t0 == p->t0 && m->at.t1 == p->t1 && m->at.cursor == p->cursor && m->at.finding == p->finding
		&& m->at.lane == p->lane && m->at.lane_index == p->lane_index;
}

/* Return how far copying explains a pause; NULL: not known. */
static inline const struct gc_copying *model_copying(const struct model *m, uint64_t gc_start)
{
	size_t i = 0;
	while (i < m->n_copying && m->copying[i].gc_start != gc_start)
		i++;
	return i < m->n_copying ? &m->copying[i].is : NULL;
}

/* Initialize with the window on the whole run, as far as known. */
void model_init(struct model *m, struct evl_log *log);

/* Update the range of the run after more of the log was indexed. A window that shows the whole run continues to do
 * so. */
void model_refresh(struct model *m);

/* Replace the log, usually by a longer version. reset: it is a different log. */
void model_on_log_replaced(struct model *m, struct evl_log *log, bool reset);

/* Go to the end of the run and follow it as it grows, until the user moves window or cursor. */
void model_follow_end(struct model *m);

/* Set the width of the plot in columns, at least 1. */
void model_set_cols(struct model *m, int cols);

/* model_edge: return the time of the left edge of a column. model_col: return the column of a time, 0 to cols - 1,
 * or -1 outside of the window. */
uint64_t model_edge(const struct model *m, int col);
int model_col(const struct model *m, uint64_t t);
uint64_t model_width(const struct model *m); /* of the window, in ns */

/* Get the columns [*from, *to) that the selection touches. Return false if there are none in the window. */
bool model_selected_cols(const struct model *m, int *from, int *to);

/* Move the cursor by columns. At the edge of the window, pan by an eighth of it. */
void model_step(struct model *m, int cols);

/* Pan by num / den of the window's width; negative: back. */
void model_pan(struct model *m, int num, int den, int64_t now_ms);

/* Zoom by num / den (in if num < den, else out); the cursor keeps its column. */
void model_zoom(struct model *m, unsigned num, unsigned den, int64_t now_ms);

/* Zoom around t, which keeps its column; the cursor keeps its time if it remains visible. */
void model_zoom_at(struct model *m, uint64_t t, unsigned num, unsigned den, int64_t now_ms);

/* Pan so that t is in this column, as far as the run allows. */
void model_place(struct model *m, uint64_t t, int col, int64_t now_ms);

/* Report whether the window shows the whole run. */
static inline bool model_is_whole(const struct model *m) { return m->at.t0 <= m->first && m->at.t1 > m->last; }

/* model_fit: show [t0, t1), with the cursor inside. model_fit_at: also move the cursor to `at`. model_whole: show the
 * whole run. */
void model_fit(struct model *m, uint64_t t0, uint64_t t1, int64_t now_ms);
void model_fit_at(struct model *m, uint64_t t0, uint64_t t1, uint64_t at, int64_t now_ms);
void model_whole(struct model *m, int64_t now_ms);

/* Show [from, to) with as much time again on both sides, and the cursor at `at`. If the range is empty, show a
 * fortieth of the run, or less if the window is narrower already. This is one step for undo. */
void model_show(struct model *m, uint64_t from, uint64_t to, uint64_t at, int64_t now_ms);

/* Move the cursor to t. If t is outside of the window, centre the window on it. */
void model_goto(struct model *m, uint64_t t, int64_t now_ms);

/* Do the same without a step for undo, because the cursor was moved in another pane. */
void model_follow(struct model *m, uint64_t t);

/* model_home, model_end: move the cursor to the left or right edge of the window. model_centre: centre the window on
 * the cursor. */
void model_home(struct model *m);
void model_end(struct model *m);
void model_centre(struct model *m, int64_t now_ms);

/* Go back to the place before the last jump; a second call returns. Return false if there was no jump. */
bool model_back(struct model *m, int64_t now_ms);

/* model_set_finding: show a finding (0: none) at the present place, reached from `was`: one step for undo, even if nothing
 * moved. model_drop_finding: go back to the place before findings were shown, as far as undo knows it; also a step for undo.
 * Return the place. */
void model_set_finding(struct model *m, struct model_place was, size_t finding);
struct model_place model_drop_finding(struct model *m, int64_t now_ms);

/* Undo or redo a change of the window. Return false if there is none. */
bool model_undo(struct model *m);
bool model_redo(struct model *m);

#endif
