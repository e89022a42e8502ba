#include "find.h"

#include "schema.h"

struct search {
	const struct blocks *blocks;
	const struct tile_table *table;
	uint32_t chain, walked;
	size_t ready;
	uint16_t tag;
	uint32_t class;
	bool settled; /* the tiles tell how early the events behind them are */
	bool missing; /* some of the events were not at hand */
};

static void search_begin(struct search *s, const struct blocks *b, const struct tile_table *tiles, uint32_t chain,
	uint16_t tag)
{
	struct tile_table *table = (struct tile_table *)(uintptr_t)&tiles[chain];
	const struct header_type *type = header_find(b->header, tag);
	*s = (struct search){.blocks = b, .table = table, .chain = chain, .tag = tag};
	s->walked = atomic_load_explicit(&table->walked, memory_order_acquire);
	s->ready = atomic_load_explicit(&table->ready, memory_order_acquire);
	s->settled = atomic_load_explicit(&table->settled, memory_order_acquire);
	s->class = type && type->schema ? 1u << type->schema->group : 0;
}

/* May the tile, or one behind it, hold an event before `to`? While the walk goes on this takes GHC's word for it that
 * a chain is in order. */
static bool reaches(const struct search *s, size_t tile, uint64_t to)
{
	return (s->settled ? s->table->early[tile] : s->table->tiles[tile].t) < to;
}

/* How many tiles do, from the first on. */
static size_t tiles_reaching(const struct search *s, uint64_t to)
{
	size_t low = 0, high = s->ready;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (reaches(s, mid, to))
			low = mid + 1;
		else
			high = mid;
	}
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
	if (!(s->table->tiles[tile].classes & s->class))
		return false;
	cursor_begin(&c, s->blocks, &s->blocks->chains[s->chain], s->walked);
	cursor_seek(&c, s->table->tiles[tile].off);
	while (cursor_next(&c, &f, &block) && f.off < end) {
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

bool find_after(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out)
{
	uint64_t best = UINT64_MAX;
	out->missing = false;
	for (uint32_t chain = 0; chain < b->n_chains; chain++) {
		struct search s;
		search_begin(&s, b, tiles, chain, tag);
		size_t i = s.ready ? tiles_before(s.table, s.ready, t + 1) : 0;
		for (; !s.missing && i < s.ready && reaches(&s, i, best); i++)
			if (in_tile(&s, i, t + 1, best, false, out))
				best = out->t;
		if (!is_complete(&s, out))
			return false;
	}
	return best != UINT64_MAX;
}

bool find_before(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out)
{
	bool found = false;
	uint64_t best = 0;
	out->missing = false;
	for (uint32_t chain = 0; chain < b->n_chains; chain++) {
		struct search s;
		search_begin(&s, b, tiles, chain, tag);
		for (size_t i = tiles_reaching(&s, t); !s.missing && i-- > 0;) {
			if (found && i + 1 < s.ready && s.table->tiles[i + 1].t <= best)
				break; /* all that is left is earlier than what was found */
			if (!in_tile(&s, i, found ? best + 1 : 0, t, true, out))
				continue;
			best = out->t;
			found = true;
		}
		if (!is_complete(&s, out))
			return false;
	}
	return found;
}

bool find_at(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out)
{
	out->missing = false;
	for (uint32_t chain = 0; chain < b->n_chains; chain++) {
		struct search s;
		search_begin(&s, b, tiles, chain, tag);
		for (size_t i = s.ready ? tiles_before(s.table, s.ready, t) : 0; i < s.ready && reaches(&s, i, t + 1); i++)
			if (in_tile(&s, i, t, t + 1, false, out))
				return true;
		if (!is_complete(&s, out))
			return false;
	}
	return false;
}
