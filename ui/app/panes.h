/* panes.h - registry of all panes, and keys that mean the same in every pane. */
#ifndef EVTUI_PANES_H
#define EVTUI_PANES_H

#include "chrome/pane.h"

/* Open all panes. Return false if memory runs out. Call panes_close before the log is closed, since panes read from it. */
bool panes_open(struct pane_host *h) EVL_MUST_USE;
void panes_close(struct pane_host *h);

/* Replace the log; the caller may then close the former. anew: it does not continue the former. Return false if
 * memory ran out. */
bool panes_on_log_replaced(struct pane_host *h, struct evl_log *log, bool reset) EVL_MUST_USE;

/* The end of the log is followed from now on. */
void panes_follow(struct pane_host *h);

/* The shown pane; or the timeline and the events, if both are to be shown and there are enough rows. */
enum { PANES_SPLIT_ROWS = 24 };
void panes_draw(struct pane_host *h, struct canvas *c);

/* Handle a key. Return false if it has no meaning in any pane. */
bool panes_act(struct pane_host *h, enum action action);

/* Esc and q: close an overlay, prompt or table of the shown pane. Return false if none is open. */
bool panes_leave(struct pane_host *h);

/* Ctrl-C: cancel the jobs of the shown pane. Return false if there were none. */
bool panes_stop(struct pane_host *h);

/* Of the shown pane (pane_ops); goes to a match found meanwhile. */
bool panes_news(struct pane_host *h);
bool panes_busy(const struct pane_host *h);

#endif
