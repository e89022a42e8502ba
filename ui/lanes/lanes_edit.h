/* lanes_edit.h - apply an operation (hide, pin, …) to all lanes whose name matches a pattern. */
#ifndef EVTUI_LANES_EDIT_H
#define EVTUI_LANES_EDIT_H

#include "lanes/lanes.h"

/* Names: "cap 3"; a thread's label, or its id; else what stands before the lane. Lanes that are pinned or at the top by
 * nature are left alone. How many were changed; *why: NULL, or what stopped it. The selection stays. */
size_t lanes_glob(struct lanes *l, const char *glob, const char *(*change)(struct lanes *), const char **why);

#endif
