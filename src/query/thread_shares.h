/* thread_shares.h - states of all threads in a window: share of each state per column, and totals per thread.
 *
 * One pass over the window's events of all capabilities, merged by time, drives the state machines of thread_state.h
 * for all threads at once; so its cost is that of the window's part of the log, whatever the number of threads. It
 * runs on a job's thread (ui/threads/thread_job.h), reports how many columns are final, and can be cancelled. Only
 * after the walk.
 *
 * At most SCAN_THREADS threads are followed; more are counted. */
#ifndef EVL_THREAD_SHARES_H
#define EVL_THREAD_SHARES_H

#include "log/log.h"
#include "sched/thread_state.h"

enum { SCAN_THREADS = 1 << 17 };

/* One column of a lane: of one thread, or of many in one lane (then ns are sums over them). */
struct thread_column {
	uint64_t ns[THREAD_STATES];
	uint64_t paused_ns;  /* of THREAD_RUNNABLE, in pauses of collections */
	uint64_t caps;       /* it ran on: bit 1 << number % 64 */
	uint64_t split;      /* the time of the last change in the column, if there is one */
	uint32_t switches;   /* changes of state in the column */
	uint16_t cap;        /* it ran on, last; EVL_NO_CAP: it did not run */
	uint8_t first, last; /* enum thread_state at both ends */
	uint8_t stop;        /* enum thread_stop of the last wait */
	bool known;          /* the column is final */
};

/* One thread in the window. */
struct thread_sum {
	struct thread_pos pos;    /* at the end of what is scanned */
	uint64_t at;              /* it is accounted up to here */
	uint64_t run_ns, wait_ns; /* running; runnable outside of pauses: waiting for a capability */
	uint32_t thread, wakeups;
	uint32_t stops;    /* the reasons of its stops: bit 1 << enum thread_stop */
	uint32_t states;   /* bit 1 << enum thread_state */
	int32_t lane, col; /* where its time goes; -1: nowhere */
};

struct thread_shares_ask {
	uint64_t t0, t1;
	int cols;
	bool sums;           /* of every thread; without: only of those that have a lane */
	const uint32_t *ids; /* lanes 0 … n_ids - 1: single threads */
	size_t n_ids;
	size_t n_lanes;                             /* further lanes are of many threads: */
	int (*lane_of)(void *ctx, uint32_t thread); /* asked once a thread; -1: none. NULL: there are none */
	void (*progress)(void *ctx, int cols);      /* number of columns that are final; may be NULL */
	void *ctx;
	const atomic_bool *cancel; /* or NULL */
};

struct thread_shares {
	struct thread_column *columns; /* lane * cols + column */
	struct thread_sum *sums;
	size_t n_sums, sums_room;
	uint64_t others; /* events of threads that were not followed */
	uint32_t *index; /* hash of thread -> place in sums + 1 */
	size_t index_room;
	int cols;
};

/* Scan. 0, EVL_CANCELLED or EVL_NOMEM; the scan must be freed in any case. */
int thread_shares_run(
	struct thread_shares *s, const struct evl_log *log, const struct thread_shares_ask *ask) EVL_MUST_USE;
void thread_shares_free(struct thread_shares *s);

/* The sums of a thread; NULL where it did nothing in the window. */
const struct thread_sum *thread_shares_find(const struct thread_shares *s, uint32_t thread);

#endif
