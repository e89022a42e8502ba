#include "index/event_find.h"

#include "base/gallop.h"

struct search {
	const struct blocks *blocks;
	const struct tile_table *table;
	uint32_t chain;
	uint64_t walked;
	size_t ready;
	uint16_t tag;
	struct tile_want want;
	bool is_final; /* the tiles tell how early the events after them are */
	bool missing;  /* some of the events were not in memory */
};

static void search_begin(
	struct search *s, const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint16_t tag)
{
	const struct tile_table *table = &tiles[chain];
	*s = (struct search){.blocks = b, .table = table, .chain = chain, .tag = tag};
	s->walked = load_acquire(&table->walked);
	s->ready = load_acquire(&table->ready);
	s->is_final = load_acquire(&table->is_final);
	s->want.classes = tile_mark(header_find(b->header, tag));
	if (!s->want.classes)
		s->ready = 0; /* its place is unknown */
}

/* How many tiles, from the first on, may hold an event before `to`. While the walk goes on this takes GHC's word for it
 * that a chain is in order. */
static size_t end_before(struct search *s, uint64_t to)
{
	s->want.before = s->is_final ? to : 0;
	if (s->is_final)
		return tiles_end_before(s->table, s->ready, s->ready, to);
	BISECT(low, s->ready, s->table->tiles[mid].t < to);
	return low;
}

/* The earliest or the latest event of one tile within [from, to), if it has one. */
static bool in_tile(struct search *s, size_t tile, uint64_t from, uint64_t to, bool last, struct found *out)
{
	struct cursor c;
	struct frame f;
	const struct block *block;
	bool found = false;
	uint64_t end = tile + 1 < s->ready ? s->table->tiles[tile + 1].off : UINT64_MAX;
	cursor_begin(&c, s->blocks, &s->blocks->chains[s->chain], s->walked);
	cursor_seek(&c, s->table->tiles[tile].off);
	while (cursor_next_of(&c, 1ull << cursor_bit(s->tag), end, &f, &block) && f.off < end) {
		if (f.tag != s->tag || f.t < from || f.t >= to || f.t > block_latest(s->blocks, block))
			continue;
		*out = (struct found){.t = f.t, .off = f.off, .chain = s->chain};
		found = true;
		from = last ? f.t : from;
		to = last ? to : f.t;
	}
	s->missing = s->missing || c.missing;
	return found && !c.missing;
}

/* The search of a chain is over: can its answer be trusted? */
static bool is_complete(const struct search *s, struct found *out)
{
	if (s->missing)
		*out = (struct found){.missing = true};
	return !s->missing;
}

/* The earliest event of the chain in [from, to). */
static bool first_in(struct search *s, uint64_t from, uint64_t to, struct found *out)
{
	size_t i = s->ready ? tiles_before(s->table, s->ready, from) : 0, end = end_before(s, to);
	bool found = false;
	for (; i < end && (i = tiles_next(s->table, s->ready, i, end, &s->want)) < end && !s->missing; i++) {
		if (!in_tile(s, i, from, to, false, out))
			continue;
		found = true;
		to = out->t;
		end = end_before(s, to);
	}
	return found;
}

/* The latest one. */
static bool last_in(struct search *s, uint64_t from, uint64_t to, struct found *out)
{
	size_t begin = s->ready ? tiles_before(s->table, s->ready, from) : 0, end = end_before(s, to), i;
	bool found = false;
	for (; begin < end && (i = tiles_prev(s->table, s->ready, begin, end, &s->want)) < end && !s->missing;
		end = i) {
		if (!in_tile(s, i, from, to, true, out))
			continue;
		found = true;
		from = out->t + 1;
		begin = tiles_before(s->table, s->ready, from);
	}
	return found;
}

bool find_after(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out)
{
	uint64_t best = UINT64_MAX;
	out->missing = false;
	for (uint32_t chain = 0; chain < b->n_chains; chain++) {
		struct search s;
		search_begin(&s, b, tiles, chain, tag);
		if (first_in(&s, t + 1, best, out))
			best = out->t;
		if (!is_complete(&s, out))
			return false;
	}
	return best != UINT64_MAX;
}

bool find_before(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out)
{
	uint64_t best = 0; /* the one after the match */
	out->missing = false;
	for (uint32_t chain = 0; chain < b->n_chains; chain++) {
		struct search s;
		search_begin(&s, b, tiles, chain, tag);
		if (last_in(&s, best, t, out))
			best = out->t + 1;
		if (!is_complete(&s, out))
			return false;
	}
	return best > 0;
}

bool find_last_in(const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint16_t tag, uint64_t t,
	struct found *out)
{
	struct search s;
	out->missing = false;
	search_begin(&s, b, tiles, chain, tag);
	bool found = last_in(&s, 0, t, out);
	return is_complete(&s, out) && found;
}

bool find_at(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out)
{
	out->missing = false;
	for (uint32_t chain = 0; chain < b->n_chains; chain++) {
		struct search s;
		search_begin(&s, b, tiles, chain, tag);
		if (first_in(&s, t, t + 1, out))
			return true;
		if (!is_complete(&s, out))
			return false;
	}
	return false;
}
