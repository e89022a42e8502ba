#include "query/sched_events.h"

#include "base/minheap.h"

#include <stdlib.h>

/* Tiles before the window, over all chains, in which most threads did something: half as many as the window has, within
 * bounds. */
enum { NEAR_LEAST = 32, NEAR_MOST = 256 };
/* Events that are decoded at a time: of all feeds together, and of one at most and at least. */
enum { LISTED_ALL = 1 << 12, LISTED_MOST = 64, LISTED_LEAST = 4 };

/* End the current run at t, with an unknown stop reason. */
static struct thread_event lost_run(const struct sched_events *f, uint64_t t)
{
	return (struct thread_event){
		.t = t, .thread = f->lost_runs ? f->running : FEED_NO_THREAD, .tag = EVL_GC_START, .cap = f->cap};
}

/* Complete an event whose `is` is known. lost_runs: as in the feed. */
static inline __attribute__((always_inline)) struct sched_event *put(
	struct sched_events *f, struct sched_event *e, uint64_t off, bool lost_runs)
{
	const uint32_t was = f->running;
	const uint16_t tag = e->is.tag;
	e->t = f->t = max_u64(f->t, e->is.t);
	e->off = off;
	e->lost = FEED_NO_THREAD;
	e->feed = f->index;
	if (lost_runs && (tag == EVL_RUN_THREAD || tag == EVL_STOP_THREAD || tag == EVL_GC_START)) {
		e->lost = e->is.thread != was || tag == EVL_GC_START ? was : FEED_NO_THREAD;
		f->running = tag == EVL_RUN_THREAD ? e->is.thread : FEED_NO_THREAD;
	}
	return e + 1;
}

/* May a thread run at a GC_START, as far as the events before it in the buffer tell? */
static inline bool may_run(const struct sched_events *f, const struct sched_event *out)
{
	if (f->lost_runs)
		return f->running != FEED_NO_THREAD;
	return out == f->events || (out[-1].is.tag != EVL_STOP_THREAD && out[-1].is.tag != EVL_GC_START);
}

/* Store an event of the chain, unless it does not matter: a GC that starts ends a run whose stop was lost. Return the place of
 * the next one. */
static inline __attribute__((always_inline)) struct sched_event *decode_event(
	struct sched_events *f, const struct frame *frame, struct sched_event *out, bool lost_runs)
{
	if (unlikely(frame->tag == EVL_GC_START)) {
		if (!may_run(f, out))
			return out;
		out->is = lost_run(f, frame->t);
	} else {
		thread_event_decode(f->cursor.blocks->header, f->cap, frame, &out->is);
	}
	return put(f, out, frame->off, lost_runs);
}

/* Decode the usual events of the block (cursor.h) that matter, as many as there is room for, and return the end of them. */
static inline __attribute__((always_inline)) struct sched_event *decode_usual(
	struct sched_events *f, struct sched_event *out, const struct sched_event *end, bool lost_runs)
{
	struct cursor *c = &f->cursor;
	const int32_t *sizes = c->blocks->header->quick;
	const uint8_t *data = c->blocks->data, *const block_end = data + c->block.off + c->block.len - FRAME_FIXED;
	const uint64_t first_t = c->first_t, long_t = c->long_t, tags = f->tags;
	const uint8_t *p = data + c->at, *before = data + c->before, *const quick_end = data + c->quick_end;
	if (c->at == 0)
		return out;
	while (out < end && p <= quick_end) {
		const uint8_t tag = p[1];
		const uint64_t t = be64(p + 2);
		const int64_t size = p[0] ? HEADER_ODD : sizes[tag];
		if (unlikely(t - first_t >= long_t || block_end - p < size || size < 0))
			break;
		if (likely(tag < 64 && (tags >> tag & 1)))
			out = decode_event(f,
				&(struct frame){.t = t,
					.off = (uint64_t)(p - data),
					.payload = {p + FRAME_FIXED, (uint64_t)size},
					.tag = tag},
				out, lost_runs);
		before = p;
		p += FRAME_FIXED + size;
	}
	c->at = (uint64_t)(p - data);
	c->before = (uint64_t)(before - data);
	return out;
}

/* Decode the next events of the chain that matter, at most `most`. The end of a log that was cut ends a run. Return false at
 * the end. */
static bool decode_events(struct sched_events *f, size_t most)
{
	const struct block *block;
	struct frame frame;
	struct sched_event *out = f->events, *const end = out + most;
	for (;;) {
		out = f->lost_runs ? decode_usual(f, out, end, true) : decode_usual(f, out, end, false);
		if (out == end || !cursor_next_of(&f->cursor, f->tags, UINT64_MAX, &frame, &block))
			break;
		out = decode_event(f, &frame, out, f->lost_runs);
	}
	if (out == f->events && f->lost_t && f->running != FEED_NO_THREAD) {
		out->is = lost_run(f, f->lost_t);
		out = put(f, out, UINT64_MAX, true);
		f->lost_t = 0;
	}
	f->next = f->events;
	f->end = out;
	return out > f->events;
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
static bool feed_begin(
	struct sched_events *f, const struct evl_log *log, uint32_t chain, uint64_t begin, bool lost_runs)
{
	const struct tile_table *table = &log->tiles[chain];
	size_t ready = load_acquire(&table->ready);
	uint64_t walked = load_acquire(&table->walked);
	f->cap = log->blocks.chains[chain].cap;
	f->lost_runs = lost_runs;
	f->lost_t = lost_runs ? load_acquire(&table->lost_t) : 0;
	f->tags = thread_tags_read(&log->header) | 1u << EVL_GC_START;
	if (ready == 0)
		return false;
	const struct tile *tile = tile_at(table, ready, begin, 0);
	struct thread_event run = {.t = tile->since, .thread = tile->thread, .tag = EVL_RUN_THREAD, .cap = f->cap};
	bool runs = (enum cap_state)tile->state == CAP_RUN, more;
	f->running = runs ? run.thread : FEED_NO_THREAD;
	cursor_begin(&f->cursor, &log->blocks, &log->blocks.chains[chain], walked);
	cursor_seek(&f->cursor, tile->off);
	struct cursor before = f->cursor;
	for (; (more = decode_events(f, 1)) && f->t < begin; before = f->cursor) {
		const struct thread_event *e = &f->next->is;
		if (e->tag == EVL_RUN_THREAD)
			run = *e;
		runs = e->tag == EVL_RUN_THREAD || (runs && e->tag != EVL_STOP_THREAD && e->tag != EVL_GC_START);
	}
	if (!runs)
		return more;
	f->cursor = before;
	f->t = 0;
	f->running = FEED_NO_THREAD;
	f->events->is = run;
	f->next = f->events;
	f->end = put(f, f->events, tile->off, f->lost_runs);
	return true;
}

static inline bool before(const struct sched_events *a, const struct sched_events *b)
{
	return a->next->t != b->next->t ? a->next->t < b->next->t : a->next->off < b->next->off;
}

/* Note when the feeds other than the first go on. */
static inline void note_others(struct thread_feeds *s)
{
	s->others_t = s->n > 1 ? s->heap[1]->next->t : UINT64_MAX;
	if (s->n > 2)
		s->others_t = min_u64(s->others_t, s->heap[2]->next->t);
}

bool thread_feeds_begin_at(struct thread_feeds *s, const struct evl_log *log, uint64_t begin, bool lost_runs)
{
	const uint32_t room =
		(uint32_t)max_u64(min_u64(LISTED_ALL / (log->n_caps ? log->n_caps : 1), LISTED_MOST), LISTED_LEAST);
	*s = (struct thread_feeds){.items = calloc(log->n_caps + 1, sizeof *s->items),
		.heap = calloc(log->n_caps + 1, sizeof *s->heap),
		.events = malloc((log->n_caps * room + 1) * sizeof *s->events)};
	if (!s->items || !s->heap || !s->events)
		return false;
	for (size_t i = 0; i < log->n_caps; i++) {
		s->items[i] = (struct sched_events){.events = s->events + i * room, .room = room, .index = (uint32_t)i};
		if (feed_begin(&s->items[i], log, log->cap_chains[i], begin, lost_runs))
			s->heap[s->n++] = &s->items[i];
	}
	MINHEAP_MAKE(s->heap, s->n, before);
	note_others(s);
	return true;
}

bool thread_feeds_begin(struct thread_feeds *s, const struct evl_log *log, uint64_t t0, uint64_t t1, bool lost_runs)
{
	return thread_feeds_begin_at(s, log, begin_of(log, t0, t1), lost_runs);
}

/* Put the first feed, which has an event, where it belongs; remove it if it has none. */
static void sift_first(struct thread_feeds *s)
{
	struct sched_events *f = s->heap[0];
	if (f->next == f->end)
		s->heap[0] = s->heap[--s->n];
	if (s->n != 2) {
		MINHEAP_SIFT(s->heap, s->n, 0, before);
	} else if (before(s->heap[1], s->heap[0])) {
		f = s->heap[0];
		s->heap[0] = s->heap[1];
		s->heap[1] = f;
	}
	note_others(s);
}

/* Merge until a feed has no more events that are decoded: those that were handed out stay where they are. */
bool thread_feeds_more(struct thread_feeds *s)
{
	const struct sched_event **out = s->merged, **const end = s->merged + FEEDS_MERGED;
	if (s->n && s->heap[0]->next == s->heap[0]->end) {
		(void)decode_events(s->heap[0], s->heap[0]->room);
		sift_first(s);
	}
	while (s->n && out < end) {
		struct sched_events *f = s->heap[0];
		const uint64_t others_t = s->others_t;
		do
			*out++ = f->next++;
		while (f->next < f->end && f->next->t < others_t && out < end);
		if (f->next == f->end)
			break;
		if (f->next->t >= others_t)
			sift_first(s);
	}
	s->next = s->merged;
	s->end = out;
	return out > s->merged;
}

void thread_feeds_free(struct thread_feeds *s)
{
	free_all(s->items, s->heap, s->events);
	*s = (struct thread_feeds){0};
}
