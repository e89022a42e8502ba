/* blocks_private.h - what a block marker says: within the directory of blocks. */
#ifndef EVL_BLOCKS_PRIVATE_H
#define EVL_BLOCKS_PRIVATE_H

#include "index/blocks.h"

struct marker {
	uint64_t t, end_t, size;
	uint16_t cap;
};

/* Is there a block marker at off, whatever the size that it claims? */
static inline bool marker_like_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	if (!b->head || off > b->len || b->len - off < b->head)
		return false;
	const uint8_t *p = b->data + off;
	if (be16(p) != EVL_BLOCK_MARKER)
		return false;
	*out = (struct marker){.t = be64(p + 2), .size = be32(p + 10), .end_t = be64(p + 14), .cap = be16(p + 22)};
	return out->end_t >= out->t && out->end_t <= INT64_MAX;
}

/* Is there a block marker at off whose fields make sense together? */
static inline bool marker_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	return marker_like_at(b, off, out) && out->size >= b->head;
}

#endif
