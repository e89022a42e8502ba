/* span_stats.h - user spans by name: count, total, quantiles, and a breakdown of their time.
 *
 * Takes the spans that start in the range, whole. Those still open at the end of the log count up to there, but in
 * no mean, quantile or maximum. Past SPAN_NAMES names further ones are counted as others. */
#ifndef EVL_SPAN_STATS_H
#define EVL_SPAN_STATS_H

#include "base/histogram.h"
#include "gc/gc_pauses.h"
#include "log/log.h"
#include "query/span_budget.h"

enum { SPAN_NAMES = 1024 };

struct span_name {
	struct evl_str name; /* borrowed from the log */
	uint64_t n, unfinished, crossed;
	uint64_t total;              /* of all of them, unfinished ones up to the end of the log */
	uint64_t finished;           /* of it, that of finished ones */
	uint64_t paused;             /* of total, within pauses of collections; net = total - paused */
	uint64_t p50, p90, p99, max; /* exact */
	struct span slowest;         /* of the longest the first */
	struct span_budget budget;   /* of total, where budgets are known */
};

struct span_stats {
	struct span_name *items; /* most total time first */
	size_t n;
	uint64_t spans;       /* that start in the range */
	uint64_t other_spans; /* of names past the ceiling */
	bool numbered;        /* some names hold the number of an instance */
};

/* Input. pauses: of a range that contains the spans; budgets: of the same table, NULL: not known; by_label: instances
 * of one label together ("0 job" and "1 job" are job). */
struct span_stats_ask {
	uint64_t from, to;
	const struct gc_pauses *pauses;
	const struct span_budgets *budgets;
	bool by_label;
	uint64_t only; /* spans of this label (span_is_of); 0: all */
};

/* 0, EVL_NOMEM or EVL_CANCELLED. */
int span_stats_make(struct span_stats *s, const struct evl_log *log, const struct span_table *t,
	const struct span_stats_ask *ask, const struct progress *watch) EVL_MUST_USE;
void span_stats_free(struct span_stats *s);

/* The share of pauses in a name's time; NAN without any. */
double span_name_gc_share(const struct span_name *s);

#endif
