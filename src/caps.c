#include "caps.h"

/* A position that moves forward through the events of a chain, state at hand. */
struct seeker {
	struct cursor cursor;
	const struct tile_table *table;
	struct cap_pos pos;
	struct frame next; /* the first event that is not yet part of pos */
	bool have_next;
	size_t tile, ready;
};

static void fetch(struct seeker *s)
{
	const struct block *block;
	s->have_next = cursor_next(&s->cursor, &s->next, &block);
}

static void enter_tile(struct seeker *s, size_t tile)
{
	s->tile = tile;
	s->pos = tile_pos(&s->table->tiles[tile]);
	cursor_seek(&s->cursor, s->table->tiles[tile].off);
	fetch(s);
}

/* False when nothing of the chain is indexed. */
static bool seeker_begin(struct seeker *s, const struct blocks *b, const struct tile_table *table, uint32_t chain)
{
	uint32_t walked = atomic_load_explicit(&((struct tile_table *)(uintptr_t)table)->walked, memory_order_acquire);
	*s = (struct seeker){.table = table};
	s->ready = atomic_load_explicit(&((struct tile_table *)(uintptr_t)table)->ready, memory_order_acquire);
	cursor_begin(&s->cursor, b, &b->chains[chain], walked);
	if (s->ready == 0)
		return false;
	enter_tile(s, 0);
	return true;
}

static bool is_step(const struct seeker *s, const struct frame *f)
{
	const struct header_type *type = header_find(s->cursor.blocks->header, f->tag);
	return type->schema && f->payload.len >= type->schema->size;
}

/* GHC posts the statistics of a GC before its GC_END, which carries an earlier time: the event on hand is one of
 * them and later than t, but the end behind it may not be. */
static bool end_hides_behind(struct seeker *s, uint64_t t)
{
	enum { AT_MOST = 4 };
	struct cursor ahead = s->cursor;
	struct frame f = s->next;
	const struct block *block;
	for (int i = 0; i < AT_MOST && (f.tag == EVL_GC_STATS_GHC || f.tag == EVL_GC_GLOBAL_SYNC); i++) {
		if (!cursor_next(&ahead, &f, &block))
			return false;
		if (f.tag == EVL_GC_END)
			return f.t < t;
	}
	return false;
}

/* Go on until all events before t are part of pos. */
static void advance(struct seeker *s, uint64_t t)
{
	size_t tile = tiles_before(s->table, s->ready, t);
	if (tile > s->tile)
		enter_tile(s, tile);
	while (s->have_next && (s->next.t < t || end_hides_behind(s, t))) {
		if (is_step(s, &s->next))
			cap_step(&s->pos, s->next.tag, s->next.t, s->next.payload.p);
		fetch(s);
	}
}

static uint64_t known_until(const struct tile_table *table)
{
	return atomic_load_explicit(&((struct tile_table *)(uintptr_t)table)->known_t, memory_order_acquire);
}

static void column(const struct cap_pos *a, const struct cap_pos *b, uint64_t t0, uint64_t t1, struct cap_column *out)
{
	out->run_ns = min_u64(sub_or_0(cap_run_until(b, t1), cap_run_until(a, t0)), t1 - t0);
	out->gc_ns = min_u64(sub_or_0(cap_gc_until(b, t1), cap_gc_until(a, t0)), t1 - t0 - out->run_ns);
	out->switches = b->switches - a->switches;
	out->split = b->since;
	out->first = (uint8_t)a->state;
	out->last = (uint8_t)b->state;
	out->thread = b->thread;
}

void caps_columns(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t0, uint64_t t1,
	int n, struct cap_column *out)
{
	const struct chain *c = &b->chains[chain];
	uint64_t known = known_until(table), born = b->items[c->blocks[0]].t, died = b->items[c->blocks[c->n - 1]].end_t;
	struct seeker s;
	bool begun = seeker_begin(&s, b, table, chain);
	if (begun)
		advance(&s, t0);
	for (int i = 0; i < n; i++) {
		uint64_t from = caps_edge(t0, t1, n, i), to = caps_edge(t0, t1, n, i + 1);
		struct cap_pos before = s.pos;
		out[i] = (struct cap_column){.known = begun && to <= known, .alive = to > born && from <= died};
		if (!begun)
			continue;
		advance(&s, to);
		column(&before, &s.pos, from, to, &out[i]);
	}
}

/* The tile in which the state that holds before tile `from` first changes: the one before the first whose count of
 * switches differs; the last ready one where none does. */
static size_t tile_of_change(const struct seeker *s, size_t from, uint32_t switches)
{
	size_t low = from, high = s->ready; /* tiles up to low have the count, those from high on do not */
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;
		if (s->table->tiles[mid].switches == switches)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static void find_end(struct seeker *s, struct cap_moment *out)
{
	size_t tile = tile_of_change(s, s->tile, s->pos.switches);
	if (tile > s->tile)
		enter_tile(s, tile);
	for (; s->have_next; fetch(s)) {
		if (!is_step(s, &s->next) || !cap_step(&s->pos, s->next.tag, s->next.t, s->next.payload.p))
			continue;
		out->until = s->next.t;
		out->ends_by = s->next.tag;
		if (s->next.tag == EVL_STOP_THREAD)
			out->stop_status = be16(s->next.payload.p + 4);
		return;
	}
}

void caps_at(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t, struct cap_moment *out)
{
	struct seeker s;
	*out = (struct cap_moment){.until = UINT64_MAX};
	if (!seeker_begin(&s, b, table, chain))
		return;
	advance(&s, t + 1);
	out->known = t < known_until(table);
	out->state = s.pos.state;
	out->thread = s.pos.thread;
	out->since = s.pos.since;
	find_end(&s, out);
}

void caps_runs_begin(struct cap_runs *r, const struct blocks *b, const struct tile_table *table, uint32_t chain,
	uint64_t t0)
{
	struct seeker s;
	*r = (struct cap_runs){0};
	if (!seeker_begin(&s, b, table, chain))
		return;
	size_t tile = tiles_before(table, s.ready, t0);
	r->cursor = s.cursor;
	r->pos = tile_pos(&table->tiles[tile]);
	cursor_seek(&r->cursor, table->tiles[tile].off);
}

bool caps_runs_next(struct cap_runs *r, uint64_t *from, uint64_t *to)
{
	const struct block *block;
	struct frame f;
	while (r->cursor.n && cursor_next(&r->cursor, &f, &block)) {
		const struct header_type *type = header_find(r->cursor.blocks->header, f.tag);
		struct cap_pos was = r->pos;
		r->last_t = max_u64(r->last_t, f.t);
		if (!type->schema || f.payload.len < type->schema->size || !cap_step(&r->pos, f.tag, f.t, f.payload.p)
			|| was.state != CAP_RUN)
			continue;
		*from = was.since;
		*to = f.t;
		return true;
	}
	if (r->pos.state != CAP_RUN) /* a thread that still runs at the end of the log is cut there */
		return false;
	*from = r->pos.since;
	*to = r->last_t;
	r->pos.state = CAP_IDLE;
	return true;
}

const char *caps_stop_reason(uint16_t status)
{
	static const char *const reasons[] = {
		[1] = "heap overflow", [2] = "stack overflow", [3] = "yielding", [5] = "finished", [6] = "foreign call",
		[7] = "blocked on an MVar", [8] = "blocked on a black hole", [9] = "blocked on I/O read",
		[10] = "blocked on I/O write", [11] = "blocked on threadDelay", [12] = "blocked in STM retry",
		[13] = "blocked on async I/O", [18] = "blocked in throwTo", [19] = "migrating",
		[20] = "blocked reading an MVar", [21] = "blocked on I/O completion",
	};
	return status < countof(reasons) ? reasons[status] : NULL;
}
