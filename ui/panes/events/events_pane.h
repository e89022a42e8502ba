/* events_pane.h - the Events pane (list; details in event_detail.c), and its functions used by other panes. */
#ifndef EVTUI_EVENTS_PANE_H
#define EVTUI_EVENTS_PANE_H

#include "jobs/event_page.h"

struct pane_host;
struct pane_ops;
struct canvas;

extern const struct pane_ops events_pane;

/* The list goes to its end too. */
void events_follow(struct pane_host *h);

/* Ask for a number and go to its event, from any pane. */
void events_ask_number(struct pane_host *h);

/* Put the cursor on an event; on the next marker of that name. They are looked for meanwhile. */
void events_go_number(struct pane_host *h, uint64_t number);
void events_go_marker(struct pane_host *h, const char *name);

/* Take the match of a search while another pane is shown. */
void events_news(struct pane_host *h);

/* List and timeline at the same time, or each at its own. */
void events_same_time(struct pane_host *h);

/* Show the pane with the events that a filter keeps. events_restore: take the filter before again, if it still is that
 * one; events_back: and go to the timeline. */
void events_only(struct pane_host *h, const char *filter);
void events_restore(struct pane_host *h);
void events_back(struct pane_host *h);

/* Draw the details of the selected event in `rows` rows from y on. */
enum { EVENT_DETAIL_ROWS = 8 };
void part_event(const struct evl_log *log, const struct event_page *page, struct canvas *c, int y);

#endif
