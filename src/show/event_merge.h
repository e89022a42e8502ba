/* event_merge.h - iterate over all events of a log in time order; events of equal time in file order.
 *
 * Neither the file nor a capability's part of it is in order: GC_END is written after later events, clocks and
 * GC_STARTs may be earlier than their block, a damaged log can have any order. So the log is cut into pieces of
 * MERGE_PIECE bytes, none across the ends of blocks, and a first pass over all events finds the earliest time of
 * each. A binary heap of the pieces then tells which has the next event. When a piece's time has come it is opened:
 * read again, with a window on its next events, in order. Windows hold whole pieces while few pieces are open; in a
 * log by GHC that is rarely more than one per capability. If thousands are open (a log in no order), windows become
 * small and are filled many times.
 *
 * So the order is exact for every log, and memory is bounded: 32 bytes per piece (0.1 % of a log of large blocks),
 * at most 16 MiB of windows for a log by GHC, 0.9 % of a log in the worst order. */
#ifndef EVL_EVENT_MERGE_H
#define EVL_EVENT_MERGE_H

#include "index/blocks.h"

enum { MERGE_PIECE = 32 << 10 };

/* Which events are wanted; the others cost no more than being walked over. */
struct event_merge_want {
	uint64_t from, to; /* times in [from, to) */
	int cap;           /* only of this capability; -1: of all, and of none */
	const bool *tags;  /* by tag, UINT16_MAX + 1 of them; NULL: all */
};
#define MERGE_ALL ((struct event_merge_want){.to = UINT64_MAX, .cap = -1})

struct event_merge {
	const struct blocks *blocks;
	struct event_merge_want want;
	struct event_merge_piece *pieces; /* a binary heap, the piece with the next event on top */
	size_t n, room, open;
	struct block block; /* of the last event that was handed out */
	bool failed;        /* memory ran out: the events end early */
	bool nested;        /* a block begins inside of another */
};

/* Start a walk over all events. blocks must outlive the merge. Return 0, or EVL_NOMEM with nothing to free. */
int event_merge_begin(
	struct event_merge *m, const struct blocks *blocks, const struct event_merge_want *want) EVL_MUST_USE;
void event_merge_end(struct event_merge *m);

/* The next event and its block, which is valid until the next call; false at the end. */
bool event_merge_next(struct event_merge *m, struct frame *out, const struct block **block);

#endif
