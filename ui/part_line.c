#include "parts.h"

void line_text(struct line *l, enum style style, bool bold, struct evl_str text)
{
	struct pen pen = {(uint8_t)style, l->bg, bold ? ATTR_BOLD : 0};
	l->x += canvas_text(l->c, l->y, l->x, line_room(l), pen, text);
}

void line_put(struct line *l, enum style style, bool bold, const char *text)
{
	line_text(l, style, bold, (struct evl_str){(const uint8_t *)text, strlen(text)});
}

void line_skip(struct line *l, int cols)
{
	l->x += cols;
}
