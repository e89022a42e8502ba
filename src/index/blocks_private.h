/* blocks_private.h - decoded block marker (struct marker), shared by blocks.c and block_groups.c. */
#ifndef EVL_BLOCKS_PRIVATE_H
#define EVL_BLOCKS_PRIVATE_H

#include "index/blocks.h"

struct marker {
	uint64_t t, end_t, size;
	uint16_t cap;
};

/* Read the block marker at off, if there is one, whether or not its fields make sense. */
static inline bool marker_fields_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	if (!b->head || off > b->len || b->len - off < b->head)
		return false;
	const uint8_t *p = b->data + off;
	if (be16(p) != EVL_BLOCK_MARKER)
		return false;
	*out = (struct marker){.t = be64(p + 2), .size = be32(p + 10), .end_t = be64(p + 14), .cap = be16(p + 22)};
	return true;
}

/* Is there a block marker at off, whatever the size that it claims? */
static inline bool marker_like_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	return marker_fields_at(b, off, out) && out->end_t >= out->t && out->end_t <= INT64_MAX;
}

/* Is there a block marker at off whose fields make sense together? */
static inline bool marker_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	return marker_like_at(b, off, out) && out->size >= b->head;
}

/* A table for blocks.known. NULL: out of memory, which costs time only. */
struct known_gaps *known_gaps_new(void);
void known_gaps_free(struct known_gaps *known);

/* Is an event an event although its time does not fit its block? As block_judge. */
bool block_believes(const struct blocks *b, const struct block *block, const struct frame *f);

/* Are the fields of a scheduler event as small as they can be? True of other events. */
bool event_fields_fit(const struct header *h, const struct frame *f);

/* Do several records in a row make sense after the marker of the block? cut: the file ends in it. */
bool block_begins_well(const struct blocks *b, const struct block *block, bool cut);

#endif
