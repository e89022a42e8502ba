#include "index/cursor.h"

void cursor_begin(struct cursor *c, const struct blocks *blocks, const struct chain *chain, uint64_t until)
{
	*c = (struct cursor){.blocks = blocks, .chain = chain, .until = until, .row = chain->first.row};
}

/* May the bytes [from, to) be touched without waiting? */
static bool at_hand(struct cursor *c, uint64_t from, uint64_t to)
{
	if (!c->blocks->fetch || (from >= c->from && to <= c->to))
		return true;
	to = max_u64(to, from + TILE_BYTES);
	c->missing = !prefetch_ready(c->blocks->fetch, from, to - from);
	c->from = from;
	c->to = c->missing ? from : to; /* after a seek it may be asked for again */
	return !c->missing;
}

/* The blocks of a row of several are found by looking at its bytes. */
static bool row_at_hand(struct cursor *c, size_t i)
{
	const struct block_row *row = &c->blocks->rows[i];
	return row->n == 1 || at_hand(c, row->off, row->off + row->len);
}

/* Enter the next block of the chain: in a row, from `at` on, or (0) from its begin on; else in a row behind. */
static bool enter(struct cursor *c, size_t row, uint64_t at)
{
	const struct blocks *b = c->blocks;
	uint32_t chain = (uint32_t)(c->chain - b->chains);
	c->in = false;
	c->at = 0;
	c->row = b->n_rows; /* at the end, unless a block is found */
	for (; row < b->n_rows && b->rows[row].off < c->until; row = blocks_row_behind(b, row, chain), at = 0) {
		if (!row_at_hand(c, row))
			return false;
		if (blocks_in_row(b, row, at, chain, &c->block))
			return c->in = c->block.off < c->until;
	}
	return false;
}

void cursor_seek(struct cursor *c, uint64_t off)
{
	size_t row = c->blocks->n_rows ? blocks_row_near(c->blocks, c->block.row, off) : 0;
	c->missing = false;
	c->in = false;
	while (enter(c, row, c->in ? c->block.off + c->block.len : 0) && c->block.off + c->block.len <= off)
		row = c->block.row;
	c->at = c->in && off > c->block.off ? off : 0;
}

bool cursor_next(struct cursor *c, struct frame *out, const struct block **block)
{
	while (!c->missing && (c->in || (c->row < c->blocks->n_rows && enter(c, c->row, 0)))) {
		uint64_t at = c->at ? c->at : c->block.off;
		if (!at_hand(c, at, at + FRAME_VARIABLE))
			return false;
		if (!block_next(c->blocks, &c->block, at, out)) {
			enter(c, c->block.row, c->block.off + c->block.len);
			continue;
		}
		if (!at_hand(c, at, out->next))
			return false;
		c->at = out->next;
		*block = &c->block;
		return true;
	}
	return false;
}
