/* heap_list.h - rows of the heap table: which bands, in which order, and the visible ones. */
#ifndef EVTUI_HEAP_LIST_H
#define EVTUI_HEAP_LIST_H

#include "panes/heap/heap_query.h"

/* Test the bands by the filter of s->ask, if it is a new one. EVL_CANCELLED, EVL_NOMEM. */
int heap_hide(struct heap_scan *s) EVL_MUST_USE;

/* The rows of bands. Likewise. */
int heap_rows(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

/* The bands that changed most in the range. Likewise. */
int heap_growth(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

/* Rows of the table other than bands, at the sample of the cursor. */

/* The tree of cost-centre stacks; the roots of root sets. EVL_NOMEM. */
int heap_rows_of_tree(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;
int heap_rows_of_roots(struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

#endif
