/* line.h - write a row of the canvas piece by piece, until its room ends: text, times, sizes, shares. */
#ifndef EVTUI_LINE_H
#define EVTUI_LINE_H

#include "base/units.h"
#include "draw/canvas.h"

/* A pen on row y: the next piece goes to column x, nothing to column `end` or after it. */
struct line {
	struct canvas *c;
	int y, x, end;
	uint8_t bg;
};

void line_put(struct line *l, enum style style, bool bold, const char *text);
void line_printf(struct line *l, enum style style, bool bold, const char *format, ...) EVL_PRINTF(4, 5);
void line_text(struct line *l, enum style style, bool bold, struct evl_str text);
void line_skip(struct line *l, int cols);
void line_pair(struct line *l, const char *name, enum style style, const char *value); /* the name is dim */
void line_duration(struct line *l, enum style style, uint64_t ns);
void line_bytes(struct line *l, enum style style, uint64_t bytes);

/* Put "n = 55,000 spans", or "1 span". */
void line_merged(struct line *l, enum style style, uint64_t n, const char *what);

/* Put "  run 71%". */
void line_share(struct line *l, enum style style, const char *name, uint64_t part, uint64_t all);

static inline int line_room(const struct line *l) { return l->end > l->x ? l->end - l->x : 0; }

#endif
