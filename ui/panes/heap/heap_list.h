/* heap_list.h - choose the visible rows of the heap table: filter, sort and scroll */
#ifndef EVTUI_HEAP_LIST_H
#define EVTUI_HEAP_LIST_H

#include "panes/heap/heap_query.h"

/* Apply the filter of s->ask to all bands, unless that is done. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int heap_hide(struct heap_scan *s) EVL_MUST_USE;

/* Fill the visible rows with bands. Return values as for heap_hide. */
int heap_rows(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

/* Find the bands that changed most in the range. Return values as for heap_hide. */
int heap_growth(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

/* Fill the visible rows with the tree of cost-centre stacks, or with root sets, at the cursor's sample. Return 0 or
 * EVL_NOMEM. */
int heap_rows_of_tree(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;
int heap_rows_of_roots(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

#endif
