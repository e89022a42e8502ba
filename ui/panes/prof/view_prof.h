/* view_prof.h - the pane of the time profile. */
#ifndef EVTUI_VIEW_PROF_H
#define EVTUI_VIEW_PROF_H

struct view_ops;

extern const struct view_ops view_prof;

#endif
