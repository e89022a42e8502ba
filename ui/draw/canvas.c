#include "draw/canvas.h"

#include "base/utf8.h"
#include "draw/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELLIPSIS = 0x2026, LOWER_EIGHTH = 0x2581, LEFT_EIGHTH = 0x258f };

static const struct cell blank = {.ch = ' ', .fg = ST_PAGE, .bg = ST_PAGE, .width = 1};

/* --- the grid --- */

int canvas_resize(struct canvas *c, int rows, int cols)
{
	canvas_free(c);
	if (rows <= 0 || cols <= 0)
		return 0;
	c->cells = oom_note(calloc((size_t)rows * (size_t)cols, sizeof *c->cells));
	if (!c->cells)
		return -1;
	c->rows = rows;
	c->cols = cols;
	canvas_clear(c);
	return 0;
}

void canvas_free(struct canvas *c)
{
	free(c->cells);
	c->cells = NULL;
	c->rows = c->cols = 0;
}

void canvas_clear(struct canvas *c)
{
	size_t n = (size_t)c->rows * (size_t)c->cols;
	for (size_t i = 0; i < n; i++)
		c->cells[i] = blank;
	c->cursor_y = c->cursor_x = 0;
	c->cursor_on = false;
}

struct cell *canvas_at(struct canvas *c, int y, int x)
{
	if (y < 0 || y >= c->rows || x < 0 || x >= c->cols)
		return NULL;
	return &c->cells[(size_t)y * (size_t)c->cols + (size_t)x];
}

static void wipe(struct cell *cell)
{
	cell->ch = ' ';
	cell->mark[0] = cell->mark[1] = 0;
	cell->width = 1;
}

/* The cell to overwrite. The other half of what is wide there becomes blank. */
static struct cell *take_cell(struct canvas *c, int y, int x)
{
	struct cell *cell = canvas_at(c, y, x);
	if (!cell)
		return NULL;
	if (cell->width == 0)
		wipe(cell - 1);
	else if (cell->width == 2)
		wipe(cell + 1);
	return cell;
}

static void put(struct canvas *c, int y, int x, struct pen pen, uint32_t ch)
{
	struct cell *cell = take_cell(c, y, x);
	if (cell)
		*cell = (struct cell){.ch = ch, .fg = pen.fg, .bg = pen.bg, .attr = pen.attr, .width = 1};
}

static void put_text_cell(struct canvas *c, int y, int x, struct pen pen, const struct text_cell *t)
{
	bool pair = t->width == 2 && !t->tail;
	if (pair && !(canvas_at(c, y, x) && canvas_at(c, y, x + 1))) { /* half of it is outside */
		put(c, y, x, pen, ' ');
		put(c, y, x + 1, pen, ' ');
		return;
	}
	put(c, y, x, pen, t->ch);
	struct cell *cell = canvas_at(c, y, x);
	if (cell)
		memcpy(cell->mark, t->mark, sizeof cell->mark);
	if (t->width < 2)
		return;
	put(c, y, x + 1, pen, t->tail ? t->tail : ' ');
	if (cell && pair) {
		cell[0].width = 2;
		cell[1].width = 0;
	}
}

/* --- text --- */

/* Cells of *s while they fit into `width` columns; returns the columns used, *s is then what is left. */
static int put_text(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str *s)
{
	int used = 0;
	struct evl_str rest = *s;
	struct text_cell cell;
	while (text_next(&rest, c->ascii, &cell) && used + cell.width <= width) {
		put_text_cell(c, y, x + used, pen, &cell);
		used += cell.width;
		*s = rest;
	}
	return used;
}

/* Whether the text needs no more than `width` columns; looks at no more of it than that takes. */
static bool fits(const struct canvas *c, int width, struct evl_str s)
{
	struct text_cell cell;
	while (width >= 0 && text_next(&s, c->ascii, &cell))
		width -= cell.width;
	return width >= 0;
}

static int put_ellipsis(struct canvas *c, int y, int x, struct pen pen)
{
	put(c, y, x, pen, c->ascii ? '~' : ELLIPSIS);
	return 1;
}

/* The columns that a text may take without leaving the grid on the right. */
static int room(const struct canvas *c, int x, int width)
{
	return x >= c->cols || width <= 0 ? 0 : min_int(width, x < 0 ? width : c->cols - x);
}

int canvas_text(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text)
{
	text = text_capped(text);
	width = room(c, x, width);
	if (width == 0)
		return 0;
	if (fits(c, width, text))
		return put_text(c, y, x, width, pen, &text);
	int used = put_text(c, y, x, width - 1, pen, &text);
	return used + put_ellipsis(c, y, x + used, pen);
}

/* Drop cells from the front until the rest needs no more than `width` columns. */
static struct evl_str last_columns(const struct canvas *c, int width, struct evl_str s)
{
	struct text_cell cell;
	int total = text_width(s, c->ascii);
	while (total > width && text_next(&s, c->ascii, &cell))
		total -= cell.width;
	return s;
}

int canvas_name_start(struct evl_str text, int width, bool ascii)
{
	text = text_capped(text);
	size_t last = text.len;
	while (last > 0 && text.p[last - 1] != '.' && text.p[last - 1] != ' ')
		last--;
	if (last == 0 || last == text.len || text.p[last - 1] == ' ')
		return width / 2;
	int start = width - 2 - text_width((struct evl_str){text.p + last, text.len - last}, ascii);
	return start >= width / 4 ? start : width / 2;
}

int canvas_name(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text)
{
	text = text_capped(text);
	width = room(c, x, width);
	if (width < 4 || fits(c, width, text)) /* two letters before the sign */
		return canvas_text(c, y, x, width, pen, text);
	int used = put_text(c, y, x, canvas_name_start(text, width, c->ascii), pen, &text);
	used += put_ellipsis(c, y, x + used, pen);
	text = last_columns(c, width - used, text);
	return used + put_text(c, y, x + used, width - used, pen, &text);
}

int canvas_tail(struct canvas *c, int y, int x, int width, struct pen pen, struct evl_str text)
{
	text = text_capped(text);
	width = room(c, x, width);
	if (width < 2 || fits(c, width, text))
		return canvas_text(c, y, x, width, pen, text);
	int used = put_ellipsis(c, y, x, pen);
	text = last_columns(c, width - used, text);
	return used + put_text(c, y, x + used, width - used, pen, &text);
}

int canvas_str(struct canvas *c, int y, int x, int width, struct pen pen, const char *text)
{
	return canvas_text(c, y, x, width, pen, str_of(text));
}

int canvas_printf(struct canvas *c, int y, int x, int width, struct pen pen, const char *format, ...)
{
	char text[4096]; /* wider than any screen */
	va_list args;
	va_start(args, format);
	int len = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return len < 0 ? 0 : canvas_str(c, y, x, width, pen, text);
}

/* --- shapes --- */

void canvas_glyph(struct canvas *c, int y, int x, struct pen pen, uint32_t ch, char ascii)
{
	put(c, y, x, pen, c->ascii ? (uint8_t)ascii : ch);
}

void canvas_fill(struct canvas *c, int y, int x, int h, int w, uint8_t bg)
{
	int top = y < 0 ? 0 : y, left = x < 0 ? 0 : x;
	int64_t bottom = (int64_t)y + h, right = (int64_t)x + w;
	for (int i = top; i < c->rows && i < bottom; i++) {
		for (int j = left; j < c->cols && j < right; j++)
			put(c, i, j, (struct pen){ST_PAGE, bg, 0}, ' ');
	}
}

/* A whole cell is a blank on its colour, in reverse where there are no colours: U+2588 would show seams. */
static void put_part(struct canvas *c, int y, int x, int eighths, struct pen pen, uint32_t glyph)
{
	if (c->ascii)
		put(c, y, x, pen, (uint8_t) " .:-=+*#@"[eighths]);
	else if (eighths == 0)
		put(c, y, x, pen, ' ');
	else if (eighths == 8)
		put(c, y, x, (struct pen){ST_PAGE, pen.fg, c->mono ? ATTR_REVERSE : 0}, ' ');
	else
		put(c, y, x, pen, glyph);
}

static int clamp_eighths(int n) { return n < 0 ? 0 : min_int(n, 8); }

void canvas_lower(struct canvas *c, int y, int x, int eighths, uint8_t fg, uint8_t bg)
{
	int n = clamp_eighths(eighths);
	put_part(c, y, x, n, (struct pen){fg, bg, 0}, (uint32_t)(LOWER_EIGHTH + n - 1));
}

void canvas_left(struct canvas *c, int y, int x, int eighths, uint8_t fg, uint8_t bg)
{
	int n = clamp_eighths(eighths);
	put_part(c, y, x, n, (struct pen){fg, bg, 0}, (uint32_t)(LEFT_EIGHTH + 1 - n));
}

/* One row of a frame: its ends and what lies between. */
static void box_row(struct canvas *c, int y, int x, int w, struct pen pen, const uint32_t glyph[3], const char *ascii)
{
	canvas_glyph(c, y, x, pen, glyph[0], ascii[0]);
	for (int i = 1; i < w - 1; i++)
		canvas_glyph(c, y, x + i, pen, glyph[1], ascii[1]);
	canvas_glyph(c, y, x + w - 1, pen, glyph[2], ascii[2]);
}

void canvas_box(struct canvas *c, int y, int x, int h, int w, struct pen pen, const char *title)
{
	static const uint32_t top[] = {0x250c, 0x2500, 0x2510}, side[] = {0x2502, ' ', 0x2502},
			      bottom[] = {0x2514, 0x2500, 0x2518};
	if (h < 2 || w < 2)
		return;
	box_row(c, y, x, w, pen, top, "+-+");
	for (int i = 1; i < h - 1; i++)
		box_row(c, y + i, x, w, pen, side, "| |");
	box_row(c, y + h - 1, x, w, pen, bottom, "+-+");
	if (w < 8 || !title || !*title)
		return;
	int used = canvas_str(c, y, x + 3, w - 6, pen, title);
	canvas_glyph(c, y, x + 2, pen, ' ', ' ');
	canvas_glyph(c, y, x + 3 + used, pen, ' ', ' ');
}

/* --- the grid as text --- */

static char *dump_cell(char *to, const struct cell *cell)
{
	if (cell->width == 0)
		return to;
	to += utf8_encode(cell->ch, to);
	for (size_t i = 0; i < countof(cell->mark) && cell->mark[i]; i++)
		to += utf8_encode(cell->mark[i], to);
	return to;
}

bool cells_in_number(const struct cell *cells, int x, int end)
{
	enum { UNIT = 5 }; /* blank, "MiB" and what follows */
	char text[UNIT * UTF8_MAX], *to = text;
	if (x == 0 || cells[x - 1].ch < '0' || cells[x - 1].ch > '9')
		return false;
	for (int i = x; i < end && i < x + UNIT; i++)
		to += utf8_encode(cells[i].ch, to);
	return text_is_unit((struct evl_str){(const uint8_t *)text, (size_t)(to - text)});
}

/* The end of the cells from x on that fit into `room` columns: before a blank, if there is one. */
static int wrapped_end(const struct cell *cells, int x, int end, int room)
{
	int cut = x + room;
	if (end - x <= room)
		return end;
	while (cut > x && (cells[cut].ch != ' ' || cells_in_number(cells, cut, end)))
		cut--;
	return cut > x ? cut : x + room - (cells[x + room].width == 0);
}

int canvas_wrap(struct canvas *c, int y, int rows, const struct canvas *from, int row)
{
	enum { INDENT = 3 };
	const struct cell *cells = from->cells + (size_t)row * (size_t)from->cols;
	int end = from->cols, x = 0, used = 0;
	while (end > 0 && cells[end - 1].ch == ' ' && cells[end - 1].bg == ST_PAGE)
		end--;
	while (x < end && used < rows && c->cols > 2 * INDENT) {
		int indent = used ? INDENT : 0, to = wrapped_end(cells, x, end, c->cols - indent);
		for (int i = x; i < to; i++) {
			struct cell *cell = canvas_at(c, y + used, indent + i - x);
			if (cell)
				*cell = cells[i];
		}
		for (x = to; x < end && cells[x].ch == ' ' && cells[x].bg == ST_PAGE; x++)
			;
		used++;
	}
	if (x < end && used)
		canvas_glyph(c, y + used - 1, c->cols - 1, PEN_BOLD(ST_KEY), 0x2026, '~');
	return used;
}

char *canvas_dump(const struct canvas *c)
{
	size_t cell_room = UTF8_MAX * (1 + countof(c->cells->mark)), row_room = (size_t)c->cols * cell_room + 1;
	char *text = malloc((size_t)c->rows * row_room + 1);
	if (!text)
		return NULL;
	char *to = text;
	for (int y = 0; y < c->rows; y++) {
		char *row = to;
		for (int x = 0; x < c->cols; x++)
			to = dump_cell(to, &c->cells[(size_t)y * (size_t)c->cols + (size_t)x]);
		while (to > row && to[-1] == ' ')
			to--;
		*to++ = '\n';
	}
	*to = '\0';
	return text;
}
