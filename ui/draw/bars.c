#include "draw/bars.h"

#include <math.h>

enum { HATCH = 0x2592 };

int bars_eighths(double part, double whole, int cells)
{
	double n = round(part / whole * cells * 8);
	if (!(part > 0 && whole > 0))
		return 0;
	return n < 1 ? 1 : n > cells * 8 ? cells * 8 : (int)n;
}

int bars_height(const struct bars *b, uint64_t value, uint64_t max)
{
	return bars_eighths((double)value, (double)max, b->rows);
}

static int within(int n, int low) { return n < low ? 0 : n > low + 8 ? 8 : n - low; }

/* A cell with `front` eighths of the front below and the back up to `back`. Two colours fit: where all three parts meet
 * in one cell, the smaller one above the front is left out. */
static void draw_cell(
	struct canvas *c, int y, int x, int front, enum style front_style, int back, enum style back_style)
{
	if (c->mono && front == 0 && back > 0)
		canvas_glyph(c, y, x, PEN(ST_DIM), HATCH, ':');
	else if (c->mono || back <= front)
		canvas_lower(c, y, x, front, (uint8_t)front_style, ST_PAGE);
	else if (front == 0)
		canvas_lower(c, y, x, back, (uint8_t)back_style, ST_PAGE);
	else
		canvas_lower(
			c, y, x, front, (uint8_t)front_style, back - front >= 8 - back ? (uint8_t)back_style : ST_PAGE);
}

void bars_draw(const struct bars *b, int x, int front, enum style front_style, int back, enum style back_style)
{
	for (int row = 0; row < b->rows; row++) {
		int low = 8 * (b->rows - 1 - row), f = within(front, low), k = within(back, low);
		if (f > 0 || k > 0)
			draw_cell(b->c, b->y + row, x, f, front_style, k, back_style);
	}
}
