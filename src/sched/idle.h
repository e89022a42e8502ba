/* idle.h - find the next or previous period in which all capabilities are idle.
 *
 * Searched over all capabilities at once: each in turn says where its next long idle period is, until all agree.
 * Tiles in which no period of the wanted length can end are not decoded; after IDLE_BUDGET decoded tiles the search
 * pauses. */
#ifndef EVL_IDLE_H
#define EVL_IDLE_H

#include "index/cursor.h"

enum { IDLE_BUDGET = 4096 }; /* tiles: 32 MB of events */

enum idle_result {
	IDLE_FOUND,
	IDLE_NONE,   /* none in what is indexed */
	IDLE_RESTED, /* none up to out->from (forward) or from out->to on (back): ask again from there */
};

struct idle_gap {
	uint64_t from, to;
};

/* Find the first gap of at least `least` ns (not 0) that starts after t. lanes: the chains of the capabilities. */
enum idle_result idle_after(const struct blocks *b, const struct tile_table *tiles, const uint32_t *lanes,
	size_t n_lanes, uint64_t t, uint64_t least, struct idle_gap *out);

/* Find the last gap of that length before t; it may continue after t. */
enum idle_result idle_before(const struct blocks *b, const struct tile_table *tiles, const uint32_t *lanes,
	size_t n_lanes, uint64_t t, uint64_t least, struct idle_gap *out);

#endif
