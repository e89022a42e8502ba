#include "query/thread_history.h"

#include <stdlib.h>

enum { CHECK_EVERY = 1 << 14 };                   /* events between looks at whether to go on */
enum { PREFIX_TILES = (64 << 20) >> TILE_SHIFT }; /* so much before a range is read with it */
enum { NO_FEED = UINT16_MAX };
#define NOT_READY UINT64_MAX

/* What a thread does now. */
struct history_thread {
	uint64_t since, ready, delivery;
	uint32_t thread, info, waker;
	uint16_t cap, on;  /* on: the feed of the capability that runs it; NO_FEED */
	uint16_t wake_cap; /* runnable: that posted the wake-up */
	uint8_t state, stop;
	bool used, woken; /* woken: runnable by a wake-up */
};

static struct history_thread *at(const struct thread_history *h, size_t place)
{
	return (struct history_thread *)(void *)(h->lives + place * h->stride);
}

static void *own_of(struct history_thread *l) { return l + 1; }

static struct history_thread *find(const struct thread_history *h, uint32_t thread)
{
	uint32_t place;
	return thread && idmap_find(&h->places, thread, &place) ? at(h, place) : NULL;
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
	uint64_t died =
		row ? atomic_load_explicit(&((struct thread_row *)(uintptr_t)row)->died, memory_order_relaxed) : 0;
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
	*l = (struct history_thread){.thread = e->thread,
		.since = starts || over ? t : h->begin,
		.ready = NOT_READY,
		.delivery = NO_DELIVERY,
		.cap = EVL_NO_CAP,
		.on = NO_FEED,
		.used = true,
		.state = starts || over ? THREAD_ABSENT : THREAD_UNKNOWN};
	if (idmap_put(&h->places, e->thread, place))
		return l;
	l->used = false;
	h->failed = true;
	return NULL;
}

static void leave(struct thread_history *h, struct history_thread *l)
{
	if (h->sink.leaves)
		h->sink.leaves(h->sink.ctx, l->thread, (enum thread_state)l->state, l->stop, l->since, own_of(l));
	idmap_drop(&h->places, l->thread);
	l->used = false;
	if (GROW(h->spare, h->n_spare, h->spare_room))
		h->spare[h->n_spare++] = (uint32_t)((size_t)((uint8_t *)l - h->lives) / h->stride);
	else
		h->failed = true;
}

void *thread_history_own(const struct thread_history *h, uint32_t thread)
{
	struct history_thread *l = find(h, thread);
	return l ? own_of(l) : NULL;
}

/* --- stretches --------------------------------------------------------------------------------------------------- */

/* The open stretch, as one that ends at t. */
static struct stretch stretch_of(const struct thread_history *h, struct history_thread *l, uint64_t t)
{
	bool runs = l->state == THREAD_RUNNING;
	return (struct stretch){.from = max_u64(l->since, h->from),
		.to = min_u64(t, h->to),
		.since = l->since,
		.ready = runs && l->ready != NOT_READY ? l->ready : l->since,
		.delivery = l->delivery,
		.thread = l->thread,
		.info = l->info,
		.waker = l->waker,
		.wake_cap = l->wake_cap,
		.cap = l->cap,
		.state = l->state,
		.stop = l->stop,
		.own = own_of(l)};
}

/* Another number of capabilities runs threads from t on. */
static void change_level(struct thread_history *h, const struct history_thread *l, int by, uint64_t t)
{
	uint64_t from = max_u64(h->level.since, h->from), to = min_u64(t, h->to);
	bool alone = h->level.n == 1;
	if (h->sink.level && from < to)
		h->sink.level(h->sink.ctx, from, to, h->level.n, alone ? h->level.threads : 0,
			alone ? h->level.caps : EVL_NO_CAP, alone ? thread_history_own(h, h->level.threads) : NULL);
	h->level.since = t;
	h->level.n += (uint32_t)by;
	if (!l)
		return;
	h->level.threads ^= l->thread;
	h->level.caps ^= l->cap;
}

/* The open stretch closes; after it comes `next`. by: the thread that woke it from `cap`, if a wake-up did. */
static void close_stretch(struct thread_history *h, struct history_thread *l, uint64_t t, const struct stretch *end)
{
	struct stretch s = stretch_of(h, l, t);
	if (l->state == THREAD_RUNNING)
		change_level(h, l, -1, t);
	if (t <= l->since)
		return;
	l->ready = l->state == THREAD_RUNNABLE ? l->since : NOT_READY;
	if (l->state == THREAD_ABSENT || s.from >= s.to || !h->sink.stretch)
		return;
	s.next = end->next;
	s.open = end->open;
	s.woken = end->woken;
	if (end->woken) {
		s.waker = end->waker;
		s.wake_cap = end->wake_cap;
	}
	h->sink.stretch(h->sink.ctx, &s);
}

/* From t on the thread does something else. */
static void turn(struct thread_history *h, struct history_thread *l, uint64_t t, const struct stretch *to)
{
	close_stretch(h, l, t, to);
	l->since = t;
	l->state = to->next;
	l->stop = to->stop;
	l->info = to->info;
	l->woken = to->woken;
	l->waker = to->waker;
	l->wake_cap = to->wake_cap;
	l->delivery = NO_DELIVERY;
	if (to->next == THREAD_RUNNING) {
		l->cap = to->cap;
		change_level(h, l, 1, t);
	}
	if (!h->sink.begins || t < h->from || to->next == THREAD_ABSENT)
		return;
	struct stretch s = stretch_of(h, l, t);
	h->sink.begins(h->sink.ctx, &s);
}

/* A thread that ran on the capability of a feed and stopped without an event. */
static void lose(struct thread_history *h, size_t feed, uint32_t but, uint64_t t)
{
	struct history_thread *l = h->running[feed] != but ? find(h, h->running[feed]) : NULL;
	if (!l)
		return;
	l->on = NO_FEED;
	turn(h, l, t, &(struct stretch){.next = THREAD_UNKNOWN});
}

static void run(struct thread_history *h, struct history_thread *l, const struct thread_event *e, size_t feed)
{
	lose(h, feed, l->thread, e->t);
	if (l->on != NO_FEED && l->on != feed)
		h->running[l->on] = 0;
	turn(h, l, e->t, &(struct stretch){.next = THREAD_RUNNING, .cap = e->cap});
	l->on = (uint16_t)feed;
	h->running[feed] = l->thread;
}

static void stop(struct thread_history *h, struct history_thread *l, const struct thread_event *e, size_t feed)
{
	lose(h, feed, l->thread, e->t);
	if (h->running[feed] == l->thread)
		l->on = NO_FEED;
	h->running[feed] = 0;
	enum thread_state next = thread_state_after(e->stop);
	turn(h, l, e->t, &(struct stretch){.next = (uint8_t)next, .stop = e->stop, .info = e->info});
	if (next != THREAD_ABSENT)
		return;
	if (l->on != NO_FEED) /* it was said to run elsewhere */
		h->running[l->on] = 0;
	leave(h, l);
}

static void wake(struct thread_history *h, struct history_thread *l, const struct thread_event *e, size_t feed)
{
	if (l->state == THREAD_BLOCKED || l->state == THREAD_UNKNOWN) {
		turn(h, l, e->t,
			&(struct stretch){
				.next = THREAD_RUNNABLE, .woken = true, .waker = h->running[feed], .wake_cap = e->cap});
	} else if (l->state == THREAD_RUNNABLE && l->woken && l->delivery == NO_DELIVERY && l->wake_cap != e->cap) {
		l->delivery = e->t - l->since;
	}
}

static void take(struct thread_history *h, const struct thread_event *read, uint64_t t, size_t feed)
{
	struct history_thread *l = find(h, read->thread);
	struct thread_event e = *read;
	bool is_new = !l;
	if (!l)
		l = enter(h, read, t);
	e.t = t;
	if (!l) { /* whatever ran there runs no more */
		bool runs = e.tag == EVL_RUN_THREAD;
		if (runs || e.tag == EVL_STOP_THREAD) {
			lose(h, feed, 0, t);
			h->running[feed] = 0;
		}
		return;
	}
	if (h->sink.event)
		h->sink.event(h->sink.ctx, &e, t, (enum thread_state)l->state, own_of(l));
	switch (e.tag) {
	case EVL_CREATE_THREAD:
		if (is_new)
			turn(h, l, t, &(struct stretch){.next = THREAD_RUNNABLE});
		break;
	case EVL_RUN_THREAD: run(h, l, &e, feed); break;
	case EVL_STOP_THREAD: stop(h, l, &e, feed); break;
	case EVL_THREAD_WAKEUP:
	case EVL_THREAD_RUNNABLE: wake(h, l, &e, feed); break;
	default: break;
	}
}

/* --- the pass ---------------------------------------------------------------------------------------------------- */

static size_t tiles_until(const struct evl_log *log, uint64_t t)
{
	size_t n = 0;
	for (size_t i = 0; i < log->n_caps; i++) {
		const struct tile_table *table = &log->tiles[log->cap_chains[i]];
		size_t ready =
			atomic_load_explicit(&((struct tile_table *)(uintptr_t)table)->ready, memory_order_acquire);
		n += ready ? tiles_before(table, ready, t) : 0;
	}
	return n;
}

int thread_history_begin(struct thread_history *h, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct thread_history_sink *sink, const struct progress *watch)
{
	uint64_t first, last;
	*h = (struct thread_history){.log = log, .sink = *sink, .watch = watch, .until = to};
	h->stride = (sizeof(struct history_thread) + sink->width + 7) / 8 * 8;
	if (!evl_range(log, &first, &last))
		return 0;
	h->from = max_u64(from, first);
	h->to = max_u64(min_u64(to, last), h->from);
	h->level.since = h->from;
	h->running = calloc(log->n_caps + 1, sizeof *h->running);
	if (!h->running)
		return EVL_NOMEM;
	bool near = tiles_until(log, h->from) > PREFIX_TILES;
	h->begin = near ? h->from : first;
	return (near ? thread_feeds_begin(&h->feeds, log, h->from, to) : thread_feeds_begin_at(&h->feeds, log, 0))
		? 0
		: EVL_NOMEM;
}

int thread_history_until(struct thread_history *h, uint64_t t, uint64_t off)
{
	struct sched_events *f;
	while ((f = thread_feeds_head(&h->feeds)) && f->t < h->until && (f->t < t || (f->t == t && f->off < off))) {
		if (h->taken++ % CHECK_EVERY == 0) {
			if (progress_cancelled(h->watch))
				return EVL_CANCELLED;
			progress_tell(h->watch, (double)sub_or_0(f->t, h->from) / (double)(h->to - h->from + 1));
		}
		take(h, &f->next, f->t, (size_t)(f - h->feeds.items));
		thread_feeds_pop(&h->feeds);
	}
	return h->failed ? EVL_NOMEM : 0;
}

int thread_history_end(struct thread_history *h)
{
	int result = thread_history_until(h, UINT64_MAX, UINT64_MAX);
	for (size_t i = 0; i < h->n && result == 0; i++) {
		struct history_thread *l = at(h, i);
		if (!l->used)
			continue;
		close_stretch(h, l, h->to, &(struct stretch){.open = true});
		if (h->sink.leaves)
			h->sink.leaves(
				h->sink.ctx, l->thread, (enum thread_state)l->state, l->stop, l->since, own_of(l));
	}
	if (result == 0)
		change_level(h, NULL, 0, h->to);
	return result;
}

void thread_history_free(struct thread_history *h)
{
	thread_feeds_free(&h->feeds);
	idmap_free(&h->places);
	free(h->running);
	free(h->lives);
	free(h->spare);
	*h = (struct thread_history){0};
}

bool thread_history_now(const struct thread_history *h, uint32_t thread, uint64_t t, struct stretch *out)
{
	struct history_thread *l = find(h, thread);
	if (!l || l->state == THREAD_UNKNOWN)
		return false;
	*out = stretch_of(h, l, t);
	return true;
}

int thread_history_run(const struct evl_log *log, uint64_t from, uint64_t to, const struct thread_history_sink *sink,
	const struct progress *watch)
{
	struct thread_history h;
	int result = thread_history_begin(&h, log, from, to, sink, watch);
	result = result ? result : thread_history_end(&h);
	thread_history_free(&h);
	return result;
}
