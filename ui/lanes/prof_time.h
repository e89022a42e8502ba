/* prof_time.h - profile samples over time: curve of one cost centre, and stacks per capability, for the Profile
 * pane. */
#ifndef EVTUI_PROF_TIME_H
#define EVTUI_PROF_TIME_H

#include "jobs/prof_job.h"
#include "lanes/parts.h"
#include "lanes/prof_style.h"

/* A curve under its title and a ruler, in rows [y, y + rows). */
void time_curve(const struct model *m, const struct prof_picture *p, const struct prof_axis *axis,
	const struct prof_names *names, const struct lane_place *at, struct canvas *c, int y, int rows);

/* Which frame is selected: of which capability, how deep (1: the outermost under MAIN). */
struct time_spot {
	uint32_t lane, depth;
	uint32_t first; /* lane at the top of the screen */
};

/* Stacks over time; the frame at the cursor is marked. */
void time_stacks(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks,
	const struct prof_look *look, const struct lane_place *at, struct time_spot *spot, struct canvas *c, int y,
	int rows);

/* The name of the marked frame; PROF_NO_NAME if there are no samples. */
uint32_t time_name(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks,
	const struct prof_names *names, const struct time_spot *spot);

/* Another frame: deeper or less deep, on to the next capability at its end. */
void time_move(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks, struct time_spot *spot,
	int by);

/* Find the next time after or before t at which a series changes between none and some. Return false if the window has none. */
bool time_change(const struct prof_picture *p, uint64_t t, bool forward, uint64_t *out);

/* A row of frames of the innermost centre of a lane, for the timeline; columns without a frame are not drawn. */
void time_row(const struct prof_axis *axis, const struct prof_lane *lane, const struct prof_look *look,
	const struct lane_place *at, struct canvas *c, int y);

#endif
