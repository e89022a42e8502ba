/* lanes_private.h - helpers of lanes.c, shared with lanes_edit.c */
#ifndef EVTUI_LANES_PRIVATE_H
#define EVTUI_LANES_PRIVATE_H

#include "lanes/lanes.h"

/* Return a lane of the registry; NULL if this lane is not one. */
struct fixed_lane *lanes_find_fixed(const struct lanes *l, const struct lane *lane);

/* lanes_clamp_rows: limit a height to the allowed range. lanes_thread_rows: return the height of a thread's lane. */
int lanes_clamp_rows(int rows);
int lanes_thread_rows(const struct lanes *l, uint32_t thread);

/* Add a group of threads, unless it exists or the user dissolved it. */
void lanes_add_group(struct lanes *l, const char *pattern);

/* Assign each group to its part of the thread list, after either has changed. */
void lanes_map_groups(struct lanes *l);

#endif
