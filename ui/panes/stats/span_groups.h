/* span_groups.h - merge span names that differ only in a final number: "report 1" to "report 16" become "report #" */
#ifndef EVTUI_SPAN_GROUPS_H
#define EVTUI_SPAN_GROUPS_H

#include "query/span_stats.h"

/* A row: one or more span names. */
struct span_group {
	struct span_name sum; /* sums; its name is the common part ("report ") if several names were merged */
	size_t names;         /* number of merged names; 1: a single name */
	bool quantiles;       /* p50 to p99 are known, because each merged name has at most one finished span */
};

struct span_groups {
	struct span_group *items; /* sorted by total time, longest first */
	size_t n;
};

/* Group the names of a list; at least three that differ only in the final number form a group. Return 0 or
 * EVL_NOMEM. */
int span_groups_make(struct span_groups *g, const struct span_stats *s) EVL_MUST_USE;
void span_groups_free(struct span_groups *g);

#endif
