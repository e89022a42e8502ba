/* heap_chart_data.h - data of the heap chart: the bands drawn individually, and the samples of its columns. */
#ifndef EVTUI_HEAP_CHART_DATA_H
#define EVTUI_HEAP_CHART_DATA_H

#include "panes/heap/heap_query.h"

/* Reader of samples for the scan; total: samples of a long scan, or 0. */
struct census_run heap_run(struct heap_scan *s, uint64_t total);

/* Find it for s->ask, unless it is there. EVL_CANCELLED, EVL_NOMEM. */
int heap_picture(struct heap_scan *s) EVL_MUST_USE;

/* Into the page of the screen; what that has room for stays with it. EVL_NOMEM. */
int heap_chart_data_copy(const struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

#endif
