/* view_timeline.h - the timeline pane: which parts and lanes there are room for, and where. */
#ifndef EVTUI_VIEW_TIMELINE_H
#define EVTUI_VIEW_TIMELINE_H

#include "parts.h"

struct timeline {
	struct plot plot;
	struct overview overview;
	struct lane *lanes; /* all lanes of the log, in screen order */
	size_t n_lanes;
	size_t top;         /* the first lane that is shown, of those that scroll */
	bool laid_out;      /* the log's lanes are known */
};

/* What the bottom row says besides the hints. */
struct timeline_status {
	const char *message; /* "" for none */
	bool warning;
	const char *pending; /* keys of a chord that has begun */
};

/* Draw everything. Tells the model how wide the plot is and how many lanes there are. */
void timeline_draw(struct timeline *t, struct model *m, const struct timeline_status *status, enum theme theme,
	struct canvas *c);
void timeline_free(struct timeline *t);

/* The selected lane; NULL where the log has none. */
const struct lane *timeline_lane(const struct timeline *t, const struct model *m);

#endif
