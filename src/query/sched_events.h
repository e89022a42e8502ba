/* sched_events.h - scheduler events of all capabilities merged in time order; events of equal time in file order.
 *
 * Reading starts some way before the requested time, at the same time in all chains (the blocks of one capability), so
 * that the state of most threads is known by then. The log must be indexed. */
#ifndef EVL_SCHED_EVENTS_H
#define EVL_SCHED_EVENTS_H

#include "log/log.h"
#include "sched/thread_state.h"

enum { FEED_NOBODY = 0 }; /* as a thread: none */

/* The feed of one chain, positioned at an event. */
struct sched_events {
	struct cursor cursor;
	struct thread_event next; /* the event; a GC_START means that the running thread's later state is unknown */
	uint64_t t;               /* time of `next`; never decreases */
	uint64_t off;             /* file offset of `next`, which orders events of equal time */
	uint64_t lost_t;          /* ns; the chain was truncated here (struct tile_table); 0: it was not */
	uint32_t running;         /* running thread, according to sched_events_take; 0: none */
	uint16_t cap;
};

struct thread_feeds {
	struct sched_events *items;
	struct sched_events **heap; /* n feeds, as a heap by time */
	size_t n;
};

/* Start to read for the window [t0, t1), or at time `begin` (0: the start of the log). Return false if memory ran out;
 * call thread_feeds_free in any case. */
bool thread_feeds_begin(struct thread_feeds *s, const struct evl_log *log, uint64_t t0, uint64_t t1) EVL_MUST_USE;
bool thread_feeds_begin_at(struct thread_feeds *s, const struct evl_log *log, uint64_t begin) EVL_MUST_USE;
void thread_feeds_free(struct thread_feeds *s);

/* Return the feed with the earliest event, or NULL after the last event. thread_feeds_pop moves past that event. */
static inline struct sched_events *thread_feeds_head(struct thread_feeds *s) { return s->n ? s->heap[0] : NULL; }
void thread_feeds_pop(struct thread_feeds *s);

/* Update f->running by the feed's current event. The reader must call this for every event. Return the thread whose run
 * ends at this event without a STOP_THREAD, or FEED_NOBODY. */
uint32_t sched_events_take(struct sched_events *f);

#endif
