/* growing_index.h - the index of the settled part of a growing log, from which the index of each longer snapshot goes on
 *
 * Snapshots of a growing log start with the same bytes. The settled part of a chain (the blocks of one capability in file
 * order) ends where a thread starts to run in one of its last blocks, or before a block at which the chain is at rest: later
 * events change nothing before it (walk.h). Its parts are joined here once and for all. For a snapshot, the settled parts are
 * first extended, then all tables are copied, and only the rest is indexed in the copy: it ends at the end of the log, so it is
 * read again for the next snapshot.
 *
 * All capabilities are settled up to about the same time. A log with damage or with a capability that was not there before is
 * indexed from its start (growing_index_state). */
#ifndef EVL_GROWING_INDEX_H
#define EVL_GROWING_INDEX_H

#include "index/indexer.h"

struct growing_index;

enum growing_state {
	GROWING_USED,  /* snapshots go on from it */
	GROWING_STALE, /* start again with an empty one */
	GROWING_ODD,   /* the log is odd: index each snapshot from its start */
};

/* Allocate the index. The arguments are those of indexer_start, for the settled part, of whose jobs only ctx and
 * low_priority are used. *src is set by the caller before each snapshot is indexed. NULL: memory ran out. */
struct growing_index *growing_index_new(struct blocks *blocks, const struct header *h, const struct source *src,
	struct tile_table **tiles, struct damage_list *damage, const struct indexer_jobs *jobs);
void growing_index_free(struct growing_index *g);

enum growing_state growing_index_state(const struct growing_index *g);

/* Return whether there are settled parts, from which the next snapshot may go on. */
bool growing_index_begun(const struct growing_index *g);

/* Return the time before which all events are in the settled parts of the capabilities. */
uint64_t growing_index_settled(const struct growing_index *g);

/* Extend the settled parts by the new bytes, and begin the index of a snapshot with a copy of them: fill its blocks, tiles,
 * tables and *hooks, and set *begun. Otherwise nothing is filled. Return 0 or an error code. 
 *
 * Only indexer.c calls this, and the following. */
int growing_index_go_on(struct indexer *ix, struct walk_hooks *hooks, bool *begun) EVL_MUST_USE;

/* Let the next snapshot start again with an empty index: the first one failed before its walk. */
void growing_index_spoil(struct growing_index *g);

/* For the first snapshot, which is indexed from its start. growing_index_plan: if the log is no odd one, let its walk end where its
 * parts can be settled (ix->until). growing_index_settle: after this walk, copy the tables, and cut the rest for the next walk.
 * Return 0 or an error code, which is about the snapshot. */
int growing_index_plan(struct indexer *ix) EVL_MUST_USE;
int growing_index_settle(struct indexer *ix) EVL_MUST_USE;

#endif
