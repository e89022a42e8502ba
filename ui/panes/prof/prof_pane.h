/* prof_pane.h - the pane of the time profile. */
#ifndef EVTUI_PROF_PANE_H
#define EVTUI_PROF_PANE_H

struct view_ops;

extern const struct view_ops view_prof;

#endif
