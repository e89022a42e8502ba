/* thread_waits.h - waiting times of threads: blocked by reason and waker; runnable; in foreign calls; from runnable to
 * running; how many capabilities ran at once; and the idle time of each.
 *
 * One pass (thread_history.h) reads the events of all capabilities in the range's part of the log once. It takes about
 * 350 bytes per thread alive at the same time, and 2 MB for threads that woke others. Runnable time is divided into
 * time within GC pauses and time waiting for a capability. The log must be indexed. Times are in ns. */
#ifndef EVL_THREAD_WAITS_H
#define EVL_THREAD_WAITS_H

#include "base/histogram.h"
#include "gc/gc_pauses.h"
#include "log/log.h"
#include "query/contention.h"
#include "sched/thread_state.h"
#include "sys/progress.h"

enum { WAITS_TOP = 10, WAITS_WHO = 5, WAITS_LEVELS = 1 << 12, WAITS_LABELS = 1 << 14 };
#define WAITS_OTHERS "(other labels)"

/* Times of one thread in the range. */
struct thread_waits {
	struct evl_str label; /* borrowed from the log; only for `each`, and empty if it has none */
	uint32_t thread;
	/* runs: number of runs, also of one that started before the range; latencies: number of waits from runnable to
	 * running */
	uint32_t runs, wakeups, migrations, latencies;
	/* runnable_gc_ns: part of runnable_ns that is in pauses */
	uint64_t run_ns, runnable_ns, runnable_gc_ns, blocked_ns, foreign_ns;
	uint64_t alone_ns; /* part of run_ns while no other thread ran, outside pauses */
	/* longest time in which it ran and no other did, with breaks of at most 1 ms in which none ran; and its start */
	uint64_t longest_alone, alone_at;
	uint64_t longest_run, run_at;         /* longest run, within the range, and its start */
	uint64_t longest_blocked, blocked_at; /* longest single wait, and its start */
	uint64_t longest_latency, latency_at;
	uint64_t longest_wait, wait_at, wait_to; /* longest latency without time in pauses, its start and end */
	uint16_t cap;                            /* capability on which it ran last; EVL_NO_CAP: none */
	uint8_t stop;                            /* enum thread_stop of the longest wait */
	uint8_t state;                           /* enum thread_state at the end */
	uint64_t since;                          /* start of that state */
};

/* A thread that ended waits of other threads, or for which others waited. */
struct wait_who {
	uint32_t thread; /* 0: unknown, or after more than 64 MB of log after the range (waits.wakers_unread) */
	uint64_t n, ns;  /* number of these waits and their total length */
	/* Owners only. once_ns: time outside pauses in which any thread waited for it; an upper bound if there are more
	 * than 16,384 owners. The longest of the waits, its start and its thread; 0: unknown. */
	uint64_t once_ns, longest, longest_at;
	uint32_t longest_thread;
	/* The first threads that waited for it since none did, until the longest wait ended. */
	uint32_t n_with, with[THREAD_TOP];
};

/* Owners of black holes whose labels differ only in digits at the end, or one owner without a label. */
struct owner_group {
	struct evl_str name;    /* borrowed from the log; empty: no label */
	uint64_t owners, n, ns; /* number of owners; number of waits for them and their total length */
	uint64_t once_ns;       /* time outside pauses in which any thread waited for any of them */
	uint64_t alone_ns;      /* part of that in which exactly one capability ran a thread */
	struct wait_who most;   /* the owner with the longest total */
};

/* The waits (time blocked) for one reason. */
struct wait_reason {
	uint64_t n, ns, longest, longest_at;
	/* Waits without a wake-up in the log: they last until its end, or an exception or a timer ends them. Not in
	 * windows. */
	uint64_t unwoken;
	uint32_t longest_thread;
	uint8_t reason; /* thread_block_reason */
	uint8_t n_wakers, n_owners;
	struct wait_who wakers[WAITS_WHO]; /* most time first */
	struct wait_who owners[WAITS_WHO]; /* threads that evaluated black holes */
};

/* Return who ended the waits of the waker without a thread. */
static inline const char *waits_no_waker(bool wakers_unread, const struct wait_reason *r, uint64_t n)
{
	return wakers_unread      ? "unknown or later"
		: r->unwoken == n ? "no wake-up logged"
		: r->unwoken      ? "unknown or none"
				  : "unknown";
}

/* A stretch of time, from `at` to `to`, and the part of it that counts. */
struct idle_stretch {
	uint64_t ns, at, to;
};

/* Parts of idle time but that with a thread in the queue of the capability (here_ns): a thread was runnable, in other queues; none
 * was, and other capabilities ran threads; all threads were blocked or in foreign calls; there was none. */
enum idle_reason { IDLE_ELSEWHERE, IDLE_OTHERS, IDLE_BLOCKED, IDLE_UNALIVE, IDLE_REASONS };

/* A capability outside of pauses, while it ran no thread. */
struct cap_idle {
	uint64_t ns; /* idle: it existed and was enabled */
	/* Disjoint parts of ns; in the rest, all threads were blocked or in foreign calls. */
	uint64_t ready_ns;  /* a thread was runnable, it waited for this capability or another */
	uint64_t here_ns;   /* part of ready_ns: one was in the queue of this capability, as far as events tell */
	uint64_t others_ns; /* none was runnable, and other capabilities ran threads */
	uint64_t none_ns;   /* no thread existed, or the state of none was known */
	uint64_t off_ns;    /* the capability did not exist or was disabled */
	/* Not idle: it ran a thread while others waited in its queue, as far as events tell, and another capability was
	 * idle: this time, and its sum over the threads that waited. */
	uint64_t kept_ns, kept_threads_ns;
	/* Stretches without a moment between, pauses included: those in which it was idle with a thread in its queue, as far as they
	 * count in here_ns: their number, and the longest; and the one in which it ran threads while others waited in its queue that
	 * has most of kept_ns; the first of equals. */
	uint64_t here_n;
	struct idle_stretch here_most, kept_most;
	/* For each part, the stretch of idle time with most of it; the first of equals. */
	struct idle_stretch most[IDLE_REASONS];
};

/* Return the part: of ns. idle_longest_of_largest: return the stretch with most of the largest part, here_ns included. */
uint64_t idle_reason_ns(const struct cap_idle *idle, enum idle_reason part);
const struct idle_stretch *idle_longest_of_largest(const struct cap_idle *idle);

/* The waits for one reason that threads of one label ended. */
struct wait_label {
	struct evl_str label; /* borrowed from the log; empty: threads without a label */
	uint64_t n, ns;       /* number of these waits and their total length */
	uint8_t reason;
	bool unknown; /* no event says which thread ended them */
};

struct waits {
	uint64_t run_ns, runnable_ns, runnable_gc_ns, blocked_ns, foreign_ns; /* sums over all threads */
	uint64_t runs;                            /* number of runs that start in the range */
	struct wait_reason reasons[STOP_REASONS]; /* most time first */
	size_t n_reasons;
	/* The same waits, all of them, by the label of the thread that ended them, in no particular order: WAITS_LABELS
	 * rows, and for further labels a row WAITS_OTHERS for each reason. */
	struct wait_label *by_label;
	size_t n_by_label;
	/* All groups of owners for which threads waited, in no particular order; without owners past 16,384. */
	struct owner_group *owner_groups;
	size_t n_owner_groups;
	/* Time from runnable to running, for waits that end in the range; and the same without time in pauses. */
	struct histogram latency, latency_wait;
	/* The threads with the most time running, blocked and running alone, and with the longest single latency with
	 * and without pauses; largest first. */
	struct thread_waits by_run[WAITS_TOP], by_blocked[WAITS_TOP], by_latency[WAITS_TOP], by_wait[WAITS_TOP],
		by_alone[WAITS_TOP];
	size_t n_run, n_blocked, n_latency, n_wait, n_alone;
	uint64_t others;    /* number of events of threads not followed */
	bool wakers_unread; /* a thread that is blocked at the end of the range may be woken by events not read */
	/* Time in which exactly this number of capabilities ran a thread, outside pauses. The last element includes all
	 * levels from WAITS_LEVELS on. The elements add up to the range; levels[0] includes the pauses, whose total is
	 * paused_ns. */
	uint64_t *levels; /* n_levels elements: number of capabilities + 1 */
	size_t n_levels;
	uint64_t paused_ns;
	uint64_t *late_ns;     /* by index in log->cap_chains: time running threads while a sync waited for them */
	struct cap_idle *idle; /* by index in log->cap_chains; NULL if the pass has windows, or events are not kept */
	bool all_threads;      /* else ready_ns of idle times are lower bounds, the other parts upper ones */
	uint64_t kept_ns;      /* time in which any capability counts in its kept_ns; valid with idle */
	struct contention contention;
};

/* Sums from the start of the range to time t. */
struct waits_mark {
	uint64_t t;
	uint64_t run;           /* time running threads, summed over all capabilities */
	uint64_t busy;          /* part of run outside pauses */
	uint64_t mutator, idle; /* time outside pauses in which some capability ran a thread, or none did */
};

/* Compute only the sums at n > 0 times, in order, from the first one on. watch may be NULL. Return 0, EVL_CANCELLED or
 * EVL_NOMEM. */
int thread_waits_marks(
	struct waits_mark *marks, size_t n, const struct evl_log *log, const struct progress *watch) EVL_MUST_USE;

/* Compute the waits of [from, to). main_end is the time at which the main thread ended; UINT64_MAX: not in the range.
 * each (may be NULL) is called for every thread when it ends or when the range ends, in no particular order. watch may
 * be NULL. Return 0, EVL_CANCELLED or EVL_NOMEM; call thread_waits_free in any case. */
int thread_waits_run(struct waits *w, const struct evl_log *log, uint64_t from, uint64_t to, uint64_t main_end,
	const struct progress *watch, void (*each)(void *ctx, const struct thread_waits *t), void *ctx) EVL_MUST_USE;

/* Compute the waits as the first reader of a shared pass (thread_history.h), which must be given all pauses. Open the
 * reader, pass its sink to the pass, and close it afterwards in any case; NULL may be closed, too. Return 0 or
 * EVL_NOMEM. */
struct waits_reader;
int waits_reader_open(struct waits_reader **out, struct waits *w, const struct evl_log *log,
	const struct thread_history *pass, uint64_t main_end, void (*each)(void *ctx, const struct thread_waits *t),
	void *ctx) EVL_MUST_USE;
const struct thread_history_sink *waits_reader_sink(const struct waits_reader *r);
/* Also compute the sums at n times in the range, in order. The pass must have no windows. */
void waits_reader_mark(struct waits_reader *r, struct waits_mark *marks, size_t n);
int waits_reader_close(struct waits_reader *r) EVL_MUST_USE;
void thread_waits_free(struct waits *w);

#endif
