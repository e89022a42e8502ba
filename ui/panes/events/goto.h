/* goto.h - go to a time: the t prompt and :goto */
#ifndef EVTUI_GOTO_H
#define EVTUI_GOTO_H

#include "chrome/pane.h"

/* Prompt for a time. */
void go_to_ask(struct pane_host *h);

/* Move the cursor to a time expression, event number or marker. Events and markers are searched in the background
 * (panes_busy). Return 0, or EVL_USAGE with *err filled. */
int go_to_moment(struct pane_host *h, const char *text, struct evl_err *err) EVL_MUST_USE;

#endif
