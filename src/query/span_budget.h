/* span_budget.h - the time of each span by activity: its thread ran, was runnable, was blocked; for one span also which
 * thread had the capability, and which thread ended the waits.
 *
 * One pass over the events of the scheduler (thread_history.h) adds up the activity of each thread that started
 * spans; a span's budget is the difference of these sums between its end and its start. So the pass costs the same
 * however many spans overlap: 40 bytes per span of the table, 16 per span and 80 per thread more while it works. */
#ifndef EVL_SPAN_BUDGET_H
#define EVL_SPAN_BUDGET_H

#include "gc/gc_pauses.h"
#include "log/log.h"
#include "query/thread_history.h"

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
		*items; /* in the order of the table's items; zeros for spans that start outside of the range */
	size_t n;
};

/* Compute the budgets of the table's spans that start in [from, to), each over its whole length. Reads the log from
 * there to the last of their ends once; a thread's state is unknown before its first event. Return 0, EVL_CANCELLED
 * or EVL_NOMEM. */
int span_budgets_make(struct span_budgets *out, const struct evl_log *log, const struct span_table *t, uint64_t from,
	uint64_t to, const struct progress *watch) EVL_MUST_USE;
void span_budgets_free(struct span_budgets *b);

/* The same as a reader of a pass (thread_history.h) that others share: it begins at `from`, reaches span_budgets_until, and
 * has all pauses. Open, hand the sink to the pass, close after the pass in any case; NULL is closed, too. */
struct span_budgets_reader;
int span_budgets_open(struct span_budgets_reader **r, struct span_budgets *out, const struct span_table *t,
	uint64_t from, uint64_t to, const struct gc_pauses *pauses) EVL_MUST_USE;
uint64_t span_budgets_until(const struct span_budgets_reader *r); /* 0: there are no spans, and nothing is to be read */
const struct thread_history_sink *span_budgets_sink(const struct span_budgets_reader *r);
void span_budgets_close(struct span_budgets_reader *r);

/* One span in detail. */
enum { SPAN_DETAIL_WAITS = 16 };

/* Waits for one reason that one thread ended; or for a capability that one thread had. */
struct span_wait {
	uint64_t ns;
	uint32_t thread; /* 0: unknown */
	uint16_t cap;    /* that it had; EVL_NO_CAP: not a capability */
	uint8_t reason;  /* of a blocked thread: thread_block_reason */
};

struct span_waits {
	struct span_wait items[SPAN_DETAIL_WAITS]; /* most time first */
	size_t n;
	uint64_t more_ns; /* of waits that are not listed */
};

struct span_detail {
	struct span_budget parts;
	uint64_t unknown;
	struct span_waits blocked;
	struct span_waits
		holders; /* outside of pauses; the time in which other threads ran on the capability it then got */
};

/* Reads the log of the span once, and up to 64 MB before it. 0, EVL_CANCELLED or EVL_NOMEM. */
int span_detail_make(struct span_detail *out, const struct evl_log *log, const struct span *span,
	const struct progress *watch) EVL_MUST_USE;

#endif
