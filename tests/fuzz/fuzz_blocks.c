/* Header and directory of blocks: every byte of the data is in a block, or listed as damage, or an end of data; every
 * event lies in its block. */
#include "fuzz.h"

#include "index/cursor.h"

static void check_events(const struct blocks *b, const struct block *block)
{
	struct frame f = {.next = block->off};
	uint64_t before = 0, end = block->off + block->len;
	for (; block_next(b, block, f.off, f.next, &f); before = f.off) {
		check(f.off >= block->off && f.off + (before == 0) > before && f.next > f.off && f.next <= end);
		check(f.t <= block_latest(b, block));
		check(f.payload.p >= b->data + f.off && f.payload.p + f.payload.len <= b->data + f.next);
	}
}

/* Found again as a block, and as one of its chain. */
static void check_found(const struct blocks *b, const struct block *block)
{
	struct block again;
	struct cursor c;
	struct frame f;
	const struct block *in;
	check(blocks_at(b, block->off, &again) && again.off == block->off && again.len == block->len);
	check(again.chain == block->chain && again.head == block->head);
	cursor_begin(&c, b, &b->chains[block->chain], UINT64_MAX);
	cursor_seek(&c, block->off);
	check(!block_next(b, block, 0, block->off, &f) || (cursor_next(&c, &f, &in) && in->off == block->off));
}

static void check_cover(const struct blocks *b)
{
	size_t bad = 0;
	uint64_t n = 0;
	struct block block;
	bool more = blocks_first(b, &block);
	for (uint64_t at = b->header->data_off; at < b->len;) {
		if (more && block.off == at) {
			check_events(b, &block);
			check_found(b, &block);
			at += block.len;
			n++;
			more = blocks_next(b, &block);
		} else if (bad < b->damage.n && b->damage.items[bad].off == at) {
			at += b->damage.items[bad++].len;
		} else {
			check(b->len - at >= 2 && be16(b->data + at) == EVL_DATA_END);
			at += 2;
		}
		check(at <= b->len);
	}
	check(!more && n == b->n && bad == b->damage.n);
}

/* All chains together hold each block once. */
static void check_chains(const struct blocks *b)
{
	uint64_t n = 0;
	for (size_t i = 0; i < b->n_chains; i++) {
		struct block block = b->chains[i].first;
		uint64_t len = 0, before = n;
		do {
			check(block.chain == i);
			len += block.len;
			n++;
		} while (blocks_next_of(b, &block));
		check(n - before == b->chains[i].n && len == b->chains[i].len);
	}
	check(n == b->n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct header h;
	struct blocks b;
	if (header_parse(&h, data, len, NULL) < 0)
		return 0;
	check(h.data_off <= len && blocks_hop(&b, &h, data, len) == 0);
	if (!b.damage.more)
		check_cover(&b);
	check_chains(&b);
	blocks_free(&b);
	header_free(&h);
	return 0;
}
