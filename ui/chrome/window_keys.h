/* window_keys.h - keys that move the cursor, the window and the range along time: the same in every pane that has a
 * picture over time. */
#ifndef EVTUI_WINDOW_KEYS_H
#define EVTUI_WINDOW_KEYS_H

#include "chrome/view.h"

/* Do it, if the action is one of these. What is in the way is said. */
bool window_keys(struct view_host *h, enum action action);

#endif
