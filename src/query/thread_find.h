/* thread_find.h - events of one thread: last before a moment, next after it, its state, the thread that woke it.
 *
 * A tile knows which threads run in it (struct tile.filter), so for RUN and STOP only tiles that may hold one are
 * decoded; wake-ups can be anywhere. Every search has a budget of tiles. If it is used up the answer is
 * "not known", so that no frame waits for a long log. Call only after the walk. */
#ifndef EVL_THREAD_FIND_H
#define EVL_THREAD_FIND_H

#include "log/log.h"
#include "sched/thread_state.h"

enum { THREAD_FRAME_TILES = 96, THREAD_JUMP_TILES = 4096 }; /* 0.8 MB, 32 MB of log: 1 ms, 40 ms */

struct thread_budget {
	size_t tiles;              /* that may still be decoded */
	const atomic_bool *cancel; /* or NULL */
	bool spent;                /* the search was cancelled */
};

/* History of one thread before a moment. */
struct thread_last {
	uint32_t thread;
	bool found;
	struct thread_event event; /* its last RUN_THREAD or STOP_THREAD */
};

/* Find the last RUN or STOP before t of each of n threads, in order of their ids; not farther back than their creation. */
void threads_last_before(
	const struct evl_log *log, uint64_t t, struct thread_last *items, size_t n, struct thread_budget *budget);

/* Find the first RUN or STOP of a thread after t; with runs_only, the first RUN. Return false if there is none, or if the budget is
 * spent. */
bool thread_next(const struct evl_log *log, uint32_t thread, uint64_t t, bool runs_only, struct thread_budget *budget,
	struct thread_event *out);

/* Find the last RUN of a thread before t. Return false as above. */
bool thread_prev_run(
	const struct evl_log *log, uint32_t thread, uint64_t t, struct thread_budget *budget, struct thread_event *out);

/* State of a thread at t. */
struct thread_moment {
	struct thread_pos pos;
	uint64_t until;           /* when the state ends; UINT64_MAX: not in this log */
	uint8_t ends_by;          /* of a run: enum thread_stop */
	uint32_t owner;           /* blocked on a black hole: the thread that evaluates it; 0: unknown */
	bool known;               /* false: the budget did not reach */
	bool unsure;              /* the search for its wake-up was cancelled */
	bool woken;               /* it was woken (or will be, where it is blocked); by: */
	struct thread_event wake; /* the earliest after it blocked */
	uint64_t
		delivery; /* ns until it arrived at another capability, where it is posted again; UINT64_MAX: unknown */
	uint32_t waker;   /* the thread that ran where the wake-up was posted; 0: none */
	uint64_t ran;     /* when it ran again; UINT64_MAX: never */
};
void thread_at(const struct evl_log *log, uint32_t thread, uint64_t t, size_t tiles, struct thread_moment *out);

/* The same with a budget for each search, which may be cancelled. */
void thread_look(const struct evl_log *log, uint32_t thread, uint64_t t, const struct thread_budget *each,
	struct thread_moment *out);

/* Find the wake-up that led to the thread's state at t: the one that ended its last wait. Yields and foreign calls since then
 * have no waker. */
enum wake_result { WAKE_NONE, WAKE_FOUND, WAKE_GIVEN_UP };
struct wake_up {
	struct thread_event event;
	uint32_t waker;         /* as in struct thread_moment */
	uint32_t foreign_calls; /* since */
};
enum wake_result thread_woken_by(
	const struct evl_log *log, uint32_t thread, uint64_t t, size_t tiles, struct wake_up *out);

#endif
