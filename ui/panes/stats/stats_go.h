/* stats_go.h - from a figure to where it comes from: the timeline, the cursor on the very place. */
#ifndef EVTUI_STATS_GO_H
#define EVTUI_STATS_GO_H

#include "panes/stats/section.h"
#include "chrome/view.h"

/* False: the place is none on the timeline. */
bool stats_go(struct view_host *h, const struct stats_place *place);

#endif
