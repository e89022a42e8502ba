/* run_series.h - `evtui compare --series`: changes of metrics over a series of steps (commits), each of one run or several. */
#ifndef EVL_RUN_SERIES_H
#define EVL_RUN_SERIES_H

#include "gate/runs.h"
#include "statistics/change_points.h"

struct series_change {
	const struct runs_column *figure; /* of the runs */
	struct change change;
	int sense; /* 1: for the worse, -1: for the better, 0: neither can be said */
	bool last; /* of its figure */
};

struct run_series {
	struct series_change *items; /* by figure, then in order of steps */
	size_t n, room;
	size_t n_steps, family; /* figures that are known in all runs */
	bool enough;            /* the number of runs can show a change in a family of this size */
};

/* Collect the runs of steps 0, 1, … (their sets, in order). The runs must outlive it. Return 0 or EVL_NOMEM. */
int run_series_make(struct run_series *s, const struct runs *r, size_t n_steps) EVL_MUST_USE;
void run_series_free(struct run_series *s);

/* Is a metric known in all runs? */
bool run_series_known(const struct runs *r, size_t column);

/* An object of JSON and a newline; a table in Markdown. steps: their names. */
void run_series_json(const struct run_series *s, char *const *steps, struct buf *out);
void run_series_markdown(const struct run_series *s, char *const *steps, struct buf *out);

#endif
