/* prof_icicle.h - draw a profile tree as an icicle (flame graph upside down): width is share, callees below. */
#ifndef EVTUI_PROF_ICICLE_H
#define EVTUI_PROF_ICICLE_H

#include "lanes/prof_style.h"
#include "panes/prof/prof_rows.h"

/* Positions of frames in the last picture, for the mouse: those with a width. */
enum { ICICLE_SPOTS = 2048 };
struct icicle_spots {
	struct {
		short y, x, end;
		uint32_t item;
	} items[ICICLE_SPOTS];
	size_t n;
};

/* Draw what stands below (and with) the focus into rows [y, y + rows) and columns [x, x + width). Frames narrower than a
 * column are merged into one cell, which says how many they are where there is room. Where the selected frame is deeper
 * than the rows, levels between it and the focus are left out. */
void icicle_draw(const struct prof_rows *r, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, struct icicle_spots *spots);

/* Rows that the whole of it takes. */
int icicle_depth(const struct prof_rows *r);

#endif
