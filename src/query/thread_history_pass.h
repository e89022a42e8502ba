/* thread_history_pass.h - the most frequent changes of threads in a pass over their histories, inlined together with the
 * first reader.
 *
 * A pass calls its readers several times for each event, so most of its time would be spent on calls. A reader that takes
 * part in large passes therefore compiles the loop with its own callbacks, in a function `until` of its sink:
 *
 *   static int until(struct thread_history *h, uint64_t t, uint64_t off) { return history_until(h, &my_sink, t, off); }
 *
 * where my_sink is a constant with the callbacks `stretch`, `begins`, `event` and `tick`. `first` is this sink in all functions; NULL:
 * all readers are called through h->readers.
 *
 * Three changes are plain: a runnable thread runs, one that runs stops, one that is blocked is woken; each on a
 * capability where no other thread runs, and after a stretch that began in the range. Here the states before and after are
 * constants, and the stretches stay in registers. thread_history.c takes all other events. */
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

/* How the state of a thread changes. */
struct history_change {
	uint32_t info, waker; /* waker: the thread that woke it from wake_cap, if a wake-up did */
	void *by;             /* as in struct stretch */
	uint16_t cap, wake_cap;
	uint8_t state, stop;
	bool woken, open; /* open: nothing, the range ends */
};

/* Take an event of any kind. l: its thread, or NULL if nothing is known of it yet. runner: the thread that runs on the
 * capability of the feed, or NULL. */
void history_take(struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t,
	size_t feed, struct history_thread *runner);

/* A thread finished. */
void history_leave(struct thread_history *h, struct history_thread *l);

/* Tell the readers from number `from` on of the open stretch, which begins, or of an event. */
void history_tell_begins(struct thread_history *h, size_t from, struct history_thread *l);
void history_tell_event(
	struct thread_history *h, size_t from, struct history_thread *l, const struct thread_event *e, uint64_t t);

/* Tell the readers from number 1 on of a stretch that closes by a plain change. */
void history_tell_closing(struct thread_history *h, struct history_thread *l, uint64_t t, enum thread_state was,
	struct history_change to);

/* Note the time in pauses before t, which is not before the event before, and until when it stays the same. */
void history_count_pauses(struct thread_history *h, uint64_t t);

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

HISTORY_INLINE void *history_first_own(struct history_thread *l) { return l + 1; }

/* Set the open stretch, which begins at t. */
HISTORY_INLINE void history_begin(
	struct thread_history *h, struct history_thread *l, uint64_t t, const struct history_change *to)
{
	struct stretch *s = &l->is;
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
}

/* Note for how long it has been runnable, if it was in the stretch that closes. */
HISTORY_INLINE void history_note_ready(const struct thread_history *h, struct history_thread *l, enum thread_state was)
{
	l->ready = NOT_READY;
	if (was == THREAD_RUNNABLE) {
		l->ready = l->is.since;
		l->latency_paused = h->paused - l->paused;
	}
}

/* Is a change of the thread at t plain, as far as times and readers tell? */
HISTORY_INLINE bool history_plain(const struct thread_history *h, const struct history_thread *l, uint64_t t)
{
	return l->is.since >= h->plain_from && t > l->is.since;
}

/* Return the stretch that closes by a plain change. */
HISTORY_INLINE struct stretch history_closing(const struct thread_history *h, struct history_thread *l, uint64_t t,
	enum thread_state was, const struct history_change *to)
{
	return (struct stretch){.from = l->is.since,
		.to = t,
		.since = l->is.since,
		.ready = l->is.ready,
		.paused = h->paused - l->paused,
		.latency_paused = l->is.latency_paused,
		.delivery = l->is.delivery,
		.thread = l->is.thread,
		.info = l->is.info,
		.waker = to->woken ? to->waker : l->is.waker,
		.cap = l->is.cap,
		.wake_cap = to->woken ? to->wake_cap : l->is.wake_cap,
		.state = (uint8_t)was,
		.stop = l->is.stop,
		.next = to->state,
		.woken = to->woken,
		.own = history_first_own(l),
		.by = to->by};
}

HISTORY_INLINE void history_change_plain(struct thread_history *h, const struct thread_history_sink *first,
	struct history_thread *l, uint64_t t, enum thread_state was, const struct history_change *to)
{
	const struct stretch closes = history_closing(h, l, t, was, to);
	void *const ctx = h->readers[0].ctx;
	first->stretch(ctx, &closes);
	if (unlikely(h->tells_others))
		history_tell_closing(h, l, t, was, *to);
	history_note_ready(h, l, was);
	history_begin(h, l, t, to);
	if (to->state == THREAD_ABSENT)
		return;
	const struct stretch begins = {.from = t,
		.to = t,
		.since = t,
		.thread = closes.thread,
		.info = to->info,
		.waker = to->waker,
		.cap = to->state == THREAD_RUNNING ? to->cap : closes.cap,
		.wake_cap = to->wake_cap,
		.state = to->state,
		.stop = to->stop,
		.was = (uint8_t)was,
		.own = closes.own};
	first->begins(ctx, &begins);
	if (unlikely(h->tells_others))
		history_tell_begins(h, 1, l);
}

/* Take an event if it is plain. Return false if not. */
HISTORY_INLINE bool history_take_plain(struct thread_history *h, const struct thread_history_sink *first,
	struct history_thread *l, const struct thread_event *e, uint64_t t, size_t feed, struct history_thread *runner)
{
	if (!history_plain(h, l, t))
		return false;
	if (e->tag == EVL_RUN_THREAD) {
		if (l->is.state != THREAD_RUNNABLE || runner || l->on != NO_FEED)
			return false;
		history_change_plain(h, first, l, t, THREAD_RUNNABLE,
			&(struct history_change){.state = THREAD_RUNNING, .cap = e->cap});
		l->on = (uint16_t)feed;
		h->running[feed] = l->place + 1;
		return true;
	}
	if (e->tag == EVL_STOP_THREAD) {
		if (l->is.state != THREAD_RUNNING || runner != l)
			return false;
		const enum thread_state next = thread_state_after(e->stop);
		l->on = NO_FEED;
		h->running[feed] = 0;
		if (likely(next == THREAD_BLOCKED))
			history_change_plain(h, first, l, t, THREAD_RUNNING,
				&(struct history_change){.state = THREAD_BLOCKED, .stop = e->stop, .info = e->info});
		else
			history_change_plain(h, first, l, t, THREAD_RUNNING,
				&(struct history_change){.state = (uint8_t)next, .stop = e->stop, .info = e->info});
		if (next == THREAD_ABSENT)
			history_leave(h, l);
		return true;
	}
	if (e->tag != EVL_THREAD_WAKEUP || l->is.state != THREAD_BLOCKED)
		return false;
	first->event(h->readers[0].ctx, e, t, THREAD_BLOCKED, history_first_own(l));
	if (unlikely(h->tells_others))
		history_tell_event(h, 1, l, e, t);
	history_change_plain(h, first, l, t, THREAD_BLOCKED,
		&(struct history_change){.state = THREAD_RUNNABLE,
			.woken = true,
			.waker = runner ? runner->is.thread : 0,
			.by = runner ? history_first_own(runner) : NULL,
			.wake_cap = e->cap});
	return true;
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
			struct history_thread *const runner = history_runner(h, e->feed);
			h->at = e->t;
			if (unlikely(e->t > h->unpaused_until))
				history_count_pauses(h, e->t);
			if (first)
				first->tick(h->readers[0].ctx, e->t);
			struct history_thread *const l = /* the one that stops, most often */
				runner && runner->is.thread == e->is.thread ? runner : history_find(h, e->is.thread);
			if (!first || !l || !history_take_plain(h, first, l, &e->is, e->t, e->feed, runner))
				history_take(h, l, &e->is, e->t, e->feed, runner);
		}
		h->feeds.next = at;
		if (at < end)
			break;
	}
	return h->failed ? EVL_NOMEM : 0;
}

#endif
