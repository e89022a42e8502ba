/* thread_state.h - state machine of one thread (running, runnable, blocked, …), and names of stop reasons
 *
 * A thread's events come from several capabilities, so they must be fed in time order over all capabilities. The
 * machine can start at any event. It tolerates missing and late events as follows:
 *   blocked until it runs   a wake-up only divides the wait, and may be missing (exceptions, the I/O manager)
 *   woken once              a wake-up of a thread that is not blocked is ignored: it is a copy for another capability
 *   stopped where it runs   a stop from another capability is ignored: it is late because the clocks differ
 *   creation missing        a thread whose creation is not in the log is created by its first event
 *
 * Times are in ns. */
#ifndef EVL_THREAD_STATE_H
#define EVL_THREAD_STATE_H

#include "format/frame.h"
#include "format/schema.h"

enum thread_state {
	THREAD_ABSENT,  /* not created yet, or finished */
	THREAD_UNKNOWN, /* before the first event that was fed, or after a stop event was lost */
	THREAD_RUNNING,
	THREAD_RUNNABLE, /* waiting for a capability */
	THREAD_BLOCKED,
	THREAD_FOREIGN, /* in a safe foreign call */
	THREAD_STATES
};

/* Why a thread stopped, with the numbers of GHC 7.8.3 and later. Those of older versions are translated. */
enum thread_stop {
#define STOP(number, id, state, letter, word, reason, text) STOP_##id = number,
#include "sched/stops.def"
#undef STOP
	STOP_REASONS = 22
};

/* An event that concerns the state of a thread. */
struct thread_event {
	uint64_t t;
	uint32_t thread;
	/* STOP_THREAD on a black hole: its owner; after a stack overflow: the new stack size; 0: unknown */
	uint32_t info;
	uint16_t tag;    /* event type */
	uint16_t cap;    /* capability that logged it */
	uint16_t to_cap; /* MIGRATE_THREAD, THREAD_WAKEUP: the thread's new capability */
	uint8_t stop;    /* STOP_THREAD: enum thread_stop */
};

/* Present state of a thread. */
struct thread_pos {
	uint64_t since; /* start of the state */
	uint16_t cap;   /* capability where it runs or will run */
	uint8_t state, stop;
};

/* Types of events that concern a thread, as bits 1 << tag. */
#define THREAD_TAGS                                                                                                    \
	(1u << EVL_CREATE_THREAD | 1u << EVL_RUN_THREAD | 1u << EVL_STOP_THREAD | 1u << EVL_THREAD_RUNNABLE            \
		| 1u << EVL_MIGRATE_THREAD | 1u << EVL_THREAD_WAKEUP)

/* Return the reason of a STOP_THREAD by its number in this log. The first numbers are the same in all versions. */
uint8_t thread_stop_look_up(const struct header *h, uint16_t status);
static inline uint8_t thread_stop_read(const struct header *h, uint16_t status)
{
	return status <= STOP_MVAR ? (uint8_t)status : thread_stop_look_up(h, status);
}

/* Return the tags of THREAD_TAGS whose events can be read in this log. */
static inline uint32_t thread_tags_read(const struct header *h)
{
	enum { THREAD = 4, LONG = 6 };
	const uint32_t longs = 1u << EVL_STOP_THREAD | 1u << EVL_MIGRATE_THREAD | 1u << EVL_THREAD_WAKEUP;
	uint32_t tags = 0;
	for (uint32_t tag = 0; tag <= EVL_THREAD_WAKEUP; tag++)
		if (THREAD_TAGS >> tag & 1 && h->quick[tag] >= (longs >> tag & 1 ? LONG : THREAD))
			tags |= 1u << tag;
	return tags;
}

/* Decode an event of one of these tags that was logged by capability cap. */
static inline void thread_event_decode(
	const struct header *h, uint16_t cap, const struct frame *f, struct thread_event *out)
{
	enum { STATUS_AT = 4, INFO_AT = 6, CAP_AT = 4 };
	const uint8_t *p = f->payload.p;
	*out = (struct thread_event){.t = f->t, .thread = be32(p), .tag = f->tag, .cap = cap, .to_cap = cap};
	if (f->tag == EVL_STOP_THREAD) {
		out->stop = thread_stop_read(h, be16(p + STATUS_AT));
		if (f->payload.len >= INFO_AT + 4 && (out->stop == STOP_BLACK_HOLE || out->stop == STOP_STACK))
			out->info = be32(p + INFO_AT);
	} else if (f->tag == EVL_MIGRATE_THREAD || f->tag == EVL_THREAD_WAKEUP) {
		out->to_cap = be16(p + CAP_AT);
	}
}

/* Apply an event of this thread. Return whether its state changed. */
bool thread_step(struct thread_pos *pos, const struct thread_event *e);

/* Record that at t a capability runs something other than this thread. If the thread was running there, its stop event
 * is lost, and its state becomes unknown. Return whether the state changed. */
bool thread_lost(struct thread_pos *pos, uint16_t cap, uint64_t t);

/* Return the state after a stop, enum thread_stop; a thread that stopped for a reason without a row is blocked. */
static inline enum thread_state thread_state_after(uint8_t stop)
{
	static const uint8_t states[STOP_REASONS] = {
#define STOP(number, id, state, letter, word, reason, text) [STOP_##id] = THREAD_##state ^ THREAD_BLOCKED,
#include "sched/stops.def"
#undef STOP
	};
	return stop < STOP_REASONS ? (enum thread_state)(states[stop] ^ THREAD_BLOCKED) : THREAD_BLOCKED;
}

/* Return the letter for a kind of wait ('m': MVar, 's': STM, 'd': delay, …; 0: no wait), or its word in filters
 * ("mvar", "stm", …; "": no wait). */
char thread_stop_letter(uint8_t stop);
const char *thread_stop_word(uint8_t stop);

/* thread_block_reason: return the reason under which blocked time is counted: `stop`, or STOP_OTHER if `stop` has no
 * name in JSON. thread_block_name: return the name of such a reason in JSON: "mvar", "mvar_read", "msgthrowto",
 * "unknown", … */
uint8_t thread_block_reason(uint8_t stop);
const char *thread_block_name(uint8_t reason);

/* Return the text for a reason to stop ("blocked on an MVar"). status: enum thread_stop; NULL if it has no text or is
 * out of range. */
const char *thread_stop_text(uint16_t status);

#endif
