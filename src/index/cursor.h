/* cursor.h - iterate over the events of one chain, from any position.
 *
 * Goes from block to block, skips damage (block_next), and yields block markers like other events. With blocks.fetch
 * set it never waits for the disk: at bytes that are not in memory it ends and sets `missing`, and they are fetched
 * in the background. */
#ifndef EVL_CURSOR_H
#define EVL_CURSOR_H

#include "bytes/prefetch.h"
#include "index/tiles.h"

struct cursor {
	const struct blocks *blocks;
	const struct chain *chain;
	uint64_t until;     /* file offset: only blocks that start before it are entered */
	struct block block; /* current block, if any */
	bool in;
	size_t row;        /* else: where the next one is to be looked for */
	uint64_t at;       /* file offset of the next event; 0: at the start of the block */
	uint64_t before;   /* of the event before it in the block; 0: none was read */
	uint64_t from, to; /* bytes that were found to be in memory */
	bool missing;
	uint64_t first_t, long_t; /* usual events of the block are from first_t on and so long; long_t 0: none are */
	uint64_t quick_end;       /* usual events before it need no other checks; 0: not known for this block */
};

/* Move to the start of the chain, or to the event at file offset off. */
void cursor_begin(struct cursor *c, const struct blocks *blocks, const struct chain *chain, uint64_t until);
void cursor_seek(struct cursor *c, uint64_t off);

/* Move to the end: there is no next event. */
static inline void cursor_end(struct cursor *c)
{
	c->in = false;
	c->until = c->quick_end = 0;
}

/* The next event and its block, which is valid until the next call; false at the end. */
bool cursor_next(struct cursor *c, struct frame *out, const struct block **block);

/* The bit of a tag in a set of wanted ones: all tags from 63 on share the last. */
static inline unsigned cursor_bit(uint16_t tag) { return tag < 63 ? tag : 63; }

/* The next event whose tag has its bit in `wanted`, as cursor_next would find it, but quicker; or any event at or after
 * file offset `stop`. cursor_skim: the same, for any place. */
bool cursor_skim(struct cursor *c, uint64_t wanted, uint64_t stop, struct frame *out, const struct block **block);

static inline bool cursor_next_of(
	struct cursor *c, uint64_t wanted, uint64_t stop, struct frame *out, const struct block **block)
{
	const uint64_t at = c->at;
	if (at - 1 < c->quick_end && at < stop) {
		const uint8_t *p = c->blocks->data + at;
		const int32_t size = p[0] ? HEADER_ODD : c->blocks->header->quick[p[1]];
		const uint64_t t = be64(p + 2), end = c->block.off + c->block.len;
		if (size >= 0 && wanted >> cursor_bit(p[1]) & 1 && t - c->first_t < c->long_t
			&& end - at - FRAME_FIXED >= (uint64_t)size) {
			*out = (struct frame){.off = at,
				.next = at + FRAME_FIXED + (uint64_t)size,
				.t = t,
				.payload = {p + FRAME_FIXED, (uint64_t)size},
				.tag = p[1]};
			c->before = at;
			c->at = out->next;
			*block = &c->block;
			return true;
		}
	}
	return cursor_skim(c, wanted, stop, out, block);
}

/* Some of the next events that cursor_next_of would find, as many as are cheap, at least one: only their time, place and tag.
 * Return how many; 0 at the end. */
enum { CURSOR_HITS = 64 };
struct cursor_hit {
	uint64_t t, off;
	uint16_t tag;
};
size_t cursor_list_of(struct cursor *c, uint64_t wanted, uint64_t stop, struct cursor_hit hits[CURSOR_HITS]);

#endif
