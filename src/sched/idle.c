#include "sched/idle.h"

#include "index/chain_seek.h"
#include "sched/busy_streams.h"
#include "sched/caps.h"

/* --- all capabilities ------------------------------------------------------------------------------------------------- */

struct idle_search {
	uint64_t t, least;
	bool forward, found;
	struct idle_gap *out;
};

/* Take a gap that is wanted: the first one or, backward, the last. */
static void offer(struct idle_search *s, uint64_t from, uint64_t to)
{
	if (from == 0 || sub_or_0(to, from) < s->least || (s->forward ? from <= s->t || s->found : from >= s->t))
		return;
	s->found = true;
	*s->out = (struct idle_gap){from, to};
}

/* Can no gap that starts at `end` or later be wanted? */
static bool is_over(const struct idle_search *s, uint64_t end)
{
	return s->forward ? s->found : end >= s->t && end < UINT64_MAX;
}

/* Read the gaps of piece i that start at `since` or later; 0: all of it. Return false if its bytes are not in memory. */
static bool read_piece(struct idle_search *s, const struct blocks *b, const struct tile_table *tiles,
	const struct gcs *gcs, const struct busy *busy, size_t i, uint64_t since)
{
	const struct busy_piece none = {0}, *before = i ? busy_piece_at(&busy->gaps, i - 1) : &none,
				*piece = busy_piece_at(&busy->gaps, i);
	const uint64_t from_t = max_u64(since, before->until);
	struct busy_streams streams;
	uint64_t end = since > before->until ? UINT64_MAX : before->end, from, to; /* UINT64_MAX: some time before */
	bool good = busy_streams_begin(&streams, b, tiles, gcs, BUSY_RUNS | BUSY_PAUSES, from_t, piece->until) == 0;
	while (good && !is_over(s, end) && busy_streams_next(&streams, &from, &to)) {
		offer(s, end, from);
		end = end == UINT64_MAX ? to : max_u64(end, to);
	}
	if (piece->until == UINT64_MAX && !is_over(s, end))
		offer(s, end, busy->last_t);
	good = good && !streams.missing;
	busy_streams_free(&streams);
	return good;
}

/* Look for a gap in piece i: backward, in its last part first, unless to open the streams of all chains costs more than to read
 * the piece. */
static bool search_piece(struct idle_search *s, const struct blocks *b, const struct tile_table *tiles,
	const struct gcs *gcs, const struct busy *busy, size_t i)
{
	enum { PARTS = 4, FEW = 16 };
	uint64_t begin = i ? busy_piece_at(&busy->gaps, i - 1)->until : 0;
	uint64_t until = busy_piece_at(&busy->gaps, i)->until;
	uint64_t end =
		min_u64(until == UINT64_MAX ? busy->last_t : until, s->t); /* last_t: known once the last piece is */
	bool good = s->forward || end <= begin || b->n_chains > FEW
		|| read_piece(s, b, tiles, gcs, busy, i, end - (end - begin) / PARTS);
	return good && (s->found || read_piece(s, b, tiles, gcs, busy, i, 0));
}

enum idle_result idle_near(const struct blocks *b, const struct tile_table *tiles, const struct gcs *gcs,
	const struct busy *busy, uint64_t t, uint64_t least, bool forward, struct idle_gap *out)
{
	const struct busy_gaps *gaps = &busy->gaps;
	struct idle_search s = {.t = t, .least = least, .forward = forward, .out = out};
	size_t n = rows_count(&gaps->pieces);
	size_t i = rows_first_at(&gaps->pieces, n, offsetof(struct busy_piece, until), min_u64(t, UINT64_MAX - 1) + 1);
	/* the gap around t is the first that ends later, in this piece or in a later one */
	i = forward ? busy_gaps_next(gaps, n, i, least)
		    : busy_gaps_prev(gaps, n, busy_gaps_next(gaps, n, i + 1, 1) + 1, least);
	for (; i < n; i = forward ? busy_gaps_next(gaps, n, i + 1, least) : busy_gaps_prev(gaps, n, i, least)) {
		const struct busy_gap *gap = &busy_piece_at(gaps, i)->gap;
		if (gap->second < least)
			offer(&s, gap->to - gap->len, gap->to);
		else if (!search_piece(&s, b, tiles, gcs, busy, i))
			return IDLE_MISSING;
		if (s.found)
			return IDLE_FOUND;
	}
	return IDLE_NONE;
}

/* --- one capability -------------------------------------------------------------------------------------------------- */

/* The search of one chain. */
struct search {
	const struct blocks *blocks;
	const struct tile_table *table;
	const struct chain *chain;
	uint64_t walked;
	size_t ready;
	uint64_t end; /* what is known of the chain ends here */
};

/* Keep the longest part of [at, to) outside of pauses in which the capability can run threads, if it is longer than
 * *best. False: cancelled. */
static bool take(struct idle_gap *best, const struct search *s, const struct cap_life *life, const struct gcs *gcs,
	uint64_t at, uint64_t to, const struct progress *watch)
{
	while (at < to && to - at > best->to - best->from) {
		struct cap_absence can = cap_life_at(life, s->chain->cap, at);
		const struct gc_row *gc = gcs_at(gcs, at);
		if (progress_cancelled(watch))
			return false;
		if (gc || can.state != CAP_ENABLED) {
			at = max_u64(gc ? gc_end(gc) : can.to, at + 1);
			continue;
		}
		gc = gcs_after(gcs, at, GC_ALL);
		uint64_t until = min_u64(min_u64(to, can.to), gc ? max_u64(gc_requested(gc), at) : UINT64_MAX);
		if (until - at > best->to - best->from)
			*best = (struct idle_gap){at, until};
		at = max_u64(until, at + 1);
	}
	return true;
}

/* The idle times that end in a tile, or after the last one, each clipped to [from, to). False: cancelled. */
static bool take_tile(struct idle_gap *best, const struct search *s, const struct cap_life *life, const struct gcs *gcs,
	size_t i, uint64_t from, uint64_t to, const struct progress *watch)
{
	uint64_t stop = i + 1 < s->ready ? s->table->tiles[i + 1].off : UINT64_MAX;
	struct cap_pos pos = tile_pos(&s->table->tiles[i]);
	struct cursor cursor;
	struct frame f;
	const struct block *block;
	cursor_begin(&cursor, s->blocks, s->chain, s->walked);
	cursor_seek(&cursor, s->table->tiles[i].off);
	while (cursor_next(&cursor, &f, &block) && f.off < stop) {
		struct cap_pos was = pos;
		if (event_readable(s->blocks->header, &f) && cap_step(&pos, f.tag, f.t, f.payload.p)
			&& was.state == CAP_IDLE
			&& !take(best, s, life, gcs, max_u64(was.since, from), min_u64(f.t, to), watch))
			return false;
	}
	return i + 1 < s->ready || pos.state != CAP_IDLE
		|| take(best, s, life, gcs, max_u64(pos.since, from), min_u64(s->end, to), watch);
}

int idle_longest(struct idle_gap *out, const struct blocks *b, const struct tile_table *tiles, const struct gcs *gcs,
	const struct cap_life *life, uint32_t chain, uint64_t from, uint64_t to, const struct progress *watch)
{
	const struct tile_table *table = &tiles[chain];
	struct search s = {.blocks = b,
		.table = table,
		.chain = &b->chains[chain],
		.walked = load_acquire(&table->walked),
		.ready = load_acquire(&table->ready)};
	for (size_t i = 0; i < b->n_chains; i++)
		s.end = max_u64(s.end, load_relaxed(&tiles[i].last_t));
	s.end = min_u64(s.end, chain_seek_known(table));
	*out = (struct idle_gap){from, from};
	from = max_u64(from, caps_begin(b, s.table, chain));
	to = min_u64(to, s.end);
	if (from >= to)
		return 0;
	for (size_t i = s.ready ? tiles_before(s.table, s.ready, from) : 0;; i++) {
		const struct tile_want want = {.idle = out->to - out->from + 1};
		i = tiles_next(s.table, s.ready, i, s.ready, &want);
		if (i >= s.ready)
			return 0;
		const struct tile *tile =
			&s.table->tiles[i]; /* an idle time that goes on at its start may begin before `to` */
		if (tile->t >= to && (tile->state != CAP_IDLE || tile->since >= to))
			return 0;
		if (!take_tile(out, &s, life, gcs, i, from, to, watch) || progress_cancelled(watch))
			return EVL_CANCELLED;
	}
}
