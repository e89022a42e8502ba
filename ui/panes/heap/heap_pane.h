/* heap_pane.h - the pane of the heap profile. */
#ifndef EVTUI_HEAP_PANE_H
#define EVTUI_HEAP_PANE_H

struct pane_ops;

extern const struct pane_ops heap_pane;

#endif
