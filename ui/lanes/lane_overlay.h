/* lane_overlay.h - drawing on top of lanes: pauses, selection, cursor line, runs of a highlighted thread, critical
 * path, disabled capabilities. */
#ifndef EVTUI_LANE_OVERLAY_H
#define EVTUI_LANE_OVERLAY_H

#include "lanes/lanes.h"

/* Where to draw pauses over all lanes: the edges and every fourth column of those stretches that lie in pauses for at least half
 * of their time, into out (one per column). Return false if there are none, or none that are wide enough. */
bool shade_columns(const struct plot *p, enum gc_shade mode, uint8_t *out);

/* Over a lane that has drawn itself. */
void marks_draw(const struct plot *plot, const struct placed_lane *p, const struct lane_place *at, struct canvas *c);

/* Of that the critical path: a line along the lanes of the capabilities and threads that it follows. */
void path_marks_draw(
	const struct plot *p, const struct placed_lane *placed, const struct lane_place *at, struct canvas *c);

#endif
