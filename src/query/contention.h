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

enum { CONTENTION_GROUPS = 1 << 12 };

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

/* The wait of a thread that is deadlocked by its definition: a major collection resurrected it, or it is in a cycle of owners
 * of black holes. */
struct deadlock_row {
	uint64_t since, at; /* when it was blocked; when it ran, or when the cycle closed */
	uint64_t ns;        /* that it waited in the range */
	uint64_t gc;        /* resurrected: start of the collection */
	uint32_t thread;
	uint32_t owner; /* of the black hole; 0: unknown, or it waited for something else */
	uint32_t cycle; /* number of the cycle; 0: in none */
	uint8_t stop;
	bool resurrected;
	bool certain; /* no thread can have thrown the exception; no thread woke one in the cycle */
	bool proved;  /* one that the same collection resurrected is certain, or the cycle is */
};

enum { DEADLOCK_ROWS = 64 };

struct deadlock {
	uint64_t n;    /* threads, each as often as it was deadlocked */
	uint64_t ns;   /* the longest wait */
	size_t n_rows; /* in order; past DEADLOCK_ROWS proved ones and the last others are kept */
	struct deadlock_row rows[DEADLOCK_ROWS];
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
	uint32_t group;           /* + 1; 0: not looked up */
	bool heard, ran, retries; /* heard: it began something; retries: woken from STM, and not blocked since */
	uint8_t was;              /* its last stretch */
	uint16_t was_cap;
	uint64_t was_since;
	uint64_t born;                              /* when its first state began, if it was created then; else 0 */
	uint64_t life_ns, run_ns, retry_ns, stm_ns; /* in the range; retry: run since the wake-up from STM */
	uint64_t lock_ns, peer_ns, lock_longest, lock_at; /* blocked on MVars; until one of the group woke it */
};

/* A capability. */
struct contention_cap {
	uint64_t ran_at; /* when a thread ran last that may have thrown an exception */
	uint64_t until;  /* when the last run ended */
	uint32_t thread; /* of that run */
	uint8_t next;    /* its state after it */
	uint64_t
		idle; /* when the last run began before which it had been idle for longer than it takes to resume one */
};

/* The state of a pass. */
struct contention_scan {
	struct contention *out;
	const struct thread_history *history;
	uint64_t main_end; /* UINT64_MAX: the main thread did not end */
	struct contention_cap *caps;
	struct idmap names;
	struct stretch freed; /* the last wait that ended without a wake-up */
	const struct gc_row
		*gc; /* the last major collection that had ended when a thread ran last; and when the next ends */
	uint64_t next_end;
	const struct gc_row *proved;      /* the last that certainly resurrected a thread */
	uint64_t ran_at, until;           /* the last of all capabilities' */
	const struct gc_row *first_after; /* the last collection since which a thread ran */
	uint64_t late;                    /* when the last run before that ended */
	uint64_t thrown; /* when a blocked thread ran last with an exception that no collection threw for certain */
	bool spoiled;    /* such exceptions are frequent around the collection */
	uint32_t cycles, in_cycles; /* number of cycles so far; rows of cycles whose waits have not ended */
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
