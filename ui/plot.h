/* plot.h - what the columns of the window hold, asked from the library once a window and kept while it stays.
 *
 * Lanes are drawn from here: a cursor step redraws without asking again. */
#ifndef EVTUI_PLOT_H
#define EVTUI_PLOT_H

#include "model.h"

struct plot {
	const struct model *model;
	uint64_t t0, t1, walked; /* of what is kept: the window, and how much of the log was indexed */
	int cols;
	bool done;
	struct gc_sum *gc;       /* a column: the pauses that touch it */
	struct gc_sum gc_all;    /* of the whole window */
	struct cap_column **caps; /* a lane: its columns, NULL until asked for */
	size_t n_caps;
};

/* Make the plot fit the model's window; what does not fit any more is forgotten. False when memory is out. */
bool plot_update(struct plot *p, const struct model *m);
void plot_free(struct plot *p);

/* The columns of capability lane i (an index into evl_log.lanes); NULL when memory is out. Valid until plot_update. */
const struct cap_column *plot_cap(struct plot *p, size_t i);

#endif
