/* thread_state.h - state machine of one thread (running, runnable, blocked, foreign call …), and the names of stop
 * reasons.
 *
 * A thread's events come from several capabilities, so they are fed in time order over all of them. The machine can
 * be started anywhere and tolerates missing or late events:
 *   blocked until it runs   a wake-up only splits the wait, and may be missing (exceptions, the I/O manager)
 *   woken once              a wake-up of a thread that is not blocked is a copy on its way to another capability
 *   stopped where it runs   a stop from another capability than the one it runs on is late by the jitter of two clocks
 *   born by first mention   where the log does not hold its creation */
#ifndef EVL_THREAD_STATE_H
#define EVL_THREAD_STATE_H

#include "format/frame.h"
#include "format/schema.h"

enum thread_state {
	THREAD_ABSENT,  /* not born yet, or finished */
	THREAD_UNKNOWN, /* not known: before what was looked at, or a stop was lost */
	THREAD_RUNNING,
	THREAD_RUNNABLE, /* waits for a capability */
	THREAD_BLOCKED,
	THREAD_FOREIGN, /* in a safe foreign call */
	THREAD_STATES
};

/* Why a thread stopped, as GHC 7.8.3 and later number it; others are translated. */
enum thread_stop {
#define STOP(number, id, state, letter, word, reason, text) STOP_##id = number,
#include "sched/stops.def"
#undef STOP
	STOP_REASONS = 22
};

struct thread_event {
	uint64_t t;
	uint32_t thread;
	uint32_t info; /* STOP_THREAD on a black hole: the owner; after a stack overflow: the new size; 0: unknown */
	uint16_t tag;
	uint16_t cap;    /* that posts it */
	uint16_t to_cap; /* MIGRATE_THREAD, THREAD_WAKEUP: where the thread will run */
	uint8_t stop;    /* STOP_THREAD: enum thread_stop */
};

struct thread_pos {
	uint64_t since; /* when the state began */
	uint16_t cap;   /* where it runs or is to run */
	uint8_t state, stop;
};

/* Events of a thread are of these tags: bit 1 << tag. */
#define THREAD_TAGS                                                                                                    \
	(1u << EVL_CREATE_THREAD | 1u << EVL_RUN_THREAD | 1u << EVL_STOP_THREAD | 1u << EVL_THREAD_RUNNABLE            \
		| 1u << EVL_MIGRATE_THREAD | 1u << EVL_THREAD_WAKEUP)

/* The event as one that concerns a thread's state; false where it is none. cap: that posts it. */
bool thread_event_read(const struct header *h, uint16_t cap, const struct frame *f, struct thread_event *out);

/* Move on; true where the state changed. The event is one of this thread. */
bool thread_step(struct thread_pos *pos, const struct thread_event *e);

/* The thread has no STOP event, but something else happens on its capability. */
bool thread_lost(struct thread_pos *pos, uint16_t cap, uint64_t t);

/* The state that a stop leads to. */
enum thread_state thread_state_after(uint8_t stop);

/* One letter for why a thread waits: 'm' an MVar, 's' STM, 'd' a delay …; and its name for filters: "mvar", "stm" …;
 * "" for what is no wait. */
char thread_stop_letter(uint8_t stop);
const char *thread_stop_word(uint8_t stop);

/* The reason that a blocked thread's time is counted for: that of `stop`, or STOP_OTHER for all that have no name; and
 * its name in the answers: "mvar", "mvar_read", "msgthrowto", "unknown" … */
uint8_t thread_block_reason(uint8_t stop);
const char *thread_block_name(uint8_t reason);

/* The reason in words: "blocked on an MVar"; NULL: there are none. */
const char *thread_stop_text(uint16_t status);

#endif
