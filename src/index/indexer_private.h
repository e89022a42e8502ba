/* indexer_private.h - state of an indexer, shared by indexer.c and growing_index.c */
#ifndef EVL_INDEXER_PRIVATE_H
#define EVL_INDEXER_PRIVATE_H

#include "index/growing_index.h"
#include "index/indexer.h"

#include <pthread.h>

/* A place in a chain where a part can start. */
struct chain_mark {
	struct block block; /* in which it starts */
	uint64_t chain_at;  /* bytes of the chain before that block */
	bool rests;         /* it starts with the block (walk_rest), not with the first RUN_THREAD in it */
};

/* One part of each chain, by time. */
struct stretch {
	size_t first, n; /* its parts */
};

struct indexer {
	pthread_t thread;
	bool joined;
	struct blocks *blocks;
	const struct header *header;
	const struct source *source;
	struct tile_table **tiles;
	struct damage_list *damage;
	struct indexer_jobs jobs;
	struct walk *walk;
	/* by chain: the parts start at the first of these places and end before the second; NULL: where the chain does */
	const struct chain_mark *from, *until;
	const atomic_bool *stop; /* cancels the walk */
	struct stretch *stretches;
	size_t n_stretches;
	_Atomic size_t taken; /* stretches that a worker has begun */
	_Atomic int workers;  /* that have begun */
	struct part *parts;
	size_t n_parts, parts_room;
	size_t *next;     /* by chain: the next part to join, an index into by_chain */
	size_t *by_chain; /* the parts of each chain in order, chain after chain */
	size_t *chain_end;
	pthread_mutex_t lock; /* of everything that joining changes */
	int64_t woke_ms;
	_Atomic int64_t began_ms, took_ms;
	_Atomic int64_t cpu_ms; /* of threads that have ended */
	_Atomic uint64_t bytes, events, found;
	bool small;         /* the first blocks are */
	atomic_bool hopped; /* blocks of the second half that are found ahead are of no use */
	atomic_bool cancel, ready, done, data_end;
	_Atomic int result;
};

/* Divide the blocks between `from` and `until` into parts; walk the parts and free them, on as many threads as there is work
 * for. Return 0 or EVL_NOMEM; the result of a walk is in ix->result. */
int indexer_cut(struct indexer *ix) EVL_MUST_USE;
void indexer_walk(struct indexer *ix);

/* Find the blocks after those found, and report progress. Return 0 or EVL_NOMEM. */
int indexer_find_blocks(struct indexer *ix) EVL_MUST_USE;

#endif
