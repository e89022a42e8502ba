/* model.h - state shared by all panes: window, cursor, selected range; zoom, pan, undo.
 *
 * While a range is being selected (moving), one end is fixed and the other follows the cursor. Ranges are half-open. */
#ifndef EVTUI_MODEL_H
#define EVTUI_MODEL_H

#include "base/base.h"
#include "log/log.h"
#include "state/bookmarks.h"

struct selection {
	bool on, moving;
	uint64_t anchor, end; /* in either order; while moving, `end` is the cursor */
};

void selection_begin(struct selection *s, uint64_t t);

/* The end that follows: to t. Nothing happens unless it is moving. */
void selection_move(struct selection *s, uint64_t t);

/* It stays as it is; an empty one is dropped: then false. */
bool selection_keep(struct selection *s);

void selection_set(struct selection *s, uint64_t from, uint64_t to);
void selection_drop(struct selection *s);

/* Change the ends over: where the cursor has to go. */
uint64_t selection_turn(struct selection *s);

static inline uint64_t selection_from(const struct selection *s) { return min_u64(s->anchor, s->end); }
static inline uint64_t selection_to(const struct selection *s) { return max_u64(s->anchor, s->end); }

/* The window of time and the cursor in it. Pure arithmetic; draws nothing.
 *
 * Times are ns of the log. The window is [t0, t1); the whole run is [first, last + 1). The cursor stays in the window:
 * a pan takes it along when it would leave. The plot is `cols` columns wide, which sets the size of a step. */

enum { MODEL_UNDO = 64, MODEL_BURST_MS = 1000 };

struct model_place {
	uint64_t t0, t1, cursor;
	const void *lane; /* that a jump to another lane left (struct lane_ops), for undo; NULL: none */
	uint32_t lane_index;
};

/* Kind of the last change: changes of one kind in quick succession are undone together. */
enum model_change { CHANGE_NONE, CHANGE_ZOOM, CHANGE_PAN, CHANGE_JUMP };

struct model {
	struct evl_log *log;
	uint64_t first, last; /* of the run, as far as it is known */
	bool ranged;          /* the run has a range: there are events */
	struct model_place at;
	int cols;
	struct model_place undo[MODEL_UNDO], redo[MODEL_UNDO];
	int n_undo, n_redo;
	struct model_place before; /* the last jump */
	uint32_t jumps;            /* so far */
	enum model_change change;
	int64_t changed_ms;
	struct selection selection;
	struct bookmarks marks;
	uint64_t origin;  /* the ruler counts from here */
	bool wall;        /* the ruler shows the time of day instead */
	bool live;        /* the log grows: a window on the whole run stays what it is, unless one follows */
	uint64_t final_t; /* of a log that grows: from here on something may still come, as not all capabilities have
	                         flushed; 0: all is final */
	bool follow;      /* window and cursor go along with the end of the run, until they are moved */
	struct model_place followed; /* where following put them */
};

void model_init(struct model *m, struct evl_log *log);

/* The log may have become known better: take its range. A window on the whole run stays one. */
void model_refresh(struct model *m);

/* Replace the log, usually by a longer version. anew: it is a different one. */
void model_on_log_replaced(struct model *m, struct evl_log *log, bool reset);

/* Go to the end of the run, and along as it grows, until window or cursor are moved. */
void model_follow_end(struct model *m);

/* The plot's width in columns, at least 1. */
void model_set_cols(struct model *m, int cols);

/* Times of column edges, and the column of a time: 0…cols - 1, or -1 outside of the window. */
uint64_t model_edge(const struct model *m, int col);
int model_col(const struct model *m, uint64_t t);
uint64_t model_width(const struct model *m); /* of the window, ns */

/* The columns [*from, *to) that the selection touches; false where there is none in the window. */
bool model_selected_cols(const struct model *m, int *from, int *to);

/* The cursor by columns; at the edge the window moves by an eighth. */
void model_step(struct model *m, int cols);

/* The window by a part of itself (num / den of its width; negative: back). */
void model_pan(struct model *m, int num, int den, int64_t now_ms);

/* Zoom in (num < den) or out by num / den; the cursor keeps its column. */
void model_zoom(struct model *m, unsigned num, unsigned den, int64_t now_ms);

/* The same around t, which keeps its column; the cursor stays where it is as long as it is seen. */
void model_zoom_at(struct model *m, uint64_t t, unsigned num, unsigned den, int64_t now_ms);

/* Pan so that t is in a column, as near as the run allows. */
void model_place(struct model *m, uint64_t t, int col, int64_t now_ms);

/* Show [t0, t1), the cursor inside. */
void model_fit(struct model *m, uint64_t t0, uint64_t t1, int64_t now_ms);
void model_whole(struct model *m, int64_t now_ms);

/* Show [from, to) with as much on both sides as it is long, the cursor at `at`; where it is empty a fortieth of the run, or less
 * if the window is narrower already. One step to undo. */
void model_show(struct model *m, uint64_t from, uint64_t to, uint64_t at, int64_t now_ms);

/* Put the cursor at t; the window follows if t lies outside (t is then at its middle). */
void model_goto(struct model *m, uint64_t t, int64_t now_ms);

/* The same for a cursor that another pane moves: nothing to undo. */
void model_follow(struct model *m, uint64_t t);

/* The cursor to an edge of the window, or the window's middle to the cursor. */
void model_home(struct model *m);
void model_end(struct model *m);
void model_centre(struct model *m, int64_t now_ms);

/* Back to before the last jump; again: there and back. False when there was no jump. */
bool model_back(struct model *m, int64_t now_ms);

/* False when there is nothing to take back. */
bool model_undo(struct model *m);
bool model_redo(struct model *m);

#endif
