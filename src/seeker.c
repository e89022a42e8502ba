#include "seeker.h"

static void fetch(struct seeker *s)
{
	const struct block *block;
	s->have_next = cursor_next(&s->cursor, &s->next, &block);
}

void seeker_enter(struct seeker *s, size_t tile)
{
	s->tile = tile;
	s->pos = tile_pos(&s->table->tiles[tile]);
	cursor_seek(&s->cursor, s->table->tiles[tile].off);
	fetch(s);
}

bool seeker_begin(struct seeker *s, const struct blocks *b, const struct tile_table *table, uint32_t chain)
{
	uint32_t walked = atomic_load_explicit(&((struct tile_table *)(uintptr_t)table)->walked, memory_order_acquire);
	*s = (struct seeker){.table = table};
	s->ready = atomic_load_explicit(&((struct tile_table *)(uintptr_t)table)->ready, memory_order_acquire);
	cursor_begin(&s->cursor, b, &b->chains[chain], walked);
	if (s->ready == 0)
		return false;
	seeker_enter(s, 0);
	return true;
}

/* GHC posts the statistics of a GC before its GC_END, which carries an earlier time: the event on hand is one of
 * them and later than t, but the end behind it may not be. */
static bool end_hides_behind(const struct seeker *s, uint64_t t)
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

bool seeker_due(const struct seeker *s, uint64_t t)
{
	return s->have_next && (s->next.t < t || end_hides_behind(s, t));
}

bool seeker_step(struct seeker *s)
{
	bool changed = cap_steps(s->next.tag) && event_readable(s->cursor.blocks->header, &s->next)
		&& cap_step(&s->pos, s->next.tag, s->next.t, s->next.payload.p);
	fetch(s);
	return changed;
}

void seeker_advance(struct seeker *s, uint64_t t)
{
	size_t tile = tiles_from(s->table, s->ready, s->tile, t);
	if (tile > s->tile)
		seeker_enter(s, tile);
	while (seeker_due(s, t))
		seeker_step(s);
}

uint64_t seeker_known(const struct tile_table *table)
{
	struct tile_table *t = (struct tile_table *)(uintptr_t)table;
	uint64_t known = atomic_load_explicit(&t->known_t, memory_order_acquire);
	uint64_t lost = atomic_load_explicit(&t->lost_t, memory_order_acquire);
	return lost ? min_u64(known, lost) : known;
}
