#include "lanes/lane.h"

#include "draw/text.h"

#include <stdio.h>

const struct lane_ops *const lane_kinds[] = {
#define LANE(name) &lane_##name,
#include "lanes/lane.def"
#undef LANE
	NULL};

void lane_label(const struct lane_place *at, struct canvas *c, int y, const char *text)
{
	canvas_str(c, y, at->label_x, at->label_w, PEN(ST_TEXT), text);
}

void lane_figure(const struct lane_place *at, struct canvas *c, int y, enum style style, const char *text)
{
	struct evl_str s = {(const uint8_t *)text, strlen(text)};
	int width = text_width(s, c->ascii);
	if (width <= at->gutter_w)
		canvas_text(c, y, at->gutter_x + at->gutter_w - width, width, PEN((uint8_t)style), s);
}

const char *lane_duration(char *out, uint64_t ns, int width)
{
	uint64_t digit = 1;
	text_duration(out, ns);
	if (text_width(str_of(out), false) <= width)
		return out;
	while (ns / digit > 99)
		digit *= 10;
	text_duration(out, (ns + digit / 2) / digit * digit);
	const char *point = strchr(out, '.'), *unit = strchr(out, ' ');
	if (point)
		memmove(out + (point == out + 1 ? 3 : 2), unit, strlen(unit) + 1);
	return out;
}

void lane_counted(const struct lane_place *at, struct canvas *c, int y, uint64_t n, const char *word)
{
	char text[2 * TEXT_ROOM], number[TEXT_ROOM];
	snprintf(text, sizeof text, "%s %s%s", lane_short(number, n), word, n == 1 ? "" : "s");
	lane_figure(at, c, y, ST_DIM, (int)strlen(text) <= at->gutter_w ? text : number);
}

void lane_named(const struct lane_place *at, struct canvas *c, int y, enum style style, const char *word, uint64_t n)
{
	char text[2 * TEXT_ROOM], number[TEXT_ROOM];
	snprintf(text, sizeof text, "%s %s", word, lane_short(number, n));
	lane_figure(at, c, y, style, (int)strlen(text) <= at->gutter_w ? text : number);
}

void lane_no_figure(const struct lane_place *at, struct canvas *c, int y) { lane_figure(at, c, y, ST_DIM, "..."); }

void lane_sign(const struct lane_place *at, struct canvas *c, int y, int x, uint32_t sign, char ascii)
{
	struct cell *cell = canvas_at(c, y, x);
	if (!cell)
		return;
	bool filled = cell->ch >= 0x2584 && cell->ch <= 0x2588; /* the lower half and more: the foreground prevails */
	uint8_t bg = filled ? cell->fg : cell->bg;
	uint8_t fg = bg == ST_PAGE || bg == ST_IDLE ? ST_CURSOR : (uint8_t)style_label((enum style)bg, at->theme);
	canvas_glyph(c, y, x, (struct pen){fg, bg, ATTR_BOLD}, sign, ascii);
}

void lane_solid(struct canvas *c, int y, int x, enum style state)
{
	uint8_t text = style_colour(state, THEME_DARK, TTY_8) == 0 ? ST_TEXT : ST_LABEL_DARK;
	canvas_fill(c, y, x, 1, 1, (uint8_t)state);
	if (c->few && style_is_shared(state))
		canvas_printf(c, y, x, 1, (struct pen){text, (uint8_t)state, 0}, "%c", style_info(state)->letter);
}

struct pen lane_pen_on(enum style style, const struct lane_place *at, const struct canvas *c)
{
	return c->mono ? PEN(ST_TEXT) : (struct pen){(uint8_t)style_label(style, at->theme), (uint8_t)style, 0};
}

void lane_unknown(struct canvas *c, int y, int x)
{
	canvas_glyph(c, y, x, (struct pen){ST_UNKNOWN, ST_PAGE, 0}, 0x2591, '?');
}

void lane_disabled(struct canvas *c, int y, int x)
{
	enum { SIGN = 0x2571 };
	canvas_glyph(c, y, x, PEN(ST_OUTSIDE), SIGN, '/');
}

int lane_known_cols(const struct plot *p, uint64_t t)
{
	int cols = t <= p->t0 ? 0 : t >= p->t1 ? p->cols : model_col(p->model, t);
	for (; cols > 0 && model_edge(p->model, cols) > t; cols--)
		;
	return cols;
}

char *lane_short(char *out, uint64_t n)
{
	text_bytes(out, n);
	char *blank = strchr(out, ' ');
	if (blank) {
		memmove(blank, blank + 1, strlen(blank));
		blank[blank[0] == 'B' ? 0 : 1] = '\0';
	}
	return out;
}
