/* query_pane.h - the Query pane (7, :sql): run SQL statements and named queries, and show their results as tables */
#ifndef EVTUI_QUERY_PANE_H
#define EVTUI_QUERY_PANE_H

#include <stdbool.h>

struct pane_host;
struct pane_ops;

extern const struct pane_ops query_pane;

/* Show the pane and run a statement, a named query or a whole table. text "": repeat the last statement; if there
 * was none, list the available queries. Return NULL or an error message. */
const char *query_run(struct pane_host *h, const char *text);

/* Return the words that Tab completes in :sql, NULL-terminated; NULL if memory ran out. names: for the first word
 * (SELECT, queries, tables), else for later words (SELECT, tables, columns). */
const char *const *query_words(const struct pane_host *h, bool names);

#endif
