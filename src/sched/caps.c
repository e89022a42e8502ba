#include "sched/caps.h"

#include "base/gallop.h"
#include "index/chain_seek.h"

void caps_between(const struct cap_pos *a, const struct cap_pos *b, uint64_t t0, uint64_t t1, struct cap_column *out)
{
	out->run_ns = min_u64(sub_or_0(cap_run_until(b, t1), cap_run_until(a, t0)), t1 - t0);
	out->gc_ns = min_u64(sub_or_0(cap_gc_until(b, t1), cap_gc_until(a, t0)), t1 - t0 - out->run_ns);
	out->switches = b->switches - a->switches;
	out->split = b->since;
	out->first = (uint8_t)a->state;
	out->last = (uint8_t)b->state;
	out->thread = b->thread;
}

/* A log may start while the program runs: the state that the first scheduler event ends started at an unknown
 * earlier time. Return when it ended, or 0. */
uint64_t caps_begin(const struct blocks *b, const struct tile_table *table, uint32_t chain)
{
	enum { EVENTS = 4096 };
	struct cursor c;
	struct frame f;
	const struct block *block;
	cursor_begin(&c, b, &b->chains[chain], load_acquire(&table->walked));
	for (int i = 0; i < EVENTS && cursor_next(&c, &f, &block); i++) {
		if (f.tag == EVL_RUN_THREAD || f.tag == EVL_GC_START)
			return 0;
		if (f.tag == EVL_STOP_THREAD || (f.tag >= EVL_GC_IDLE && f.tag <= EVL_GC_DONE) || f.tag == EVL_GC_END)
			return f.t;
	}
	return 0;
}

void caps_blank(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t0, uint64_t t1, int n,
	struct cap_column *out)
{
	const struct chain *c = &b->chains[chain];
	uint64_t known = chain_seek_known(table), born = c->first.t, died = c->last.end_t;
	uint64_t begin = caps_begin(b, table, chain);
	for (int i = 0; i < n; i++) {
		uint64_t from = column_edge(t0, t1, n, i), to = column_edge(t0, t1, n, i + 1);
		out[i] = (struct cap_column){
			.known = to <= known && from >= begin, .alive = to > born && (from <= died || to > known)};
	}
}

void caps_columns(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t0, uint64_t t1,
	int n, struct cap_column *out)
{
	struct chain_seek s;
	caps_blank(b, table, chain, t0, t1, n, out);
	if (!chain_seek_begin(&s, b, table, chain))
		return;
	chain_seek_advance(&s, t0);
	for (int i = 0; i < n; i++) {
		struct cap_pos before = s.pos;
		uint64_t to = column_edge(t0, t1, n, i + 1);
		bool lost = s.cursor.missing;
		chain_seek_advance(&s, to);
		out[i].known = out[i].known && !lost && !s.cursor.missing;
		caps_between(&before, &s.pos, column_edge(t0, t1, n, i), to, &out[i]);
	}
}

/* The tile in which the state that holds before tile `from` first changes: the one before the first whose count of
 * switches differs; the last ready one where none does. */
static size_t tile_of_change(const struct chain_seek *s, size_t from, uint32_t switches)
{
	BISECT(low, s->ready - from, s->table->tiles[from + mid].switches == switches);
	return low ? from + low - 1 : from;
}

static void find_end(struct chain_seek *s, struct cap_moment *out)
{
	size_t tile = tile_of_change(s, s->tile, s->pos.switches);
	if (tile > s->tile)
		chain_seek_enter(s, tile);
	while (s->have_next) {
		struct frame f = s->next;
		if (!chain_seek_step(s))
			continue;
		out->until = f.t;
		out->ends_by = f.tag;
		if (f.tag == EVL_STOP_THREAD)
			out->stop_status = be16(f.payload.p + 4);
		return;
	}
}

void caps_on_to(struct chain_seek *s, uint64_t begin, uint64_t t, struct cap_moment *out)
{
	chain_seek_advance(s, t + 1);
	*out = (struct cap_moment){.until = UINT64_MAX,
		.known = t >= begin && t < chain_seek_known(s->table) && !s->cursor.missing,
		.state = s->pos.state,
		.thread = s->pos.thread,
		.since = max_u64(s->pos.since, begin)};
}

void caps_at(const struct blocks *b, const struct tile_table *table, uint32_t chain, uint64_t t, struct cap_moment *out)
{
	struct chain_seek s;
	*out = (struct cap_moment){.until = UINT64_MAX};
	if (!chain_seek_begin(&s, b, table, chain))
		return;
	caps_on_to(&s, caps_begin(b, table, chain), t, out);
	find_end(&s, out);
}

void caps_runs_begin(struct cap_runs *r, const struct blocks *b, const struct tile_table *table, uint32_t chain,
	uint64_t t0, uint64_t t1)
{
	const struct tile_want runs = {.filter = UINT64_MAX};
	size_t ready = load_acquire(&table->ready);
	*r = (struct cap_runs){.open_until = chain_seek_open_until(table), .stop = UINT64_MAX};
	if (ready == 0)
		return;
	size_t tile = tiles_before(table, ready, t0), end = tiles_before(table, ready, t1) + 1;
	if (table->tiles[tile].state != CAP_RUN)
		tile = tiles_next(table, ready, tile, end, &runs);
	if (tile >= end && end < ready)
		return;
	tile = min_u64(tile, end - 1); /* while the log is being read, events may follow the tiles that are ready */
	if (end < ready) {
		r->stop = table->tiles[end].off;
		r->open_until = UINT64_MAX;
	}
	r->pos = tile_pos(&table->tiles[tile]);
	cursor_begin(&r->cursor, b, &b->chains[chain], load_acquire(&table->walked));
	cursor_seek(&r->cursor, table->tiles[tile].off);
}

bool caps_runs_next(struct cap_runs *r, uint64_t *from, uint64_t *to)
{
	const struct block *block;
	struct frame f;
	while (r->cursor.until) {
		struct cap_pos was = r->pos;
		const uint64_t wanted = was.state == CAP_RUN ? CAP_STEPS : 1ull << EVL_RUN_THREAD;
		if (!cursor_next_of(&r->cursor, wanted, r->stop, &f, &block) || f.off >= r->stop)
			break;
		if (!event_readable(r->cursor.blocks->header, &f) || !cap_step(&r->pos, f.tag, f.t, f.payload.p)
			|| was.state != CAP_RUN)
			continue;
		*from = was.since;
		*to = f.t;
		return true;
	}
	cursor_end(&r->cursor);
	if (r->pos.state != CAP_RUN)
		return false;
	*from = r->pos.since;
	*to = max_u64(r->open_until, *from);
	r->pos.state = CAP_IDLE;
	return true;
}
