/* prof_pane.h - the Profile pane */
#ifndef EVTUI_PROF_PANE_H
#define EVTUI_PROF_PANE_H

struct pane_ops;

extern const struct pane_ops prof_pane;

#endif
