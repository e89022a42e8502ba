#include "jobs/event_runner.h"

#include "base/gallop.h"

#include <stdlib.h>

void event_runner_free(struct event_runner *r)
{
	for (size_t i = 0; i < RUNNER_TILES; i++)
		free(r->tiles[i].items);
	*r = (struct event_runner){0};
}

/* The last tile of the chain that starts at the offset or before it. */
static size_t tile_of(const struct event_rank *order, uint32_t chain, uint64_t off)
{
	const struct tile *tiles = order->tables[chain].tiles;
	BISECT(low, event_rank_tiles(order, chain), tiles[mid].off <= off);
	return low ? low - 1 : 0;
}

static void decode_tile(struct runner_tile *t, const struct event_rank *order, uint32_t chain, size_t tile)
{
	const struct tile *from = &order->tables[chain].tiles[tile];
	struct cap_pos pos = {.state = (enum cap_state)from->state, .thread = from->thread};
	struct cursor cursor;
	struct frame f;
	const struct block *block;
	uint64_t end;
	*t = (struct runner_tile){.used = true,
		.chain = chain,
		.tile = tile,
		.before = pos.state == CAP_RUN ? pos.thread : 0,
		.items = t->items,
		.room = t->room};
	event_rank_tile(order, chain, tile, &cursor, &end);
	while (cursor_next(&cursor, &f, &block) && f.off < end) {
		if (!cap_steps(f.tag) || !event_readable(order->blocks->header, &f)
			|| !cap_step(&pos, f.tag, f.t, f.payload.p))
			continue;
		if (!GROW(t->items, t->n, t->room)) {
			t->used = false;
			return;
		}
		t->items[t->n++] = (struct runner_change){f.off, pos.state == CAP_RUN ? pos.thread : 0};
	}
}

uint32_t event_runner_at(
	struct event_runner *r, const struct event_rank *order, uint32_t chain, uint64_t off, uint16_t tag)
{
	if (event_rank_tiles(order, chain) == 0)
		return 0;
	size_t tile = tile_of(order, chain, off);
	struct runner_tile *t = &r->tiles[(chain + tile) % RUNNER_TILES];
	if (!t->used || t->chain != chain || t->tile != tile)
		decode_tile(t, order, chain, tile);
	if (!t->used)
		return 0;
	/* the first change after the event; of a stop, it or a later one */
	BISECT(low, t->n, t->items[mid].off < off || (t->items[mid].off == off && tag != EVL_STOP_THREAD));
	return low ? t->items[low - 1].thread : t->before;
}
