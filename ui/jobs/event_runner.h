/* event_runner.h - find the thread that ran on a capability when it logged an event
 *
 * Decodes the tile (8 KB of log) that contains the event, and caches the runs of the last few tiles, 16 bytes each.
 * May wait for the disk. */
#ifndef EVTUI_EVENT_RUNNER_H
#define EVTUI_EVENT_RUNNER_H

#include "index/event_rank.h"

enum { RUNNER_TILES = 32 };

/* Cache of tiles; initialize with zeros. */
struct event_runner {
	struct runner_tile {
		bool used;
		uint32_t chain, before; /* thread that runs at the start of the tile; 0: none */
		size_t tile;
		struct runner_change {
			uint64_t off;
			uint32_t thread; /* thread that runs from the event at this offset on; 0: none */
		} * items;
		size_t n, room;
	} tiles[RUNNER_TILES];
};
void event_runner_free(struct event_runner *r);

/* Return the thread, or 0 if none ran or memory ran out. The events that start and stop a run belong to its thread. */
uint32_t event_runner_at(
	struct event_runner *r, const struct event_rank *order, uint32_t chain, uint64_t off, uint16_t tag);

#endif
