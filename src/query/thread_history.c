#include "query/thread_history_pass.h"

#include <assert.h>
#include <stdlib.h>

/* Reading starts at most so far before a range, and ends at most so far after it. */
enum { PREFIX_TILES = (64 << 20) >> TILE_SHIFT };
enum { READ_ON_CHECK = 1 << 14 }; /* events after the range between looks at whether to go on */

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

struct history_thread *history_look_up(struct thread_history *h, uint32_t thread)
{
	uint32_t place;
	if (thread == 0 || !idmap_find(&h->places, thread, &place))
		return NULL;
	h->recent[thread % HISTORY_RECENT] = place;
	return history_at(h, place);
}

/* Start to follow a thread. NULL: it cannot be followed, or is over and its events late. */
static struct history_thread *enter(struct thread_history *h, const struct thread_event *e, uint64_t t)
{
	uint32_t place;
	if (e->tag == EVL_GC_START) /* of no thread */
		return NULL;
	bool starts = e->tag == EVL_CREATE_THREAD, over = !starts && is_finished(h->log, e->thread, t);
	if (over && e->tag != EVL_RUN_THREAD && e->tag != EVL_STOP_THREAD)
		return NULL;
	if (e->thread == 0 || !take_place(h, &place)) {
		h->others++;
		return NULL;
	}
	struct history_thread *l = history_at(h, place);
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
	h->recent[e->thread % HISTORY_RECENT] = place;
	if (idmap_put(&h->places, e->thread, place))
		return l;
	l->used = false;
	h->failed = true;
	return NULL;
}

static void *own_of(const struct thread_history *h, struct history_thread *l, size_t reader)
{
	return (uint8_t *)l + h->own_at[reader];
}

static void tell_stretch(struct thread_history *h, size_t from, struct history_thread *l, const struct stretch *s)
{
	struct stretch copy = *s;
	for (size_t i = from; i < h->n_readers; i++)
		if (h->readers[i].stretch) {
			copy.own = own_of(h, l, i);
			h->readers[i].stretch(h->readers[i].ctx, &copy);
		}
}

void history_tell_closing(
	struct thread_history *h, struct history_thread *l, uint64_t t, enum thread_state was, struct history_change to)
{
	const struct stretch s = history_closing(h, l, t, was, &to);
	tell_stretch(h, 1, l, &s);
}

void history_tell_begins(struct thread_history *h, size_t from, struct history_thread *l)
{
	for (size_t i = from; i < h->n_readers; i++)
		if (h->readers[i].begins) {
			l->is.own = own_of(h, l, i);
			h->readers[i].begins(h->readers[i].ctx, &l->is);
		}
}

void history_tell_event(
	struct thread_history *h, size_t from, struct history_thread *l, const struct thread_event *e, uint64_t t)
{
	const enum thread_state was = (enum thread_state)l->is.state;
	for (size_t i = from; i < h->n_readers; i++)
		if (h->readers[i].event)
			h->readers[i].event(h->readers[i].ctx, e, t, was, own_of(h, l, i));
}

static void tell_leave(struct thread_history *h, struct history_thread *l)
{
	for (size_t i = 0; i < h->n_readers; i++)
		if (h->readers[i].leaves) {
			l->is.own = own_of(h, l, i);
			h->readers[i].leaves(h->readers[i].ctx, &l->is);
		}
}

static void tell_before(struct thread_history *h, struct history_thread *l)
{
	for (size_t i = 0; i < h->n_readers; i++)
		if (h->readers[i].before) {
			l->is.own = own_of(h, l, i);
			h->readers[i].before(h->readers[i].ctx, &l->is);
		}
}

void history_leave(struct thread_history *h, struct history_thread *l)
{
	tell_leave(h, l);
	idmap_drop(&h->places, l->is.thread);
	l->used = false;
	if (GROW(h->spare, h->n_spare, h->spare_room))
		h->spare[h->n_spare++] = l->place;
	else
		h->failed = true;
}

/* --- stretches --------------------------------------------------------------------------------------------------- */

bool thread_history_piece(const struct thread_history *h, size_t *window, uint64_t *from, uint64_t *to)
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

/* Tell of the parts of a stretch that are in windows. */
static void tell_pieces(struct thread_history *h, struct history_thread *l)
{
	struct stretch piece = l->is;
	for (size_t window = 0; thread_history_piece(h, &window, &piece.from, &piece.to);) {
		piece.paused = gc_pauses_within(h->pauses, piece.from, piece.to);
		piece.open = l->is.open || piece.to < l->is.to;
		tell_stretch(h, 0, l, &piece);
		piece.from = piece.to;
		piece.to = l->is.to;
	}
}

/* Is t, which is not before the event before, in a window? */
static bool in_window(struct thread_history *h, uint64_t t)
{
	if (!h->windows)
		return true;
	while (h->window < h->n_windows && h->windows[h->window].to <= t)
		h->window++;
	return h->window < h->n_windows && h->windows[h->window].from <= t;
}

/* Cut the open stretch at t. */
static void cut(const struct thread_history *h, struct history_thread *l, uint64_t t)
{
	l->is.from = max_u64(l->is.since, h->from);
	l->is.to = min_u64(t, h->to);
	l->is.paused = sub_or_0(h->paused, max_u64(l->paused, h->paused_from));
}

/* The open stretch closes. */
static void close_stretch(
	struct thread_history *h, struct history_thread *l, uint64_t t, const struct history_change *end)
{
	struct stretch *s = &l->is;
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
			s->by = end->by;
		}
		if (h->windows)
			tell_pieces(h, l);
		else
			tell_stretch(h, 0, l, s);
	}
	history_note_ready(h, l, (enum thread_state)s->state);
}

/* From t on the thread does something else. */
static void change(struct thread_history *h, struct history_thread *l, uint64_t t, const struct history_change *to)
{
	l->is.was = l->is.state;
	close_stretch(h, l, t, to);
	history_begin(h, l, t, to);
	bool within = t >= h->from && in_window(h, t);
	if (!within || t == h->from) {
		tell_before(h, l);
		l->is.was = to->state; /* for `begins`: that has been told */
	}
	if (within && to->state != THREAD_ABSENT)
		history_tell_begins(h, 0, l);
}

/* --- events ------------------------------------------------------------------------------------------------------ */

/* The thread that ran on a capability stopped without an event, unless it is `but`. */
static void lose_other(
	struct thread_history *h, struct history_thread *runner, const struct history_thread *but, uint64_t t)
{
	if (!runner || runner == but)
		return;
	runner->on = NO_FEED;
	change(h, runner, t, &(struct history_change){.state = THREAD_UNKNOWN});
}

static void run(struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t,
	size_t feed, struct history_thread *runner)
{
	lose_other(h, runner, l, t);
	if (l->on != NO_FEED && l->on != feed)
		h->running[l->on] = 0;
	change(h, l, t, &(struct history_change){.state = THREAD_RUNNING, .cap = e->cap});
	l->on = (uint16_t)feed;
	h->running[feed] = l->place + 1;
}

static void stop(struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t,
	size_t feed, struct history_thread *runner)
{
	lose_other(h, runner, l, t);
	if (runner == l)
		l->on = NO_FEED;
	h->running[feed] = 0;
	const enum thread_state next = thread_state_after(e->stop);
	change(h, l, t, &(struct history_change){.state = (uint8_t)next, .stop = e->stop, .info = e->info});
	if (next != THREAD_ABSENT)
		return;
	if (l->on != NO_FEED) /* it was said to run elsewhere */
		h->running[l->on] = 0;
	history_leave(h, l);
}

static void wake(struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t,
	struct history_thread *by)
{
	if (l->is.state == THREAD_BLOCKED || l->is.state == THREAD_UNKNOWN) {
		change(h, l, t,
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

void history_take(struct thread_history *h, struct history_thread *l, const struct thread_event *e, uint64_t t,
	size_t feed, struct history_thread *runner)
{
	const bool is_new = !l;
	if (is_new) {
		l = enter(h, e, t);
		runner = history_runner(h, feed); /* threads may have moved */
	}
	if (!l) { /* what ran there runs no more; a GC_START is of no thread */
		if (e->tag == EVL_RUN_THREAD || e->tag == EVL_STOP_THREAD || e->tag == EVL_GC_START) {
			lose_other(h, runner, NULL, t);
			h->running[feed] = 0;
		}
		return;
	}
	switch (e->tag) {
	case EVL_RUN_THREAD: run(h, l, e, t, feed, runner); return;
	case EVL_STOP_THREAD: stop(h, l, e, t, feed, runner); return;
	default: break;
	}
	if (in_window(h, t))
		history_tell_event(h, 0, l, e, t);
	if (e->tag == EVL_CREATE_THREAD && is_new)
		change(h, l, t, &(struct history_change){.state = THREAD_RUNNABLE});
	else if (e->tag == EVL_THREAD_WAKEUP || e->tag == EVL_THREAD_RUNNABLE)
		wake(h, l, e, t, runner);
}

void history_count_pauses(struct thread_history *h, uint64_t t)
{
	const struct gc_pauses *p = h->pauses;
	h->paused = p ? gc_pauses_before(p, t) : 0;
	if (!p || p->n == 0)
		h->unpaused_until = UINT64_MAX;
	else if (t <= p->first)
		h->unpaused_until = p->first;
	else
		h->unpaused_until = t >= p->reader->now->to ? p->reader->now[1].from : t;
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
		h->tells_others = h->tells_others
			|| (i > 0 && (ask->readers[i]->stretch || ask->readers[i]->begins || ask->readers[i]->event));
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
	h->plain_from = UINT64_MAX;
	if (!evl_range(log, &first, &last))
		return 0;
	h->from = max_u64(ask->from, first);
	h->to = max_u64(min_u64(ask->to, last), h->from);
	h->plain_from = ask->windows ? UINT64_MAX : h->from;
	h->running = calloc(log->n_caps + 1, sizeof *h->running);
	if (!h->running)
		return EVL_NOMEM;
	bool near = tiles_until(log, h->from) > PREFIX_TILES;
	h->begin = near ? h->from : first;
	h->paused_from = ask->pauses ? gc_pauses_within(ask->pauses, 0, h->from) : 0;
	h->paused_begin = near ? h->paused_from : 0;
	return (near ? thread_feeds_begin(&h->feeds, log, h->from, ask->to, false)
		     : thread_feeds_begin_at(&h->feeds, log, 0, false))
		? 0
		: EVL_NOMEM;
}

static int until(struct thread_history *h, uint64_t t, uint64_t off) { return history_until(h, NULL, t, off); }

int thread_history_until(struct thread_history *h, uint64_t t, uint64_t off)
{
	return (h->n_readers && h->readers[0].until ? h->readers[0].until : until)(h, t, off);
}

/* Mark the threads that are blocked at the end of the range, and return their number. */
static size_t mark_waiting(struct thread_history *h)
{
	size_t n = 0;
	for (size_t i = 0; i < h->n; i++) {
		struct history_thread *l = history_at(h, i);
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
	const struct sched_event *next;
	for (size_t i = 0; n && i < h->log->n_caps; i++)
		h->running[i] = history_runner(h, i) ? history_runner(h, i)->is.thread : 0;
	for (uint64_t events = 1; n && !h->wakers_unread && (next = thread_feeds_head(&h->feeds)); events++) {
		const struct thread_event *e = &next->is;
		uint32_t *running = &h->running[next->feed];
		struct history_thread *l = history_find(h, e->thread);
		bool runs = e->tag == EVL_RUN_THREAD, stops = e->tag == EVL_STOP_THREAD || e->tag == EVL_GC_START,
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
		if (events % READ_ON_CHECK == 0) {
			if (progress_cancelled(h->watch))
				return EVL_CANCELLED;
			h->wakers_unread = tiles_until(h->log, next->t) > most;
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
	history_count_pauses(h, h->to);
	for (size_t i = 0; i < h->n && result == 0; i++) {
		struct history_thread *l = history_at(h, i);
		if (!l->used)
			continue;
		struct history_thread *by = l->woken && l->is.waker ? history_find(h, l->is.waker) : NULL;
		close_stretch(h, l, h->to,
			&(struct history_change){.open = true,
				.woken = l->woken && l->is.state == THREAD_BLOCKED,
				.waker = l->is.waker,
				.by = by ? history_first_own(by) : NULL,
				.wake_cap = l->is.wake_cap});
		tell_leave(h, l);
	}
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
	uint32_t place;
	struct history_thread *l = thread && idmap_find(&h->places, thread, &place) ? history_at(h, place) : NULL;
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
