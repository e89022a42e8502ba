/* lanes_edit.h - apply an operation (hide, pin, …) to all lanes whose name matches a pattern */
#ifndef EVTUI_LANES_EDIT_H
#define EVTUI_LANES_EDIT_H

#include "lanes/lanes.h"

/* Apply `change` to all lanes whose name matches the glob pattern. The name is "cap 3" for a capability, the label
 * or the id for a thread, and the displayed label for other lanes. Pinned lanes and those of the top are skipped.
 * Return the number of lanes changed; *why: NULL, or the error that stopped it. The selection does not change. */
size_t lanes_glob(struct lanes *l, const char *glob, const char *(*change)(struct lanes *), const char **why);

#endif
