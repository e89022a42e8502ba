#include "draw/line.h"

#include "base/units.h"
#include "draw/text.h"

#include <stdarg.h>
#include <stdio.h>

/* The column where the last word of the row begins; a number and its unit are one. */
static int word_start(const struct line *l)
{
	int x = l->x;
	const struct cell *row = canvas_at(l->c, l->y, 0);
	while (row && x > l->wrap_x && (row[x - 1].ch != ' ' || cells_in_number(row, x - 1, l->x)))
		x--;
	return x;
}

/* The end of the row is moved to the next one, where the text goes on that belongs to it. */
static void carry(struct line *l, int from)
{
	int n = l->x - from;
	for (int i = 0; i < n; i++)
		*canvas_at(l->c, l->y + 1, l->wrap_x + i) = *canvas_at(l->c, l->y, from + i);
	canvas_fill(l->c, l->y, from, 1, n, l->bg);
	l->y++;
	l->x = l->wrap_x + n;
}

/* Draw what fits into this row, up to a blank, and continue in the next one. */
static void wrap(struct line *l, struct pen pen, struct evl_str *text)
{
	struct evl_str rest = *text, fits = text_take_line(&rest, line_left(l), l->c->ascii);
	const struct evl_str after = {fits.p + fits.len, text->len - fits.len};
	bool in_number = fits.len && is_digit(fits.p[fits.len - 1]) && text_is_unit(after);
	bool at_blank = rest.p > after.p && !in_number && text_width(fits, l->c->ascii) <= line_left(l);
	const struct cell *last = canvas_at(l->c, l->y, l->x - 1);
	bool unit = last && last->ch < 0x80 && is_digit((int)last->ch) && text_is_unit(*text);
	int word = at_blank || (*text->p == ' ' && !unit) ? l->x : word_start(l);
	if (word < l->x && word > l->wrap_x) {
		carry(l, word);
		return;
	}
	if (at_blank || l->x <= l->wrap_x) {
		canvas_text(l->c, l->y, l->x, line_left(l), pen, fits);
		*text = rest;
	}
	for (; text->len && *text->p == ' '; text->p++)
		text->len--;
	l->y++;
	l->x = l->wrap_x;
}

void line_text(struct line *l, enum style style, bool bold, struct evl_str text)
{
	struct pen pen = {(uint8_t)style, l->bg, bold ? ATTR_BOLD : 0};
	while (l->y < l->wrap_y && text.len && text_width(text, l->c->ascii) > line_left(l))
		wrap(l, pen, &text);
	l->x += canvas_text(l->c, l->y, l->x, line_left(l), pen, text);
}

void line_put(struct line *l, enum style style, bool bold, const char *text)
{
	line_text(l, style, bold, str_of(text));
}

void line_printf(struct line *l, enum style style, bool bold, const char *format, ...)
{
	char text[4096]; /* wider than any screen */
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	line_put(l, style, bold, text);
}

void line_clause(struct line *l, enum style style, const char *format, ...)
{
	char text[512];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (text_width(str_of(text), l->c->ascii) <= line_room(l))
		line_put(l, style, false, text);
}

void line_pair(struct line *l, const char *name, enum style style, const char *value)
{
	line_put(l, ST_DIM, false, name);
	line_put(l, style, false, value);
}

void line_skip(struct line *l, int cols) { l->x += cols; }

void line_duration(struct line *l, enum style style, uint64_t ns) { line_put(l, style, false, as_duration(ns)); }

void line_bytes(struct line *l, enum style style, uint64_t bytes) { line_put(l, style, false, as_bytes(bytes)); }

void line_merged(struct line *l, enum style style, uint64_t n, const char *what)
{
	line_printf(l, style, false, "%s %s%s", as_count(n), what, n == 1 ? "" : "s");
}

void line_share(struct line *l, enum style style, const char *name, uint64_t part, uint64_t all)
{
	const char *share = as_share((double)part / (double)(all ? all : 1));
	const int width = text_width(str_of(name), l->c->ascii) + text_width(str_of(share), l->c->ascii);
	line_skip(l, 2);
	if (l->y < l->wrap_y && l->x > l->wrap_x && width > line_left(l)) { /* a name is not parted from its share */
		l->y++;
		l->x = l->wrap_x;
	}
	line_put(l, style, false, name);
	line_put(l, style, false, share);
}
