/* blocks_private.h - block markers (struct marker) and plausibility checks, shared by blocks.c, block_groups.c and
 * block_read.c. */
#ifndef EVL_BLOCKS_PRIVATE_H
#define EVL_BLOCKS_PRIVATE_H

#include "index/blocks.h"

/* The fields of a block marker: start and flush of the buffer in ns, bytes of the block, capability. */
struct marker {
	uint64_t t, end_t, size;
	uint16_t cap;
};

/* Read the block marker at file offset `off`, plausible or not. Return false if there is none. */
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

/* Read the block marker at `off`. Return false if there is none, or if its times are implausible; its size may be. */
static inline bool marker_like_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	return marker_fields_at(b, off, out) && out->end_t >= out->t && out->end_t <= INT64_MAX;
}

/* Read the block marker at `off`. Return false if there is none, or if any of its fields is implausible. */
static inline bool marker_at(const struct blocks *b, uint64_t off, struct marker *out)
{
	return marker_like_at(b, off, out) && out->size >= b->head;
}

/* Follow the markers in [from, to), where a block starts at `from`, from several places at once. Going from block to block
 * waits for memory at each of them unless their bytes are in the cache. This decides nothing: some of the places are
 * guesses. */
void blocks_warm(const struct blocks *b, uint64_t from, uint64_t to);

/* Allocate a cache for blocks.known. NULL means out of memory, which only costs time. */
struct known_gaps *known_gaps_new(void);
void known_gaps_free(struct known_gaps *known);

/* Report whether an event is accepted although its time does not fit its block (block_judge). */
bool block_believes(const struct blocks *b, const struct block *block, const struct frame *f);

/* Report whether the fields of a scheduler event (thread, capability, reason to stop) are plausibly small; true for
 * other events. */
bool event_fields_fit(const struct header *h, const struct frame *f);

/* Report whether several records in a row make sense after the marker of the block. cut: the file ends inside the
 * block. */
bool block_begins_well(const struct blocks *b, const struct block *block, bool cut);

#endif
