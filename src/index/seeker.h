/* seeker.h - a moment in a capability's history that moves forward: events one by one, or a jump from tile to tile.
 *
 * Reads what was indexed when it began, so it may be used while the walk goes on. */
#ifndef EVL_SEEKER_H
#define EVL_SEEKER_H

#include "index/cursor.h"

struct seeker {
	struct cursor cursor;
	const struct tile_table *table;
	struct cap_pos pos; /* after all events before `next` */
	struct frame next;  /* the first event that is not yet part of pos */
	bool have_next;
	size_t tile, ready; /* the last tile that was entered; how many there are */
	size_t stride;      /* tiles that were passed before */
	uint16_t phase;     /* tag of the last phase of a collection that was met since a tile was entered; 0: none */
};

/* Stand at the begin of the chain. False when nothing of it is indexed. */
bool seeker_begin(struct seeker *s, const struct blocks *b, const struct tile_table *table, uint32_t chain)
	EVL_MUST_USE;

/* Stand at the begin of a tile. */
void seeker_enter(struct seeker *s, size_t tile);

/* Does the tag begin a phase of a collection: of all of it, or of a thread's part in it? */
static inline bool seeker_is_phase(uint16_t tag)
{
	return tag == EVL_GC_START || tag == EVL_GC_WORK || tag == EVL_GC_IDLE || tag == EVL_GC_DONE;
}

/* Does the next event come before t? */
bool seeker_due(const struct seeker *s, uint64_t t);

/* Make the next event part of pos; true when it changed what the capability does. */
bool seeker_step(struct seeker *s);

/* Go on until all events before t are part of pos: at most two tiles are decoded. */
void seeker_advance(struct seeker *s, uint64_t t);

/* The same where the tile is known: the last that begins before t, or the one that was entered last. */
void seeker_advance_in(struct seeker *s, size_t tile, uint64_t t);

/* All events before this time are indexed; behind it nothing is known, not yet or, where the log was cut, for ever. */
uint64_t seeker_known(const struct tile_table *table);

#endif
