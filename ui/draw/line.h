/* line.h - write one row of the canvas from left to right, up to a limit: text, times, sizes, shares */
#ifndef EVTUI_LINE_H
#define EVTUI_LINE_H

#include "base/units.h"
#include "draw/canvas.h"

/* Position on row y: the next piece starts in column x; columns from `end` on are left unchanged. If wrap_y is after y,
 * text that does not fit continues in the next row, in column wrap_x, down to row wrap_y. */
struct line {
	struct canvas *c;
	int y, x, end;
	uint8_t bg;
	int wrap_y, wrap_x;
};

/* line_put, line_printf, line_text: write text in a style. line_skip: leave columns blank. line_pair: write a name
 * and its value. line_duration, line_bytes: write a value in its unit. */
void line_put(struct line *l, enum style style, bool bold, const char *text);
void line_printf(struct line *l, enum style style, bool bold, const char *format, ...) EVL_PRINTF(4, 5);
void line_text(struct line *l, enum style style, bool bold, struct evl_str text);
/* Write a text if there is room for all of it. */
void line_clause(struct line *l, enum style style, const char *format, ...) EVL_PRINTF(3, 4);
void line_skip(struct line *l, int cols);
void line_pair(struct line *l, const char *name, enum style style, const char *value); /* name in dim style */
void line_duration(struct line *l, enum style style, uint64_t ns);
void line_bytes(struct line *l, enum style style, uint64_t bytes);

/* Write "55,000 spans", or "1 span". */
void line_merged(struct line *l, enum style style, uint64_t n, const char *what);

/* Write "  run 71%". */
void line_share(struct line *l, enum style style, const char *name, uint64_t part, uint64_t all);

/* line_left: return the number of columns left in the row. line_room: also count the rows in which it continues. */
static inline int line_left(const struct line *l) { return l->end > l->x ? l->end - l->x : 0; }
static inline int line_room(const struct line *l)
{
	return line_left(l) + (l->wrap_y > l->y ? (l->wrap_y - l->y) * (l->end - l->wrap_x) : 0);
}

#endif
