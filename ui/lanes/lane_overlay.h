/* lane_overlay.h - what is drawn over lanes, whatever they are: the selection, the cursor's line, the runs of a
 * highlighted thread, the time in which a capability was not there. */
#ifndef EVTUI_LANE_OVERLAY_H
#define EVTUI_LANE_OVERLAY_H

#include "lanes/lanes.h"

/* Over a lane that has drawn itself. */
void marks_draw(const struct lanes *l, const struct model *m, const struct placed_lane *p, const struct lane_place *at,
	struct canvas *c);

#endif
