#include "lane.h"

#include "text.h"

const struct lane_ops *const lane_kinds[] = {&lane_markers, &lane_gc, &lane_cap, NULL};

void lane_label(const struct lane_place *at, struct canvas *c, int y, const char *text)
{
	canvas_str(c, y, at->label_x, at->label_w, PEN(ST_TEXT), text);
}

void lane_figure(const struct lane_place *at, struct canvas *c, int y, enum style style, const char *text)
{
	struct evl_str s = {(const uint8_t *)text, strlen(text)};
	int width = text_width(s, c->ascii);
	if (width <= at->gutter_w)
		canvas_text(c, y, at->gutter_x + at->gutter_w - width, width, PEN(style), s);
}

void lane_unknown(struct canvas *c, int y, int x)
{
	canvas_glyph(c, y, x, (struct pen){ST_UNKNOWN, ST_PAGE, 0}, 0x2591, '?');
}
