/* figures_private.h - parts of figures.c: metrics of collections (figures_gc.c), heap and sparks (figures_heap.c). */
#ifndef EVL_FIGURES_PRIVATE_H
#define EVL_FIGURES_PRIVATE_H

#include "report/figures.h"

/* Fill in what comes from the rows of collections. 0, EVL_NOMEM or EVL_CANCELLED. */
int figures_gc(struct figures *f, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

void figures_heap(struct figures *f, const struct evl_log *log);
void figures_sparks(struct figures *f, const struct evl_log *log);

#endif
