/* prof_icicle.h - draw a profile tree as an icicle (a flame graph upside down) */
#ifndef EVTUI_PROF_ICICLE_H
#define EVTUI_PROF_ICICLE_H

#include "lanes/prof_style.h"
#include "panes/prof/prof_rows.h"

/* Positions of the frames in the last picture, for clicks; merged frames are left out. */
enum { ICICLE_SPOTS = 2048 };
struct icicle_spots {
	struct {
		short y, x, end;
		uint32_t item;
	} items[ICICLE_SPOTS];
	size_t n;
};

/* Draw the focused frame and its callees into rows [y, y + rows) and columns [x, x + width). Adjacent frames
 * narrower than a column are merged into one cell, which shows their number if there is room. If the selected frame
 * is too deep for the rows, levels between it and the focus are omitted. */
void icicle_draw(const struct prof_rows *r, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, struct icicle_spots *spots);

/* Return the number of rows that the whole icicle needs. */
int icicle_depth(const struct prof_rows *r);

#endif
