/* lane_threads.h - lanes outside of lane.def: thread header, threads, thread groups, rows of many capabilities. */
#ifndef EVTUI_LANE_THREADS_H
#define EVTUI_LANE_THREADS_H

#include "lanes/lanes.h"

/* index: of lane_thread the thread's id, of lane_group its number in lanes.ask.folds, of lane_heat the row. */
extern const struct lane_ops lane_threads, lane_thread, lane_group, lane_heat;

/* A thread at the cursor in words. */
struct thread_moment;
void thread_inspect(const struct lane *lane, const struct model *m, const struct thread_moment *now, struct line *l);

/* A group in words. */
void group_inspect(const struct lanes *lanes, uint32_t fold, struct line *l);

/* Capabilities in a heat row, and the number of rows; 0: there are too few to fold them. */
size_t heat_caps(const struct evl_log *log);

/* Is the capability of a lane idle at t, and not stopped by a collection? */
bool cap_is_idle(const struct lane *lane, const struct evl_log *log, uint64_t t);

/* Does its last row show threads by colours? */
bool cap_is_tinted(const struct lane *lane, const struct canvas *c);

/* The cells and names of a capability's columns, as its lane shows them; also for what an OS thread ran. */
void cap_columns_draw(const struct plot *p, const struct cap_column *cols, int rows, const struct lane_place *at,
	struct canvas *c, int y);
void cap_columns_inspect(struct line *l, const struct cap_column *col, uint64_t all);

#endif
