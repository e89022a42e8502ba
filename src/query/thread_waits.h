/* thread_waits.h - waiting times of threads: blocked by reason and waker; runnable; in foreign calls; from runnable to
 * running; how many capabilities ran at once; and why one is idle.
 *
 * One pass over the events of all capabilities (thread_history.h): its cost is that of the range's log, its memory that of
 * the threads that live at once (some 350 bytes each) and 2 MB for those that woke others. Runnable time is split
 * into time within GC pauses and time spent waiting for a capability. Only when the walk is over. */
#ifndef EVL_THREAD_WAITS_H
#define EVL_THREAD_WAITS_H

#include "base/histogram.h"
#include "gc/gc_pauses.h"
#include "log/log.h"
#include "query/contention.h"
#include "sched/thread_state.h"
#include "sys/progress.h"

enum { WAITS_TOP = 10, WAITS_WHO = 5, WAITS_LEVELS = 1 << 12 };

/* Times of one thread in the range. */
struct thread_waits {
	uint32_t thread;
	uint32_t runs, wakeups, migrations,
		latencies; /* runs: that start in the range; latencies: from runnable to running */
	uint64_t run_ns, runnable_ns, runnable_gc_ns, blocked_ns, foreign_ns; /* runnable_gc: of runnable, in pauses */
	uint64_t alone_ns;                    /* of run, while no other thread ran, outside of pauses */
	uint64_t longest_blocked, blocked_at; /* the longest single wait, and when it began */
	uint64_t longest_latency, latency_at;
	uint64_t longest_wait, wait_at; /* the longest latency without what lies in pauses */
	uint16_t cap;                   /* where it ran last; EVL_NO_CAP: it did not */
	uint8_t stop;                   /* enum thread_stop of the longest wait */
	uint8_t state;                  /* enum thread_state at the end; */
	uint64_t since;                 /* when that began */
};

/* A thread that ended waits of others, or that was waited for. */
struct wait_who {
	uint32_t thread; /* 0: unknown */
	uint64_t n, ns;
};

/* The waits for one reason. */
struct wait_reason {
	uint64_t n, ns, longest, longest_at;
	uint32_t longest_thread;
	uint8_t reason; /* thread_block_reason */
	uint8_t n_wakers, n_owners;
	struct wait_who wakers[WAITS_WHO]; /* most time first */
	struct wait_who owners[WAITS_WHO]; /* of black holes */
};

struct waits {
	uint64_t run_ns, runnable_ns, runnable_gc_ns, blocked_ns, foreign_ns; /* of all threads */
	uint64_t runs;                                                        /* that start in the range */
	struct wait_reason reasons[STOP_REASONS];                             /* most time first */
	size_t n_reasons;
	/* From runnable to running, waits that end in the range; and the same without time in pauses. */
	struct histogram latency, latency_wait;
	/* The threads with the most time running, blocked and running alone, and with the longest single latency, with
	 * pauses and without; most first. */
	struct thread_waits by_run[WAITS_TOP], by_blocked[WAITS_TOP], by_latency[WAITS_TOP], by_wait[WAITS_TOP],
		by_alone[WAITS_TOP];
	size_t n_run, n_blocked, n_latency, n_wait, n_alone;
	uint64_t others; /* events of threads that were not followed */
	/* Time in which exactly that number of capabilities ran a thread, outside of pauses, and the time in pauses;
	 * the last entry is for all levels from WAITS_LEVELS on. They add up to the range; levels[0] holds the
	 * pauses too. */
	uint64_t *levels; /* n_levels: one more than capabilities */
	size_t n_levels;
	uint64_t paused_ns;
	struct contention contention;
};

/* Fill it in. main_end: when the main thread finished; UINT64_MAX: it did not. 0, EVL_CANCELLED or EVL_NOMEM; to be freed
 * in any case. each (may be NULL) is told of every thread, when it ends or the range does, in no particular order. */
int thread_waits_run(struct waits *w, const struct evl_log *log, uint64_t from, uint64_t to, uint64_t main_end,
	const struct progress *watch, void (*each)(void *ctx, const struct thread_waits *t), void *ctx) EVL_MUST_USE;

/* The same as the first reader of a pass that others share, which is given all pauses: open it, hand its sink to the pass, close
 * it after the pass in any case. EVL_NOMEM or 0; NULL is closed, too. */
struct waits_reader;
int waits_reader_open(struct waits_reader **out, struct waits *w, const struct evl_log *log,
	const struct thread_history *pass, uint64_t main_end, void (*each)(void *ctx, const struct thread_waits *t),
	void *ctx) EVL_MUST_USE;
const struct thread_history_sink *waits_reader_sink(const struct waits_reader *r);
int waits_reader_close(struct waits_reader *r) EVL_MUST_USE;
void thread_waits_free(struct waits *w);

/* Why a capability is idle at a moment: threads that could run elsewhere, or what all threads wait for. Reads at most 64 MB
 * of the log before the moment (thread_history.h); where the log goes back farther, only threads that are heard of there are
 * counted. */
struct idle_why {
	uint32_t runnable, blocked, foreign; /* threads in these states */
	uint32_t by_reason[STOP_REASONS];    /* of the blocked: thread_block_reason */
	bool partial;                        /* there may be more */
};

/* After all events up to t. 0, EVL_CANCELLED or EVL_NOMEM. */
int idle_why_at(struct idle_why *out, const struct evl_log *log, uint64_t t, const struct progress *watch) EVL_MUST_USE;

#endif
