/* prof_time.h - draw profile samples over time: curve of one cost centre, stacks per capability
 *
 * Times are in ns. */
#ifndef EVTUI_PROF_TIME_H
#define EVTUI_PROF_TIME_H

#include "jobs/prof_job.h"
#include "lanes/parts.h"
#include "lanes/prof_style.h"

/* Draw the curve of the picture's centre, with a title and a ruler, in rows [y, y + rows). */
void time_curve(const struct model *m, const struct prof_picture *p, const struct prof_axis *axis,
	const struct prof_names *names, const struct lane_place *at, struct canvas *c, int y, int rows);

/* The selected frame: lane of its capability, and depth (1: the outermost frame under MAIN). */
struct time_spot {
	uint32_t lane, depth;
	uint32_t first; /* first visible lane */
};

/* Draw the stacks over time, with the frame at the cursor marked. */
void time_stacks(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks,
	const struct prof_look *look, const struct lane_place *at, struct time_spot *spot, struct canvas *c, int y,
	int rows);

/* Return the name of the marked frame, or PROF_NO_NAME if there are no samples. */
uint32_t time_name(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks,
	const struct prof_names *names, const struct time_spot *spot);

/* Move to another frame: by > 0 goes deeper, by < 0 less deep; past the end to the next capability. */
void time_move(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks, struct time_spot *spot,
	int by);

/* Find the next time after t, or the last before t, at which the curve changes between zero and not zero. Return
 * false if the window has none. */
bool time_change(const struct prof_picture *p, uint64_t t, bool forward, uint64_t *out);

/* Draw a row with the innermost frames of a capability, for the timeline. Columns without samples are left
 * unchanged. */
void time_row(const struct prof_axis *axis, const struct prof_lane *lane, const struct prof_look *look,
	const struct lane_place *at, struct canvas *c, int y);

#endif
