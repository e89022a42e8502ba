/* lane_threads.h - lanes outside of lane.def: thread header, threads, thread groups, rows of many capabilities. */
#ifndef EVTUI_LANE_THREADS_H
#define EVTUI_LANE_THREADS_H

#include "lanes/lanes.h"

/* index: of lane_thread the thread's id, of lane_group its number in lanes.ask.folds, of lane_heat the row. */
extern const struct lane_ops lane_threads, lane_thread, lane_group, lane_heat;

/* Capabilities in a heat row, and the number of rows; 0: there are too few to fold them. */
size_t heat_caps(const struct evl_log *log);

#endif
