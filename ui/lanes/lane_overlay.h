/* lane_overlay.h - draw on top of lanes: pauses, selection, cursor, highlighted thread, critical path */
#ifndef EVTUI_LANE_OVERLAY_H
#define EVTUI_LANE_OVERLAY_H

#include "lanes/lanes.h"

/* Choose the columns in which pauses are marked over all lanes. A column belongs to a pause if GC pauses take at
 * least half of its time. In a row of such columns, the first, the last and every fourth are marked. Store SHADED_…
 * or 0 for each column in out. Return false if there are none; with SHADE_AUTO also if none is wide enough. */
bool shade_columns(const struct plot *p, enum gc_shade mode, uint8_t *out);

/* Draw marks over a lane that is already drawn. */
void marks_draw(const struct plot *plot, const struct placed_lane *p, const struct lane_place *at, struct canvas *c);

/* Is the cell part of a text (a letter, or the blank between two), which a line over the lane leaves legible? Without colours
 * and with few of them letters are states: false. */
bool overlay_is_text(struct canvas *c, int y, int x);

/* Draw the part of the critical path in a lane: a line along the lanes of the capabilities and threads that it
 * follows. */
void path_marks_draw(
	const struct plot *p, const struct placed_lane *placed, const struct lane_place *at, struct canvas *c);

#endif
