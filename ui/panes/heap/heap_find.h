/* heap_find.h - answers what the heap pane asks: finds anew only what the ask changes.
 *
 * Reads the log, so it may wait for the disk: for the thread of heap_job.h, and tests. */
#ifndef EVTUI_HEAP_FIND_H
#define EVTUI_HEAP_FIND_H

#include "panes/heap/heap_scan.h"

/* Fill the page. 0, EVL_CANCELLED or EVL_NOMEM. Once the log is walked. */
int heap_find_page(struct heap_scan *s, const struct heap_ask *ask, struct heap_answer *page) EVL_MUST_USE;

#endif
