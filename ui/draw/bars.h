/* bars.h - draw one bar of a chart, several rows high, in eighths of a cell, with a highlighted lower part */
#ifndef EVTUI_BARS_H
#define EVTUI_BARS_H

#include "draw/canvas.h"

/* Place of the chart: `rows` rows from row y down. */
struct bars {
	struct canvas *c;
	int y, rows;
};

/* Return part / whole as eighths of `cells` cells, rounded; at least 1 if part > 0. */
int bars_eighths(double part, double whole, int cells);

/* Return value / max as eighths of all rows. */
int bars_height(const struct bars *b, uint64_t value, uint64_t max);

/* Draw the bar in column x: the front part from the bottom up to `front` eighths, the back part above it up to
 * `back`. Without colours the back is hatched. */
void bars_draw(const struct bars *b, int x, int front, enum style front_style, int back, enum style back_style);

#endif
