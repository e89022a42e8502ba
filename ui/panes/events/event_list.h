/* event_list.h - position in the event list: requests pages, keeps list and time cursor in step
 *
 * Nothing is drawn here. */
#ifndef EVTUI_EVENT_LIST_H
#define EVTUI_EVENT_LIST_H

#include "chrome/pane.h"
#include "jobs/event_job.h"

/* Effect on the time cursor when the page arrives. */
enum list_goes { LIST_STAYS, LIST_ALONG /* moves it without a step for undo */, LIST_JUMPS };

struct event_list {
	struct event_page page;
	struct event_ask ask; /* last request */
	uint64_t serial;      /* number of the last request */
	uint64_t synced;      /* time at which list and time cursor last agreed */
	bool asked;           /* a page was requested */
	enum list_goes goes;
	bool to_top, to_bottom; /* scroll the requested event to the top or to the bottom of the screen */
	/* Screen rows for events, and the first of them; index in the page of the row shown there. */
	int rows, y, first;
	event_rank_key top; /* event in the first row */
	bool all;           /* show housekeeping events (block markers, sets of capabilities), too */
	char filter[PROMPT_ROOM];
	bool only;                /* the filter was set by events_only */
	char former[PROMPT_ROOM]; /* filter to restore afterwards */
};

/* Return whether the last requested page has not arrived yet. */
bool event_list_pending(const struct event_list *l);

/* Go to a position; to the event with a number, from 0; or to the next marker whose name starts with `name`. */
void event_list_go(struct event_list *l, struct pane_host *h, event_rank_key at, enum list_goes goes);
void event_list_go_number(struct event_list *l, struct pane_host *h, uint64_t number, enum list_goes goes);
void event_list_go_marker(struct event_list *l, struct pane_host *h, const char *name);

/* Move by a number of rows. Moves add up until the page arrives. */
void event_list_move(struct event_list *l, struct pane_host *h, int by);

/* Show all events, or leave out housekeeping events (event_scan.brief). */
void event_list_show_all(struct event_list *l, struct pane_host *h, bool all);

/* Go to the first event, or the last. */
void event_list_end(struct event_list *l, struct pane_host *h, bool last);

/* Return the event of the last jump if the cursor is still there, else the first event at or after the cursor. */
event_rank_key event_list_here(const struct pane_host *h);

/* Keep the position (or the end, if the list was there) and the filter, after the log was replaced. */
void event_list_on_log_replaced(void *view, struct pane_host *h);

/* Call before drawing a frame with `rows` rows. If the time cursor was moved, the list follows it; if the list was,
 * the cursor follows. */
void event_list_update(struct event_list *l, struct pane_host *h, int rows);

/* Take a new page from the job. wait: give it a moment to finish. */
void event_list_take(struct event_list *l, struct pane_host *h, bool wait);

/* Return the index in the page of the row at the top of the screen. */
int event_list_top(struct event_list *l);

#endif
