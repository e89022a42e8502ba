/* heap_detail.h - what is told of the band, node or root that one stands on. */
#ifndef EVTUI_HEAP_DETAIL_H
#define EVTUI_HEAP_DETAIL_H

#include "panes/heap/heap_query.h"

void heap_facts(struct heap_scan *s, struct heap_answer *page);

#endif
