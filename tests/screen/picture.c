/* picture.c - see picture.h */
#include "picture.h"

#include "screen.h"
#include <stdlib.h>

#define countof(a) (sizeof(a) / sizeof *(a))

/* A cell is 9 x 18; DejaVu Sans Mono advances 0.60205 em. */
enum { CELL_W = 9, CELL_H = 18, BASELINE = 14 };
#define FONT_SIZE "14.949"

static void put_rect(FILE *f, double x, double y, double w, double h, unsigned colour)
{
	fprintf(f, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"#%06x\"/>\n", x, y, w, h, colour);
}

/* Box lines by the arms that they have. */
enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };
static const struct {
	uint16_t ch, arms;
} box_lines[] = {{0x2500, LEFT | RIGHT}, {0x2501, LEFT | RIGHT}, {0x2502, UP | DOWN}, {0x2503, UP | DOWN},
	{0x250c, DOWN | RIGHT}, {0x2510, DOWN | LEFT}, {0x2514, UP | RIGHT}, {0x2518, UP | LEFT},
	{0x251c, UP | DOWN | RIGHT}, {0x2524, UP | DOWN | LEFT}, {0x252c, DOWN | LEFT | RIGHT},
	{0x2534, UP | LEFT | RIGHT}, {0x253c, UP | DOWN | LEFT | RIGHT}, {0x256d, DOWN | RIGHT}, {0x256e, DOWN | LEFT},
	{0x256f, UP | LEFT}, {0x2570, UP | RIGHT}};

static bool put_box_line(FILE *f, double x, double y, uint32_t ch, unsigned colour)
{
	for (size_t i = 0; i < countof(box_lines); i++) {
		if (box_lines[i].ch != ch)
			continue;
		int arms = box_lines[i].arms;
		double up = arms & UP ? 0 : CELL_H / 2.0, down = arms & DOWN ? CELL_H : CELL_H / 2.0;
		double left = arms & LEFT ? 0 : CELL_W / 2.0, right = arms & RIGHT ? CELL_W : CELL_W / 2.0;
		if (arms & (LEFT | RIGHT))
			put_rect(f, x + left, y + CELL_H / 2.0 - 0.5, right - left, 1, colour);
		if (arms & (UP | DOWN))
			put_rect(f, x + CELL_W / 2.0 - 0.5, y + up, 1, down - up, colour);
		return true;
	}
	return false;
}

static unsigned mix(unsigned fg, unsigned bg, unsigned quarters)
{
	unsigned out = 0;
	for (int shift = 0; shift < 24; shift += 8)
		out |= ((fg >> shift & 255) * quarters + (bg >> shift & 255) * (4 - quarters)) / 4 << shift;
	return out;
}

/* Block elements are drawn as shapes, so that no font can put seams between them. */
static bool put_block(FILE *f, double x, double y, uint32_t ch, unsigned fg, unsigned bg)
{
	if (ch >= 0x2581 && ch <= 0x2588) {
		double h = CELL_H * (double)(ch - 0x2580) / 8;
		put_rect(f, x, y + CELL_H - h, CELL_W, h, fg);
	} else if (ch > 0x2588 && ch <= 0x258f) {
		put_rect(f, x, y, CELL_W * (double)(0x2590 - ch) / 8, CELL_H, fg);
	} else if (ch == 0x2580) {
		put_rect(f, x, y, CELL_W, CELL_H / 2.0, fg);
	} else if (ch == 0x2590) {
		put_rect(f, x + CELL_W / 2.0, y, CELL_W / 2.0, CELL_H, fg);
	} else if (ch >= 0x2591 && ch <= 0x2593) {
		put_rect(f, x, y, CELL_W, CELL_H, mix(fg, bg, ch - 0x2590));
	} else {
		return put_box_line(f, x, y, ch, fg);
	}
	return true;
}

/* The colour of a palette index in xterm. */
static unsigned palette(int i)
{
	static const unsigned first[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd,
		0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};
	static const unsigned level[6] = {0, 95, 135, 175, 215, 255};
	if (i < 16)
		return first[i];
	if (i >= 232)
		return (8 + 10 * ((unsigned)i - 232)) * 0x010101;
	i -= 16;
	return level[i / 36] << 16 | level[i / 6 % 6] << 8 | level[i % 6];
}

static unsigned rgb(VTermColor c, bool light)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(&c))
		return light ? 0x303030 : 0xd0d0d0;
	if (VTERM_COLOR_IS_DEFAULT_BG(&c))
		return light ? 0xffffff : 0x121212;
	if (VTERM_COLOR_IS_INDEXED(&c))
		return palette(c.indexed.idx);
	return (unsigned)c.rgb.red << 16 | (unsigned)c.rgb.green << 8 | c.rgb.blue;
}

static void put_text(FILE *f, int x, int y, const struct bytes *text, int columns, unsigned fg, int attrs)
{
	fprintf(f, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"#%06x\"%s%s>", x * CELL_W, y * CELL_H + BASELINE,
		columns * CELL_W, fg, attrs & BOLD ? " font-weight=\"bold\"" : "",
		attrs & UNDERLINE ? " text-decoration=\"underline\"" : "");
	for (size_t i = 0; i < text->len; i++) {
		char c = text->p[i];
		if (c == '&' || c == '<')
			fputs(c == '&' ? "&amp;" : "&lt;", f);
		else
			fputc(c, f);
	}
	fputs("</text>\n", f);
}

/* A run of cells that look alike: its background, its shapes, and its text, in pieces that keep to the grid. */
static void put_run(FILE *f, const struct terminal *t, int y, int from, int to, const struct look *look, bool light)
{
	bool swap = look->attrs & REVERSE;
	unsigned fg = rgb(swap ? look->bg : look->fg, light), bg = rgb(swap ? look->fg : look->bg, light);
	put_rect(f, from * CELL_W, y * CELL_H, (to - from) * CELL_W, CELL_H, bg);
	struct bytes text = {0};
	int start = from;
	for (int x = from; x <= to; x++) {
		VTermScreenCell cell = screen_cell(t, y, x < to ? x : from);
		uint32_t ch = x < to && !screen_is_blank(&cell) ? cell.chars[0] : ' ';
		bool ascii = ch > ' ' && ch < 0x7f;
		if (text.len && !ascii) {
			put_text(f, start, y, &text, x - start, fg, look->attrs);
			text.len = 0;
		}
		if (ch == ' ' || put_block(f, x * CELL_W, y * CELL_H, ch, fg, bg))
			continue;
		start = text.len ? start : x;
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			bytes_add_utf8(&text, cell.chars[i]);
		if (!ascii) {
			put_text(f, x, y, &text, cell.width, fg, look->attrs);
			text.len = 0;
		}
	}
	free(text.p);
}

void picture_write(FILE *f, const struct terminal *t, bool light)
{
	const VTermColor page = {.type = VTERM_COLOR_DEFAULT_BG};
	int w = t->cols * CELL_W, h = t->rows * CELL_H;
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"\n", w, h,
		w, h);
	fputs(" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"" FONT_SIZE
	      "\" shape-rendering=\"crispEdges\">\n",
		f);
	put_rect(f, 0, 0, w, h, rgb(page, light));
	for (int y = 0; y < t->rows; y++)
		for (int x = 0, end; x < t->cols; x = end) {
			struct look run = screen_look(t, y, x);
			for (end = x + 1; end < t->cols; end++) {
				struct look cell = screen_look(t, y, end);
				if (!screen_same_look(&run, &cell))
					break;
			}
			put_run(f, t, y, x, end, &run, light);
		}
	fputs("</svg>\n", f);
}
