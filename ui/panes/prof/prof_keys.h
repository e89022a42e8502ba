/* prof_keys.h - keys and clicks of the Profile pane. */
#ifndef EVTUI_PROF_KEYS_H
#define EVTUI_PROF_KEYS_H

#include "chrome/pane.h"

/* False: the action does nothing of its own here. view: struct prof_pane. */
bool prof_keys(void *view, struct pane_host *h, enum action action);

/* A click in row y, column x: a frame or a row is selected, twice: focused on; else the time there is gone to, twice: on the timeline. */
void prof_click(void *view, struct pane_host *h, int y, int x, bool twice);

#endif
