/* heap_pane.h - the pane of the heap profile. */
#ifndef EVTUI_HEAP_PANE_H
#define EVTUI_HEAP_PANE_H

struct view_ops;

extern const struct view_ops view_heap;

#endif
