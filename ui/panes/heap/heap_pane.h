/* heap_pane.h - the Heap pane (heap_pane.c; keys: heap_keys.c; texts of an empty pane: heap_empty.c). */
#ifndef EVTUI_HEAP_PANE_H
#define EVTUI_HEAP_PANE_H

struct pane_ops;
struct pane_host;

/* Show the pane with the band of this label (or prefix) selected. */
void heap_pane_find(struct pane_host *h, const char *band);

extern const struct pane_ops heap_pane;

#endif
