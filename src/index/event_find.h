/* event_find.h - find the next or previous event with a tag, in time order over all chains.
 *
 * A chain is all blocks of one capability. The index stores for each tile (8 KB of a chain) which groups of events
 * occur in it, so only tiles that may contain a match are decoded. */
#ifndef EVL_EVENT_FIND_H
#define EVL_EVENT_FIND_H

#include "index/cursor.h"

struct found {
	uint64_t t, off; /* time in ns, file offset */
	uint32_t chain;
	bool missing; /* bytes that may contain a match are not in memory (cursor.h); also set if nothing is found */
};

/* Store the first event with this tag after t, or the last before t, among the events indexed so far. Return false if
 * there is none. */
bool find_after(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out);
bool find_before(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out);

/* Store the last event with this tag before t in one chain. Return false if there is none. */
bool find_last_in(const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint16_t tag, uint64_t t,
	struct found *out);

/* Store an event with this tag whose time is exactly t. Return false if there is none, or if bytes are `missing`. */
bool find_at(const struct blocks *b, const struct tile_table *tiles, uint16_t tag, uint64_t t, struct found *out);

#endif
