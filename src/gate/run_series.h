/* run_series.h - `evtui compare --series`: changes of metrics over a series of steps (commits), each with one or more
 * runs. */
#ifndef EVL_RUN_SERIES_H
#define EVL_RUN_SERIES_H

#include "gate/runs.h"
#include "statistics/change_points.h"

struct series_change {
	const struct runs_column *figure; /* column of the runs */
	struct change change;
	int sense; /* 1: for the worse; -1: for the better; 0: the metric has no good direction */
	bool last; /* last change of its metric */
};

struct run_series {
	struct series_change *items; /* changes, by metric, then in the order of steps */
	size_t n, room;
	size_t n_steps, family; /* family: number of metrics known in all runs, which are tested together */
	bool enough;            /* there are enough runs to prove a change when `family` metrics are tested */
};

/* Find the changes between steps 0 to n_steps - 1; a run belongs to the step whose number is its member `set` (runs.h),
 * and the runs are in the order of their steps. The runs must outlive s. Return 0, or EVL_NOMEM with *s empty. */
int run_series_make(struct run_series *s, const struct runs *r, size_t n_steps) EVL_MUST_USE;
void run_series_free(struct run_series *s);

/* Report whether a metric is known in all runs. */
bool run_series_known(const struct runs *r, size_t column);

/* Append the changes as a JSON object and a newline, or as a Markdown table. steps[n_steps] are the names of the
 * steps. */
void run_series_json(const struct run_series *s, char *const *steps, struct buf *out);
void run_series_markdown(const struct run_series *s, char *const *steps, struct buf *out);

#endif
