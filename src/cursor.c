#include "cursor.h"

void cursor_begin(struct cursor *c, const struct blocks *blocks, const struct chain *chain, uint32_t n)
{
	*c = (struct cursor){.blocks = blocks, .chain = chain, .n = n};
}

void cursor_seek(struct cursor *c, uint64_t off)
{
	uint32_t low = 0, high = c->n;
	while (high - low > 1) { /* the last block that does not begin behind off */
		uint32_t mid = low + (high - low) / 2;
		if (c->blocks->items[c->chain->blocks[mid]].off <= off)
			low = mid;
		else
			high = mid;
	}
	c->index = low;
	c->at = off;
	c->block = NULL;
	c->missing = false;
}

/* May the bytes [from, to) be touched without waiting? */
static bool at_hand(struct cursor *c, uint64_t from, uint64_t to)
{
	if (!c->blocks->fetch || (from >= c->from && to <= c->to))
		return true;
	to = max_u64(to, from + TILE_BYTES);
	c->missing = !fetch_ready(c->blocks->fetch, from, to - from);
	c->from = from;
	c->to = c->missing ? from : to; /* after a seek it may be asked for again */
	return !c->missing;
}

bool cursor_next(struct cursor *c, struct frame *out, const struct block **block)
{
	for (; c->index < c->n && !c->missing; c->index++, c->at = 0, c->block = NULL) {
		const struct block *b = c->block ? c->block : &c->blocks->items[c->chain->blocks[c->index]];
		uint64_t at = c->at ? c->at : b->off;
		if (!at_hand(c, at, at + FRAME_VARIABLE))
			return false;
		if (!block_next(c->blocks, b, at, out))
			continue;
		if (!at_hand(c, at, out->next))
			return false;
		c->at = out->next;
		*block = c->block = b;
		return true;
	}
	return false;
}
