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
	c->to = c->missing ? from : to; /* valid again after a seek */
	return !c->missing;
}

/* The blocks of a row of several are found by looking at its bytes. */
static bool row_at_hand(struct cursor *c, size_t i)
{
	const struct block_row *row = &c->blocks->rows[i];
	return row->n == 1 || at_hand(c, row->off, row->off + row->len);
}

/* Enter the next block of the chain: in this row from `at` on (0: from its start), or in a later row. */
static bool enter(struct cursor *c, size_t row, uint64_t at)
{
	const struct blocks *b = c->blocks;
	uint32_t chain = (uint32_t)(c->chain - b->chains);
	c->in = false;
	c->at = 0;
	c->quick_end = 0;
	c->before = 0;
	c->row = b->n_rows; /* at the end, unless a block is found */
	for (; row < b->n_rows && b->rows[row].off < c->until; row = blocks_row_after(b, row, chain), at = 0) {
		if (!row_at_hand(c, row))
			return false;
		if (!blocks_in_row(b, row, at, chain, &c->block))
			continue;
		if (b->rows[row].n == 1 && b->rows[row].next && !b->fetch) /* small blocks may lie far apart */
			__builtin_prefetch(b->data + b->rows[b->rows[row].next].off);
		c->first_t = max_u64(c->block.t, 1);
		c->long_t = sub_or_0(min_u64(c->block.end_t, INT64_MAX), c->first_t);
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

/* Read the next event of the block from `at` on. Return false if there is none or (c->missing) its bytes are not in
 * memory. */
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

static inline bool is_wanted(uint64_t wanted, uint16_t tag) { return wanted >> cursor_bit(tag) & 1; }

/* Pass the usual events of the block before `stop`, up to `most` that are wanted: into hits or, a single one, into out. Return
 * how many they are; if fewer, what comes next has to be looked at with all checks. */
static inline __attribute__((always_inline)) size_t skim(
	struct cursor *c, uint64_t wanted, uint64_t stop, struct frame *out, struct cursor_hit *hits, size_t most)
{
	const int32_t *sizes = c->blocks->header->quick;
	const uint8_t *data = c->blocks->data;
	const uint64_t first_t = c->first_t, long_t = c->long_t;
	uint64_t at = c->at ? c->at : c->block.off, end = c->block.off + c->block.len, before = c->before;
	size_t n = 0;
	if (unlikely(c->blocks->fetch))
		end = at >= c->from ? min_u64(end, c->to) : at;
	else
		c->quick_end = sub_or_0(end, FRAME_VARIABLE + 1);
	stop = min_u64(stop, sub_or_0(end, FRAME_VARIABLE));
	while (at < stop && n < most) {
		const uint8_t *p = data + at;
		int32_t size = p[0] ? HEADER_ODD : sizes[p[1]];
		uint64_t t = be64(p + 2), head = FRAME_FIXED, len = (uint64_t)size;
		if (unlikely(size < 0)) {
			if (size != EVL_VARIABLE)
				break;
			head = FRAME_VARIABLE;
			len = be16(p + FRAME_FIXED);
		}
		if (unlikely(t - first_t >= long_t || end - at - head < len))
			break;
		bool found = is_wanted(wanted, p[1]);
		if (hits)
			hits[n] = (struct cursor_hit){t, at, p[1]};
		else if (found)
			*out = (struct frame){
				.off = at, .next = at + head + len, .t = t, .payload = {p + head, len}, .tag = p[1]};
		n += found;
		before = at;
		at += head + len;
	}
	c->before = before;
	c->at = at;
	return n;
}

bool cursor_skim(struct cursor *c, uint64_t wanted, uint64_t stop, struct frame *out, const struct block **block)
{
	do {
		if (c->in && !c->missing && skim(c, wanted, stop, out, NULL, 1)) {
			*block = &c->block;
			return true;
		}
		if (!cursor_next(c, out, block))
			return false;
	} while (!is_wanted(wanted, out->tag) && out->off < stop);
	return true;
}

size_t cursor_list_of(struct cursor *c, uint64_t wanted, uint64_t stop, struct cursor_hit hits[CURSOR_HITS])
{
	struct frame f;
	const struct block *block;
	size_t n = c->in && !c->missing ? skim(c, wanted, stop, &f, hits, CURSOR_HITS) : 0;
	if (n > 0 || !cursor_next_of(c, wanted, stop, &f, &block))
		return n;
	*hits = (struct cursor_hit){f.t, f.off, f.tag};
	return 1;
}
