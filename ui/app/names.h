/* names.h - find the executable of the log's program in the background, and give its names to the panes */
#ifndef EVTUI_NAMES_H
#define EVTUI_NAMES_H

#include "chrome/pane.h"

/* Take names from an executable, for the command :exe. Return false if memory ran out, the path is too long or no
 * thread could be started. */
bool names_ask(struct pane_host *h, const char *path);

/* names_news: start the search once the log has been read (with --exe, or for a matching executable), and take its
 * result; return whether there is something to draw. names_busy: return whether the search is running. */
bool names_news(struct pane_host *h);
bool names_busy(const struct pane_host *h);

/* Cancel the search. */
void names_stop(struct pane_host *h);

#endif
