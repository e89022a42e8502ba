/* lane_overlay.h - drawing on top of lanes: selection, cursor line, runs of a highlighted thread, disabled
 * capabilities. */
#ifndef EVTUI_LANE_OVERLAY_H
#define EVTUI_LANE_OVERLAY_H

#include "lanes/lanes.h"

/* Over a lane that has drawn itself. */
void marks_draw(const struct lanes *l, const struct model *m, const struct placed_lane *p, const struct lane_place *at,
	struct canvas *c);

#endif
