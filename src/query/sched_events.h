/* sched_events.h - scheduler events of all capabilities merged in time order; events of equal time in file order.
 *
 * Reading starts before the requested time, at the same time in all chains (a chain is the blocks of one capability in
 * file order), so that the state of most threads is known by then. The log must be indexed. Times are in ns. */
#ifndef EVL_SCHED_EVENTS_H
#define EVL_SCHED_EVENTS_H

#include "log/log.h"
#include "sched/thread_state.h"

enum { FEED_NO_THREAD = 0 }; /* thread id that means: no thread */

/* The feed of one chain, positioned at an event. */
struct sched_events {
	struct cursor cursor;
	/* The event. A GC_START ends the run of next.thread, whose state is unknown from then on. */
	struct thread_event next;
	uint64_t t;   /* time of `next`; never decreases */
	uint64_t off; /* file offset of `next`, which orders events of equal time */
	/* If the log was truncated: time after which the activity of the capability is unknown; else 0. */
	uint64_t lost_t;
	uint32_t running; /* running thread, according to sched_events_take; 0: none */
	uint32_t tags;    /* of the events that matter */
	uint16_t cap;
};

struct thread_feeds {
	struct sched_events *items;
	struct sched_events **heap; /* n feeds, as a heap by time */
	size_t n;
};

/* Start to read. thread_feeds_begin starts before t0: the more events the window [t0, t1) has, the earlier.
 * thread_feeds_begin_at starts at `begin` (0: the start of the log). Neither stops at the end of a window. A thread
 * that is running at the start is reported first, as a RUN_THREAD. Return false if memory ran out; call
 * thread_feeds_free in any case. */
bool thread_feeds_begin(struct thread_feeds *s, const struct evl_log *log, uint64_t t0, uint64_t t1) EVL_MUST_USE;
bool thread_feeds_begin_at(struct thread_feeds *s, const struct evl_log *log, uint64_t begin) EVL_MUST_USE;
void thread_feeds_free(struct thread_feeds *s);

/* Return the feed with the earliest event, or NULL after the last event of the log. thread_feeds_pop moves past that
 * event. */
static inline struct sched_events *thread_feeds_head(struct thread_feeds *s) { return s->n ? s->heap[0] : NULL; }
void thread_feeds_pop(struct thread_feeds *s);

/* Update f->running from the feed's current event. Call this for every event, before thread_feeds_pop. Return the
 * thread whose run ends at this event without a STOP_THREAD, or FEED_NO_THREAD. */
uint32_t sched_events_take(struct sched_events *f);

#endif
