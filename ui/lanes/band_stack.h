/* band_stack.h - draw one column of stacked heap-profile bands, for the Heap pane and the lane of the timeline
 *
 * A cell shared by two bands is divided between them, to an eighth. If more bands share it, each half shows the one
 * that fills most of that half. */
#ifndef EVTUI_BAND_STACK_H
#define EVTUI_BAND_STACK_H

#include "heap/census_window.h"
#include "lanes/lane.h"

/* The bands from bottom to top. parts: share of the height, 0 to 1. */
struct band_stack {
	double parts[CENSUS_SLOTS];
	uint8_t styles[CENSUS_SLOTS];
	bool hatched[CENSUS_SLOTS];
	int n;
};

/* Draw the bands in column x, rows [y, y + rows). */
void band_stack_draw(const struct band_stack *s, const struct lane_place *at, struct canvas *c, int y, int rows, int x);

#endif
