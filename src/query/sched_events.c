#include "query/sched_events.h"

#include "base/minheap.h"

#include <stdlib.h>

/* Tiles before the window, over all chains, in which most threads did something: half as many as the window has, within
 * bounds. */
enum { NEAR_LEAST = 32, NEAR_MOST = 256 };

/* End the current run, with an unknown stop reason. */
static void lose_run(struct sched_events *f, uint64_t t)
{
	f->next = (struct thread_event){.t = t, .thread = f->running, .tag = EVL_GC_START, .cap = f->cap};
	f->t = max_u64(f->t, t);
	f->off = UINT64_MAX;
}

/* The next event of the chain that matters, false at its end. A GC that starts ends a run whose stop was lost; so does
 * the end of a log that was cut. */
static bool feed_next(struct sched_events *f)
{
	const struct block *block;
	struct frame frame;
	while (cursor_next_of(&f->cursor, f->tags, UINT64_MAX, &frame, &block)) {
		if (unlikely(frame.tag == EVL_GC_START)) {
			if (f->running == FEED_NO_THREAD)
				continue;
			lose_run(f, frame.t);
		} else {
			thread_event_decode(f->cursor.blocks->header, f->cap, &frame, &f->next);
			f->t = max_u64(f->t, frame.t);
		}
		f->off = frame.off;
		return true;
	}
	bool cut = f->lost_t && f->running != FEED_NO_THREAD;
	if (cut)
		lose_run(f, f->lost_t);
	f->lost_t = 0;
	return cut;
}

static const struct tile *tile_at(const struct tile_table *table, size_t ready, uint64_t t, size_t near)
{
	size_t at = tiles_before(table, ready, t);
	return &table->tiles[at > near ? at - near : 0];
}

static size_t tiles_of(const struct evl_log *log, uint64_t t0, uint64_t t1)
{
	size_t n = 0;
	for (size_t i = 0; i < log->n_caps; i++) {
		const struct tile_table *table = &log->tiles[log->cap_chains[i]];
		size_t ready = load_acquire(&table->ready);
		n += ready ? tiles_before(table, ready, t1) - tiles_before(table, ready, t0) : 0;
	}
	return n;
}

/* Some tiles before the window: the moment from which on all chains are read. One that is read farther back than the
 * others would tell of states that had long changed elsewhere. */
static uint64_t begin_of(const struct evl_log *log, uint64_t t0, uint64_t t1)
{
	size_t near =
		max_u64(min_u64(tiles_of(log, t0, t1) / 2, NEAR_MOST), NEAR_LEAST) / (log->n_caps ? log->n_caps : 1);
	uint64_t begin = 0;
	for (size_t i = 0; i < log->n_caps; i++) {
		const struct tile_table *table = &log->tiles[log->cap_chains[i]];
		size_t ready = load_acquire(&table->ready);
		const struct tile *tile = ready ? tile_at(table, ready, t0, near) : NULL;
		if (tile && tile != table->tiles)
			begin = max_u64(begin, tile->t);
	}
	return begin;
}

/* Move to the first event from `begin` on. A thread that runs then is reported first, as an event. */
static bool feed_begin(struct sched_events *f, const struct evl_log *log, uint32_t chain, uint64_t begin)
{
	const struct tile_table *table = &log->tiles[chain];
	size_t ready = load_acquire(&table->ready);
	uint64_t walked = load_acquire(&table->walked);
	*f = (struct sched_events){.cap = log->blocks.chains[chain].cap,
		.lost_t = load_acquire(&table->lost_t),
		.tags = thread_tags_read(&log->header) | 1u << EVL_GC_START};
	if (ready == 0)
		return false;
	const struct tile *tile = tile_at(table, ready, begin, 0);
	struct thread_event run = {.t = tile->since, .thread = tile->thread, .tag = EVL_RUN_THREAD, .cap = f->cap};
	bool runs = (enum cap_state)tile->state == CAP_RUN, more;
	cursor_begin(&f->cursor, &log->blocks, &log->blocks.chains[chain], walked);
	cursor_seek(&f->cursor, tile->off);
	struct cursor before = f->cursor;
	for (; (more = feed_next(f)) && f->t < begin; before = f->cursor) {
		bool stops = f->next.tag == EVL_STOP_THREAD || f->next.tag == EVL_GC_START;
		if (f->next.tag == EVL_RUN_THREAD)
			run = f->next;
		runs = f->next.tag == EVL_RUN_THREAD || (runs && !stops);
		f->running = runs ? run.thread : FEED_NO_THREAD;
	}
	f->running = FEED_NO_THREAD;
	if (!runs)
		return more;
	f->cursor = before;
	f->next = run;
	f->t = run.t;
	f->off = tile->off;
	return true;
}

static inline bool before(const struct sched_events *a, const struct sched_events *b)
{
	return a->t != b->t ? a->t < b->t : a->off < b->off;
}

bool thread_feeds_begin_at(struct thread_feeds *s, const struct evl_log *log, uint64_t begin)
{
	*s = (struct thread_feeds){
		.items = calloc(log->n_caps + 1, sizeof *s->items), .heap = calloc(log->n_caps + 1, sizeof *s->heap)};
	if (!s->items || !s->heap)
		return false;
	for (size_t i = 0; i < log->n_caps; i++)
		if (feed_begin(&s->items[i], log, log->cap_chains[i], begin))
			s->heap[s->n++] = &s->items[i];
	MINHEAP_MAKE(s->heap, s->n, before);
	return true;
}

bool thread_feeds_begin(struct thread_feeds *s, const struct evl_log *log, uint64_t t0, uint64_t t1)
{
	return thread_feeds_begin_at(s, log, begin_of(log, t0, t1));
}

void thread_feeds_pop(struct thread_feeds *s)
{
	if (!feed_next(s->heap[0]))
		s->heap[0] = s->heap[--s->n];
	MINHEAP_SIFT(s->heap, s->n, 0, before);
}

uint32_t sched_events_take(struct sched_events *f)
{
	const struct thread_event *e = &f->next;
	bool scheduler = e->tag == EVL_RUN_THREAD || e->tag == EVL_STOP_THREAD || e->tag == EVL_GC_START;
	if (!scheduler)
		return FEED_NO_THREAD;
	bool lost = f->running != FEED_NO_THREAD && (e->thread != f->running || e->tag == EVL_GC_START);
	uint32_t was = f->running;
	f->running = e->tag == EVL_RUN_THREAD ? e->thread : FEED_NO_THREAD;
	return lost ? was : FEED_NO_THREAD;
}

void thread_feeds_free(struct thread_feeds *s)
{
	free_all(s->items, s->heap);
	*s = (struct thread_feeds){0};
}
