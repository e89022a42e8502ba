/* heap_modes.h - rows of the table other than bands, at the sample of the cursor. */
#ifndef EVTUI_HEAP_MODES_H
#define EVTUI_HEAP_MODES_H

#include "panes/heap/heap_scan.h"

/* The tree of cost-centre stacks; the roots of root sets. EVL_NOMEM. */
int heap_rows_of_tree(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;
int heap_rows_of_roots(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

#endif
