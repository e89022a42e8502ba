#include "query/thread_history.h"

#include "base/gallop.h"

#include <assert.h>
#include <stdlib.h>

enum { CHECK_EVERY = 1 << 14 }; /* events between looks at whether to go on */
/* Reading starts at most so far before a range, and ends at most so far after it. */
enum { PREFIX_TILES = (64 << 20) >> TILE_SHIFT };
enum { NO_FEED = UINT16_MAX };
#define NOT_READY UINT64_MAX

/* Current state of a thread. */
struct history_thread {
	struct stretch is;               /* the open stretch; `to` and what follows from it when it closes */
	uint64_t ready;                  /* start of the last stretch, if it was runnable; otherwise NOT_READY */
	uint64_t paused, latency_paused; /* time in pauses before is.since; in the last stretch */
	uint32_t place;
	uint16_t on;      /* the feed of the capability that runs it; NO_FEED */
	bool used, woken; /* woken: runnable by a wake-up; blocked at the end of the range, and woken after it */
	bool waits;       /* blocked at the end of the range; its waker is not known yet */
};

static inline struct history_thread *at(const struct thread_history *h, size_t place)
{
	return (struct history_thread *)(void *)(h->lives + place * h->stride);
}

static inline void *own_of(const struct thread_history *h, struct history_thread *l, size_t reader)
{
	return (uint8_t *)l + h->own_at[reader];
}

static struct history_thread *find(const struct thread_history *h, uint32_t thread)
{
	uint32_t place;
	return thread && idmap_find(&h->places, thread, &place) ? at(h, place) : NULL;
}

/* The thread that runs on the capability of a feed, as far as it is known. */
static inline struct history_thread *runner(const struct thread_history *h, size_t feed)
{
	return h->running[feed] ? at(h, h->running[feed] - 1) : NULL;
}

/* Time in pauses before t, which is not before the event before. */
static inline uint64_t pass_pauses(const struct thread_history *h, uint64_t t)
{
	return h->pauses ? gc_pauses_before(h->pauses, t) : 0;
}

/* --- threads that live ------------------------------------------------------------------------------------------- */

static bool grow(struct thread_history *h)
{
	size_t room = h->room ? 2 * h->room : 64;
	uint8_t *lives = oom_note(realloc(h->lives, room * h->stride));
	if (!lives)
		return false;
	h->lives = lives;
	h->room = room;
	return true;
}

static bool take_place(struct thread_history *h, uint32_t *place)
{
	if (h->n_spare > 0) {
		*place = h->spare[--h->n_spare];
		return true;
	}
	if (h->n >= HISTORY_THREADS)
		return false;
	h->failed = h->failed || (h->n == h->room && !grow(h));
	if (h->failed)
		return false;
	*place = (uint32_t)h->n++;
	return true;
}

/* Did the thread finish before t? */
static bool is_finished(const struct evl_log *log, uint32_t thread, uint64_t t)
{
	const struct thread_row *row = threads_find(&log->threads, thread);
	uint64_t died = row ? load_relaxed(&row->died) : 0;
	return died && died < t;
}

/* A thread that nothing is known of yet; NULL: it cannot be followed, or is over and its events late. */
static struct history_thread *enter(struct thread_history *h, const struct thread_event *e, uint64_t t)
{
	uint32_t place;
	bool starts = e->tag == EVL_CREATE_THREAD, over = !starts && is_finished(h->log, e->thread, t);
	if (over && e->tag != EVL_RUN_THREAD && e->tag != EVL_STOP_THREAD)
		return NULL;
	if (e->thread == 0 || !take_place(h, &place)) {
		h->others++;
		return NULL;
	}
	struct history_thread *l = at(h, place);
	memset(l, 0, h->stride);
	uint64_t since = starts || over ? t : h->begin;
	*l = (struct history_thread){.is = {.since = since,
					     .ready = since,
					     .delivery = NO_DELIVERY,
					     .thread = e->thread,
					     .cap = EVL_NO_CAP,
					     .state = starts || over ? THREAD_ABSENT : THREAD_UNKNOWN},
		.ready = NOT_READY,
		.paused = starts || over ? h->paused : h->paused_begin,
		.place = place,
		.on = NO_FEED,
		.used = true};
	if (idmap_put(&h->places, e->thread, place))
		return l;
	l->used = false;
	h->failed = true;
	return NULL;
}

static void tell_leave(struct thread_history *h, struct history_thread *l)
{
	for (size_t i = 0; i < h->n_readers; i++)
		if (h->readers[i].leaves) {
			l->is.own = own_of(h, l, i);
			h->readers[i].leaves(h->readers[i].ctx, &l->is);
		}
}

static void leave(struct thread_history *h, struct history_thread *l)
{
	tell_leave(h, l);
	idmap_drop(&h->places, l->is.thread);
	l->used = false;
	if (GROW(h->spare, h->n_spare, h->spare_room))
		h->spare[h->n_spare++] = l->place;
	else
		h->failed = true;
}

void *thread_history_own(const struct thread_history *h, uint32_t thread)
{
	struct history_thread *l = find(h, thread);
	return l ? own_of(h, l, 0) : NULL;
}

/* --- stretches --------------------------------------------------------------------------------------------------- */

/* Is t, which is not before the event before, in a window? */
static inline bool in_window(struct thread_history *h, uint64_t t)
{
	if (!h->windows)
		return true;
	while (h->window < h->n_windows && h->windows[h->window].to <= t)
		h->window++;
	return h->window < h->n_windows && h->windows[h->window].from <= t;
}

/* The first piece of [*from, *to) that lies in a window, from window *window on; 0: it is looked for. False: there is none. */
static bool next_piece(const struct thread_history *h, size_t *window, uint64_t *from, uint64_t *to)
{
	size_t i = *window;
	if (i == 0) {
		BISECT(low, h->n_windows, h->windows[mid].to <= *from);
		i = low;
	}
	if (i == h->n_windows || h->windows[i].from >= *to)
		return false;
	*from = max_u64(*from, h->windows[i].from);
	*to = min_u64(*to, h->windows[i].to);
	*window = i + 1;
	return true;
}

static void tell_stretch(struct thread_history *h, struct history_thread *l, struct stretch *s)
{
	for (size_t i = 0; i < h->n_readers; i++)
		if (h->readers[i].stretch) {
			s->own = own_of(h, l, i);
			h->readers[i].stretch(h->readers[i].ctx, s);
		}
}

static void tell_pieces(struct thread_history *h, struct history_thread *l)
{
	struct stretch piece = l->is;
	for (size_t window = 0; next_piece(h, &window, &piece.from, &piece.to);) {
		piece.paused = gc_pauses_within(h->pauses, piece.from, piece.to);
		piece.open = l->is.open || piece.to < l->is.to;
		tell_stretch(h, l, &piece);
		piece.from = piece.to;
		piece.to = l->is.to;
	}
}

static inline void tell_level(struct thread_history *h, uint64_t from, uint64_t to, uint64_t paused)
{
	struct history_thread *alone = h->level.n == 1 ? at(h, h->level.places) : NULL;
	for (size_t i = 0; i < h->n_readers; i++)
		if (h->readers[i].level)
			h->readers[i].level(h->readers[i].ctx, from, to, paused, h->level.n,
				alone ? alone->is.thread : 0, alone ? own_of(h, alone, i) : NULL);
}

static void tell_level_pieces(struct thread_history *h, uint64_t from, uint64_t until)
{
	uint64_t to = until;
	for (size_t window = 0; next_piece(h, &window, &from, &to); from = to, to = until)
		tell_level(h, from, to, gc_pauses_within(h->pauses, from, to));
}

/* Another number of capabilities runs threads from t on. */
static void change_level(struct thread_history *h, const struct history_thread *l, int by, uint64_t t)
{
	uint64_t from = max_u64(h->level.since, h->from), to = min_u64(t, h->to);
	if (from < to && h->windows)
		tell_level_pieces(h, from, to);
	else if (from < to)
		tell_level(h, from, to, h->paused - max_u64(h->level.paused, h->paused_from));
	h->level.since = t;
	h->level.paused = h->paused;
	h->level.n += (uint32_t)by;
	if (l)
		h->level.places ^= l->place;
}

/* Set the current state of a thread. */
struct change {
	uint32_t info, waker; /* waker: the thread that woke it from wake_cap, if a wake-up did */
	uint16_t cap, wake_cap;
	uint8_t state, stop;
	bool woken, open; /* open: nothing, the range ends */
};

/* The open stretch ends at t, as far as is known: what follows from that. */
static inline void cut(const struct thread_history *h, struct history_thread *l, uint64_t t)
{
	l->is.from = max_u64(l->is.since, h->from);
	l->is.to = min_u64(t, h->to);
	l->is.paused = sub_or_0(h->paused, max_u64(l->paused, h->paused_from));
}

/* The open stretch closes. Inlined, so that *end stays in registers. */
static inline __attribute__((always_inline)) void close_stretch(
	struct thread_history *h, struct history_thread *l, uint64_t t, const struct change *end)
{
	struct stretch *s = &l->is;
	if (s->state == THREAD_RUNNING)
		change_level(h, l, -1, t);
	if (t <= s->since)
		return;
	cut(h, l, t);
	if (s->state != THREAD_ABSENT && s->from < s->to) {
		s->next = end->state;
		s->open = end->open;
		s->woken = end->woken;
		if (end->woken) {
			s->waker = end->waker;
			s->wake_cap = end->wake_cap;
		}
		if (h->windows)
			tell_pieces(h, l);
		else
			tell_stretch(h, l, s);
	}
	l->ready = s->state == THREAD_RUNNABLE ? s->since : NOT_READY;
	l->latency_paused = h->paused - l->paused;
}

static void tell_before(struct thread_history *h, struct history_thread *l)
{
	for (size_t i = 0; i < h->n_readers; i++)
		if (h->readers[i].before) {
			l->is.own = own_of(h, l, i);
			h->readers[i].before(h->readers[i].ctx, &l->is);
		}
}

/* From t on the thread does something else. Most of it is known where it is called from. */
static inline __attribute__((always_inline)) void turn(
	struct thread_history *h, struct history_thread *l, uint64_t t, const struct change *to)
{
	struct stretch *s = &l->is;
	close_stretch(h, l, t, to);
	l->paused = h->paused;
	l->woken = to->woken;
	s->since = s->from = s->to = s->ready = t;
	s->state = to->state;
	s->stop = to->stop;
	s->info = to->info;
	s->waker = to->waker;
	s->wake_cap = to->wake_cap;
	s->delivery = NO_DELIVERY;
	s->latency_paused = 0;
	if (to->state == THREAD_RUNNING) {
		s->cap = to->cap;
		if (l->ready != NOT_READY) {
			s->ready = l->ready;
			s->latency_paused = l->latency_paused;
		}
		change_level(h, l, 1, t);
	}
	bool within = t >= h->from && in_window(h, t);
	if ((!within || t == h->from) && h->tells_before)
		tell_before(h, l);
	if (!h->tells_begins || !within || to->state == THREAD_ABSENT)
		return;
	for (size_t i = 0; i < h->n_readers; i++)
		if (h->readers[i].begins) {
			s->own = own_of(h, l, i);
			h->readers[i].begins(h->readers[i].ctx, s);
		}
}

static __attribute__((noinline)) void lose_thread(struct thread_history *h, struct history_thread *l, uint64_t t)
{
	l->on = NO_FEED;
	turn(h, l, t, &(struct change){.state = THREAD_UNKNOWN});
}

/* A thread that ran on the capability of a feed and stopped without an event. */
static inline void lose(struct thread_history *h, size_t feed, const struct history_thread *but, uint64_t t)
{
	struct history_thread *l = runner(h, feed);
	if (unlikely(l && l != but))
		lose_thread(h, l, t);
}

static void run(
	struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t, size_t feed)
{
	lose(h, feed, l, t);
	if (l->on != NO_FEED && l->on != feed)
		h->running[l->on] = 0;
	turn(h, l, t, &(struct change){.state = THREAD_RUNNING, .cap = e->cap});
	l->on = (uint16_t)feed;
	h->running[feed] = l->place + 1;
}

static void stop(
	struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t, size_t feed)
{
	lose(h, feed, l, t);
	if (runner(h, feed) == l)
		l->on = NO_FEED;
	h->running[feed] = 0;
	enum thread_state next = thread_state_after(e->stop);
	turn(h, l, t, &(struct change){.state = (uint8_t)next, .stop = e->stop, .info = e->info});
	if (next != THREAD_ABSENT)
		return;
	if (l->on != NO_FEED) /* it was said to run elsewhere */
		h->running[l->on] = 0;
	leave(h, l);
}

static void wake(
	struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t, size_t feed)
{
	if (l->is.state == THREAD_BLOCKED || l->is.state == THREAD_UNKNOWN) {
		const struct history_thread *by = runner(h, feed);
		turn(h, l, t,
			&(struct change){.state = THREAD_RUNNABLE,
				.woken = true,
				.waker = by ? by->is.thread : 0,
				.wake_cap = e->cap});
	} else if (l->is.state == THREAD_RUNNABLE && l->woken && l->is.delivery == NO_DELIVERY
		&& l->is.wake_cap != e->cap) {
		l->is.delivery = t - l->is.since;
	}
}

static void tell_event(struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t)
{
	if (!in_window(h, t))
		return;
	for (size_t i = 0; i < h->n_readers; i++)
		if (h->readers[i].event)
			h->readers[i].event(h->readers[i].ctx, e, t, (enum thread_state)l->is.state, own_of(h, l, i));
}

static void take(struct thread_history *h, const struct thread_event *e, uint64_t t, size_t feed)
{
	struct history_thread *l = runner(h, feed); /* the one that stops, most often */
	h->at = t;
	h->paused = pass_pauses(h, t);
	if (!l || l->is.thread != e->thread)
		l = find(h, e->thread);
	bool is_new = !l;
	if (!l)
		l = enter(h, e, t);
	if (!l) { /* whatever ran there runs no more */
		bool runs = e->tag == EVL_RUN_THREAD;
		if (runs || e->tag == EVL_STOP_THREAD) {
			lose(h, feed, NULL, t);
			h->running[feed] = 0;
		}
		return;
	}
	switch (e->tag) {
	case EVL_RUN_THREAD: run(h, l, e, t, feed); return;
	case EVL_STOP_THREAD: stop(h, l, e, t, feed); return;
	default: tell_event(h, l, e, t); break;
	}
	if (e->tag == EVL_CREATE_THREAD && is_new)
		turn(h, l, t, &(struct change){.state = THREAD_RUNNABLE});
	else if (e->tag == EVL_THREAD_WAKEUP || e->tag == EVL_THREAD_RUNNABLE)
		wake(h, l, e, t, feed);
}

/* --- the pass ---------------------------------------------------------------------------------------------------- */

static size_t tiles_until(const struct evl_log *log, uint64_t t)
{
	size_t n = 0;
	for (size_t i = 0; i < log->n_caps; i++) {
		const struct tile_table *table = &log->tiles[log->cap_chains[i]];
		size_t ready = load_acquire(&table->ready);
		n += ready ? tiles_before(table, ready, t) : 0;
	}
	return n;
}

/* Where what each reader keeps of a thread lies. */
static void lay_out(struct thread_history *h, const struct thread_history_ask *ask)
{
	size_t at = sizeof(struct history_thread);
	assert(ask->n_readers <= HISTORY_READERS);
	for (size_t i = 0; i < ask->n_readers; i++) {
		h->readers[i] = *ask->readers[i];
		h->own_at[i] = at;
		at += (ask->readers[i]->width + 7) / 8 * 8;
		h->tells_begins = h->tells_begins || ask->readers[i]->begins;
		h->tells_before = h->tells_before || ask->readers[i]->before;
		h->wants_wakers = h->wants_wakers || ask->readers[i]->wants_wakers;
	}
	h->n_readers = ask->n_readers;
	h->stride = at;
}

int thread_history_begin(struct thread_history *h, const struct thread_history_ask *ask)
{
	const struct evl_log *log = ask->log;
	uint64_t first, last;
	*h = (struct thread_history){.log = log,
		.watch = ask->watch,
		.until = ask->to,
		.pauses = ask->pauses,
		.windows = ask->windows,
		.n_windows = ask->n_windows};
	assert(!ask->windows || ask->pauses);
	lay_out(h, ask);
	if (!evl_range(log, &first, &last))
		return 0;
	h->from = max_u64(ask->from, first);
	h->to = max_u64(min_u64(ask->to, last), h->from);
	h->running = calloc(log->n_caps + 1, sizeof *h->running);
	if (!h->running)
		return EVL_NOMEM;
	bool near = tiles_until(log, h->from) > PREFIX_TILES;
	h->begin = near ? h->from : first;
	h->paused_from = ask->pauses ? gc_pauses_within(ask->pauses, 0, h->from) : 0;
	h->paused_begin = near ? h->paused_from : 0;
	h->level.since = h->from;
	h->level.paused = h->paused_from;
	return (near ? thread_feeds_begin(&h->feeds, log, h->from, ask->to, false)
		     : thread_feeds_begin_at(&h->feeds, log, 0, false))
		? 0
		: EVL_NOMEM;
}

int thread_history_until(struct thread_history *h, uint64_t t, uint64_t off)
{
	struct sched_events *f;
	while ((f = thread_feeds_head(&h->feeds))) {
		const struct sched_event *e = f->next;
		if (e->t >= h->until || e->t > t || (e->t == t && e->off >= off))
			break;
		if (h->taken++ % CHECK_EVERY == 0) {
			if (progress_cancelled(h->watch))
				return EVL_CANCELLED;
			progress_tell(h->watch, (double)sub_or_0(e->t, h->from) / (double)(h->to - h->from + 1));
		}
		take(h, &e->is, e->t, f->index);
		thread_feeds_pop(&h->feeds);
	}
	return h->failed ? EVL_NOMEM : 0;
}

/* Mark the threads that are blocked at the end of the range, and return their number. */
static size_t mark_waiting(struct thread_history *h)
{
	size_t n = 0;
	for (size_t i = 0; i < h->n; i++) {
		struct history_thread *l = at(h, i);
		l->waits = l->used && l->is.state == THREAD_BLOCKED;
		n += l->waits;
	}
	return n;
}

/* Find the wakers of the threads that are blocked at the end of the range: read on until all of them go on. From now on,
 * h->running holds the ids of threads. */
static int read_on(struct thread_history *h)
{
	size_t n = mark_waiting(h), most = n ? tiles_until(h->log, h->to) + PREFIX_TILES : 0;
	struct sched_events *f;
	for (size_t i = 0; n && i < h->log->n_caps; i++)
		h->running[i] = runner(h, i) ? runner(h, i)->is.thread : 0;
	for (uint64_t events = 1; n && !h->wakers_unread && (f = thread_feeds_head(&h->feeds)); events++) {
		const struct thread_event *e = &f->next->is;
		uint32_t *running = &h->running[f->index];
		struct history_thread *l = find(h, e->thread);
		bool runs = e->tag == EVL_RUN_THREAD, stops = e->tag == EVL_STOP_THREAD,
		     wakes = e->tag == EVL_THREAD_WAKEUP || e->tag == EVL_THREAD_RUNNABLE;
		if (l && l->waits && (runs || stops || wakes)) {
			l->waits = false;
			l->woken = wakes;
			l->is.waker = wakes ? *running : 0;
			l->is.wake_cap = e->cap;
			n--;
		}
		if (runs || stops)
			*running = runs ? e->thread : 0;
		if (events % CHECK_EVERY == 0) {
			if (progress_cancelled(h->watch))
				return EVL_CANCELLED;
			h->wakers_unread = tiles_until(h->log, f->next->t) > most;
		}
		thread_feeds_pop(&h->feeds);
	}
	return 0;
}

int thread_history_end(struct thread_history *h)
{
	int result = thread_history_until(h, UINT64_MAX, UINT64_MAX);
	result = result || !h->wants_wakers ? result : read_on(h);
	h->at = h->to;
	h->paused = pass_pauses(h, h->to);
	for (size_t i = 0; i < h->n && result == 0; i++) {
		struct history_thread *l = at(h, i);
		if (!l->used)
			continue;
		close_stretch(h, l, h->to,
			&(struct change){.open = true,
				.woken = l->woken && l->is.state == THREAD_BLOCKED,
				.waker = l->is.waker,
				.wake_cap = l->is.wake_cap});
		tell_leave(h, l);
	}
	if (result == 0)
		change_level(h, NULL, 0, h->to);
	return result;
}

void thread_history_free(struct thread_history *h)
{
	thread_feeds_free(&h->feeds);
	idmap_free(&h->places);
	free_all(h->running, h->lives, h->spare);
	*h = (struct thread_history){0};
}

bool thread_history_now(const struct thread_history *h, uint32_t thread, uint64_t t, struct stretch *out)
{
	struct history_thread *l = find(h, thread);
	if (!l || l->is.state == THREAD_UNKNOWN)
		return false;
	cut(h, l, t);
	*out = l->is;
	return true;
}

int thread_history_run(const struct thread_history_ask *ask)
{
	struct thread_history h;
	int result = thread_history_begin(&h, ask);
	result = result ? result : thread_history_end(&h);
	thread_history_free(&h);
	return result;
}
