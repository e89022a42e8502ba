#include "draw/line.h"

#include "base/units.h"
#include "draw/text.h"

#include <stdio.h>

void line_text(struct line *l, enum style style, bool bold, struct evl_str text)
{
	struct pen pen = {(uint8_t)style, l->bg, bold ? ATTR_BOLD : 0};
	l->x += canvas_text(l->c, l->y, l->x, line_room(l), pen, text);
}

void line_put(struct line *l, enum style style, bool bold, const char *text)
{
	line_text(l, style, bold, str_of(text));
}

void line_skip(struct line *l, int cols) { l->x += cols; }

void line_duration(struct line *l, enum style style, uint64_t ns)
{
	char text[TEXT_ROOM];
	line_put(l, style, false, text_duration(text, ns));
}

void line_bytes(struct line *l, enum style style, uint64_t bytes)
{
	char text[TEXT_ROOM];
	line_put(l, style, false, text_bytes(text, bytes));
}

void line_merged(struct line *l, enum style style, uint64_t n, const char *what)
{
	char text[TEXT_ROOM + 32], number[TEXT_ROOM];
	snprintf(text, sizeof text, "%s%s %s%s", n > 1 ? "n = " : "", text_count(number, n), what, n == 1 ? "" : "s");
	line_put(l, style, false, text);
}

void line_share(struct line *l, enum style style, const char *name, uint64_t part, uint64_t all)
{
	char text[TEXT_ROOM];
	line_skip(l, 2);
	line_put(l, style, false, name);
	line_put(l, style, false, text_share(text, (double)part / (double)(all ? all : 1)));
}
