/* event_merge.h - iterate over all events of a log in time order; events of equal time come in file order
 *
 * Neither the file nor the part of one capability is in time order: GC_END is written after later events, some
 * events are earlier than the start of their block, and a damaged log can have any order. Therefore the log is cut
 * into pieces of MERGE_PIECE bytes, none of which crosses the end of a block. A first pass over all events finds the
 * earliest time of each piece. A binary heap of pieces then tells which piece has the next event. When its time has
 * come, a piece is opened: it is read again, and its next events are kept sorted in a window. Windows hold whole
 * pieces as long as few pieces are open; in a log written by GHC that is rarely more than one per capability. If
 * thousands are open, windows become small and are refilled often.
 *
 * The order is exact for every log, and memory is bounded: 32 bytes per piece (0.1 % of a log with large blocks),
 * and for windows at most 16 MiB in a log written by GHC, 0.9 % of the log in the worst case. */
#ifndef EVL_EVENT_MERGE_H
#define EVL_EVENT_MERGE_H

#include "index/blocks.h"
#include "sys/progress.h"

enum { MERGE_PIECE = 32 << 10 };

/* The wanted events. Others only cost the time to skip them. */
struct event_merge_want {
	uint64_t from, to; /* half-open, ns */
	int cap;           /* only of this capability; -1: of any and of none */
	const bool *tags;  /* indexed by event type, UINT16_MAX + 1 entries: whether it is wanted; NULL: all are */
	const struct progress *watch; /* told now and then, even if no event is wanted; NULL: none */
};
#define MERGE_ALL ((struct event_merge_want){.to = UINT64_MAX, .cap = -1})

struct event_merge {
	const struct blocks *blocks;
	struct event_merge_want want;
	struct event_merge_piece *pieces; /* binary heap; the piece with the next event is on top */
	size_t n, room, open;
	struct block block; /* block of the event returned last */
	bool failed;        /* memory ran out, so the events end early */
	bool nested;        /* the log has a block inside another block */
};

/* Start iterating. blocks must outlive the merge. Return 0, or EVL_NOMEM with nothing to free. */
int event_merge_begin(
	struct event_merge *m, const struct blocks *blocks, const struct event_merge_want *want) EVL_MUST_USE;
void event_merge_end(struct event_merge *m);

/* Get the next event and its block, which is valid until the next call. Return false at the end. */
bool event_merge_next(struct event_merge *m, struct frame *out, const struct block **block);

#endif
