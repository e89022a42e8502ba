/* search.h - text search of events (/ n N), the same in every pane. */
#ifndef EVTUI_SEARCH_H
#define EVTUI_SEARCH_H

#include "chrome/pane.h"

/* Ask what to look for; on to the next hit or back. */
void search_ask(struct pane_host *h);
void search_next(struct pane_host *h, bool forward);

/* Go to the hit of a search that has ended, or report that there is none. Return false if no search has ended. */
bool search_news(struct pane_host *h);

/* The log is another one: what was searched for is searched for in it. */
void search_on_log_replaced(struct pane_host *h);

/* "/sort  1,204 hits", for the right end of the bottom row, into out; "" where nothing is searched. */
void search_status(const struct pane_host *h, char *out, size_t room);

#endif
