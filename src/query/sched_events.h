/* sched_events.h - scheduler events of all capabilities merged in time order; events of equal time in file order.
 *
 * Reading starts before the requested time, at the same time in all chains (a chain is the blocks of one capability in
 * file order), so that the state of most threads is known by then. The log must be indexed. Times are in ns. */
#ifndef EVL_SCHED_EVENTS_H
#define EVL_SCHED_EVENTS_H

#include "log/log.h"
#include "sched/thread_state.h"

enum { FEED_NO_THREAD = 0 }; /* thread id that means: no thread */

/* An event, in the order of all feeds. A GC_START ends the run of the capability's thread, whose state is unknown from then on:
 * is.thread, or without lost_runs FEED_NO_THREAD, and then perhaps none ran. */
struct sched_event {
	struct thread_event is;
	uint64_t t;    /* its time; never decreases within a feed */
	uint64_t off;  /* its file offset, which orders events of equal time */
	uint32_t lost; /* thread whose run ends here without a STOP_THREAD, or FEED_NO_THREAD */
	uint32_t feed; /* index of its feed in thread_feeds.items */
};

/* The feed of one chain, positioned at an event. */
struct sched_events {
	const struct sched_event *next, *end; /* the event; end of those that are decoded */
	struct sched_event *events;
	uint32_t room;    /* of events */
	uint32_t running; /* the thread that runs after the last one that is decoded */
	struct cursor cursor;
	uint64_t t; /* time of the last one that is decoded */
	uint64_t
		lost_t; /* if the log was truncated: time after which the activity of the capability is unknown; else 0 */
	uint32_t tags;  /* of the events that matter */
	uint32_t index; /* of this feed in thread_feeds.items */
	uint16_t cap;
	bool lost_runs; /* wants the threads whose runs end without an event; else `running` and `lost` are not set */
};

enum { FEEDS_MERGED = 64 };

struct thread_feeds {
	const struct sched_event **next, **end; /* part of `merged`: the next events in order of time */
	const struct sched_event *merged[FEEDS_MERGED];
	struct sched_events *items;
	struct sched_events **heap; /* n feeds, as a heap by time */
	struct sched_event *events; /* of all feeds */
	size_t n;
	uint64_t others_t; /* the other feeds have no earlier event than this */
};

/* Start to read. thread_feeds_begin starts before t0: the more events the window [t0, t1) has, the earlier.
 * thread_feeds_begin_at starts at `begin` (0: the start of the log). Neither stops at the end of a window. A thread
 * that is running at the start is reported first, as a RUN_THREAD. lost_runs: report a GC_START only where it ends a run, with
 * the thread, and also where a truncated log ends one. Return false if memory ran out; call thread_feeds_free in any case. */
bool thread_feeds_begin(
	struct thread_feeds *s, const struct evl_log *log, uint64_t t0, uint64_t t1, bool lost_runs) EVL_MUST_USE;
bool thread_feeds_begin_at(
	struct thread_feeds *s, const struct evl_log *log, uint64_t begin, bool lost_runs) EVL_MUST_USE;
void thread_feeds_free(struct thread_feeds *s);

/* Return the earliest event, or NULL after the last event of the log. It is valid until thread_feeds_more is called.
 * thread_feeds_pop moves past it. */
bool thread_feeds_more(struct thread_feeds *s);
static inline const struct sched_event *thread_feeds_head(struct thread_feeds *s)
{
	return likely(s->next < s->end) || thread_feeds_more(s) ? *s->next : NULL;
}
static inline void thread_feeds_pop(struct thread_feeds *s) { s->next++; }

#endif
