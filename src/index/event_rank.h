/* event_rank.h - event number (#1,084,416) to event and back, in time order over all chains.
 *
 * A chain is all blocks of one capability. The order is that of event_merge.h: by time, then by file offset. Numbers
 * count from 0 and include block markers. No events are sorted in advance. A tile (8 KB of a chain, tiles.h) stores how
 * many events of its chain precede it, and times that bound the events before and after it. The number of a position
 * therefore takes, for each chain, a binary search and the decoding of the few tiles in between: one or two in a log
 * written by GHC, more if a log is out of order. The event with a given number is found by a search over positions.
 *
 * Use these functions only after the log has been indexed. They may wait for the disk: do not call them from the
 * drawing thread. */
#ifndef EVL_EVENT_RANK_H
#define EVL_EVENT_RANK_H

#include "index/cursor.h"

/* A position in the order: an event's time (ns) and file offset. Any number is a valid position, whether or not an
 * event is there. */
typedef unsigned __int128 event_rank_key;

/* Return the position of a time and file offset, or the time of a position. */
static inline event_rank_key event_rank_key_of(uint64_t t, uint64_t off) { return (event_rank_key)t << 64 | off; }
static inline uint64_t event_rank_key_t(event_rank_key key) { return (uint64_t)(key >> 64); }
#define ORDER_END (~(event_rank_key)0) /* after all events */

struct event_rank {
	const struct blocks *blocks;
	const struct tile_table *tables;
	uint64_t *totals; /* number of events of each chain */
	uint64_t total;   /* number of events of all chains */
};

/* Prepare for queries. Blocks and tiles must outlive *o. Return 0, or EVL_NOMEM with nothing to free. */
int event_rank_init(struct event_rank *o, const struct blocks *b, const struct tile_table *tables) EVL_MUST_USE;
void event_rank_free(struct event_rank *o);

/* Return the number of events before a position, which is also the number of the event at that position. */
uint64_t event_rank_before(const struct event_rank *o, event_rank_key key);

/* Store the position of event n < o->total. Return false if memory ran out, or if the file became shorter in the
 * meantime. */
bool event_rank_at(const struct event_rank *o, uint64_t n, event_rank_key *out) EVL_MUST_USE;

struct event_rank_item {
	uint64_t t, off;
	uint32_t chain;
	uint16_t tag;
};

static inline event_rank_key event_rank_item_key(const struct event_rank_item *i)
{
	return event_rank_key_of(i->t, i->off);
}

/* A list of events in order, and which events to list. Zeros are an empty list of all events. */
struct event_rank_list {
	struct event_rank_item *items;
	size_t n, room;
	struct event_rank_item *spare; /* buffer for sorting */
	size_t spare_room;
	const bool *tags; /* n_tags elements, by tag: which tags to list, and none from n_tags on; NULL: all */
	size_t n_tags;
	uint64_t bits;             /* the bits (cursor_bit) of these tags; 0: unknown */
	uint32_t classes;          /* union of tile_class of these tags; 0: any tile may contain them */
	uint32_t chain_no;         /* list only events of chain chain_no - 1; 0: of all chains */
	bool in_order;             /* result: within each chain, the listed events are in time order in the file, too */
	const atomic_bool *cancel; /* set to true to cancel; the list is then useless. May be NULL */
};
void event_rank_list_free(struct event_rank_list *list);

enum { ORDER_SLICE = 1 << 15 }; /* largest number of events in a list, unless the walk goes far */

/* Iteration over the order, forwards or backwards from a position, one list of events at a time. */
struct event_rank_walk {
	const struct event_rank *order;
	event_rank_key at, width; /* current position; width of the next section */
	size_t least, most; /* sections with fewer events than this are followed by longer ones; with more, are cut */
	bool forward;
};
void event_rank_walk_begin(struct event_rank_walk *w, const struct event_rank *o, event_rank_key at, bool forward);

/* Make the sections of a walk over many events longer, so that fewer edges are read twice. */
void event_rank_walk_far(struct event_rank_walk *w);

/* List the next events, in ascending order in both directions: some thousands, possibly none. Return false at the end,
 * when cancelled, or if memory ran out. */
bool event_rank_walk_next(struct event_rank_walk *w, struct event_rank_list *list) EVL_MUST_USE;

/* Return the number of tiles of a chain. */
size_t event_rank_tiles(const struct event_rank *o, uint32_t chain);

/* Store the range of tiles [*first, *end) of a chain that may contain events at positions [from, to). */
void event_rank_tiles_in(
	const struct event_rank *o, uint32_t chain, event_rank_key from, event_rank_key to, size_t *first, size_t *end);

/* Move a cursor to tile i < event_rank_tiles of a chain. The events of the tile are those before file offset *end, in
 * file order. All tiles together contain each event once. */
void event_rank_tile(const struct event_rank *o, uint32_t chain, size_t i, struct cursor *c, uint64_t *end);

/* Read the event of an item. Return false if the file became shorter in the meantime. Call event_rank_read, which
 * handles usual events inline and otherwise calls event_rank_read_any. */
bool event_rank_read_any(const struct event_rank *o, const struct event_rank_item *item, struct frame *f);

static inline bool event_rank_read(const struct event_rank *o, const struct event_rank_item *item, struct frame *f)
{
	const struct blocks *b = o->blocks;
	return (likely(item->off < b->len) && frame_read(b->header, b->data, item->off, b->len, f) == FRAME_OK
		       && f->t == item->t && f->tag == item->tag)
		|| event_rank_read_any(o, item, f);
}

#endif
