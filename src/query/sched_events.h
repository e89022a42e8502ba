/* sched_events.h - scheduler events of all capabilities merged in time order; events of equal time in file order.
 *
 * Starts some way before the requested moment, at the same time in all chains, so that the state of most threads is
 * known by then. Only after the walk. */
#ifndef EVL_SCHED_EVENTS_H
#define EVL_SCHED_EVENTS_H

#include "log/log.h"
#include "sched/thread_state.h"

enum { FEED_NOBODY = 0 }; /* no thread */

/* One chain, standing on an event. */
struct sched_events {
	struct cursor cursor;
	struct thread_event next; /* or a GC_START, for the thread that runs: of it no more is known */
	uint64_t t;               /* of next; never decreasing */
	uint64_t off;             /* of next in the file: which of two at one time comes first */
	uint64_t lost_t;          /* the log is cut here (struct tile_table); 0: it is not */
	uint32_t running;         /* as the events that were taken tell (sched_events_take) */
	uint16_t cap;
};

struct thread_feeds {
	struct sched_events *items;
	struct sched_events **heap; /* by time, of n */
	size_t n;
};

/* For the window [t0, t1), or from time `begin` on (0: from the start of the log). Return false if memory ran out. */
bool thread_feeds_begin(struct thread_feeds *s, const struct evl_log *log, uint64_t t0, uint64_t t1) EVL_MUST_USE;
bool thread_feeds_begin_at(struct thread_feeds *s, const struct evl_log *log, uint64_t begin) EVL_MUST_USE;
void thread_feeds_free(struct thread_feeds *s);

/* Return the feed with the earliest event, or NULL at the end of all. And move past that event. */
static inline struct sched_events *thread_feeds_head(struct thread_feeds *s) { return s->n ? s->heap[0] : NULL; }
void thread_feeds_pop(struct thread_feeds *s);

/* Update the running thread from the feed's current event; its reader calls it for every event. Return the thread
 * whose run ends with it without a STOP event, or FEED_NOBODY. */
uint32_t sched_events_take(struct sched_events *f);

#endif
