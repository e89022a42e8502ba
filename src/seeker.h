/* seeker.h - a moment in a capability's history that moves forward: events one by one, or a jump from tile to tile.
 *
 * Reads what was indexed when it began, so it may be used while the walk goes on. */
#ifndef EVL_SEEKER_H
#define EVL_SEEKER_H

#include "cursor.h"

struct seeker {
	struct cursor cursor;
	const struct tile_table *table;
	struct cap_pos pos; /* after all events before `next` */
	struct frame next;  /* the first event that is not yet part of pos */
	bool have_next;
	size_t tile, ready; /* the last tile that was entered; how many there are */
};

/* Stand at the begin of the chain. False when nothing of it is indexed. */
bool seeker_begin(struct seeker *s, const struct blocks *b, const struct tile_table *table, uint32_t chain)
	EVL_MUST_USE;

/* Stand at the begin of a tile. */
void seeker_enter(struct seeker *s, size_t tile);

/* Does the next event come before t? */
bool seeker_due(const struct seeker *s, uint64_t t);

/* Make the next event part of pos; true when it changed what the capability does. */
bool seeker_step(struct seeker *s);

/* Go on until all events before t are part of pos: at most two tiles are decoded. */
void seeker_advance(struct seeker *s, uint64_t t);

/* All events before this time are indexed; behind it nothing is known, not yet or, where the log was cut, for ever. */
uint64_t seeker_known(const struct tile_table *table);

#endif
