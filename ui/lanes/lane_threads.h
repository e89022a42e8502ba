/* lane_threads.h - lanes outside of lane.def: thread header, threads, thread groups, rows of many capabilities
 *
 * Times are in ns. */
#ifndef EVTUI_LANE_THREADS_H
#define EVTUI_LANE_THREADS_H

#include "lanes/lanes.h"

/* The lane's index is, for lane_thread, the thread's id; for lane_group, the group's index in lanes.ask.folds; for
 * lane_heat, the row. */
extern const struct lane_ops lane_threads, lane_thread, lane_group, lane_heat;

/* Measure the names of the threads and groups among placed lanes: all numbers are aligned, and all labels cut alike. Return the
 * columns that the names need. */
int threads_measure(struct lanes *l, const struct placed_lane *placed, size_t n, const struct lane_place *at,
	const struct canvas *c);

/* Write about a thread at the cursor, for the inspector. */
struct thread_moment;
void thread_inspect(const struct lane *lane, const struct model *m, const struct thread_moment *now, struct line *l);

/* Return the name of a group: "worker-#", or "no label". */
const char *group_name(const struct lanes *l, uint32_t fold);

/* Write about a group, for the inspector. */
void group_inspect(const struct lanes *lanes, uint32_t fold, struct line *l);

/* Return the number of capabilities per heat row; 0 if there are too few capabilities to merge them. */
size_t heat_caps(const struct evl_log *log);

/* Return the index of a capability's lane; n_caps if it has none. */
uint32_t cap_lane(const struct evl_log *log, uint16_t cap);

/* Return whether a lane's capability is idle at t, but not stopped for a collection. */
bool cap_is_idle(const struct lane *lane, const struct evl_log *log, uint64_t t);

/* If a capability is idle several times in the column at the cursor, set *out to ask what threads did meanwhile. */
bool cap_idle_in_column(const struct lane *lane, struct plot *plot, struct idle_ask *out);

/* Write the shares of the cursor's column, in brief, if the capability is created later in it: at the start of the run there is
 * no state to tell. Return false if it is not. */
bool cap_inspect_start(const struct lane *lane, struct plot *plot, struct line *l);

/* Return whether the last row of a capability's lane shows threads by colour. */
bool cap_is_tinted(const struct lane *lane, const struct canvas *c);

/* cap_thread_draw: draw the number of a thread over cells, and its label if there is room. cap_thread_tint: return its colour. */
void cap_thread_draw(const struct plot *p, uint32_t thread, struct pen pen, struct canvas *c, int y, int x, int room);
enum style cap_thread_tint(const struct plot *p, uint32_t thread);

/* cap_columns_draw: draw the cells of a capability's columns and the names in them; also used for the lane of an OS
 * thread. cap_columns_inspect: write the figures of one column. */
void cap_columns_draw(const struct plot *p, const struct cap_column *cols, int rows, const struct lane_place *at,
	struct canvas *c, int y);
void cap_columns_inspect(struct line *l, const struct evl_log *log, const uint64_t ns[CAP_SHARES], uint64_t all);

#endif
