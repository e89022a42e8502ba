/* search.h - text search of events (keys /, n and N), the same in every pane */
#ifndef EVTUI_SEARCH_H
#define EVTUI_SEARCH_H

#include "chrome/pane.h"

/* search_ask: prompt for the text. search_next: go to the next or previous hit. */
void search_ask(struct pane_host *h);
void search_next(struct pane_host *h, bool forward);

/* Go to the hit of a finished search, or report that there is none. Return false if no search has finished. */
bool search_news(struct pane_host *h);

/* Repeat the search in the new log, after the log was replaced. */
void search_on_log_replaced(struct pane_host *h);

/* Write "/sort  1,204 matches", for the right end of the bottom row, to out; "" if there is no search. */
void search_status(const struct pane_host *h, char *out, size_t room);

#endif
