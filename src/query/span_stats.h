/* span_stats.h - user spans by name: count, total, quantiles, and a breakdown of their time.
 *
 * The statistics cover the full length of spans that start in the range. Spans still open at the end of the log end
 * there; they are left out of means, quantiles and maxima. Spans of names past the first SPAN_NAMES are only counted.
 * Times are in ns. */
#ifndef EVL_SPAN_STATS_H
#define EVL_SPAN_STATS_H

#include "base/histogram.h"
#include "gc/gc_pauses.h"
#include "log/log.h"
#include "query/span_budget.h"

enum { SPAN_NAMES = 1024 };

struct span_name {
	struct evl_str name; /* borrowed from the log */
	/* number of all spans; of these, still open at the end of the log, and ended by another thread */
	uint64_t n, unfinished, crossed;
	uint64_t total;              /* ns of all spans, unfinished ones up to the end of the log */
	uint64_t finished;           /* part of total: finished spans */
	uint64_t paused;             /* part of total: within pauses of collections; net = total - paused */
	uint64_t p50, p90, p99, max; /* of finished spans; exact */
	struct span slowest;         /* the longest span; of equally long ones, the first */
	struct span_budget budget;   /* breakdown of total, if budgets were given */
};

struct span_stats {
	struct span_name *items; /* most total time first */
	size_t n;
	uint64_t spans;       /* number of spans that start in the range */
	uint64_t other_spans; /* number of spans of further names */
	bool numbered;        /* some names contain the number of an instance */
};

/* The input. pauses: the pauses of a range that contains the spans; budgets: the breakdowns (span_budget.h) of
 * the spans in table t of span_stats_make, or NULL; by_label: combine the instances of a label ("0 job" and "1 job" are
 * "job"). */
struct span_stats_ask {
	uint64_t from, to;
	const struct gc_pauses *pauses;
	const struct span_budgets *budgets;
	bool by_label;
	uint64_t only; /* only spans of this label (span_is_of); 0: all */
};

/* Compute the statistics. watch may be NULL. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int span_stats_make(struct span_stats *s, const struct evl_log *log, const struct span_table *t,
	const struct span_stats_ask *ask, const struct progress *watch) EVL_MUST_USE;
void span_stats_free(struct span_stats *s);

/* Return paused / total, or NaN if total is 0. */
double span_name_gc_share(const struct span_name *s);

#endif
