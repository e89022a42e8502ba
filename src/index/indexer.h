/* indexer.h - index a log in the background: find blocks, divide them by time, read them on all cores, join the results
 * in order.
 *
 * The one pass over all events is called the walk. It is divided into stretches: a stretch consists of one part of each
 * chain (the blocks of one capability), all of about the same period. Threads alive at the same time are then counted
 * by one worker, so workers do not contend. Stretches are processed in time order. A part is joined to its chain as
 * soon as all earlier parts of the chain are.
 *
 * This code knows only the index. The tables of other folders (collections, threads, …) are filled through hooks
 * (walk.h). */
#ifndef EVL_INDEXER_H
#define EVL_INDEXER_H

#include "bytes/source.h"
#include "index/walk.h"

struct indexer;
struct growing_index;

/* Results of a walk besides the tables: number of events, and whether a DATA_END was found. */
struct indexer_recalled {
	uint64_t events, data_end;
};

/* Callbacks and settings of the caller. All callbacks receive ctx and run on threads of the indexer. */
struct indexer_jobs {
	void *ctx;
	/* Called first: fill blocks, *tiles and all tables from the results of an earlier walk. Return false if there
	 * are none, or if `cancel` ended it. May be NULL. */
	bool (*recall)(void *ctx, struct indexer_recalled *out, const atomic_bool *cancel);
	/* Called after the walk and its last wake: keep the tables for later. Return soon after `cancel` becomes true.
	 * May be NULL. */
	void (*keep)(void *ctx, const struct indexer_recalled *walked, const atomic_bool *cancel);
	/* Called if finding the blocks takes long, to show a preliminary log (blocks_sketch); may be NULL. */
	void (*sketch)(void *ctx);
	/* Called when the directory of blocks is complete: create the tables and fill in the hooks. Return 0, or a code
	 * that ends the walk. */
	int (*begin)(void *ctx, struct walk_hooks *hooks);
	/* The index of the first part of the same log, which has grown, to continue (growing_index.h); NULL: start at its
	 * start. go_on is called instead of `begin`, and fills blocks, *tiles and the tables from that index. */
	struct growing_index *grows;
	int (*go_on)(void *ctx, struct walk_hooks *hooks);
	/* Called instead when the first part of a log has been walked from its start: copy blocks, *tiles and the tables to that
	 * index, and fill in its hooks. Return 0 or an error code. */
	int (*settle)(void *ctx, struct walk_hooks *hooks);
	/* Called when all parts are joined or the walk was cancelled: compute whatever needs the whole log. Return 0 or
	 * an error code. */
	int (*end)(void *ctx);
	/* Called with wake_ctx when there is progress: at most ten times a second and at the end, from any thread. */
	void (*wake)(void *ctx);
	void *wake_ctx;
	int workers;       /* number of worker threads; 0: the number of processors */
	bool low_priority; /* run below the priority of the drawing thread */
	bool reads_inside; /* read all events to find blocks inside blocks */
};

/* Start the walk. *blocks is empty and is filled from the header and the source. *tiles is set to the tables of tiles
 * (tiles.h) before jobs->begin is called. *damage receives damage found inside blocks. *out is set before any callback
 * is called. Return 0, or EVL_NOMEM if there is no thread or no memory. All arguments except jobs must outlive the
 * indexer. */
int indexer_start(struct indexer **out, struct blocks *blocks, const struct header *h, const struct source *src,
	struct tile_table **tiles, struct damage_list *damage, const struct indexer_jobs *jobs);

/* Cancel the walk; wait for its end and return its result (0, EVL_NOMEM or EVL_CANCELLED); or cancel, wait and free.
 * indexer_free accepts NULL. */
void indexer_cancel(struct indexer *ix);
int indexer_wait(struct indexer *ix);
void indexer_free(struct indexer *ix);

/* Progress of a walk. */
struct indexer_state {
	uint64_t bytes, total, events; /* bytes read, bytes in total, events read */
	uint64_t found;                /* bytes, of `total`, whose blocks are known */
	uint64_t ms;                   /* milliseconds since the start of the walk or, when done, from start to end */
	int64_t cpu_ms;                /* when done: processor time of all threads */
	bool ready, done, data_end; /* ready: the tables exist; data_end: a DATA_END was found at the end of a block */
	int result;
};
struct indexer_state indexer_state(const struct indexer *ix);

#endif
