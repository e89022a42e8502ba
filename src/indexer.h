/* indexer.h - the background walk over the log: hop, then read every block once, publish, report.
 *
 * Knows the index only. What the tables of the higher floors take from an event is their business: they are fed through
 * the functions given here, all called on the thread of the walk. */
#ifndef EVL_INDEXER_H
#define EVL_INDEXER_H

#include "tiles.h"

struct indexer;

struct indexer_jobs {
	void *ctx;
	/* The directory of blocks is complete: make the tables. 0 or a code that ends the walk. */
	int (*begin)(void *ctx);
	/* Every sound event whose payload holds at least the fields that its schema names. */
	tile_visit *event;
	/* All blocks are walked, or the walk was cancelled: derive what needs the whole. */
	int (*end)(void *ctx, const atomic_bool *cancel);
	/* There is news. */
	void (*wake)(void *ctx);
	void *wake_ctx;
};

/* Begin. blocks: empty, filled by the walk from header and bytes; damage: what the walk finds inside of blocks;
 * *tiles: set to the tables before begin is called. NULL when no thread or no memory can be had. */
struct indexer *indexer_start(struct blocks *blocks, const struct header *h, const uint8_t *data, uint64_t len,
	struct tile_table **tiles, struct damage_list *damage, const struct indexer_jobs *jobs);

/* Cancel; wait for the end, whose result it returns; wait and free. */
void indexer_cancel(struct indexer *ix);
int indexer_wait(struct indexer *ix);
void indexer_free(struct indexer *ix);

struct indexer_state {
	uint64_t bytes, total, events;
	bool ready, done, data_end; /* data_end: a DATA_END was found at the end of a block */
	int result;
};
struct indexer_state indexer_state(const struct indexer *ix);

#endif
