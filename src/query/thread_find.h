/* thread_find.h - find events of one thread: the last before a time, the next after it; its state then, and the thread
 * that woke it.
 *
 * The index stores for each tile (8 KB of the blocks of one capability, tiles.h) which threads run in it (struct
 * tile.filter), so searches for RUN_THREAD and STOP_THREAD decode only tiles that may contain one; wake-ups can be
 * anywhere. Every search has a budget of tiles. If it is used up, the result is "not known", so that drawing the screen
 * never waits for a long log. The log must be indexed. */
#ifndef EVL_THREAD_FIND_H
#define EVL_THREAD_FIND_H

#include "log/log.h"
#include "sched/thread_state.h"

enum { THREAD_FRAME_TILES = 96, THREAD_JUMP_TILES = 4096 }; /* budgets: 0.8 MB of log or 1 ms; 32 MB or 40 ms */

struct thread_budget {
	size_t tiles;              /* number of tiles that may still be decoded */
	const atomic_bool *cancel; /* may be NULL */
	bool spent;                /* the search ended early: budget used up, or cancelled */
};

/* The last event of one thread before a time. */
struct thread_last {
	uint32_t thread;
	bool found;
	struct thread_event event; /* the event, a RUN_THREAD or STOP_THREAD, if found */
};

/* Find the last RUN_THREAD or STOP_THREAD before t of each of n threads, which are sorted by id. The search does not go
 * back further than their creation. */
void threads_last_before(
	const struct evl_log *log, uint64_t t, struct thread_last *items, size_t n, struct thread_budget *budget);

/* Find the first RUN_THREAD or STOP_THREAD of a thread after t, or with runs_only the first RUN_THREAD. Return false if
 * there is none, or if the search ended early. */
bool thread_next(const struct evl_log *log, uint32_t thread, uint64_t t, bool runs_only, struct thread_budget *budget,
	struct thread_event *out);

/* Find the last RUN_THREAD of a thread before t. Return false if there is none, or if the search ended early. */
bool thread_prev_run(
	const struct evl_log *log, uint32_t thread, uint64_t t, struct thread_budget *budget, struct thread_event *out);

/* Find the first RUN_THREAD of a capability after t; chain: index into log->blocks.chains. Return false if there is none,
 * or if the search ended early. */
bool cap_next_run(
	const struct evl_log *log, uint32_t chain, uint64_t t, struct thread_budget *budget, struct thread_event *out);

/* State of a thread at t. */
struct thread_moment {
	struct thread_pos pos;
	uint64_t until;           /* end of the state; UINT64_MAX: not in this log */
	uint8_t ends_by;          /* while running: enum thread_stop */
	uint32_t owner;           /* while blocked on a black hole: the thread that evaluates it; 0: unknown */
	bool known;               /* false: the search ended early */
	bool unsure;              /* the search for its wake-up ended early */
	bool woken;               /* it was woken or, if still blocked, will be */
	struct thread_event wake; /* the first wake-up after it blocked */
	/* ns until the wake-up arrived at another capability, which posts it again; UINT64_MAX: unknown */
	uint64_t delivery;
	uint32_t waker; /* thread that ran on the capability that posted the wake-up; 0: none */
	uint64_t ran;   /* time at which it ran again; UINT64_MAX: never */
};

/* Determine the state of a thread at t, decoding at most `tiles` tiles per search. thread_look does the same with a
 * budget that can be cancelled: each of its searches starts with a copy of *each. */
void thread_at(const struct evl_log *log, uint32_t thread, uint64_t t, size_t tiles, struct thread_moment *out);

void thread_look(const struct evl_log *log, uint32_t thread, uint64_t t, const struct thread_budget *each,
	struct thread_moment *out);

/* Find the wake-up that led to the thread's state at t: the one that ended its last wait. WAKE_NONE: there is none, for
 * example because the thread has only yielded or made foreign calls since; WAKE_GIVEN_UP: the search ended early. */
enum wake_result { WAKE_NONE, WAKE_FOUND, WAKE_GIVEN_UP };
struct wake_up {
	struct thread_event event;
	uint32_t waker;         /* as in struct thread_moment */
	uint32_t foreign_calls; /* number of foreign calls since the wake-up */
};
enum wake_result thread_woken_by(
	const struct evl_log *log, uint32_t thread, uint64_t t, size_t tiles, struct wake_up *out);

#endif
