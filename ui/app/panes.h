/* panes.h - all panes of the viewer: open, draw, switch; keys that mean the same in every pane */
#ifndef EVTUI_PANES_H
#define EVTUI_PANES_H

#include "chrome/pane.h"

/* Open all panes. Return false if memory ran out. Call panes_close before closing the log, because panes read from
 * it. */
bool panes_open(struct pane_host *h) EVL_MUST_USE;
void panes_close(struct pane_host *h);

/* Replace the log; the caller may then close the old one. reset: the new log does not continue the old one. Return
 * false if memory ran out. */
bool panes_on_log_replaced(struct pane_host *h, struct evl_log *log, bool reset) EVL_MUST_USE;

/* Draw the shown pane; or timeline and events, if the screen is split and has at least PANES_SPLIT_ROWS rows. */
enum { PANES_SPLIT_ROWS = 24 };
void panes_draw(struct pane_host *h, struct canvas *c);

/* Handle an action. Return false if no pane has a meaning for it. */
bool panes_act(struct pane_host *h, enum action action);

/* Pass a click to the shown pane, if clicks mean something there; y: from the pane's first row. */
void panes_click(struct pane_host *h, int y, int x, bool twice);

/* Close what lies over the shown pane (q). Return false if nothing does. */
bool panes_leave(struct pane_host *h);

/* Close or drop the first thing that Esc closes (pane_esc). */
void panes_escape(struct pane_host *h);

/* Cancel the jobs of the shown pane (Ctrl-C). Return false if none was running. */
bool panes_stop(struct pane_host *h);

/* panes_news: return whether the shown pane has anything new to draw, and go to a search result that has been found.
 * panes_busy: return whether a job is running that ends when a longer log is shown. */
bool panes_news(struct pane_host *h);
bool panes_busy(const struct pane_host *h);

#endif
