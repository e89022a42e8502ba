/* panes.h - registry of all panes, and keys that mean the same in every pane. */
#ifndef EVTUI_PANES_H
#define EVTUI_PANES_H

#include "chrome/pane.h"

/* All panes. False: out of memory. panes_close before the log is closed: it is still being read from. */
bool panes_open(struct pane_host *h) EVL_MUST_USE;
void panes_close(struct pane_host *h);

/* Another log takes the place of the former, which the caller may close then. anew: it is not the former with more behind
 * it. False: out of memory. */
bool panes_on_log_replaced(struct pane_host *h, struct evl_log *log, bool reset) EVL_MUST_USE;

/* The end of the log is followed from now on. */
void panes_follow(struct pane_host *h);

/* The shown pane; or the timeline and the events, if they are to be seen together and there are so many rows. */
enum { PANES_SPLIT_ROWS = 24 };
void panes_draw(struct pane_host *h, struct canvas *c);

/* What a key does. False: nothing in any pane. */
bool panes_act(struct pane_host *h, enum action action);

/* Esc and q: close what is open within the shown pane. False: there is nothing. */
bool panes_leave(struct pane_host *h);

/* Ctrl-C: give up what is under way for the shown pane. False: nothing was. */
bool panes_stop(struct pane_host *h);

/* Of the shown pane (pane_ops); what was found meanwhile is gone to. */
bool panes_news(struct pane_host *h);
bool panes_busy(const struct pane_host *h);

#endif
