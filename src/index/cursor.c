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
	c->before = 0;
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

/* Is there a usual event at off? Else what is around it tells where to read on. */
static bool is_usual(const struct blocks *b, const struct block *block, uint64_t off)
{
	struct frame f;
	enum frame_result r = frame_read(b->header, b->data, off, block->off + block->len, &f);
	return r == FRAME_DATA_END || (r == FRAME_OK && block_admits(block, f.tag, f.t));
}

/* The next event of the block from `at` on; false: there is none, or (c->missing) it is not at hand. */
static bool next_in_block(struct cursor *c, uint64_t at, struct frame *out)
{
	const struct block *block = &c->block;
	const uint64_t end = block->off + block->len;
	if (!at_hand(c, at, at + FRAME_VARIABLE))
		return false;
	if (c->blocks->fetch && at < end && !is_usual(c->blocks, block, at)
		&& !at_hand(c, c->before ? c->before : at, min_u64(end, at + SEARCH_MOST + SEARCH_MOST / 4)))
		return false;
	return block_next(c->blocks, block, c->before, at, out);
}

bool cursor_next(struct cursor *c, struct frame *out, const struct block **block)
{
	while (!c->missing && (c->in || (c->row < c->blocks->n_rows && enter(c, c->row, 0)))) {
		if (!next_in_block(c, c->at ? c->at : c->block.off, out)) {
			if (!c->missing)
				enter(c, c->block.row, c->block.off + c->block.len);
			continue;
		}
		if (!at_hand(c, out->off, out->next))
			return false;
		c->at = out->next;
		c->before = out->off;
		*block = &c->block;
		return true;
	}
	return false;
}
