/* thread_waits.h - waiting times of threads in a range: blocked by reason, runnable, foreign calls, scheduling
 * latency.
 *
 * One pass over the range's events of all capabilities, merged by time (sched_events.h), drives the state machine of
 * thread_state.h for every living thread: its cost is that of the range's part of the log, its memory that of the
 * threads alive at once (about 150 bytes each). A finished thread is kept only while it is among the top ones. At
 * most WAITS_THREADS are followed at a time; events of more are counted. The time before a thread is first
 * mentioned, in the range or shortly before it, is unknown and not counted. Only after the walk. */
#ifndef EVL_THREAD_WAITS_H
#define EVL_THREAD_WAITS_H

#include "base/histogram.h"
#include "log/log.h"
#include "sched/thread_state.h"
#include "sys/progress.h"

enum { WAITS_TOP = 10, WAITS_THREADS = 1 << 20 };

/* What one thread did in the range. */
struct thread_waits {
	uint32_t thread;
	uint32_t runs, wakeups, migrations,
		latencies; /* runs: that begin in the range; latencies: from runnable to running */
	uint64_t run_ns, runnable_ns, blocked_ns, foreign_ns;
	uint64_t longest_blocked, blocked_at; /* the longest single wait, and when it began */
	uint64_t longest_latency, latency_at;
	uint16_t cap;   /* where it ran last; EVL_NO_CAP: it did not */
	uint8_t stop;   /* enum thread_stop of the longest wait */
	uint8_t state;  /* enum thread_state at the end; */
	uint64_t since; /* when that began */
};

struct waits {
	uint64_t run_ns, runnable_ns, blocked_ns, foreign_ns; /* of all threads */
	uint64_t runs;                                        /* that begin in the range */
	uint64_t blocked_by[STOP_REASONS];                    /* ns by enum thread_stop */
	struct histogram latency;                             /* of runnable to running, waits that end in the range */
	/* The threads with the most time running and blocked, and with the longest single latency; most first. */
	struct thread_waits by_run[WAITS_TOP], by_blocked[WAITS_TOP], by_latency[WAITS_TOP];
	size_t n_run, n_blocked, n_latency;
	uint64_t others; /* events of threads that were not followed */
	/* Threads that were blocked for the last tenth of the range at least; of them the one that was so first. */
	uint64_t stuck;
	uint32_t stuck_thread;
	uint64_t stuck_since;
};

/* 0, EVL_CANCELLED or EVL_NOMEM. each (may be NULL) is told of every thread, when it ends or the range does, in no
 * particular order. */
int thread_waits_run(struct waits *w, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch, void (*each)(void *ctx, const struct thread_waits *t), void *ctx) EVL_MUST_USE;

#endif
