/* prof_keys.h - keys and clicks of the Profile pane. */
#ifndef EVTUI_PROF_KEYS_H
#define EVTUI_PROF_KEYS_H

#include "chrome/pane.h"

/* Return false if the action has no special meaning here. view: struct prof_pane. */
bool prof_keys(void *view, struct pane_host *h, enum action action);

/* Handle a click in row y, column x: select a frame or a row, twice: focus on it; elsewhere go to the time there,
 * twice: on the timeline. */
void prof_click(void *view, struct pane_host *h, int y, int x, bool twice);

/* Pick the selected row of the list of threads, if Enter asked for that and its rows are those asked for. Return true if the list
 * is closed now. */
bool prof_pick(void *view, struct pane_host *h);

#endif
