/* events_pane.h - the pane of events: what other parts of the face use of it. */
#ifndef EVTUI_EVENTS_PANE_H
#define EVTUI_EVENTS_PANE_H

#include "jobs/event_page.h"

struct view_host;
struct view_ops;
struct canvas;

extern const struct view_ops view_events;

/* The list goes to its end too. */
void events_follow(struct view_host *h);

/* Ask for a number and go to its event, from any pane. */
void events_ask_number(struct view_host *h);

/* Put the cursor on an event; on the next marker of that name. They are looked for meanwhile. */
void events_go_number(struct view_host *h, uint64_t number);
void events_go_marker(struct view_host *h, const char *name);

/* What was looked for while another pane is shown. */
void events_news(struct view_host *h);

/* List and timeline at the same time, or each at its own. */
void events_same_time(struct view_host *h);

/* What the event that one stands on holds, in so many rows from y on. */
enum { EVENT_DETAIL_ROWS = 8 };
void part_event(const struct evl_log *log, const struct event_page *page, struct canvas *c, int y);

#endif
