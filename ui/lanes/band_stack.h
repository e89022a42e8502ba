/* band_stack.h - one column of stacked bands of a heap profile, for the Heap pane and the lane of the timeline.
 *
 * A cell that two bands share is cut where they meet, to an eighth; of three and more each half shows the one that fills
 * most of it. */
#ifndef EVTUI_BAND_STACK_H
#define EVTUI_BAND_STACK_H

#include "heap/census_window.h"
#include "lanes/lane.h"

/* Each band, from the bottom on, as a part of the height. */
struct band_stack {
	double parts[CENSUS_SLOTS];
	uint8_t styles[CENSUS_SLOTS];
	bool hatched[CENSUS_SLOTS];
	int n;
};

void band_stack_draw(const struct band_stack *s, const struct lane_place *at, struct canvas *c, int y, int rows, int x);

#endif
