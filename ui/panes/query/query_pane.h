/* query_pane.h - the Query pane (7, :sql): SQL over the log, its answer as a table, and the questions that have names. */
#ifndef EVTUI_QUERY_PANE_H
#define EVTUI_QUERY_PANE_H

#include <stdbool.h>

struct pane_host;
struct pane_ops;

extern const struct pane_ops query_pane;

/* Show the pane and ask: a statement, or the name of a question; "": the last one again, else what can be asked. NULL, or
 * why not. */
const char *query_run(struct pane_host *h, const char *text);

/* Words that Tab completes in :sql, NULL after the last: SELECT, questions and tables, or SELECT, tables and columns. NULL:
 * memory is out. */
const char *const *query_words(const struct pane_host *h, bool names);

#endif
