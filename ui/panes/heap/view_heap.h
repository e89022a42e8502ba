/* view_heap.h - the pane of the heap profile. */
#ifndef EVTUI_VIEW_HEAP_H
#define EVTUI_VIEW_HEAP_H

struct view_ops;

extern const struct view_ops view_heap;

#endif
