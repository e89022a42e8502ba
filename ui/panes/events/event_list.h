/* event_list.h - position in the list of events: requests pages from event_job.h, keeps list and time cursor
 * together.
 *
 * Draws nothing. */
#ifndef EVTUI_EVENT_LIST_H
#define EVTUI_EVENT_LIST_H

#include "chrome/pane.h"
#include "jobs/event_job.h"

/* Effect on the time cursor when the page is there. */
enum list_goes { LIST_STAYS, LIST_ALONG /* nothing to undo */, LIST_JUMPS };

struct event_list {
	struct event_page page;
	struct event_ask ask; /* the last */
	uint64_t serial;      /* of asks */
	uint64_t synced;      /* the time cursor when the list last went to it, or the other way round */
	bool asked;
	enum list_goes goes;
	bool to_top, to_bottom; /* of the screen comes what was asked for */
	int rows, y, first;     /* that the screen has for events, from where on; the first of the page there */
	event_rank_key top;     /* the first of them */
	bool all;               /* block markers and events about sets of capabilities, too */
	char filter[PROMPT_ROOM];
	bool only;                /* the filter is that of events_only */
	char former[PROMPT_ROOM]; /* the one before, which comes back with the end of that */
};

/* Is the page that was asked for last not there yet? */
bool event_list_pending(const struct event_list *l);

/* Go to a place; to the event of a number, from 0; to the next marker of this name. */
void event_list_go(struct event_list *l, struct pane_host *h, event_rank_key at, enum list_goes goes);
void event_list_go_number(struct event_list *l, struct pane_host *h, uint64_t number, enum list_goes goes);
void event_list_go_marker(struct event_list *l, struct pane_host *h, const char *name);

/* Move a number of rows on or back; moves add up until the page is there. */
void event_list_move(struct event_list *l, struct pane_host *h, int by);

/* Show all events, or leave out those of the log's own making. */
void event_list_show_all(struct event_list *l, struct pane_host *h, bool all);

/* To the first event, or the last. */
void event_list_end(struct event_list *l, struct pane_host *h, bool last);

/* Return the event of the last jump if the cursor is still there, or else the first from the cursor on. */
event_rank_key event_list_here(const struct pane_host *h);

/* The log is another one: the list stays where it is, or at its end, under the same filter. */
void event_list_on_log_replaced(struct event_list *l, struct pane_host *h);

/* Before a frame of `rows` rows: let the list follow the time cursor, or the time cursor the list. */
void event_list_update(struct event_list *l, struct pane_host *h, int rows);

/* Take what the job has; maybe give it a moment. */
void event_list_take(struct event_list *l, struct pane_host *h, bool wait);

/* Return the row of the page at the top of the screen. */
int event_list_top(struct event_list *l);

#endif
