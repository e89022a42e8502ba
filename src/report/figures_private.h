/* figures_private.h - parts of figures.c: metrics of collections (figures_gc.c), heap and sparks (figures_heap.c), threads and
 * what else takes a second reading (figures_threads.c). */
#ifndef EVL_FIGURES_PRIVATE_H
#define EVL_FIGURES_PRIVATE_H

#include "report/figures.h"

/* Fill in what comes from the rows of collections. 0, EVL_NOMEM or EVL_CANCELLED. */
int figures_gc(struct figures *f, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

void figures_heap(struct figures *f, const struct evl_log *log);

/* Fill in what is known of sparks. Return 0 or EVL_CANCELLED. */
int figures_sparks(struct figures *f, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

/* Compute the metrics that need a second reading: waits of threads, phases and the critical path, and the budgets of
 * the log's spans, which the caller frees in any case. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int figures_second(struct figures *f, const struct evl_log *log, struct span_budgets *budgets,
	const struct figures_share *share, const struct progress *watch) EVL_MUST_USE;

/* Find the windows of f->windows.label, and how their time is split (figures_windows.c). 0, EVL_NOMEM or EVL_CANCELLED. */
int figures_windows_make(struct figures *f, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

/* Compute f->path, the paths of all windows added up. Same results. */
int figures_windows_path(struct figures *f, const struct evl_log *log, const struct path_ask *ask,
	const struct progress *watch) EVL_MUST_USE;

#endif
