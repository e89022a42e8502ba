/* cursor.h - step through the events of one chain, from any place in it.
 *
 * Goes from block to block, leaves out what the index found damaged, and yields block markers like other events. Where
 * blocks.fetch is set it never waits for the disk: at bytes that are not in memory it ends, `missing` is set, and they
 * are fetched in the background. */
#ifndef EVL_CURSOR_H
#define EVL_CURSOR_H

#include "fetch.h"
#include "tiles.h"

struct cursor {
	const struct blocks *blocks;
	const struct chain *chain;
	uint32_t index, n; /* the block in the chain it stands in; how many it may enter */
	uint64_t at;       /* file offset of the next event; 0: at the begin of the block */
	const struct block *block; /* that it stands in; NULL: not entered yet */
	uint64_t from, to; /* bytes that were found to be in memory */
	bool missing;
};

/* Stand at the begin of the chain, or on the event at file offset off. n: blocks of the chain that may be entered. */
void cursor_begin(struct cursor *c, const struct blocks *blocks, const struct chain *chain, uint32_t n);
void cursor_seek(struct cursor *c, uint64_t off);

/* The next event and its block; false at the end. */
bool cursor_next(struct cursor *c, struct frame *out, const struct block **block);

#endif
