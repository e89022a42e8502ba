/* figures_heap.h - the parts of the figures that are about the heap and about sparks. */
#ifndef EVL_FIGURES_HEAP_H
#define EVL_FIGURES_HEAP_H

#include "report/figure_set.h"

void figures_heap(struct figures *f, const struct evl_log *log);
void figures_sparks(struct figures *f, const struct evl_log *log);

#endif
