/* event_rank.h - event number (#1,084,416) to event and back, in time order over all chains.
 *
 * The order is that of event_merge.h: by time, then by file offset; numbers count from 0 and include block markers.
 * Nothing is sorted in advance. Tiles know how many events of their chain precede them, and between which times all
 * events before and after them lie; so the number of a position takes, for each chain, a binary search and a decode
 * of the few tiles in between: one or two in a log by GHC, more where a log is out of order. The way back is a
 * search over positions.
 *
 * Only after the walk. All functions may wait for the disk: do not call them from the drawing thread. */
#ifndef EVL_EVENT_RANK_H
#define EVL_EVENT_RANK_H

#include "index/cursor.h"

/* A place in the order: an event's time, then its file offset. Every number is a place, events or not. */
typedef unsigned __int128 event_rank_key;

static inline event_rank_key event_rank_key_of(uint64_t t, uint64_t off) { return (event_rank_key)t << 64 | off; }
static inline uint64_t event_rank_key_t(event_rank_key key) { return (uint64_t)(key >> 64); }
#define ORDER_END (~(event_rank_key)0) /* after all events */

struct event_rank {
	const struct blocks *blocks;
	const struct tile_table *tables;
	uint64_t *totals; /* events of each chain */
	uint64_t total;   /* of all */
};

/* Prepare for queries. Blocks and tiles must outlive it. Return 0, or EVL_NOMEM with nothing to free. */
int event_rank_init(struct event_rank *o, const struct blocks *b, const struct tile_table *tables) EVL_MUST_USE;
void event_rank_free(struct event_rank *o);

/* Return the number of events before a place, which is the number of the event there. */
uint64_t event_rank_before(const struct event_rank *o, event_rank_key key);

/* The place of event n < o->total. False when memory is out, or the file became shorter meanwhile. */
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

/* Some events one after another, in order. Zeros are an empty list of any events. */
struct event_rank_list {
	struct event_rank_item *items;
	size_t n, room;
	struct event_rank_item *spare; /* room for sorting */
	size_t spare_room;
	const bool *tags;          /* by tag, UINT16_MAX + 1 of them: only these are listed; NULL: all */
	uint64_t bits;             /* cursor_bit of each of these; 0: unknown */
	uint32_t classes;          /* tile_class of each of these; 0: any tile may hold them */
	uint32_t chain_no;         /* only events of chain chain_no - 1; 0: of all chains */
	bool in_order;             /* in each chain, later events that may be listed have no earlier times */
	const atomic_bool *cancel; /* becomes true when the list is wanted no more: it is then of no use; NULL: never */
};
void event_rank_list_free(struct event_rank_list *list);

enum { ORDER_SLICE = 1 << 15 };

/* A walk through the order, stretch by stretch, from a place on or back from it. */
struct event_rank_walk {
	const struct event_rank *order;
	event_rank_key at, width; /* where it stands; of the next stretch */
	bool forward;
};
void event_rank_walk_begin(struct event_rank_walk *w, const struct event_rank *o, event_rank_key at, bool forward);

/* The events of the next stretch, in order also when walking back: some thousands, maybe none. False at the end. */
bool event_rank_walk_next(struct event_rank_walk *w, struct event_rank_list *list) EVL_MUST_USE;

size_t event_rank_tiles(const struct event_rank *o, uint32_t chain);

/* The tiles [*first, *end) of a chain that may hold events of [from, to). */
void event_rank_tiles_in(
	const struct event_rank *o, uint32_t chain, event_rank_key from, event_rank_key to, size_t *first, size_t *end);

/* Move to tile i < event_rank_tiles of a chain; its events are those before the offset *end, in the order of the
 * file. All tiles together hold each event once. */
void event_rank_tile(const struct event_rank *o, uint32_t chain, size_t i, struct cursor *c, uint64_t *end);

/* Read the event. False where the file became shorter meanwhile. */
bool event_rank_read(const struct event_rank *o, const struct event_rank_item *item, struct frame *f);

#endif
