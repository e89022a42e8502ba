/* figures_gc.h - the part of the figures that is about collections. */
#ifndef EVL_FIGURES_GC_H
#define EVL_FIGURES_GC_H

#include "report/figure_set.h"

/* Fill in what comes from the rows of collections. 0, EVL_NOMEM or EVL_CANCELLED. */
int figures_gc(struct figures *f, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

#endif
