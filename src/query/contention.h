/* contention.h - which threads block each other: groups that contend for MVars or whose transactions conflict;
 * deadlocks; stuck threads; and the largest stack.
 *
 * The data is gathered by thread_waits.h during its pass over the scheduler's events. Threads whose labels differ only
 * in digits at the end are one group ("worker-1", "worker-2"); threads without a label are another. At most
 * CONTENTION_GROUPS groups are distinguished; all others share the last. Times and durations are in ns; a "wait" is the
 * time for which a thread is blocked. */
#ifndef EVL_CONTENTION_H
#define EVL_CONTENTION_H

#include "base/idmap.h"
#include "query/thread_history.h"
#include "sched/thread_state.h"

enum { CONTENTION_GROUPS = 1 << 12, THREAD_TOP = 8 };

/* The threads with the most of some time, most first; of equals, the one with the smaller id. */
struct thread_top {
	uint64_t ns[THREAD_TOP];
	uint32_t threads[THREAD_TOP], n;
};

struct wait_group {
	struct evl_str name; /* borrowed from the log; empty: without label */
	uint64_t n;          /* number of threads */
	/* Threads that were blocked on MVars for more than half of their life in the range, and for more than half of
	 * that time in waits that a thread of the same group ended: their number, their total time blocked on MVars and
	 * running, and the run time of the one that ran most. */
	uint64_t lock_n, lock_ns, lock_run_ns, lock_most_run_ns;
	/* Total length of the waits for MVars that a thread of the same group ended: all of them; those of the threads
	 * above; those that the threads above ended. */
	uint64_t freed_ns, lock_freed_ns, lock_freeing_ns;
	/* Time of lock_freed_ns in which another thread of the group was in a wait that a thread of another group ended, no
	 * I/O or timer manager, before the first wait ended. */
	uint64_t queued_ns;
	/* The time in which these threads were blocked on MVars while a capability could run a thread and ran none, outside
	 * of pauses; and the wait in which that time is longest, of equals the longest wait: that time, start and end of the
	 * wait. */
	uint64_t lock_room_ns, lock_most_room, lock_at, lock_to;
	/* Wake-ups from STM; those after which the thread ran for at most 100 µs and blocked on STM again, and the total
	 * length of these runs; number of threads blocked on STM. */
	uint64_t stm_wakes, stm_again, stm_run_ns, stm_n;
	/* The most of these waits in a row: from the start of the first to that of the last. */
	uint64_t stm_row, stm_row_at, stm_row_to;
	uint32_t stm_thread, lock_thread; /* threads with that row, and with that wait */
	uint64_t stuck;                   /* number of threads that were blocked when the main thread ended */
	/* Threads counted in lock_n and stm_n, by their time blocked; and in stuck, by that of this wait until then. */
	struct thread_top lock_top, stm_top, stuck_top;
};

/* A wait of a deadlocked thread: a major collection found it unreachable and resurrected it to throw an exception, or
 * it is in a cycle of threads that wait for each other's black holes. */
struct deadlock_row {
	uint64_t since, at; /* when it was blocked; when it ran again, or when the cycle closed */
	uint64_t ns;        /* length of the wait within the range */
	uint64_t gc;        /* if resurrected: start of the collection */
	uint32_t thread;
	uint32_t owner; /* thread that evaluates the black hole; 0: unknown, or it waited for something else */
	uint32_t cycle; /* number of the cycle; 0: none */
	uint8_t stop;   /* enum thread_stop: why it was blocked */
	bool resurrected;
	bool certain;       /* no other thread can have thrown the exception, or no thread of the cycle was woken */
	bool after_manager; /* certain only if managers throw no exceptions */
	bool proved;        /* certain is set for this row or for another thread resurrected by the same collection */
};

enum { DEADLOCK_ROWS = 64 };

struct deadlock {
	uint64_t n;    /* number of deadlocks, counted per thread */
	uint64_t ns;   /* longest wait */
	size_t n_rows; /* in time order; if there are more, proved rows and the latest others are kept */
	struct deadlock_row rows[DEADLOCK_ROWS];
};

struct contention {
	struct wait_group *groups;
	size_t n, room;
	struct deadlock deadlock;
	/* largest size, in words, to which a stack overflow grew a stack, and when; 0: none */
	uint64_t stack_words, stack_at;
	uint64_t main_end; /* as given to contention_begin */
	uint32_t stack_thread;
};

/* Return the label without the number at its end: the name of the group of its threads. */
struct evl_str label_stem(struct evl_str label);

/* State of one thread during the pass. Initialise with zeros. */
struct contender {
	uint32_t group;       /* index of the group + 1; 0: not looked up yet */
	struct evl_str label; /* of the thread, and whether that is one of an I/O or timer manager; if `labelled` */
	bool labelled, manages;
	bool retries;  /* woken from STM and not blocked since */
	bool throwing; /* it is blocked in throwTo */
	uint32_t runs; /* the capability that runs it + 1; 0: none */
	/* within the range; retry_ns: time running since the wake-up from STM, if it retries */
	uint64_t retry_ns, stm_ns;
	uint64_t row, row_at; /* number of waits for STM in a row that began again soon; start of the first */
	/* time blocked on MVars; of that, in waits that a thread of its group ended; such waits of others that it
	 * ended; as wait_group.queued_ns; time blocked on MVars with a free capability, and the wait in which it is longest */
	uint64_t lock_ns, freed_ns, queued_ns, freeing_ns, lock_room_ns, lock_most_room, lock_at, lock_to;
};

/* The runs of threads of one kind on a capability. */
struct contention_runs {
	uint64_t until;  /* end of the last one that ended; 0: none did */
	uint32_t thread; /* thread that runs; 0: none */
};

/* State of one capability during the pass: runs of I/O and timer managers, and of all other threads. */
struct contention_cap {
	struct contention_runs managers, others;
};

/* Union of the waits of a group that threads of other groups ended. `before`: total length of those before it. */
struct outside_wait {
	uint64_t from, to, before;
};

struct outside_waits {
	struct outside_wait *items; /* in time order, disjoint; the latest OUTSIDE_WAITS at most */
	size_t n, room;
};

enum { OUTSIDE_WAITS = 1 << 10 }; /* 24 kB a group, and a pool of workers needs few: those of one wait */

/* State of the pass. */
struct contention_scan {
	struct contention *out;
	const struct thread_history *history;
	uint64_t main_end; /* end of the main thread; UINT64_MAX: not in the range */
	struct contention_cap *caps;
	struct idmap names;
	struct outside_waits *outside; /* of each group */
	size_t n_outside, room_outside;
	struct stretch freed;    /* last wait that ended without a wake-up */
	const struct gc_row *gc; /* last major collection that ended before the latest run of any thread started */

	uint64_t next_end;           /* end of the next major collection; UINT64_MAX: none */
	const struct gc_row *proved; /* last collection that certainly resurrected a thread */
	uint64_t throwing, sent;     /* number of threads blocked in throwTo; end of the last such wait */
	bool managers_throw;         /* an exception came just after a manager ran, and neither another thread nor a
	                          * collection can have thrown it */
	uint32_t cycles, in_cycles;  /* number of cycles so far; number of rows of cycles whose waits have not ended */
	bool failed;
	size_t own_at; /* offset of struct contender in the data that thread_history keeps per thread */
};

/* Start a pass. own_at is the offset of struct contender in the data that thread_history keeps per thread. Return false
 * if memory ran out. contention_end may be called in any case. */
bool contention_begin(struct contention_scan *s, struct contention *out, const struct thread_history *history,
	uint64_t main_end, size_t own_at) EVL_MUST_USE;

/* Callbacks of thread_history (struct thread_history_sink); x is an interval of a thread in one state.
 *   contention_stretch   the interval x closes (stretch)
 *   contention_starts    the interval x starts within the range (begins)
 *   contention_changes   a thread changes its state before the range, or as the range starts (before)
 *   contention_leaves    the thread ends, or the range ends while it lives (leaves): how long it ran, and lived
 * *out is complete after the pass, unless s->failed is set because memory ran out. Read s->failed before
 * contention_end. */
void contention_changes(struct contention_scan *s, struct contender *c, const struct stretch *x);
void contention_leaves(
	struct contention_scan *s, struct contender *c, const struct stretch *last, uint64_t run_ns, uint64_t life_ns);

/* Parts of the two others, which are inlined. They take copies, so that *x of those can stay in registers.
 *   contention_freed        another thread ended a wait for an MVar; the groups of both are known
 *   contention_waited       any other wait, or one that may matter for a deadlock or when the main thread ends
 *   contention_resurrected  a thread runs that no wake-up preceded
 *   contention_blocks       a thread blocks that was woken from STM, or on a black hole
 *   contention_grows        the stack of a thread overflowed */
void contention_freed(
	struct contention_scan *s, struct contender *c, struct contender *waker, uint64_t from, uint64_t to);
bool contention_find_groups(struct contention_scan *s, struct contender *c, uint32_t thread, struct contender *waker,
	uint32_t waker_thread);
void contention_waited(struct contention_scan *s, struct contender *c, struct stretch x);
void contention_resurrected(struct contention_scan *s, struct stretch x);
void contention_blocks(struct contention_scan *s, struct contender *c, struct stretch x);
void contention_grows(struct contention_scan *s, struct stretch x);
void contention_find_label(const struct contention_scan *s, struct contender *c, uint32_t thread);
void contention_throws(struct contention_scan *s, struct contender *c, bool on, uint64_t t);

HISTORY_INLINE void contention_stretch(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	if (x->state == THREAD_BLOCKED) {
		const uint64_t ns = x->to - x->from;
		const bool lock = x->stop == STOP_MVAR, freed = x->woken && lock; /* a reader takes no lock */
		if (lock)
			c->lock_ns += ns;
		struct contender *by = x->by ? (void *)((uint8_t *)x->by + s->own_at) : NULL;
		if (freed && by && by != c
			&& (likely(by->group && c->group) || contention_find_groups(s, c, x->thread, by, x->waker)))
			contention_freed(s, c, by, x->from, x->to);
		if (unlikely(!freed || s->main_end - x->from - 1 < ns)) /* the main thread ended in (from, to] */
			contention_waited(s, c, stretch_copy(x));
	} else if (x->state == THREAD_RUNNING && unlikely(c->retries)) {
		c->retry_ns += x->to - x->from;
		c->retries = !x->open && (!s->history->windows || x->from == x->since);
	}
}

/* The thread runs or stops at x->from. */
HISTORY_INLINE void contention_turn(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	if (!c->runs && x->state != THREAD_RUNNING)
		return;
	if (unlikely(!c->labelled))
		contention_find_label(s, c, x->thread);
	if (c->runs) {
		struct contention_cap *cap = &s->caps[c->runs - 1];
		struct contention_runs *runs = c->manages ? &cap->managers : &cap->others;
		runs->until = x->from;
		runs->thread = runs->thread == x->thread ? 0 : runs->thread;
	}
	c->runs = x->state == THREAD_RUNNING ? x->cap + 1u : 0;
	if (c->runs)
		(c->manages ? &s->caps[x->cap].managers : &s->caps[x->cap].others)->thread = x->thread;
}

HISTORY_INLINE void contention_starts(struct contention_scan *s, struct contender *c, const struct stretch *x)
{
	const bool throws = x->state == THREAD_BLOCKED && x->stop == STOP_THROWTO;
	if (unlikely(throws != c->throwing))
		contention_throws(s, c, throws, x->from);
	if (x->state == THREAD_RUNNING && unlikely(s->freed.thread == x->thread))
		contention_resurrected(s, stretch_copy(x));
	contention_turn(s, c, x);
	if (x->state == THREAD_BLOCKED) {
		if (unlikely(c->retries || x->stop == STOP_BLACK_HOLE))
			contention_blocks(s, c, stretch_copy(x));
		else
			c->row = 0;
	} else if (x->state == THREAD_RUNNABLE && unlikely(x->stop == STOP_STACK)) {
		contention_grows(s, stretch_copy(x));
	}
}

/* A wait for an MVar from `from` to `to` ended, or the range did; a capability was free for room_ns of it. */
HISTORY_INLINE void contention_room(struct contender *c, uint64_t from, uint64_t to, uint64_t room_ns)
{
	c->lock_room_ns += room_ns;
	if (room_ns < c->lock_most_room || (room_ns == c->lock_most_room && to - from <= c->lock_to - c->lock_at))
		return;
	c->lock_most_room = room_ns;
	c->lock_at = from;
	c->lock_to = to;
}

/* Free the state of the pass (contention_end), or the result (contention_free). */
void contention_end(struct contention_scan *s);
void contention_free(struct contention *c);

#endif
