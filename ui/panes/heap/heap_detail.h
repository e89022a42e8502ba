/* heap_detail.h - details of the selected band, tree node or root (heap_facts) */
#ifndef EVTUI_HEAP_DETAIL_H
#define EVTUI_HEAP_DETAIL_H

#include "panes/heap/heap_query.h"

/* Fill page->facts and page->location for the selected row. */
void heap_facts(struct heap_scan *s, struct heap_answer *page);

#endif
