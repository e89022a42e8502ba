/* heap_chart_data.h - data of the heap chart: the bands drawn separately, and the samples of its columns */
#ifndef EVTUI_HEAP_CHART_DATA_H
#define EVTUI_HEAP_CHART_DATA_H

#include "panes/heap/heap_query.h"

/* Return a reader of samples for this scan. total: number of samples to report as progress; 0: report none. */
struct census_run heap_run(struct heap_scan *s, uint64_t total);

/* Compute the picture for s->ask, unless it is still valid. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int heap_picture(struct heap_scan *s) EVL_MUST_USE;

/* Copy the picture to the page, reusing its buffers. Return 0 or EVL_NOMEM. */
int heap_chart_data_copy(const struct heap_scan *s, struct heap_answer *page) EVL_MUST_USE;

#endif
