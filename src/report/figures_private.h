/* figures_private.h - parts of figures_make, shared by figures*.c */
#ifndef EVL_FIGURES_PRIVATE_H
#define EVL_FIGURES_PRIVATE_H

#include "report/figures.h"

/* Take the figures of the whole log, none of them deep, from those that are kept with it (figures_kept). f has its
 * range. Return 0, 1 if none are kept, or EVL_NOMEM. figures_keep keeps them, if the log's index is kept. */
int figures_recall(struct figures *f, const struct evl_log *log) EVL_MUST_USE;
void figures_keep(const struct figures *f, const struct evl_log *log);

/* Return the number of capabilities that the figures list. */
size_t figures_caps(const struct figures *f, const struct evl_log *log);

/* Fill in the metrics of collections. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int figures_gc(struct figures *f, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

/* Return the productivity that +RTS -s prints; NaN: the log does not tell. */
double figures_productivity_rts(const struct evl_log *log, const struct time_split *t);

/* Fill in the metrics of the heap. */
void figures_heap(struct figures *f, const struct evl_log *log);

/* Fill in the metrics of sparks. Return 0 or EVL_CANCELLED. */
int figures_sparks(struct figures *f, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

/* Fill in the metrics that need a second reading: waits of threads, phases and the critical path. Also compute the
 * budgets of the log's spans, i.e. their time by activity, which the caller must free even on failure. Return 0,
 * EVL_CANCELLED or EVL_NOMEM. */
int figures_second(struct figures *f, const struct evl_log *log, struct span_budgets *budgets,
	const struct figures_share *share, const struct progress *watch) EVL_MUST_USE;

/* Find the windows of f->windows.label, and split their time by activity. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int figures_windows_make(struct figures *f, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

/* Compute f->path as the sum of the critical paths of all windows. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int figures_windows_path(struct figures *f, const struct evl_log *log, const struct path_ask *ask,
	const struct progress *watch) EVL_MUST_USE;

#endif
