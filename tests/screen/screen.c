/* curses.c - see curses.h */
#include "screen.h"

#include <stdlib.h>
#include <string.h>

VTermScreenCell screen_cell(const struct terminal *t, int y, int x)
{
	VTermScreenCell cell;
	vterm_screen_get_cell(t->screen, (VTermPos){.row = y, .col = x}, &cell);
	return cell;
}

/* The right half of a wide character. */
static bool is_half(const VTermScreenCell *cell) { return cell->chars[0] == UINT32_MAX; }

bool screen_is_blank(const VTermScreenCell *cell) { return !cell->chars[0] || cell->chars[0] == ' ' || is_half(cell); }

static void add_row(const struct terminal *t, struct bytes *out, int y)
{
	size_t start = out->len;
	for (int x = 0; x < t->cols; x++) {
		VTermScreenCell cell = screen_cell(t, y, x);
		if (is_half(&cell))
			continue;
		if (!cell.chars[0])
			bytes_add_text(out, " ");
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
			bytes_add_utf8(out, cell.chars[i]);
	}
	while (out->len > start && out->p[out->len - 1] == ' ')
		out->len--;
}

struct bytes screen_text(const struct terminal *t)
{
	struct bytes out = {0};
	for (int y = 0; y < t->rows; y++) {
		add_row(t, &out, y);
		bytes_add_text(&out, "\n");
	}
	return out;
}

bool screen_shows(const struct terminal *t, const char *text)
{
	struct bytes all = screen_text(t);
	bytes_add(&all, "", 1);
	bool found = strstr(all.p, text);
	free(all.p);
	return found;
}

struct look screen_look(const struct terminal *t, int y, int x)
{
	VTermScreenCell c = screen_cell(t, y, x);
	struct look look = {.fg = c.fg, .bg = c.bg};
	look.attrs = (c.attrs.bold ? BOLD : 0) | (c.attrs.underline ? UNDERLINE : 0) | (c.attrs.italic ? ITALIC : 0)
		| (c.attrs.blink ? BLINK : 0) | (c.attrs.reverse ? REVERSE : 0);
	look.blank = screen_is_blank(&c) && !(look.attrs & (UNDERLINE | REVERSE));
	if (look.blank) {
		look.fg = (VTermColor){.type = VTERM_COLOR_DEFAULT_FG};
		look.attrs = 0;
	}
	return look;
}

bool screen_same_look(const struct look *run, const struct look *cell)
{
	if (!vterm_color_is_equal(&run->bg, &cell->bg))
		return false;
	if (cell->blank)
		return !(run->attrs & (UNDERLINE | REVERSE));
	return vterm_color_is_equal(&run->fg, &cell->fg) && run->attrs == cell->attrs;
}

static void add_colour(struct bytes *out, const VTermColor *c)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(c) || VTERM_COLOR_IS_DEFAULT_BG(c))
		bytes_add_text(out, "-");
	else if (VTERM_COLOR_IS_INDEXED(c))
		bytes_add_format(out, "%d", c->indexed.idx);
	else
		bytes_add_format(out, "#%02x%02x%02x", c->rgb.red, c->rgb.green, c->rgb.blue);
}

static void add_run(struct bytes *out, int x, const struct look *look)
{
	bytes_add_format(out, " %d:", x);
	add_colour(out, &look->fg);
	bytes_add_text(out, "/");
	add_colour(out, &look->bg);
	for (int i = 0; i < 5; i++)
		if (look->attrs & 1 << i)
			bytes_add(out, &"buikr"[i], 1);
}

/* Whether this line says no more than that the row has no colours. */
static bool is_plain(const char *line, size_t len) { return len > 7 && !memcmp(line + len - 7, " 0:-/-\n", 7); }

struct bytes curses_colours(const struct terminal *t)
{
	struct bytes out = {0};
	for (int y = 0; y < t->rows; y++) {
		struct look run = screen_look(t, y, 0);
		size_t start = out.len;
		bytes_add_format(&out, "%d:", y);
		add_run(&out, 0, &run);
		for (int x = 1; x < t->cols; x++) {
			struct look cell = screen_look(t, y, x);
			if (screen_same_look(&run, &cell))
				continue;
			run = cell;
			add_run(&out, x, &run);
		}
		bytes_add_text(&out, "\n");
		if (is_plain(out.p + start, out.len - start))
			out.len = start;
	}
	return out;
}
