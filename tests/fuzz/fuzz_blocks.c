/* Header and directory of blocks: every byte of the data is in a block, or listed as damage, or an end of data; every
 * event lies in its block. */
#include "fuzz.h"

#include "blocks.h"

static void check_events(const struct blocks *b, const struct block *block)
{
	struct frame f;
	uint64_t at = block->off, end = block->off + block->len;
	for (; block_next(b, block, at, &f); at = f.next) {
		check(f.off >= at && f.next > f.off && f.next <= end && block_admits(block, f.tag, f.t));
		check(f.payload.p >= b->data + f.off && f.payload.p + f.payload.len <= b->data + f.next);
	}
}

static void check_cover(const struct blocks *b)
{
	size_t block = 0, bad = 0;
	for (uint64_t at = b->header->data_off; at < b->len;) {
		if (block < b->n && b->items[block].off == at) {
			check_events(b, &b->items[block]);
			at += b->items[block++].len;
		} else if (bad < b->damage.n && b->damage.items[bad].off == at) {
			at += b->damage.items[bad++].len;
		} else {
			check(b->len - at >= 2 && be16(b->data + at) == EVL_DATA_END);
			at += 2;
		}
		check(at <= b->len);
	}
	check(block == b->n && bad == b->damage.n);
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
	blocks_free(&b);
	header_free(&h);
	return 0;
}
