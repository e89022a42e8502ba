/* span_groups.h - merge span names that differ only in a final number: "report 1" to "report 16" become "report #" */
#ifndef EVTUI_SPAN_GROUPS_H
#define EVTUI_SPAN_GROUPS_H

#include "query/span_stats.h"

/* A row: one or more span names. */
struct span_group {
	struct span_name sum; /* sums; its name is the common part ("report ") if several names were merged */
	size_t names;         /* number of merged names; 1: a single name */
	bool quantiles;       /* p50 to p99 are known: of all finished spans of these names */
};

struct span_groups {
	struct span_group *items; /* sorted by total time, longest first */
	size_t n;
};

/* Group the names of a list, made for `ask`; at least three that differ only in the final number form a group. watch may be
 * NULL. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int span_groups_make(struct span_groups *g, const struct span_stats *s, const struct evl_log *log,
	const struct span_stats_ask *ask, const struct progress *watch) EVL_MUST_USE;
void span_groups_free(struct span_groups *g);

#endif
