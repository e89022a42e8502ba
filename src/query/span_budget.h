/* span_budget.h - what the time of each span went into: its thread ran, could have run, was blocked.
 *
 * One pass over the events of the scheduler (thread_history.h) adds up what each thread that began spans did; a span's
 * budget is the difference of these sums between its end and its begin. So the pass costs the same however many spans
 * overlap: 40 bytes per span of the table, 16 per span and 80 per thread more while it works. */
#ifndef EVL_SPAN_BUDGET_H
#define EVL_SPAN_BUDGET_H

#include "gc/gc_pauses.h"
#include "log/log.h"

/* The parts of a span's time, ns; what is left of its length is unknown. gc: the thread could have run, but that lay in a
 * pause; runnable: it waited for a capability. */
#define SPAN_PARTS(X) X(run) X(gc) X(runnable) X(blocked) X(foreign)

struct span_budget {
#define X(part) uint64_t part;
	SPAN_PARTS(X)
#undef X
};

/* The length of `ns` of spans that is in no part. */
uint64_t span_budget_unknown(const struct span_budget *b, uint64_t ns);
void span_budget_add(struct span_budget *to, const struct span_budget *b);

struct span_budgets {
	struct span_budget
		*items; /* in the order of the table's items; zeros for spans that begin outside of the range */
	size_t n;
};

/* The budgets of the table's spans that begin in [from, to), each of its whole length. Reads the log from there to the
 * last of their ends once; of a thread nothing is known before the first event that tells. 0, EVL_CANCELLED or
 * EVL_NOMEM. */
int span_budgets_make(struct span_budgets *out, const struct evl_log *log, const struct span_table *t, uint64_t from,
	uint64_t to, const struct progress *watch) EVL_MUST_USE;
void span_budgets_free(struct span_budgets *b);

#endif
