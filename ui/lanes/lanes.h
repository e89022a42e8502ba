/* lanes.h - list of all lanes: order, height, scrolling, selection; pinned, hidden and moved lanes
 *
 * The list has three parts. The top does not scroll: markers, pauses, the nonmoving collector, and pinned lanes. Then
 * come the other lanes of lane.def; 64 or more capabilities are merged into a few "heat" rows. Then come the threads: a
 * header, groups (an open one is followed by its threads), and all other threads in the chosen order. Threads whose
 * labels differ only in digits form a group from the start. There may be millions of threads, so a thread's lane is
 * only made when its position is requested. The list knows nothing of the screen but its number of rows. Times are in
 * ns. */
#ifndef EVTUI_LANES_H
#define EVTUI_LANES_H

#include "jobs/cursor_job.h"
#include "jobs/path_job.h"
#include "lanes/lane.h"
#include "threads/thread_job.h"

enum { SHADED_MINOR = 1, SHADED_MAJOR };

enum {
	FOLD_CAPS = 64,
	HEAT_ROWS = 8,
	LANE_MAX_ROWS = 12,
	LANES_PINNED = 64,
	LANES_BROUGHT = 8,
	LANES_ON_SCREEN = 1024
};

/* A lane of the registry, and the user's changes to it. */
struct fixed_lane {
	struct lane lane;
	bool top; /* it belongs to the top by default */
	bool pinned, hidden;
	int grown; /* rows added by the user; negative: removed */
};

/* A lane on the screen. */
struct placed_lane {
	struct lane lane;
	size_t position;
	int y;
};

struct lanes {
	const struct evl_log *log;
	const struct lane_ops *const *kinds; /* NULL-terminated */
	struct fixed_lane *fixed;
	size_t n_fixed;
	bool heat_open[HEAT_ROWS + 1]; /* indexed by heat row: its capabilities are listed */

	struct lane *top, *rest; /* visible lanes of the top and below it, without threads; set by lanes_compose */
	size_t n_top, n_rest;

	struct thread_list threads; /* latest list of threads */
	struct thread_job *job; /* job that provides the thread list and the columns of thread lanes; NULL: none yet */
	struct thread_list_ask ask; /* the request for it */
	struct lane_fold {
		/* PLAIN: open only while the filter keeps some of its threads, not all */
		enum { FOLD_PLAIN, FOLD_OPEN, FOLD_CLOSED } state;
		/* Its part of the thread list; PART_REST: none yet. */
		size_t part;
		int grown;               /* rows in addition to one */
	} folds[LIST_FOLDS];             /* same order as ask.folds */
	uint32_t fold_order[LIST_FOLDS]; /* indices of folds in screen order */
	/* Keys of patterns whose groups the user dissolved. */
	uint64_t dissolved[LIST_FOLDS];
	size_t n_dissolved;
	uint32_t pinned[LANES_PINNED]; /* thread ids */
	size_t n_pinned;
	uint32_t brought
		[LANES_BROUGHT];  /* threads that are at the top, too: those of a finding, or one that a jump went to */
	size_t n_brought, n_lent; /* n_lent: how many of them are in `top` now */
	uint32_t hidden[LIST_HIDDEN - LANES_PINNED];
	size_t n_hidden;
	struct {
		uint32_t thread;
		int rows;
	} grown[LANES_PINNED];
	size_t n_grown;
	bool threads_closed, only_pinned; /* thread lanes are hidden; only pinned lanes are shown */
	/* The log is still being read, so threads are not listed yet. */
	bool reading;
	/* Show lanes that are hidden by default or for lack of room, too. */
	bool show_hidden;
	uint32_t highlight; /* thread whose runs are highlighted; 0: none */
	/* Why the selected capability is idle at the cursor; NULL: unknown. */
	const struct why_answer *why;
	/* Why it is idle in the column at the cursor, if it is several times; NULL: it is not, or unknown. */
	const struct idle_answer *idle;
	/* State of the selected thread at the cursor; NULL: unknown. */
	const struct thread_moment *moment;
	/* Pauses drawn over all lanes; SHADE_AUTO: only wide ones. */
	enum gc_shade { SHADE_AUTO, SHADE_ON, SHADE_OFF } gc_shade;
	/* Indexed by column: 0, SHADED_MINOR or SHADED_MAJOR; NULL: no pauses. */
	const uint8_t *shade;
	const struct path_cols *path; /* critical path in the window; NULL: not shown */
	uint64_t path_until;          /* the log was not read after this time for it */
	/* The end of the log for the lane of bands and those of the profile, if that is of an earlier state; else 0. */
	uint64_t bands_until, prof_until;

	struct lane selected;
	uint32_t back;   /* selected thread that left the top and that the list does not have yet; 0: none */
	size_t position; /* position of the selected lane */
	size_t first;    /* position of the first visible lane below the top */
	size_t shown_first, shown_n; /* positions of the scrolling lanes in the last layout: first, and number */
	int id_w, label_w;           /* of its threads: columns of the widest number and label */
};

/* Initialize the list. kinds: lane_kinds, or others in tests. */
void lanes_init(struct lanes *l, const struct evl_log *log, const struct lane_ops *const *kinds);
void lanes_free(struct lanes *l);

/* Switch to a new log, after the log was replaced by a longer version. */
void lanes_on_log_replaced(struct lanes *l, const struct evl_log *log);

/* Return whether a capability's lane passes the filter. */
typedef bool lanes_keep(void *ctx, const struct lane *lane);

/* Choose the visible lanes and their heights. markers: show the lane of markers; keep, ctx: filter of capabilities.
 * Return false if memory ran out. */
bool lanes_compose(struct lanes *l, const struct lane_place *at, bool markers, lanes_keep *keep, void *ctx);

/* Return the number of rows of all lanes but the threads. */
int lanes_fixed_rows(const struct lanes *l);

/* Find the selected lane again, after l->threads was replaced by a newer list. */
void lanes_relist(struct lanes *l);

/* lanes_count: return the number of lanes; positions are 0 to lanes_count - 1. lanes_at: return the lane at a
 * position. lanes_selected: return the selected lane. */
size_t lanes_count(const struct lanes *l);
struct lane lanes_at(const struct lanes *l, size_t position); /* ops is NULL if there is none */
const struct lane *lanes_selected(const struct lanes *l);     /* NULL if there is none */

/* lanes_move: move the selection by a number of lanes; if it enters the top lanes, those below are scrolled back.
 * lanes_page: scroll by a page, down (1) or up (-1), and select its last or first lane. lanes_select: select a lane; a thread
 * without one, as in a closed group, is brought to the top. Return false if it is not in the list. lanes_select_at: select
 * the lane at a position, or the last one if there are fewer. */
void lanes_move(struct lanes *l, int64_t by);
bool lanes_select(struct lanes *l, const struct lane_ops *ops, uint32_t index);
void lanes_page(struct lanes *l, int by);
void lanes_select_at(struct lanes *l, size_t position);

/* Show threads at the top as well, even hidden ones, instead of those brought before; select the first. n may be 0: a selected
 * thread that leaves the top stays selected if it is on the screen; else the first lane below the top is. */
void lanes_bring(struct lanes *l, const uint32_t *threads, size_t n);

/* lanes_note: note the selected lane and how far the lanes are scrolled, for undo. lanes_restore: bring that back, if it was
 * noted. */
void lanes_note(const struct lanes *l, struct model_place *at);
void lanes_restore(struct lanes *l, const struct model_place *at);

/* Put brought threads back, and scroll to the first lanes, as far as the selected one stays in view. */
void lanes_show_first(struct lanes *l);

/* Place lanes into rows [y, end) of the screen so that the selected one is visible; store them in out[room]. Return
 * their number. */
size_t lanes_layout(struct lanes *l, int y, int end, struct placed_lane *out, size_t room);

/* lanes_group_is_open: return whether a group is open. lanes_group_size: return how many of its threads pass the
 * filter; *all: how many it has. */
bool lanes_group_is_open(const struct lanes *l, uint32_t fold);
size_t lanes_group_size(const struct lanes *l, uint32_t fold, size_t *all);

/* Determine again which groups are open, after the filter was changed. */
void lanes_refilter(struct lanes *l);

/* Apply an action to the selected lane. Return NULL or an error message. */
const char *lanes_pin(struct lanes *l);
const char *lanes_only_pinned(struct lanes *l);
const char *lanes_hide(struct lanes *l);
const char *lanes_show_all(struct lanes *l);
bool lanes_any_hidden(const struct lanes *l); /* or not pinned, where only pinned ones are shown */
const char *lanes_shift(struct lanes *l, int by);
const char *lanes_grow(struct lanes *l, int by);
const char *lanes_expand(struct lanes *l);
const char *lanes_regroup(struct lanes *l); /* thread: group all threads of its label; group: dissolve it */

/* Highlight the runs of a thread in all lanes; the same thread again, or 0, ends it. Return NULL or an error
 * message. */
const char *lanes_highlight(struct lanes *l, uint32_t thread);

/* lanes_sort: switch to the next order of threads. lanes_fill_ask: set what the thread job needs to know about this
 * list. */
void lanes_sort(struct lanes *l);
void lanes_fill_ask(const struct lanes *l, struct thread_list_ask *ask);

/* lanes_change: find the next change of state in a lane after t, or the last one before t. lanes_span: get the
 * interval of the state at t. Return false if there is none. */
bool lanes_change(const struct lanes *l, const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward,
	uint64_t *out);
bool lanes_span(const struct lanes *l, const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from,
	uint64_t *to);

/* Return the thread that a lane shows; 0 if none. */
uint32_t lanes_thread(const struct lane *lane);

/* Write the name of a lane to name: the label of its thread ("": none), "cap 0", or that of its kind. Return name. */
const char *lanes_name(const struct lanes *l, const struct lane *lane, char name[LIST_NAME]);

/* Return whether the user pinned a lane. */
bool lanes_is_pinned(struct lanes *l, const struct lane *lane);

#endif
