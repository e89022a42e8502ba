/* thread_history_pass.h - the machine of a pass over the histories of threads, inlined together with its first reader.
 *
 * A pass calls its readers several times for each event, so most of its time would be spent on calls. A reader that takes
 * part in large passes therefore compiles the machine with its own callbacks, in a function `until` of its sink:
 *
 *   static int until(struct thread_history *h, uint64_t t, uint64_t off) { return history_until(h, &my_sink, t, off); }
 *
 * where my_sink is a constant with the callbacks `stretch`, `begins`, `event` and `tick`. `first` is this sink in all functions; NULL:
 * all readers are called through h->readers. */
#ifndef EVL_THREAD_HISTORY_PASS_H
#define EVL_THREAD_HISTORY_PASS_H

#include "base/gallop.h"
#include "query/thread_history.h"

enum { HISTORY_CHECK_EVERY = 1 << 8 }; /* batches of events between looks at whether to go on */
enum { NO_FEED = UINT16_MAX };
#define NOT_READY UINT64_MAX

/* Current state of a thread, followed by the readers' data. */
struct history_thread {
	struct stretch is;               /* the open stretch; `to` and what follows from it when it closes */
	uint64_t ready;                  /* start of the last stretch, if it was runnable; otherwise NOT_READY */
	uint64_t paused, latency_paused; /* time in pauses before is.since; in the last stretch */
	uint32_t place;
	uint16_t on;      /* the feed of the capability that runs it; NO_FEED */
	bool used, woken; /* woken: runnable by a wake-up; blocked at the end of the range, and woken after it */
	bool waits;       /* blocked at the end of the range; its waker is not known yet */
};

/* Take an event of a thread that nothing is known of yet. */
void history_take_new(struct thread_history *h, const struct thread_event *e, uint64_t t, size_t feed);

/* A thread finished. */
void history_leave(struct thread_history *h, struct history_thread *l);

/* A thread runs no more, without an event. */
void history_lose(struct thread_history *h, struct history_thread *l, uint64_t t);

HISTORY_INLINE struct history_thread *history_at(const struct thread_history *h, size_t place)
{
	return (struct history_thread *)(void *)(h->lives + place * h->stride);
}

/* The thread with this id, or NULL. */
struct history_thread *history_look_up(struct thread_history *h, uint32_t thread);
HISTORY_INLINE struct history_thread *history_find(struct thread_history *h, uint32_t thread)
{
	const uint32_t place = h->recent[thread % HISTORY_RECENT];
	if (likely(place < h->n && history_at(h, place)->is.thread == thread && history_at(h, place)->used))
		return history_at(h, place);
	return history_look_up(h, thread);
}

/* The thread that runs on the capability of a feed, as far as it is known. */
HISTORY_INLINE struct history_thread *history_runner(const struct thread_history *h, size_t feed)
{
	return h->running[feed] ? history_at(h, h->running[feed] - 1) : NULL;
}

/* --- readers --- */

/* Return the end of the readers that are called through h->readers: from number 1 on, or, if `first` is NULL, from 0. */
HISTORY_INLINE size_t history_readers(const struct thread_history *h, const struct thread_history_sink *first)
{
	return !first || unlikely(h->tells_others) ? h->n_readers : 0;
}

HISTORY_INLINE void *history_first_own(struct history_thread *l) { return l + 1; }

HISTORY_INLINE void *history_own(const struct thread_history *h, struct history_thread *l, size_t reader)
{
	return (uint8_t *)l + h->own_at[reader];
}

HISTORY_INLINE void history_tell_stretch(
	struct thread_history *h, const struct thread_history_sink *first, struct history_thread *l, struct stretch *s)
{
	if (first) {
		s->own = history_first_own(l);
		first->stretch(h->readers[0].ctx, s);
	}
	for (size_t i = first ? 1 : 0, n = history_readers(h, first); i < n; i++)
		if (h->readers[i].stretch) {
			s->own = history_own(h, l, i);
			h->readers[i].stretch(h->readers[i].ctx, s);
		}
}

/* A thread changes its state before the range, as it starts, or between windows. */
void history_tell_before(struct thread_history *h, struct history_thread *l);

/* Tell of the parts of a stretch that are in windows. */
void history_tell_pieces(struct thread_history *h, struct history_thread *l);

/* Is t, which is not before the event before, in a window? */
HISTORY_INLINE bool history_in_window(struct thread_history *h, uint64_t t)
{
	if (likely(!h->windows))
		return true;
	while (h->window < h->n_windows && h->windows[h->window].to <= t)
		h->window++;
	return h->window < h->n_windows && h->windows[h->window].from <= t;
}

/* --- stretches --- */

/* Set the current state of a thread. */
struct history_change {
	uint32_t info, waker; /* waker: the thread that woke it from wake_cap, if a wake-up did */
	void *by;             /* as in struct stretch */
	uint16_t cap, wake_cap;
	uint8_t state, stop;
	bool woken, open; /* open: nothing, the range ends */
};

/* The open stretch ends at t, as far as is known: what follows from that. */
HISTORY_INLINE void history_cut(const struct thread_history *h, struct history_thread *l, uint64_t t)
{
	l->is.from = max_u64(l->is.since, h->from);
	l->is.to = min_u64(t, h->to);
	l->is.paused = sub_or_0(h->paused, max_u64(l->paused, h->paused_from));
}

/* The open stretch closes. */
HISTORY_INLINE void history_close(struct thread_history *h, const struct thread_history_sink *first,
	struct history_thread *l, uint64_t t, const struct history_change *end)
{
	struct stretch *s = &l->is;
	if (t <= s->since)
		return;
	history_cut(h, l, t);
	if (s->state != THREAD_ABSENT && s->from < s->to) {
		s->next = end->state;
		s->open = end->open;
		s->woken = end->woken;
		if (end->woken) {
			s->waker = end->waker;
			s->wake_cap = end->wake_cap;
			s->by = end->by;
		}
		if (unlikely(h->windows))
			history_tell_pieces(h, l);
		else
			history_tell_stretch(h, first, l, s);
	}
	l->ready = NOT_READY;
	if (s->state == THREAD_RUNNABLE) {
		l->ready = s->since;
		l->latency_paused = h->paused - l->paused;
	}
}

/* From t on the thread does something else. Most of it is known where it is called from. */
HISTORY_INLINE void history_turn(struct thread_history *h, const struct thread_history_sink *first,
	struct history_thread *l, uint64_t t, const struct history_change *to)
{
	struct stretch *s = &l->is;
	history_close(h, first, l, t, to);
	l->paused = h->paused;
	s->since = s->from = s->to = t;
	s->state = to->state;
	s->stop = to->stop;
	if (to->state == THREAD_RUNNING) {
		const bool was_ready = l->ready != NOT_READY;
		s->ready = was_ready ? l->ready : t;
		s->latency_paused = was_ready ? l->latency_paused : 0;
		s->cap = to->cap;
	} else {
		l->woken = to->woken;
		s->info = to->info;
		s->waker = to->waker;
		s->wake_cap = to->wake_cap;
		s->delivery = NO_DELIVERY;
	}
	bool within = t >= h->from && history_in_window(h, t);
	if (unlikely(!within || t == h->from))
		history_tell_before(h, l);
	if (!within || to->state == THREAD_ABSENT)
		return;
	if (first) {
		s->own = history_first_own(l);
		first->begins(h->readers[0].ctx, s);
	}
	for (size_t i = first ? 1 : 0, n = history_readers(h, first); i < n; i++)
		if (h->readers[i].begins) {
			s->own = history_own(h, l, i);
			h->readers[i].begins(h->readers[i].ctx, s);
		}
}

/* --- events --- */

/* The thread that ran on a capability stopped without an event, unless it is `but`. */
HISTORY_INLINE void history_lose_other(
	struct thread_history *h, struct history_thread *runner, const struct history_thread *but, uint64_t t)
{
	if (unlikely(runner && runner != but))
		history_lose(h, runner, t);
}

HISTORY_INLINE void history_run(struct thread_history *h, const struct thread_history_sink *first,
	struct history_thread *l, const struct thread_event *e, uint64_t t, size_t feed, struct history_thread *runner)
{
	history_lose_other(h, runner, l, t);
	if (unlikely(l->on != NO_FEED && l->on != feed))
		h->running[l->on] = 0;
	history_turn(h, first, l, t, &(struct history_change){.state = THREAD_RUNNING, .cap = e->cap});
	l->on = (uint16_t)feed;
	h->running[feed] = l->place + 1;
}

HISTORY_INLINE void history_stop(struct thread_history *h, const struct thread_history_sink *first,
	struct history_thread *l, const struct thread_event *e, uint64_t t, size_t feed, struct history_thread *runner)
{
	history_lose_other(h, runner, l, t);
	if (likely(runner == l))
		l->on = NO_FEED;
	h->running[feed] = 0;
	enum thread_state next = thread_state_after(e->stop);
	history_turn(
		h, first, l, t, &(struct history_change){.state = (uint8_t)next, .stop = e->stop, .info = e->info});
	if (next != THREAD_ABSENT)
		return;
	if (l->on != NO_FEED) /* it was said to run elsewhere */
		h->running[l->on] = 0;
	history_leave(h, l);
}

HISTORY_INLINE void history_wake(struct thread_history *h, const struct thread_history_sink *first,
	struct history_thread *l, const struct thread_event *e, uint64_t t, struct history_thread *by)
{
	if (l->is.state == THREAD_BLOCKED || l->is.state == THREAD_UNKNOWN) {
		history_turn(h, first, l, t,
			&(struct history_change){.state = THREAD_RUNNABLE,
				.woken = true,
				.waker = by ? by->is.thread : 0,
				.by = by ? history_first_own(by) : NULL,
				.wake_cap = e->cap});
	} else if (l->is.state == THREAD_RUNNABLE && l->woken && l->is.delivery == NO_DELIVERY
		&& l->is.wake_cap != e->cap) {
		l->is.delivery = t - l->is.since;
	}
}

HISTORY_INLINE void history_tell_event(struct thread_history *h, const struct thread_history_sink *first,
	struct history_thread *l, const struct thread_event *e, uint64_t t)
{
	const enum thread_state was = (enum thread_state)l->is.state;
	if (!history_in_window(h, t))
		return;
	if (first)
		first->event(h->readers[0].ctx, e, t, was, history_first_own(l));
	for (size_t i = first ? 1 : 0, n = history_readers(h, first); i < n; i++)
		if (h->readers[i].event)
			h->readers[i].event(h->readers[i].ctx, e, t, was, history_own(h, l, i));
}

/* Note the time in pauses before t, which is not before the event before, and until when it stays the same. */
void history_count_pauses(struct thread_history *h, uint64_t t);

HISTORY_INLINE void history_take(struct thread_history *h, const struct thread_history_sink *first,
	const struct thread_event *e, uint64_t t, size_t feed)
{
	struct history_thread *const runner = history_runner(h, feed), *l = runner; /* the one that stops, most often */
	h->at = t;
	if (unlikely(t > h->unpaused_until))
		history_count_pauses(h, t);
	if (first)
		first->tick(h->readers[0].ctx, t);
	if (!l || l->is.thread != e->thread)
		l = history_find(h, e->thread);
	if (unlikely(!l)) {
		history_take_new(h, e, t, feed);
		return;
	}
	switch (e->tag) {
	case EVL_RUN_THREAD: history_run(h, first, l, e, t, feed, runner); return;
	case EVL_STOP_THREAD: history_stop(h, first, l, e, t, feed, runner); return;
	default: history_tell_event(h, first, l, e, t); break;
	}
	if (e->tag == EVL_THREAD_WAKEUP || e->tag == EVL_THREAD_RUNNABLE)
		history_wake(h, first, l, e, t, runner);
}

HISTORY_INLINE int history_until(
	struct thread_history *h, const struct thread_history_sink *first, uint64_t t, uint64_t off)
{
	const struct sched_event *e;
	const uint64_t limit = min_u64(t, h->until);
	while ((e = thread_feeds_head(&h->feeds))) {
		const struct sched_event **at = h->feeds.next, **const end = h->feeds.end;
		if (h->batches++ % HISTORY_CHECK_EVERY == 0) {
			if (progress_cancelled(h->watch))
				return EVL_CANCELLED;
			progress_tell(h->watch, (double)sub_or_0(e->t, h->from) / (double)(h->to - h->from + 1));
		}
		for (; at < end; at++) {
			e = *at;
			if (unlikely(e->t >= limit) && (e->t >= h->until || e->t > t || e->off >= off))
				break;
			history_take(h, first, &e->is, e->t, e->feed);
		}
		h->feeds.next = at;
		if (at < end)
			break;
	}
	return h->failed ? EVL_NOMEM : 0;
}

#endif
