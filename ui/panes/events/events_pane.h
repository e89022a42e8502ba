/* events_pane.h - the Events pane (list; details in event_detail.c), and its functions used by other panes */
#ifndef EVTUI_EVENTS_PANE_H
#define EVTUI_EVENTS_PANE_H

#include "jobs/event_page.h"

struct pane_host;
struct pane_ops;
struct canvas;

extern const struct pane_ops events_pane;

/* Go to the end of the list, because the end of the log is followed from now on. */
void events_follow(struct pane_host *h);

/* Prompt for the number of an event and go to it, from any pane. */
void events_ask_number(struct pane_host *h);

/* Move the cursor to an event by its number (from 0), or to the next marker whose name starts with `name`. The
 * search runs in the background. */
void events_go_number(struct pane_host *h, uint64_t number);
void events_go_marker(struct pane_host *h, const char *name);

/* Take the result of a search while another pane is shown. */
void events_news(struct pane_host *h);

/* Toggle whether list and timeline keep showing the same time. */
void events_same_time(struct pane_host *h);

/* events_only: show the pane with only the events that a filter keeps. events_restore: restore the previous filter,
 * unless the user has changed it since. events_back: do the same and show the timeline. */
void events_only(struct pane_host *h, const char *filter);
void events_restore(struct pane_host *h);
void events_back(struct pane_host *h);

/* Draw the details of the selected event in EVENT_DETAIL_ROWS rows from row y on. */
enum { EVENT_DETAIL_ROWS = 8 };
void part_event(const struct evl_log *log, const struct event_page *page, struct canvas *c, int y);

#endif
