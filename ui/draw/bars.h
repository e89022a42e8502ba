/* bars.h - one column of a bar chart several rows high, in eighths of a cell, with a highlighted part. */
#ifndef EVTUI_BARS_H
#define EVTUI_BARS_H

#include "draw/canvas.h"

/* Where curves are drawn. */
struct bars {
	struct canvas *c;
	int y, rows;
};

/* Return part / whole as eighths of `cells` cells; at least one if part is not 0. */
int bars_eighths(double part, double whole, int cells);

/* The same of all rows. */
int bars_height(const struct bars *b, uint64_t value, uint64_t max);

/* The front up to `front` eighths, the back above it up to `back`. Without colours the front is bars, the back hatched.
 */
void bars_draw(const struct bars *b, int x, int front, enum style front_style, int back, enum style back_style);

#endif
