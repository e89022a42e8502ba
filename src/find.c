#include "find.h"

#include "schema.h"

struct search {
	const struct blocks *blocks;
	const struct tile_table *table;
	uint32_t chain, walked;
	size_t ready;
	uint16_t tag;
	uint32_t class;
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
	s->class = type && type->schema ? 1u << type->schema->group : 0;
}

/* The first or the last event of one tile within [from, to), if it has one. */
static bool in_tile(struct search *s, size_t tile, uint64_t from, uint64_t to, bool last, struct found *out)
{
	struct cursor c;
	struct frame f;
	const struct block *block;
	bool found = false;
	uint64_t end = tile + 1 < s->ready ? s->table->tiles[tile + 1].off : UINT64_MAX;
	cursor_begin(&c, s->blocks, &s->blocks->chains[s->chain], s->walked);
	cursor_seek(&c, s->table->tiles[tile].off);
	while ((!found || last) && cursor_next(&c, &f, &block) && f.off < end) {
		if (f.tag != s->tag || f.t < from || f.t >= to)
			continue;
		*out = (struct found){.t = f.t, .off = f.off, .chain = s->chain};
		found = true;
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
		for (size_t i = s.ready ? tiles_before(s.table, s.ready, t + 1) : 0; !s.missing && i < s.ready && s.table->tiles[i].t < best;
			i++) {
			if (!(s.table->tiles[i].classes & s.class) || !in_tile(&s, i, t + 1, best, false, out))
				continue;
			best = out->t;
			break;
		}
		if (!is_complete(&s, out))
			return false;
	}
	return best != UINT64_MAX;
}

/* The last in one chain before t and behind `least`. */
static bool last_in(struct search *s, uint64_t t, uint64_t least, struct found *out)
{
	for (size_t i = s->ready ? tiles_before(s->table, s->ready, t) + 1 : 0; !s->missing && i-- > 0;) {
		if (least && i + 1 < s->ready && s->table->tiles[i + 1].t < least)
			return false; /* all that is left is earlier */
		if (s->table->tiles[i].classes & s->class && in_tile(s, i, least, t, true, out))
			return true;
	}
	return false;
}

bool find_last_in(const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint16_t tag, uint64_t t,
	struct found *out)
{
	struct search s;
	search_begin(&s, b, tiles, chain, tag);
	bool found = last_in(&s, t, 0, out);
	return is_complete(&s, out) && found;
}

bool find_before(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out)
{
	bool found = false;
	out->missing = false;
	for (uint32_t chain = 0; chain < b->n_chains; chain++) {
		struct search s;
		struct found last;
		search_begin(&s, b, tiles, chain, tag);
		if (last_in(&s, t, found ? out->t + 1 : 0, &last)) {
			*out = last;
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
		size_t last = s.ready ? tiles_before(s.table, s.ready, t + 1) : 0;
		for (size_t i = s.ready ? tiles_before(s.table, s.ready, t) : 0; i < s.ready && i <= last; i++)
			if (s.table->tiles[i].classes & s.class && in_tile(&s, i, t, t + 1, false, out))
				return true;
		if (!is_complete(&s, out))
			return false;
	}
	return false;
}
