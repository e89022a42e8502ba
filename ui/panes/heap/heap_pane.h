/* heap_pane.h - the Heap pane (heap_pane.c; keys: heap_keys.c; texts of an empty pane: heap_empty.c) */
#ifndef EVTUI_HEAP_PANE_H
#define EVTUI_HEAP_PANE_H

#include "base/err.h"

struct pane_ops;
struct pane_host;

/* Show the pane, and select the band with this label or prefix. */
void heap_pane_find(struct pane_host *h, const char *band);

/* Show the pane with its bands grouped; how: a rule of census_group.h. Return 0, or a negative code with *err
 * filled. */
int heap_pane_group(struct pane_host *h, const char *how, struct evl_err *err) EVL_MUST_USE;

extern const struct pane_ops heap_pane;

#endif
