/* lanes_edit.h - apply an operation (hide, pin, …) to all lanes whose name matches a pattern. */
#ifndef EVTUI_LANES_EDIT_H
#define EVTUI_LANES_EDIT_H

#include "lanes/lanes.h"

/* Names: "cap 3"; a thread's label, or its id; or the text before the lane. Lanes that are pinned or always at the
 * top are not changed. Return the number of changed lanes; *why: NULL, or the error that stopped it. The selection
 * stays. */
size_t lanes_glob(struct lanes *l, const char *glob, const char *(*change)(struct lanes *), const char **why);

#endif
