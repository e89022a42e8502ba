/* span_groups.h - names of spans that differ only in the number at their end as one row: "report 1" … "report 16" are "report #". */
#ifndef EVTUI_SPAN_GROUPS_H
#define EVTUI_SPAN_GROUPS_H

#include "query/span_stats.h"

struct span_group {
	struct span_name sum; /* its name: of several names what they begin with ("report "), else the name */
	size_t names;         /* 1: it is a single name */
	bool quantiles;       /* p50 … p99 are known: each of several names has at most one finished span */
};

struct span_groups {
	struct span_group *items; /* most total time first */
	size_t n;
};

/* Group the names of a list, if at least three differ only in that number. Return 0 or EVL_NOMEM. */
int span_groups_make(struct span_groups *g, const struct span_stats *s) EVL_MUST_USE;
void span_groups_free(struct span_groups *g);

#endif
