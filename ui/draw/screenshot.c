#include "draw/screenshot.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "sys/atomic_file.h"

#include <stdio.h>
#include <stdlib.h>

static void put_cell(struct buf *b, const struct cell *cell)
{
	char utf8[UTF8_MAX];
	buf_put(b, utf8, utf8_encode(cell->ch, utf8));
	for (size_t i = 0; i < countof(cell->mark) && cell->mark[i]; i++)
		buf_put(b, utf8, utf8_encode(cell->mark[i], utf8));
}

static const struct cell *cell_at(const struct screenshot *s, int y, int x)
{
	return &s->canvas->cells[(size_t)y * (size_t)s->canvas->cols + (size_t)x];
}

static bool same_look(const struct cell *a, const struct cell *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attr == b->attr;
}

/* --- text --- */

static void put_txt(const struct screenshot *s, struct buf *b)
{
	char *text = canvas_dump(s->canvas);
	if (text)
		buf_cstr(b, text);
	b->failed |= !text;
	free(text);
}

/* --- text with colours --- */

/* The foreground of a cell. */
static int front(const struct screenshot *s, const struct cell *cell, int colours)
{
	bool letters = canvas_is_text(cell) && cell->bg <= ST_OUTSIDE;
	return letters ? style_letters((enum style)cell->fg, s->theme, colours)
		       : style_colour((enum style)cell->fg, s->theme, colours);
}

static void put_colour(struct buf *b, const struct screenshot *s, int colour, int base)
{
	if (colour < 0)
		return;
	buf_char(b, ';');
	if (s->colours >= 256) {
		buf_decimal(b, (unsigned)base + 8);
		buf_lit(b, ";5;");
		buf_decimal(b, (unsigned)colour);
	} else {
		buf_decimal(b, (unsigned)(colour < 8 ? base + colour : base + 60 + colour - 8));
	}
}

static void put_look(struct buf *b, const struct screenshot *s, const struct cell *cell)
{
	buf_lit(b, "\x1b[0");
	if (cell->attr & ATTR_BOLD)
		buf_lit(b, ";1");
	if (cell->attr & ATTR_UNDERLINE)
		buf_lit(b, ";4");
	if (cell->attr & ATTR_REVERSE)
		buf_lit(b, ";7");
	put_colour(b, s, front(s, cell, s->colours), 30);
	put_colour(b, s, style_colour((enum style)cell->bg, s->theme, s->colours), 40);
	buf_char(b, 'm');
}

static void put_ans(const struct screenshot *s, struct buf *b)
{
	for (int y = 0; y < s->canvas->rows; y++) {
		const struct cell *before = NULL;
		for (int x = 0; x < s->canvas->cols; x++) {
			const struct cell *cell = cell_at(s, y, x);
			if (cell->width == 0)
				continue;
			if (!before || !same_look(before, cell))
				put_look(b, s, cell);
			put_cell(b, cell);
			before = cell;
		}
		buf_lit(b, "\x1b[0m\n");
	}
}

/* --- picture --- */

enum { CELL_W = 9, CELL_H = 18, BASELINE = 14 };

/* Appearance of a colour; page and text have the terminal's default colours, so they have to be chosen. */
static uint32_t rgb(const struct screenshot *s, int colour, bool background)
{
	bool light = s->theme == THEME_LIGHT;
	if (colour >= 0)
		return style_rgb(colour);
	return background == light ? 0xffffff : background ? 0x121212 : light ? 0x303030 : 0xd0d0d0;
}

static void put_rect(struct buf *b, double x, double y, double w, double h, uint32_t colour)
{
	char text[128];
	int n = snprintf(text, sizeof text, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"/>\n", x,
		y, w, h, (unsigned)colour);
	buf_put(b, text, (size_t)n);
}

/* Block characters are drawn as shapes, so that no font can put seams between them. */
static bool put_block(struct buf *b, double x, double y, uint32_t ch, uint32_t fg)
{
	double eighth = ch >= 0x2581 && ch <= 0x2588 ? (double)(ch - 0x2580) : 0;
	if (eighth > 0)
		put_rect(b, x, y + CELL_H * (1 - eighth / 8), CELL_W, CELL_H * eighth / 8, fg);
	else if (ch > 0x2588 && ch <= 0x258f)
		put_rect(b, x, y, CELL_W * (double)(0x2590 - ch) / 8, CELL_H, fg);
	else if (ch == 0x2580)
		put_rect(b, x, y, CELL_W, CELL_H / 2.0, fg);
	else
		return ch == ' ';
	return true;
}

static void put_glyph(struct buf *b, double x, double y, const struct cell *cell, uint32_t fg)
{
	char text[160];
	int n = snprintf(text, sizeof text, "<text x=\"%g\" y=\"%g\" fill=\"#%06x\"%s%s>", x, y + BASELINE,
		(unsigned)fg, cell->attr & ATTR_BOLD ? " font-weight=\"bold\"" : "",
		cell->attr & ATTR_UNDERLINE ? " text-decoration=\"underline\"" : "");
	buf_put(b, text, (size_t)n);
	if (cell->ch == '&' || cell->ch == '<')
		buf_cstr(b, cell->ch == '&' ? "&amp;" : "&lt;");
	else
		put_cell(b, cell);
	buf_lit(b, "</text>\n");
}

/* A run of cells with the same style: its background as one rectangle, then its text. */
static int put_run(struct buf *b, const struct screenshot *s, int y, int x)
{
	const struct cell *look = cell_at(s, y, x);
	int end = x + 1;
	while (end < s->canvas->cols && same_look(look, cell_at(s, y, end)))
		end++;
	uint32_t fg = rgb(s, front(s, look, s->colours), false);
	uint32_t bg = rgb(s, style_colour((enum style)look->bg, s->theme, s->colours), true);
	if (look->attr & ATTR_REVERSE) {
		uint32_t kept = fg;
		fg = bg;
		bg = kept;
	}
	put_rect(b, x * CELL_W, y * CELL_H, (end - x) * CELL_W, CELL_H, bg);
	for (; x < end; x++) {
		const struct cell *cell = cell_at(s, y, x);
		if (cell->width && !put_block(b, x * CELL_W, y * CELL_H, cell->ch, fg))
			put_glyph(b, x * CELL_W, y * CELL_H, cell, fg);
	}
	return end;
}

void screenshot_svg(const struct screenshot *s, struct buf *b)
{
	char text[256];
	int n = snprintf(text, sizeof text,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"DejaVu Sans Mono, "
		"monospace\" "
		"font-size=\"15\" xml:space=\"preserve\" shape-rendering=\"crispEdges\">\n",
		s->canvas->cols * CELL_W, s->canvas->rows * CELL_H);
	buf_put(b, text, (size_t)n);
	for (int y = 0; y < s->canvas->rows; y++)
		for (int x = 0; x < s->canvas->cols;)
			x = put_run(b, s, y, x);
	buf_lit(b, "</svg>\n");
}

/* --- the file --- */

static const struct {
	const char *end;
	void (*put)(const struct screenshot *s, struct buf *b);
} kinds[] = {{".txt", put_txt}, {".ans", put_ans}, {".svg", screenshot_svg}};

static int write_file(const char *path, bool force, const struct buf *b, struct evl_err *err)
{
	struct atomic_file file;
	int result = atomic_file_begin(&file, path, force, err);
	if (result < 0)
		return result;
	atomic_file_put(&file, b->p, b->len);
	return atomic_file_end(&file, true, err);
}

int screenshot_write(const struct screenshot *s, const char *path, bool force, struct evl_err *err)
{
	size_t len = strlen(path), kind = 0;
	struct buf b = {0};
	while (kind < countof(kinds) && (len <= 4 || strcmp(path + len - 4, kinds[kind].end) != 0))
		kind++;
	if (kind == countof(kinds))
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "the file name must end in .txt, .ans or .svg");
	kinds[kind].put(s, &b);
	int result =
		b.failed ? evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "out of memory") : write_file(path, force, &b, err);
	buf_free(&b);
	return result;
}
