/* event_runner.h - the thread that ran on a capability when it posted an event: for the list of events and its filter.
 *
 * Decodes the tile of the event and keeps the runs of the last few tiles (16 bytes each). May wait for the disk. */
#ifndef EVTUI_EVENT_RUNNER_H
#define EVTUI_EVENT_RUNNER_H

#include "index/event_rank.h"

enum { RUNNER_TILES = 32 };

/* Zeros are empty. */
struct event_runner {
	struct runner_tile {
		bool used;
		uint32_t chain, before; /* the thread that runs where the tile begins; 0: none */
		size_t tile;
		struct runner_change {
			uint64_t off;
			uint32_t thread; /* from the event at this offset on; 0: none */
		} * items;
		size_t n, room;
	} tiles[RUNNER_TILES];
};
void event_runner_free(struct event_runner *r);

/* Return the thread that ran, or 0: none, or memory is out. An event that starts or stops a run belongs to it. */
uint32_t event_runner_at(
	struct event_runner *r, const struct event_rank *order, uint32_t chain, uint64_t off, uint16_t tag);

#endif
