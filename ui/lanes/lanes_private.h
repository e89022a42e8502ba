/* lanes_private.h - helpers of lanes.c shared with lanes_edit.c. */
#ifndef EVTUI_LANES_PRIVATE_H
#define EVTUI_LANES_PRIVATE_H

#include "lanes/lanes.h"

/* NULL: the lane is none of the registry. */
struct fixed_lane *lanes_find_fixed(const struct lanes *l, const struct lane *lane);

/* Within what a lane may have; the rows of a thread's lane. */
int lanes_clamp_rows(int rows);
int lanes_thread_rows(const struct lanes *l, uint32_t thread);

/* Make a group, unless there is one or it was dissolved. */
void lanes_add_group(struct lanes *l, const char *pattern);

/* After the groups or the list have changed: which part of the list each group is. */
void lanes_map_groups(struct lanes *l);

/* Select the lane at the position, or the last. */
void lanes_select_at(struct lanes *l, size_t position);

#endif
