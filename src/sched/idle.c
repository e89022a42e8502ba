#include "sched/idle.h"

#include "index/chain_seek.h"
#include "sched/caps.h"

/* One search; the chain is the one that is being asked. */
struct search {
	const struct blocks *blocks;
	const struct tile_table *table;
	const struct chain *chain;
	uint64_t walked;
	size_t ready;
	uint64_t end;     /* what is known of the chain ends here */
	uint64_t log_end; /* the last event of the log */
	uint64_t least;
	int budget;
};

static void ask(struct search *s, const struct tile_table *tiles, uint32_t chain)
{
	const struct tile_table *table = &tiles[chain];
	s->table = table;
	s->chain = &s->blocks->chains[chain];
	s->walked = load_acquire(&table->walked);
	s->ready = load_acquire(&table->ready);
	uint64_t known = load_acquire(&table->known_t);
	s->end = known == UINT64_MAX ? s->log_end : known;
}

static struct search begin(const struct blocks *b, const struct tile_table *tiles, uint64_t least)
{
	struct search s = {.blocks = b, .least = least, .budget = IDLE_BUDGET};
	for (size_t i = 0; i < b->n_chains; i++)
		s.log_end = max_u64(s.log_end, load_relaxed(&tiles[i].last_t));
	return s;
}

/* The idle time [from, to), clipped to [t0, t1), is long enough? Then *out is it. */
static bool is_long(const struct search *s, uint64_t from, uint64_t to, uint64_t t0, uint64_t t1, struct idle_gap *out)
{
	if (sub_or_0(min_u64(to, t1), max_u64(from, t0)) < s->least)
		return false;
	*out = (struct idle_gap){from, to};
	return true;
}

/* Find the first or the last long idle time within [t0, t1) that ends in the tile; one that continues after all
 * tiles, or after t1, counts as ending in it. */
static bool in_tile(struct search *s, size_t i, uint64_t t0, uint64_t t1, bool last, struct idle_gap *out)
{
	const struct header *h = s->blocks->header;
	uint64_t stop = i + 1 < s->ready ? s->table->tiles[i + 1].off : UINT64_MAX;
	struct cap_pos pos = tile_pos(&s->table->tiles[i]);
	struct cursor cursor;
	struct frame f;
	const struct block *block;
	bool found = false;
	s->budget--;
	cursor_begin(&cursor, s->blocks, s->chain, s->walked);
	cursor_seek(&cursor, s->table->tiles[i].off);
	while ((!found || last) && cursor_next(&cursor, &f, &block) && f.off < stop && f.t < t1) {
		struct cap_pos was = pos;
		if (event_readable(h, &f) && cap_step(&pos, f.tag, f.t, f.payload.p) && was.state == CAP_IDLE)
			found = is_long(s, was.since, f.t, t0, t1, out) || found;
	}
	bool ends_here = i + 1 >= s->ready || s->table->tiles[i + 1].t >= t1;
	if ((!found || last) && ends_here && pos.state == CAP_IDLE)
		found = is_long(s, pos.since, max_u64(s->end, pos.since), t0, t1, out) || found;
	return found;
}

/* Find one capability's first long idle time after t. IDLE_RESTED: none that starts before out->from. */
static enum idle_result next_of_cap(struct search *s, uint64_t t, struct idle_gap *out)
{
	const struct tile_want want = {.idle = s->least};
	size_t i = s->ready ? tiles_before(s->table, s->ready, t) : 0;
	for (; (i = tiles_next(s->table, s->ready, i, s->ready, &want)) < s->ready; i++) {
		const struct tile *tile = &s->table->tiles[i];
		if (s->budget <= 0) {
			out->from = tile->state == CAP_IDLE && tile->since > t ? tile->since : max_u64(tile->t, t);
			return IDLE_RESTED;
		}
		if (in_tile(s, i, t, UINT64_MAX, false, out))
			return IDLE_FOUND;
	}
	return IDLE_NONE;
}

/* Find its last before t. IDLE_RESTED: none that ends after out->to. */
static enum idle_result prev_of_cap(struct search *s, uint64_t t, struct idle_gap *out)
{
	const struct tile_want want = {.idle = s->least};
	size_t end = s->ready ? tiles_before(s->table, s->ready, t) + 1 : 0, i;
	for (; (i = tiles_prev(s->table, s->ready, 0, end, &want)) < end; end = i) {
		if (s->budget <= 0) {
			out->to = i + 1 < s->ready ? min_u64(s->table->tiles[i + 1].t, t) : t;
			return IDLE_RESTED;
		}
		if (in_tile(s, i, 0, t, true, out))
			return IDLE_FOUND;
	}
	return IDLE_NONE;
}

/* From out->from on: where all capabilities have a long idle time in common. */
static enum idle_result common_after(
	struct search *s, const struct tile_table *tiles, const uint32_t *lanes, size_t n, struct idle_gap *out)
{
	out->to = UINT64_MAX;
	for (size_t agreed = 0, i = 0; agreed < n; i = (i + 1) % n) {
		struct idle_gap gap;
		ask(s, tiles, lanes[i]);
		enum idle_result result = next_of_cap(s, out->from, &gap);
		if (result == IDLE_NONE)
			return result;
		bool moved = gap.from > out->from;
		out->from = max_u64(out->from, gap.from);
		if (result == IDLE_RESTED)
			return result;
		out->to = moved ? gap.to : min_u64(out->to, gap.to);
		agreed = moved ? 1 : agreed + 1;
	}
	return n ? IDLE_FOUND : IDLE_NONE;
}

enum idle_result idle_after(const struct blocks *b, const struct tile_table *tiles, const uint32_t *lanes,
	size_t n_lanes, uint64_t t, uint64_t least, struct idle_gap *out)
{
	struct search s = begin(b, tiles, least);
	enum idle_result result;
	*out = (struct idle_gap){.to = t};
	do { /* skip a gap that has already started: the next one counts */
		t = out->from = out->to;
		result = common_after(&s, tiles, lanes, n_lanes, out);
	} while (result == IDLE_FOUND && out->from == t);
	return result;
}

enum idle_result idle_before(const struct blocks *b, const struct tile_table *tiles, const uint32_t *lanes,
	size_t n_lanes, uint64_t t, uint64_t least, struct idle_gap *out)
{
	struct search s = begin(b, tiles, least);
	*out = (struct idle_gap){.to = t};
	for (size_t agreed = 0, i = 0; agreed < n_lanes; i = (i + 1) % n_lanes) {
		struct idle_gap gap;
		ask(&s, tiles, lanes[i]);
		enum idle_result result = prev_of_cap(&s, out->to, &gap);
		if (result == IDLE_NONE)
			return result;
		bool moved = gap.to < out->to;
		out->to = min_u64(out->to, gap.to);
		if (result == IDLE_RESTED)
			return result;
		out->from = moved ? gap.from : max_u64(out->from, gap.from);
		agreed = moved ? 1 : agreed + 1;
	}
	return n_lanes ? IDLE_FOUND : IDLE_NONE;
}

/* --- one capability -------------------------------------------------------------------------------------------------- */

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
	struct search s = begin(b, tiles, 1);
	ask(&s, tiles, chain);
	s.end = min_u64(s.log_end, chain_seek_known(s.table));
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
