/* prof_keys.h - handle keys and clicks of the Profile pane */
#ifndef EVTUI_PROF_KEYS_H
#define EVTUI_PROF_KEYS_H

#include "chrome/pane.h"

/* Handle an action. view: struct prof_pane. Return false if the action has no special meaning in this pane. */
bool prof_keys(void *view, struct pane_host *h, enum action action);

/* Handle a click at row y, column x. On a frame or row, select it; a double click (twice) focuses on it. On a time
 * axis, move the cursor to that time; a double click also shows the timeline. In the list of threads, select a row; a
 * double click chooses it (prof_pick). */
void prof_click(void *view, struct pane_host *h, int y, int x, bool twice);

/* Apply the selected row of the list of threads, if Enter or a double click chose it and it is known by now. Return
 * true if this closed the list. */
bool prof_pick(void *view, struct pane_host *h);

/* pane_ops.set_filter. */
void prof_set_only(struct pane_host *h, const char *text, enum prompt_result result);

#endif
