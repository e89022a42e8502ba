#include "query/sched_back.h"

#include "base/gallop.h"
#include "base/minheap.h"
#include "base/order.h"
#include "sched/thread_state.h"

#include <stdlib.h>

enum { BATCH_TILES = 256, BATCH_MOST = 8 }; /* decoded at a time: of all chains together, and of one at most */

struct sched_back_chain {
	const struct chain *chain;
	const struct tile_table *table;
	uint64_t walked;
	size_t ready;
	struct sched_back_event *events; /* decoded: those of [tile, …), oldest first */
	size_t n, room;
	size_t tile;         /* all older ones are yet to be decoded */
	size_t asked, found; /* tiles: for [found, asked] the thread that runs at the start is known: */
	uint32_t running;    /* this one */
};

static void chain_begin(struct sched_back_chain *c, const struct evl_log *log, uint32_t chain)
{
	struct tile_table *table = &log->tiles[chain];
	*c = (struct sched_back_chain){.chain = &log->blocks.chains[chain], .table = table};
	c->walked = load_acquire(&table->walked);
	c->ready = load_acquire(&table->ready);
}

/* --- decoding --- */

/* The events of tiles, one after another. */
struct tile_scan {
	struct cursor cursor;
	uint64_t end; /* file offset */
	uint32_t tags;
};

/* The tiles from `tile` to before `end`. */
static void scan_begin(
	struct tile_scan *s, const struct evl_log *log, const struct sched_back_chain *c, size_t tile, size_t end)
{
	s->end = end < c->ready ? c->table->tiles[end].off : UINT64_MAX;
	s->tags = thread_tags_read(&log->header) & ~(1u << EVL_MIGRATE_THREAD);
	cursor_begin(&s->cursor, &log->blocks, c->chain, c->walked);
	cursor_seek(&s->cursor, c->table->tiles[tile].off);
}

static inline __attribute__((always_inline)) bool scan_next(
	struct tile_scan *s, uint16_t cap, struct thread_event *out, struct frame *f)
{
	const struct block *block;
	if (!cursor_next_of(&s->cursor, s->tags, s->end, f, &block) || f->off >= s->end)
		return false;
	thread_event_decode(s->cursor.blocks->header, cap, f, out);
	return true;
}

/* Decode an event that cursor_list_of found: those of these tags have the size that the header declares. */
static inline void hit_decode(
	const struct tile_scan *s, uint16_t cap, const struct cursor_hit *hit, struct thread_event *out)
{
	const struct blocks *b = s->cursor.blocks;
	const struct frame f = {.t = hit->t,
		.off = hit->off,
		.payload = {b->data + hit->off + FRAME_FIXED, (uint64_t)b->header->quick[hit->tag]},
		.tag = hit->tag};
	thread_event_decode(b->header, cap, &f, out);
}

/* Follow who runs on the capability. */
static void run_or_stop(const struct thread_event *e, uint32_t *running)
{
	if (e->tag == EVL_RUN_THREAD)
		*running = e->thread;
	else if (e->tag == EVL_STOP_THREAD)
		*running = 0;
}

/* Return the thread that runs at the start of a tile. If the tile does not contain it, search for the last RUN or
 * STOP before it; the result holds for all tiles in between. */
static uint32_t running_before(const struct evl_log *log, struct sched_back_chain *c, size_t tile)
{
	bool known = false;
	if (tile >= c->found && tile <= c->asked && c->asked)
		return c->running;
	c->asked = tile;
	c->running = 0;
	for (c->found = tile; c->found > 0 && !known; c->found--) {
		struct tile_scan scan;
		struct thread_event e;
		struct frame f;
		if (c->table->tiles[c->found].state == CAP_RUN) {
			c->running = c->table->tiles[c->found].thread;
			break;
		}
		scan_begin(&scan, log, c, c->found - 1, c->found);
		while (scan_next(&scan, c->chain->cap, &e, &f)) {
			run_or_stop(&e, &c->running);
			known = known || e.tag == EVL_RUN_THREAD || e.tag == EVL_STOP_THREAD;
		}
	}
	c->found += known; /* in the tile where it was found it is not known */
	return c->running;
}

static bool reserve(struct sched_back_chain *c, size_t n)
{
	while (c->room - c->n < n)
		if (!evl_grow((void **)&c->events, sizeof *c->events, &c->room))
			return false;
	return true;
}

/* Take an event of the chain, which may become two; *t is the time so far, *running who runs. */
static inline void take(
	struct sched_back_chain *c, const struct thread_event *e, uint64_t off, uint64_t *t, uint32_t *running)
{
	static const uint8_t kinds[] = {[EVL_CREATE_THREAD] = SCHED_CREATE,
		[EVL_RUN_THREAD] = SCHED_RUN,
		[EVL_STOP_THREAD] = SCHED_STOP,
		[EVL_THREAD_RUNNABLE] = SCHED_WAKE,
		[EVL_THREAD_WAKEUP] = SCHED_WAKE};
	struct sched_back_event *out = &c->events[c->n++];
	*t = max_u64(*t, e->t);
	*out = (struct sched_back_event){
		.t = *t, .off = off, .thread = e->thread, .cap = e->cap, .kind = kinds[e->tag], .stop = STOP_NONE};
	if (e->tag != EVL_RUN_THREAD && e->tag != EVL_STOP_THREAD) {
		out->by = *running;
		return;
	}
	if (unlikely(*running && *running != e->thread)) {
		out[1] = *out;
		out->kind = SCHED_LOST;
		out->thread = *running;
		c->n++;
		out++;
	}
	out->stop = e->tag == EVL_STOP_THREAD ? e->stop : STOP_NONE;
	run_or_stop(e, running);
}

/* Decode older tiles until there are events, at most until the start of the chain. */
static bool refill(struct sched_back *s, struct sched_back_chain *c)
{
	size_t batch = BATCH_TILES / (s->n_chains ? s->n_chains : 1);
	batch = batch < 1 ? 1 : batch > BATCH_MOST ? BATCH_MOST : batch;
	for (c->n = 0; c->n == 0 && c->tile > 0;) {
		struct cursor_hit hits[CURSOR_HITS];
		struct tile_scan scan;
		const size_t end = c->tile;
		c->tile = end > batch ? end - batch : 0;
		uint64_t t = c->tile ? c->table->tiles[c->tile].t : 0;
		uint32_t running = running_before(s->log, c, c->tile);
		scan_begin(&scan, s->log, c, c->tile, end);
		for (size_t n; (n = cursor_list_of(&scan.cursor, scan.tags, scan.end, hits)) && hits->off < scan.end;) {
			if (!reserve(c, 2 * n))
				return false;
			for (size_t i = 0; i < n; i++) {
				struct thread_event e;
				hit_decode(&scan, c->chain->cap, &hits[i], &e);
				take(c, &e, hits[i].off, &t, &running);
			}
		}
	}
	return true;
}

/* --- all chains --- */

static bool newer(const struct sched_back_chain *a, const struct sched_back_chain *b)
{
	const struct sched_back_event *x = &a->events[a->n - 1], *y = &b->events[b->n - 1];
	return x->t != y->t ? x->t > y->t : x->off > y->off;
}

/* Note when the chains other than the first have their newest event. */
static void note_others(struct sched_back *s)
{
	s->others_t = 0;
	for (size_t i = 1; i < s->n && i < 3; i++)
		s->others_t = max_u64(s->others_t, s->heap[i]->events[s->heap[i]->n - 1].t);
}

/* Move to the newest event that is not later than t. */
static bool start(struct sched_back *s, struct sched_back_chain *c, uint64_t t)
{
	c->tile = c->ready ? (t == UINT64_MAX ? c->ready : tiles_before(c->table, c->ready, t + 1) + 1) : 0;
	do {
		if (!refill(s, c))
			return false;
		while (c->n && c->events[c->n - 1].t > t)
			c->n--;
	} while (c->n == 0 && c->tile > 0);
	return true;
}

/* The chains of n capabilities from `first` on. */
static bool begin(struct sched_back *s, const struct evl_log *log, size_t first, size_t n, uint64_t t)
{
	*s = (struct sched_back){.log = log,
		.chains = calloc(n ? n : 1, sizeof *s->chains),
		.heap = calloc(n ? n : 1, sizeof *s->heap),
		.n_chains = n};
	if (!s->chains || !s->heap)
		return false;
	for (size_t i = 0; i < n; i++)
		chain_begin(&s->chains[i], log, log->cap_chains[first + i]);
	for (size_t i = 0; i < n; i++) {
		if (!start(s, &s->chains[i], t))
			return false;
		if (s->chains[i].n)
			s->heap[s->n++] = &s->chains[i];
	}
	MINHEAP_MAKE(s->heap, s->n, newer);
	note_others(s);
	return true;
}

bool sched_back_begin(struct sched_back *s, const struct evl_log *log, uint64_t t)
{
	return begin(s, log, 0, log->n_caps, t);
}

bool sched_back_begin_cap(struct sched_back *s, const struct evl_log *log, size_t i)
{
	return begin(s, log, i, 1, UINT64_MAX);
}

const struct sched_back_event *sched_back_next(struct sched_back *s)
{
	struct sched_back_chain *c = s->n ? s->heap[0] : NULL;
	if (c && c->n == 0) { /* its last event has been handed out */
		s->failed = s->failed || !refill(s, c);
		if (s->failed)
			return NULL;
		if (c->n == 0)
			s->heap[0] = s->heap[--s->n];
	}
	if (s->n == 0)
		return NULL;
	c = s->heap[0];
	if (s->n > 1 && c->events[c->n - 1].t <= s->others_t) {
		MINHEAP_SIFT(s->heap, s->n, 0, newer);
		note_others(s);
		c = s->heap[0];
	}
	return &c->events[--c->n];
}

void sched_back_free(struct sched_back *s)
{
	for (size_t i = 0; s->chains && i < s->n_chains; i++)
		free(s->chains[i].events);
	free_all(s->chains, s->heap);
	*s = (struct sched_back){0};
}

/* --- creators --- */

ORDER_BY(by_born, struct sched_creation, born);

/* Return the item that an event is the creation of, or NULL. */
static struct sched_creation *item_of(struct sched_creation *items, size_t n, const struct thread_event *e)
{
	BISECT(low, n, items[mid].born < e->t);
	for (; low < n && items[low].born == e->t; low++)
		if (items[low].thread == e->thread && !items[low].found)
			return &items[low];
	return NULL;
}

/* Creations that were not looked for, by thread: those made together have adjacent ids. */
enum { OTHERS = 1 << 11 };

/* Look for creations in the tiles of a chain that may have them, each once. others: see sched_creator; or NULL. Return how
 * many were found. */
static size_t find_in_chain(const struct evl_log *log, struct sched_back_chain *c, struct sched_creation *items,
	size_t n, struct sched_creation *others)
{
	uint32_t running = 0; /* if known */
	bool known = false;
	size_t next = 0, found = 0; /* next: tile after the last that was read */
	for (size_t i = 0; i < n && c->ready; i++) {
		if (items[i].found)
			continue;
		size_t tile = max_u64(next, tiles_before(c->table, c->ready, items[i].born));
		for (; tile < c->ready && c->table->tiles[tile].t <= items[i].born; next = ++tile) {
			struct tile_scan scan;
			struct thread_event e;
			struct frame f;
			known = known && tile == next;
			scan_begin(&scan, log, c, tile, tile + 1);
			while (scan_next(&scan, c->chain->cap, &e, &f) && e.t <= items[n - 1].born) {
				struct sched_creation *item = e.tag == EVL_CREATE_THREAD ? item_of(items, n, &e) : NULL;
				if (item) {
					item->creator = known ? running : running_before(log, c, tile);
					item->found = true;
					found++;
				} else if (others && known && e.tag == EVL_CREATE_THREAD) {
					others[e.thread % OTHERS] = (struct sched_creation){
						.born = e.t, .thread = e.thread, .creator = running};
				}
				run_or_stop(&e, &running);
				known = known || e.tag == EVL_RUN_THREAD || e.tag == EVL_STOP_THREAD;
			}
		}
	}
	return found;
}

static void find_creators(const struct evl_log *log, struct sched_creation *items, size_t n,
	struct sched_creation *others, const struct progress *watch)
{
	for (size_t i = 0, found = 0; found < n && i < log->n_caps && !progress_cancelled(watch); i++) {
		struct sched_back_chain c;
		chain_begin(&c, log, log->cap_chains[i]);
		found += find_in_chain(log, &c, items, n, others);
	}
}

void sched_creators(const struct evl_log *log, struct sched_creation *items, size_t n, const struct progress *watch)
{
	qsort(items, n, sizeof *items, by_born);
	find_creators(log, items, n, NULL, watch);
}

uint32_t sched_creator(const struct evl_log *log, struct sched_creation **others, uint32_t thread)
{
	const struct thread_row *row = threads_find(&log->threads, thread);
	struct sched_creation item = {.born = row ? load_relaxed(&row->born) : 0, .thread = thread};
	*others = *others ? *others : calloc(OTHERS, sizeof **others);
	const struct sched_creation *other = *others ? &(*others)[thread % OTHERS] : NULL;
	if (other && other->thread == thread && other->born == item.born)
		return other->creator;
	find_creators(log, &item, item.born > 0, *others, NULL);
	return item.creator;
}
