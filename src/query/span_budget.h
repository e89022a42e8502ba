/* span_budget.h - divide the time of each span by activity (its thread ran, was runnable, or was blocked); for one
 * span, also find the threads that occupied its capability and the threads that ended its waits.
 *
 * One pass over the scheduler's events (thread_history.h) adds up the activity of each thread that started spans; the
 * budget of a span is the difference of these sums between its end and its start. The cost of the pass therefore does
 * not depend on how many spans overlap. The result takes 40 bytes per span of the table; the computation takes another
 * 16 bytes per span and 80 bytes per thread. */
#ifndef EVL_SPAN_BUDGET_H
#define EVL_SPAN_BUDGET_H

#include "gc/gc_pauses.h"
#include "log/log.h"
#include "query/thread_history.h"

/* The parts of a span's time in ns; the rest of its length is unknown. gc: the thread could have run, but a pause
 * prevented it; runnable: it waited for a capability. */
#define SPAN_PARTS(X) X(run) X(gc) X(runnable) X(blocked) X(foreign)

struct span_budget {
#define X(part) uint64_t part;
	SPAN_PARTS(X)
#undef X
};

/* Return the part of ns, the total length of spans, that is in no part of their budget. span_budget_add adds a budget
 * to *to. */
uint64_t span_budget_unknown(const struct span_budget *b, uint64_t ns);
void span_budget_add(struct span_budget *to, const struct span_budget *b);

struct span_budgets {
	struct span_budget *items; /* in the order of span_table.items; zeros for spans that start outside the range */
	size_t n;
};

/* Compute the budgets of the table's spans that start in [from, to), each over its whole length. This reads the log
 * once, from `from` to the last end of these spans; the state of a thread is unknown before its first event. watch may
 * be NULL. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int span_budgets_make(struct span_budgets *out, const struct evl_log *log, const struct span_table *t, uint64_t from,
	uint64_t to, const struct progress *watch) EVL_MUST_USE;
void span_budgets_free(struct span_budgets *b);

/* Compute the budgets as one of the readers of a shared pass (thread_history.h). The pass must start at `from`, reach
 * span_budgets_until, and be given all pauses. Open the reader, pass its sink to the pass, and close it afterwards in
 * any case; NULL may be closed, too. Return 0 or EVL_NOMEM. */
struct span_budgets_reader;
int span_budgets_open(struct span_budgets_reader **r, struct span_budgets *out, const struct span_table *t,
	uint64_t from, uint64_t to, const struct gc_pauses *pauses) EVL_MUST_USE;
uint64_t span_budgets_until(const struct span_budgets_reader *r); /* 0: there are no spans, so no pass is needed */
const struct thread_history_sink *span_budgets_sink(const struct span_budgets_reader *r);
void span_budgets_close(struct span_budgets_reader *r);

/* One span in detail. */
enum { SPAN_DETAIL_WAITS = 16 };

/* Time blocked for one reason and ended by one thread; or time waiting for a capability occupied by one thread. */
struct span_wait {
	uint64_t ns;
	uint32_t thread; /* 0: unknown */
	uint16_t cap;    /* capability it occupied; EVL_NO_CAP: not applicable */
	uint8_t reason;  /* while blocked: thread_block_reason */
};

struct span_waits {
	struct span_wait items[SPAN_DETAIL_WAITS]; /* most time first */
	size_t n;
	uint64_t more_ns; /* ns of waits that are not listed */
};

struct span_detail {
	struct span_budget parts;
	uint64_t unknown; /* ns of the span in no part */
	struct span_waits blocked;
	/* outside pauses: time in which other threads ran on the capability where the span's thread ran next */
	struct span_waits holders;
};

/* Compute the details of one span. This reads the log of the span once, and up to 64 MB before it. watch may be NULL.
 * Return 0, EVL_CANCELLED or EVL_NOMEM. */
int span_detail_make(struct span_detail *out, const struct evl_log *log, const struct span *span,
	const struct progress *watch) EVL_MUST_USE;

#endif
