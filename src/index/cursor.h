/* cursor.h - iterate over the events of one chain (the blocks of one capability), from any position.
 *
 * A cursor goes from block to block, skips damage (block_next), and returns block markers like other events. If
 * blocks.fetch is set, it never waits for the disk: at bytes that are not in memory it ends and sets `missing`, and the
 * bytes are read in the background. Most events are usual ones: of a size declared in the header and with a time within
 * their block; they take a fast path. */
#ifndef EVL_CURSOR_H
#define EVL_CURSOR_H

#include "bytes/prefetch.h"
#include "index/tiles.h"

struct cursor {
	const struct blocks *blocks;
	const struct chain *chain;
	uint64_t until;     /* file offset: only blocks that start before it are read */
	struct block block; /* current block, if any */
	bool in;            /* inside `block` */
	size_t row;         /* otherwise: row of the directory at which to look for the next block */
	uint64_t at;        /* file offset of the next event; 0: the start of the block */
	uint64_t before;    /* file offset of the event before it in the block; 0: none was read */
	uint64_t from, to;  /* range of the file known to be in memory */
	bool missing;
	uint64_t first_t, long_t; /* usual events of the block have times in [first_t, first_t + long_t), ns */
	/* file offset before which usual events need no other checks; 0: unknown for this block */
	uint64_t quick_end;
};

/* Move to the start of the chain, or to the event at file offset `off`. Blocks that start at file offset `until` or
 * later are not read. The blocks must outlive the cursor. */
void cursor_begin(struct cursor *c, const struct blocks *blocks, const struct chain *chain, uint64_t until);
void cursor_seek(struct cursor *c, uint64_t off);

/* Move to the end, so that there is no next event. */
static inline void cursor_end(struct cursor *c)
{
	c->in = false;
	c->until = c->quick_end = 0;
}

/* Store the next event and its block; *block is valid until the next call. Return false at the end, or if bytes are
 * `missing`. */
bool cursor_next(struct cursor *c, struct frame *out, const struct block **block);

/* Return the number of the bit that represents a tag in a set of wanted tags; all tags from 63 on share bit 63. */
static inline unsigned cursor_bit(uint16_t tag) { return tag < 63 ? tag : 63; }

/* Find the next event whose bit (cursor_bit) is in `wanted`, or any event at or after file offset `stop`. Return as
 * cursor_next does. Call cursor_next_of, which handles the most frequent case inline and otherwise calls
 * cursor_skim. */
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

/* Store several of the events that cursor_next_of would return, at least one and as many as are cheap to get. Return
 * their number, 0 at the end. */
enum { CURSOR_HITS = 64 };
struct cursor_hit {
	uint64_t t, off;
	uint16_t tag;
};
size_t cursor_list_of(struct cursor *c, uint64_t wanted, uint64_t stop, struct cursor_hit hits[CURSOR_HITS]);

#endif
