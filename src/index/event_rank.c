#include "index/event_rank.h"

#include "base/gallop.h"

#include <stdlib.h>

/* The part of a chain that counts: its first n tiles, which end at the file offset `end`. */
struct extent {
	const struct chain *chain;
	const struct tile_table *table;
	size_t n;
	uint64_t end;
	uint64_t until; /* blocks that start before it may be entered */
	size_t ready;   /* tiles of its table */
};

/* Where the walk was cancelled, the last tile that is ready is not known to its end. */
static struct extent extent_of(const struct event_rank *o, size_t chain)
{
	const struct tile_table *table = &o->tables[chain];
	struct extent e = {.chain = &o->blocks->chains[chain], .table = table, .end = UINT64_MAX};
	e.n = e.ready = load_acquire(&table->ready);
	e.until = load_acquire(&table->walked);
	if (load_acquire(&table->known_t) != UINT64_MAX && e.n) {
		e.end = table->tiles[--e.n].off;
		e.until = UINT64_MAX;
	}
	return e;
}

static uint64_t offset_of(const struct extent *e, size_t tile)
{
	return tile < e->n ? e->table->tiles[tile].off : e->end;
}

/* Return the last tile with only smaller events before it. */
static size_t tile_surely_before(const struct extent *e, event_rank_key key)
{
	const struct tile *tiles = e->table->tiles;
	BISECT(low, e->table->bad_times ? 0 : e->n, event_rank_key_of(tiles[mid].t, tiles[mid].off) <= key);
	return low ? low - 1 : 0;
}

/* Return the first tile from which on no event is before the key, or n. */
static size_t tile_surely_after(const struct extent *e, event_rank_key key)
{
	uint64_t t = event_rank_key_t(key);
	return tiles_end_before(e->table, e->ready, e->n, t < UINT64_MAX ? t + 1 : t);
}

static void begin_at(struct cursor *c, const struct event_rank *o, const struct extent *e, size_t tile)
{
	cursor_begin(c, o->blocks, e->chain, e->until);
	cursor_seek(c, e->table->tiles[tile].off);
}

static uint64_t chain_before(const struct event_rank *o, size_t chain, event_rank_key key)
{
	struct extent e = extent_of(o, chain);
	struct cursor c;
	struct frame f;
	const struct block *block;
	if (e.n == 0)
		return 0;
	size_t from = tile_surely_before(&e, key), to = tile_surely_after(&e, key);
	uint64_t n = tile_events(&e.table->tiles[from]), end = offset_of(&e, to);
	if (to <= from)
		return n;
	begin_at(&c, o, &e, from);
	while (cursor_next(&c, &f, &block) && f.off < end)
		n += event_rank_key_of(f.t, f.off) < key;
	return n;
}

int event_rank_init(struct event_rank *o, const struct blocks *b, const struct tile_table *tables)
{
	*o = (struct event_rank){.blocks = b, .tables = tables, .totals = calloc(b->n_chains + 1, sizeof *o->totals)};
	if (!o->totals)
		return EVL_NOMEM;
	for (size_t i = 0; i < b->n_chains; i++) {
		o->totals[i] = chain_before(o, i, ORDER_END);
		o->total += o->totals[i];
	}
	return 0;
}

void event_rank_free(struct event_rank *o)
{
	free(o->totals);
	*o = (struct event_rank){0};
}

uint64_t event_rank_before(const struct event_rank *o, event_rank_key key)
{
	uint64_t n = 0;
	for (size_t i = 0; i < o->blocks->n_chains; i++)
		n += chain_before(o, i, key);
	return n;
}

/* --- lists --------------------------------------------------------------------------------------------------------- */

void event_rank_list_free(struct event_rank_list *list)
{
	free_all(list->items, list->spare);
	*list = (struct event_rank_list){0};
}

static inline bool is_after(const struct event_rank_item *a, const struct event_rank_item *b)
{
	return event_rank_item_key(a) > event_rank_item_key(b);
}

/* Move the last item to its place among those from `first` on, if it is near: GC_END is written after later events. */
static void settle_last(struct event_rank_list *list, size_t first)
{
	enum { NEAR = 32 };
	struct event_rank_item item = list->items[list->n - 1];
	size_t i = list->n - 1, least = list->n - first > NEAR ? list->n - NEAR : first;
	for (; i > least && is_after(&list->items[i - 1], &item); i--)
		list->items[i] = list->items[i - 1];
	list->items[i] = item;
}

static int by_key(const void *a, const void *b) { return is_after(a, b) - is_after(b, a); }

/* Merge the ascending stretches [a, b) and [b, end), without branches on the order. */
static void merge_two(const struct event_rank_item *a, const struct event_rank_item *b,
	const struct event_rank_item *end, struct event_rank_item *out)
{
	const struct event_rank_item *middle = b;
	while (a < middle && b < end) {
		bool second = is_after(a, b);
		*out++ = *(second ? b : a);
		a += !second;
		b += second;
	}
	memcpy(out, a, (size_t)(middle - a) * sizeof *a);
	memcpy(out + (middle - a), b, (size_t)(end - b) * sizeof *b);
}

/* Merge the n stretches that start at these items, two at a time, until one is left. starts[n] is the number of items. */
static bool merge_all(struct event_rank_list *list, size_t *starts, size_t n)
{
	if (list->spare_room < list->room) {
		free(list->spare);
		list->spare = malloc(list->room * sizeof *list->spare);
		list->spare_room = list->spare ? list->room : 0;
		if (!list->spare)
			return false;
	}
	for (; n > 1; n = (n + 1) / 2) {
		const struct event_rank_item *from = list->items;
		for (size_t i = 0; i < n; i += 2) {
			const size_t end = starts[i + 2 < n ? i + 2 : n], middle = i + 1 < n ? starts[i + 1] : end;
			merge_two(from + starts[i], from + middle, from + end, list->spare + starts[i]);
			starts[i / 2] = starts[i];
		}
		starts[(n + 1) / 2] = list->n;
		list->items = list->spare;
		list->spare = (struct event_rank_item *)from;
		size_t room = list->room;
		list->room = list->spare_room;
		list->spare_room = room;
	}
	return true;
}

/* Sort the items. The events of a chain are nearly in order already, so there is rarely more than a stretch per chain. */
static bool sort_items(struct event_rank_list *list)
{
	enum { MOST_STRETCHES = 256 };
	size_t starts[MOST_STRETCHES + 1], n = 0;
	for (size_t i = 0; i < list->n; i++) {
		if (i && !is_after(&list->items[i - 1], &list->items[i]))
			continue;
		if (n == MOST_STRETCHES) {
			qsort(list->items, list->n, sizeof *list->items, by_key);
			return true;
		}
		starts[n++] = i;
	}
	starts[n] = list->n;
	return n < 2 || merge_all(list, starts, n);
}

/* The question. */
struct slice {
	event_rank_key from, to;
	struct event_rank_list *list;
	size_t most;   /* items */
	size_t first;  /* item of the chain */
	uint64_t last; /* time of its event that was read last */
};

/* Return whether an event is asked for. Most are neither at the time of the first position nor at that of the last. */
static inline bool is_asked(const struct slice *s, const struct cursor_hit *hit)
{
	if (likely(hit->t > event_rank_key_t(s->from) && hit->t < event_rank_key_t(s->to)))
		return true;
	event_rank_key key = event_rank_key_of(hit->t, hit->off);
	return key >= s->from && key < s->to;
}

/* Append the events of the chain from the cursor up to a file offset. */
static bool add_events(struct slice *s, size_t chain, struct cursor *c, uint64_t end)
{
	struct event_rank_list *list = s->list;
	const bool *tags = list->tags;
	const uint64_t bits = list->bits ? list->bits : UINT64_MAX;
	struct cursor_hit hits[CURSOR_HITS];
	for (;;) {
		if (is_cancelled(list->cancel))
			return false;
		size_t n = cursor_list_of(c, bits, end, hits);
		if (n == 0)
			return true;
		uint64_t last = s->last;
		bool in_order = list->in_order;
		for (const struct cursor_hit *hit = hits; hit < hits + n && hit->off < end; hit++) {
			in_order = in_order && hit->t >= last;
			last = hit->t;
			if (!is_asked(s, hit) || (tags && (hit->tag >= list->n_tags || !tags[hit->tag])))
				continue;
			if (list->n == s->most || !GROW(list->items, list->n, list->room))
				return false;
			struct event_rank_item *item = &list->items[list->n++];
			*item = (struct event_rank_item){hit->t, hit->off, (uint32_t)chain, hit->tag};
			if (list->n - s->first > 1 && is_after(item - 1, item))
				settle_last(list, s->first);
		}
		s->last = last;
		list->in_order = in_order;
		if (hits[n - 1].off >= end)
			return true;
	}
}

static bool add_chain(const struct event_rank *o, size_t chain, struct slice *s)
{
	enum { MOST_TILES = 64 }; /* read at once; then cancellation is noticed */
	struct extent e = extent_of(o, chain);
	struct tile_want want = {.classes = s->list->classes};
	struct cursor c;
	bool good = true;
	if (e.n == 0)
		return true;
	size_t i = tile_surely_before(&e, s->from), after = tile_surely_after(&e, s->to);
	if (!want.classes) {
		begin_at(&c, o, &e, i);
		return add_events(s, chain, &c, offset_of(&e, after));
	}
	while (good && i < after && (i = tiles_next(e.table, e.ready, i, after, &want)) < after) {
		begin_at(&c, o, &e, i);
		for (unsigned n = MOST_TILES; ++i < after && --n;)
			if (!(e.table->tiles[i].classes & want.classes))
				break;
		good = add_events(s, chain, &c, offset_of(&e, i));
	}
	return good;
}

/* The events in [from, to). False: they are more than `most`, or memory is out; the list is then of no use. */
static bool slice(
	const struct event_rank *o, event_rank_key from, event_rank_key to, size_t most, struct event_rank_list *list)
{
	list->n = 0;
	list->in_order = true;
	struct slice s = {from, to, list, most, 0, 0};
	for (size_t i = 0; i < o->blocks->n_chains; i++) {
		s.first = list->n;
		s.last = 0;
		if ((!list->chain_no || list->chain_no == i + 1) && !add_chain(o, i, &s))
			return false;
	}
	return sort_items(list);
}

/* --- the event of a number ----------------------------------------------------------------------------------------- */

/* Bounds of its place, and the number of events before each. */
struct bracket {
	event_rank_key low, high;
	uint64_t n_low, n_high;
};

/* Where to look next: by turns where it would be if events are spread evenly, and in the middle. */
static event_rank_key guess(const struct bracket *b, uint64_t n, bool evenly)
{
	event_rank_key width = b->high - b->low, step = width / 2;
	if (evenly)
		step = width / (b->n_high - b->n_low) * (n - b->n_low);
	return b->low + (step < 1 ? 1 : step > width - 1 ? width - 1 : step);
}

bool event_rank_at(const struct event_rank *o, uint64_t n, event_rank_key *out)
{
	enum { FEW = 1024 };
	struct bracket b = {.high = ORDER_END, .n_high = o->total};
	struct event_rank_list list = {0};
	uint64_t last = 0;
	for (size_t i = 0; i < o->blocks->n_chains; i++)
		last = max_u64(last, atomic_load(&o->tables[i].last_t));
	event_rank_key after = event_rank_key_of(last + 1, 0);
	for (bool evenly = true; n < b.n_high && b.n_high - b.n_low > FEW && b.high - b.low > 1; evenly = !evenly) {
		event_rank_key at =
			b.high == ORDER_END && after > b.low + 1 && after != ORDER_END ? after : guess(&b, n, evenly);
		uint64_t before = event_rank_before(o, at);
		if (before <= n)
			b.low = at, b.n_low = before;
		else
			b.high = at, b.n_high = before;
		if (at == after)
			after = ORDER_END;
	}
	bool found = slice(o, b.low, b.high, ORDER_SLICE, &list) && n - b.n_low < list.n;
	if (found)
		*out = event_rank_item_key(&list.items[n - b.n_low]);
	event_rank_list_free(&list);
	return found;
}

/* --- walking ------------------------------------------------------------------------------------------------------- */

enum { STRETCH_LEAST = 1 << 11, STRETCH_USUAL = 1 << 12 };

void event_rank_walk_begin(struct event_rank_walk *w, const struct event_rank *o, event_rank_key at, bool forward)
{
	uint64_t first = UINT64_MAX, last = 0;
	for (size_t i = 0; i < o->blocks->n_chains; i++) {
		const struct tile_table *table = &o->tables[i];
		first = min_u64(first, atomic_load(&table->first_t));
		last = max_u64(last, atomic_load(&table->last_t));
	}
	uint64_t width = sub_or_0(last, first) / (o->total / STRETCH_USUAL + 1) + 1;
	*w = (struct event_rank_walk){.order = o,
		.at = at,
		.width = event_rank_key_of(width, 0),
		.least = STRETCH_LEAST,
		.most = ORDER_SLICE,
		.forward = forward};
}

void event_rank_walk_far(struct event_rank_walk *w)
{
	/* A section reads up to a tile of each chain twice at each of its edges; a tile has some 400 events. */
	enum { TIMES = 4, OF_CHAIN = 1 << 10, MOST = 1 << 17 };
	const size_t chains = min_u64(w->order->blocks->n_chains, MOST / 4 / OF_CHAIN);
	w->width = w->width < ORDER_END / TIMES ? w->width * TIMES : w->width;
	w->least = max_u64(TIMES * STRETCH_LEAST, chains * OF_CHAIN);
	w->most = max_u64(ORDER_SLICE, 4 * w->least);
}

bool event_rank_walk_next(struct event_rank_walk *w, struct event_rank_list *list)
{
	while (w->forward ? w->at < ORDER_END : w->at > 0) {
		event_rank_key left = w->forward ? ORDER_END - w->at : w->at;
		event_rank_key width = w->width < left ? w->width : left;
		event_rank_key from = w->forward ? w->at : w->at - width, to = from + width;
		if (!slice(w->order, from, to, w->most, list)) {
			if (width == 1)
				return false; /* one event is no crowd: memory is out */
			w->width = width / 4 > 1 ? width / 4 : 1;
			continue;
		}
		if (list->n < w->least)
			w->width = width > ORDER_END / 2 ? ORDER_END : 2 * width;
		w->at = w->forward ? to : from;
		return true;
	}
	return false;
}

size_t event_rank_tiles(const struct event_rank *o, uint32_t chain) { return extent_of(o, chain).n; }

void event_rank_tiles_in(
	const struct event_rank *o, uint32_t chain, event_rank_key from, event_rank_key to, size_t *first, size_t *end)
{
	struct extent e = extent_of(o, chain);
	*first = e.n ? tile_surely_before(&e, from) : 0;
	*end = e.n ? tile_surely_after(&e, to) : 0;
}

void event_rank_tile(const struct event_rank *o, uint32_t chain, size_t i, struct cursor *c, uint64_t *end)
{
	struct extent e = extent_of(o, chain);
	begin_at(c, o, &e, i);
	*end = offset_of(&e, i + 1);
}

bool event_rank_read_any(const struct event_rank *o, const struct event_rank_item *item, struct frame *f)
{
	struct cursor c;
	const struct block *block;
	const struct chain *chain = &o->blocks->chains[item->chain];
	cursor_begin(&c, o->blocks, chain, UINT64_MAX);
	cursor_seek(&c, item->off);
	return cursor_next(&c, f, &block) && f->off == item->off;
}
