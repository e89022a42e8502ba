/* lanes.h - list of all lanes: order, height, scrolling, selection; pinned, hidden and moved lanes.
 *
 * The list has three parts. The top does not scroll: markers, pauses, the nonmoving collector, and pinned lanes.
 * Then the other lanes of lane.def; 64 and more capabilities are folded into a few heat rows. Then the threads: a
 * header, groups (each followed by its threads while it is open), and every other thread of the list in its order.
 * Labels that many threads have but for their digits are groups from the start. Threads are never touched one by one: a
 * lane is made when its position is asked for. Pure data; knows the screen only by its number of rows. */
#ifndef EVTUI_LANES_H
#define EVTUI_LANES_H

#include "jobs/cursor_job.h"
#include "jobs/path_job.h"
#include "lanes/lane.h"
#include "threads/thread_job.h"

enum { SHADED_MINOR = 1, SHADED_MAJOR };

enum { FOLD_CAPS = 64, HEAT_ROWS = 8, LANE_MAX_ROWS = 12, LANES_PINNED = 64, LANES_ON_SCREEN = 1024 };

/* A lane of the registry, and what the user did to it. */
struct fixed_lane {
	struct lane lane;
	bool top; /* by nature */
	bool pinned, hidden;
	int grown; /* rows more (less) than it wants */
};

/* A lane on the screen. */
struct placed_lane {
	struct lane lane;
	size_t position;
	int y;
};

struct lanes {
	const struct evl_log *log;
	const struct lane_ops *const *kinds; /* the registry, terminated by NULL */
	struct fixed_lane *fixed;
	size_t n_fixed;
	bool heat_open[HEAT_ROWS + 1];

	struct lane *top, *rest; /* what is shown of them: lanes_compose */
	size_t n_top, n_rest;

	struct thread_list threads;
	struct thread_job *job; /* that the list comes from, and the columns of its lanes; NULL: none yet */
	struct thread_list_ask ask;
	struct lane_fold {
		enum { FOLD_PLAIN, FOLD_OPEN, FOLD_CLOSED } state; /* plain: open while the filter keeps but some */
		size_t part;                                       /* of the list; PART_REST: it has none yet */
		int grown;                                         /* rows more than one */
	} folds[LIST_FOLDS];                                       /* as in ask */
	uint32_t fold_order[LIST_FOLDS];                           /* as they come on the screen */
	uint64_t dissolved[LIST_FOLDS];                            /* keys of patterns that are no group any more */
	size_t n_dissolved;
	uint32_t pinned[LANES_PINNED]; /* threads */
	size_t n_pinned;
	uint32_t hidden[LIST_HIDDEN - LANES_PINNED];
	size_t n_hidden;
	struct {
		uint32_t thread;
		int rows;
	} grown[LANES_PINNED];
	size_t n_grown;
	bool threads_closed, only_pinned;
	bool reading;                       /* the log is still being read: threads are not listed yet */
	bool show_hidden;                   /* lanes too that are hidden by default, or for want of room */
	uint32_t highlight;                 /* a thread; 0: none */
	const struct why_answer *why;       /* why the selected capability is idle at the cursor; NULL: not known */
	const struct thread_moment *moment; /* what the selected thread does at the cursor; NULL: not known */
	enum gc_shade { SHADE_AUTO, SHADE_ON, SHADE_OFF } gc_shade; /* pauses drawn over all lanes; auto: wide ones */
	const uint8_t *shade;         /* of each column: 0, or SHADED_MINOR, SHADED_MAJOR; NULL: of none */
	const struct path_cols *path; /* the critical path in the window; NULL: it is not shown */

	struct lane selected;
	size_t position;             /* of the selected lane */
	size_t first;                /* the first lane that is shown below the top */
	size_t shown_threads;        /* thread lanes on the screen, as last laid out */
	size_t shown_first, shown_n; /* positions of what scrolls */
};

/* kinds: lane_kinds, or others for a test. */
void lanes_init(struct lanes *l, const struct evl_log *log, const struct lane_ops *const *kinds);
void lanes_free(struct lanes *l);

/* The log has been replaced by a longer version. */
void lanes_on_log_replaced(struct lanes *l, const struct evl_log *log);

/* Which capabilities pass the filter. */
typedef bool lanes_keep(void *ctx, const struct lane *lane);

/* Choose the lanes to show, and their rows. Return false if memory ran out. */
bool lanes_compose(struct lanes *l, const struct lane_place *at, bool markers, lanes_keep *keep, void *ctx);

/* Rows that all lanes but the threads take. */
int lanes_fixed_rows(const struct lanes *l);

/* A newer list of threads was put into l->threads: find the selected lane again. */
void lanes_relist(struct lanes *l);

/* The list. Positions: 0 … lanes_count - 1. */
size_t lanes_count(const struct lanes *l);
struct lane lanes_at(const struct lanes *l, size_t position); /* ops NULL: there is none */
const struct lane *lanes_selected(const struct lanes *l);     /* NULL: there is none */

/* Select; a group opens if its thread is wanted. A lane that is not in the list: false. */
void lanes_move(struct lanes *l, int64_t by);
bool lanes_select(struct lanes *l, const struct lane_ops *ops, uint32_t index);

/* Place lanes into rows [y, end), the selected one among them. How many. */
size_t lanes_layout(struct lanes *l, int y, int end, struct placed_lane *out, size_t room);

/* Is a group open; how many threads does the filter keep of how many? */
bool lanes_group_is_open(const struct lanes *l, uint32_t fold);
size_t lanes_group_size(const struct lanes *l, uint32_t fold, size_t *all);

/* The filter is another one: it decides again which groups are open. */
void lanes_refilter(struct lanes *l);

/* Apply an action to the selected lane. Return NULL or an error message. */
const char *lanes_pin(struct lanes *l);
const char *lanes_only_pinned(struct lanes *l);
const char *lanes_hide(struct lanes *l);
const char *lanes_show_all(struct lanes *l);
const char *lanes_shift(struct lanes *l, int by);
const char *lanes_grow(struct lanes *l, int by);
const char *lanes_expand(struct lanes *l);
const char *lanes_regroup(struct lanes *l); /* make a group of its label, close it, or dissolve it */

/* A thread (0: none) is seen everywhere; the same one again: no more. */
const char *lanes_highlight(struct lanes *l, uint32_t thread);

/* The order of threads; and what the job is to know of this list. */
void lanes_sort(struct lanes *l);
void lanes_fill_ask(const struct lanes *l, struct thread_list_ask *ask);

/* The next change of state in a lane after t, or the last before it; the stretch of one state at t (struct lane_ops). */
bool lanes_change(const struct lanes *l, const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward,
	uint64_t *out);
bool lanes_span(const struct lanes *l, const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from,
	uint64_t *to);

/* The thread that a lane is about, 0: none. */
uint32_t lanes_thread(const struct lane *lane);

#endif
