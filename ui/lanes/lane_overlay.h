/* lane_overlay.h - drawing on top of lanes: selection, cursor line, runs of a highlighted thread, critical path,
 * disabled capabilities. */
#ifndef EVTUI_LANE_OVERLAY_H
#define EVTUI_LANE_OVERLAY_H

#include "lanes/lanes.h"

/* Over a lane that has drawn itself. */
void marks_draw(const struct plot *plot, const struct placed_lane *p, const struct lane_place *at, struct canvas *c);

/* Of that the critical path: a line along the lanes of the capabilities and threads that it follows. */
void path_marks_draw(
	const struct plot *p, const struct placed_lane *placed, const struct lane_place *at, struct canvas *c);

#endif
