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
}

bool cursor_next(struct cursor *c, struct frame *out, const struct block **block)
{
	for (; c->index < c->n; c->index++, c->at = 0) {
		const struct block *b = &c->blocks->items[c->chain->blocks[c->index]];
		if (!block_next(c->blocks, b, c->at ? c->at : b->off, out))
			continue;
		c->at = out->next;
		*block = b;
		return true;
	}
	return false;
}
