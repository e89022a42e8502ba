/* event_find.h - find the next or previous event of a kind, in time order over all chains.
 *
 * Tiles say which groups of events occur in them, so only tiles that may hold one are decoded. */
#ifndef EVL_EVENT_FIND_H
#define EVL_EVENT_FIND_H

#include "index/cursor.h"

struct found {
	uint64_t t, off;
	uint32_t chain;
	bool missing; /* bytes that may hold one are not in memory (cursor.h); set also where none is found */
};

/* The first event with this tag after t, and the last before t, in what is indexed. False where there is none. */
bool find_after(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out);
bool find_before(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out);

/* The last before t in one chain. */
bool find_last_in(const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint16_t tag, uint64_t t,
	struct found *out);

/* The event with this tag exactly at t. */
bool find_at(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out);

#endif
