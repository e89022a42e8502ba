/* names.h - the program of the log in the viewer: looked for in the background, and the panes are told when it is there. */
#ifndef EVTUI_NAMES_H
#define EVTUI_NAMES_H

#include "chrome/pane.h"

/* Take names from an executable: the command :exe. False when memory or threads are out. */
bool names_ask(struct pane_host *h, const char *path);

/* Begin, when the log has been read: with --exe, else with what is found; and take what came. True: there is something to
 * draw. */
bool names_news(struct pane_host *h);
bool names_busy(const struct pane_host *h);

/* Give it up. */
void names_stop(struct pane_host *h);

#endif
