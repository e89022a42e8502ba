/* indexer.h - the background walk over a log: find blocks, cut time into stretches, walk them on all cores, join in
 * order.
 *
 * A stretch is one part of each chain, all of about the same time: threads alive at the same time are then counted
 * by one worker, and workers do not contend. Stretches are taken in order of time. Parts are joined, chain by chain,
 * as soon as all earlier ones are.
 *
 * Knows the index only. The tables of higher floors are fed through hooks (walk.h). */
#ifndef EVL_INDEXER_H
#define EVL_INDEXER_H

#include "bytes/source.h"
#include "index/walk.h"

struct indexer;

/* Results of a walk besides the tables. */
struct indexer_recalled {
	uint64_t events, data_end;
};

struct indexer_jobs {
	void *ctx;
	/* Before anything else: fill blocks, *tiles and all tables from what was kept of an earlier walk. False: there is
	 * nothing, or `cancel` ended it. NULL: never. */
	bool (*recall)(void *ctx, struct indexer_recalled *out, const atomic_bool *cancel);
	/* After the walk and its last wake: keep the tables for later. `cancel` ends it at once. NULL: never. */
	void (*keep)(void *ctx, const struct indexer_recalled *walked, const atomic_bool *cancel);
	/* Called when finding the blocks takes long, to make a preliminary picture (blocks_sketch); may be NULL. */
	void (*sketch)(void *ctx);
	/* The directory of blocks is complete: make the tables and say what they want. 0 or a code that ends the walk. */
	int (*begin)(void *ctx, struct walk_hooks *hooks);
	/* All parts are joined, or the walk was cancelled: derive what needs the whole. */
	int (*end)(void *ctx);
	/* There is news: called at most ten times a second and at the end, from any thread. */
	void (*wake)(void *ctx);
	void *wake_ctx;
	int workers;       /* 0: as many as there are processors */
	bool low_priority; /* give way to a thread that draws */
	bool reads_inside; /* read all events to find blocks inside of blocks */
};

/* Begin. blocks: empty, filled by the walk from header and bytes; damage: what the walk finds inside of blocks; *tiles:
 * set to the tables before begin is called; *out: set before any hook is called. EVL_NOMEM when no thread or no memory
 * can be had. */
int indexer_start(struct indexer **out, struct blocks *blocks, const struct header *h, const struct source *src,
	struct tile_table **tiles, struct damage_list *damage, const struct indexer_jobs *jobs);

/* Cancel; wait for the end, whose result it returns; wait and free. */
void indexer_cancel(struct indexer *ix);
int indexer_wait(struct indexer *ix);
void indexer_free(struct indexer *ix);

struct indexer_state {
	uint64_t bytes, total, events;
	uint64_t found;             /* bytes whose blocks are known, of `total` */
	uint64_t ms;                /* since the walk began, or how long it took */
	bool ready, done, data_end; /* data_end: a DATA_END was found at the end of a block */
	int result;
};
struct indexer_state indexer_state(const struct indexer *ix);

#endif
