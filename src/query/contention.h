/* contention.h - which threads block each other: groups of threads that wait for one another's MVars or retry
 * transactions, deadlocks, threads that are stuck, stacks that grew.
 *
 * Fed by thread_waits.h along its pass. Threads whose labels differ only in digits at their end are one group
 * ("worker-1", "worker-2"), threads without a label another. At most CONTENTION_GROUPS are distinguished; the others
 * are one. */
#ifndef EVL_CONTENTION_H
#define EVL_CONTENTION_H

#include "base/idmap.h"
#include "query/thread_history.h"

enum { CONTENTION_GROUPS = 1 << 12, CONTENTION_NAMED = 8 };

struct wait_group {
	struct evl_str name; /* borrowed from the log; empty: without label */
	uint64_t n;          /* threads */
	/* Threads that were blocked on MVars for more than half of their life in the range, most of the time until
	 * one of the group woke them. */
	uint64_t lock_n, lock_ns, lock_run_ns,
		lock_most_run_ns; /* ns: blocked on MVars, run; run of the one with most */
	uint64_t lock_longest, lock_at;
	/* Wake-ups from STM, how many of them ended blocked on STM again after running for at most 100 µs. */
	uint64_t stm_wakes, stm_again, stm_n, stm_ns, stm_longest, stm_at;
	uint32_t stm_thread, lock_thread; /* that waited longest */
	/* Blocked when the main thread ended. */
	uint64_t stuck, stuck_since, stuck_ns; /* since the first of them was blocked; ns: of that one */
	uint32_t stuck_thread;
};

/* Threads that are deadlocked. */
struct deadlock {
	uint64_t n, at, ns; /* threads; when it was found; the longest that one had waited then */
	bool cycle;         /* of owners of black holes; else found by a major collection */
	uint8_t stop, n_named;
	uint32_t named[CONTENTION_NAMED];
};

struct contention {
	struct wait_group *groups;
	size_t n, room;
	struct deadlock deadlock;
	uint64_t stack_words, stack_at; /* largest size, in words, to which a stack overflow grew a stack; 0: none */
	uint32_t stack_thread;
};

/* State per thread; starts as zeros. */
struct contender {
	uint32_t group;             /* + 1; 0: not looked up */
	bool ran, foreign, retries; /* foreign: its last stretch; retries: woken from STM, and not blocked since */
	uint64_t life_ns, run_ns, retry_ns, stm_ns;       /* in the range; retry: run since the wake-up from STM */
	uint64_t lock_ns, peer_ns, lock_longest, lock_at; /* blocked on MVars; until one of the group woke it */
};

/* A capability. */
struct contention_cap {
	uint64_t ran_at; /* when a thread ran last that no collection had resurrected */
	uint64_t until;  /* when the last run ended */
	uint64_t
		idle; /* when the last run began before which it was idle for longer than it takes to resume a thread */
};

/* The state of a pass. */
struct contention_scan {
	struct contention *out;
	const struct thread_history *history;
	uint64_t main_end; /* UINT64_MAX: the main thread did not end */
	struct contention_cap *caps;
	struct idmap names;
	struct stretch freed; /* the last wait that ended without a wake-up */
	uint64_t resurrected; /* start of the last collection that certainly resurrected a thread; 0: none did */
	uint64_t maybe_by;    /* start of the collection that may have resurrected those below, in order */
	size_t n_maybe;
	struct stretch maybe[CONTENTION_NAMED]; /* their waits */
	bool failed;
	size_t own_at; /* where struct contender lies in what the reader keeps per thread */
};

/* Begin; false when memory is out. own_at: where struct contender lies in what the reader keeps per thread. */
bool contention_begin(struct contention_scan *s, struct contention *out, const struct thread_history *history,
	uint64_t main_end, size_t own_at) EVL_MUST_USE;

/* Callbacks of thread_history: a stretch that closes, a state that starts, the thread's end. */
void contention_stretch(struct contention_scan *s, struct contender *c, const struct stretch *x);
void contention_starts(struct contention_scan *s, struct contender *c, const struct stretch *x);
void contention_leaves(struct contention_scan *s, struct contender *c, uint32_t thread);

/* Free what only the pass needed; and the answer. */
void contention_end(struct contention_scan *s);
void contention_free(struct contention *c);

#endif
