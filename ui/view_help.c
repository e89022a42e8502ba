#include "view_help.h"

#include <stdio.h>

enum { COLUMN_W = 46, KEYS_W = 13, MARGIN_X = 2, MARGIN_Y = 1, MAX_LINES = 256 };

/* A line of the help: the title of a section (keys NULL), a key, or blank (both NULL). */
struct line {
	const char *keys, *text;
};

/* What keys mean in a pane other than the timeline. */
static int make_notes(struct line *out, enum keymap_pane pane)
{
	size_t n;
	const struct keymap_note *notes = keymap_notes(&n);
	int lines = 0;
	for (size_t i = 0; i < n && lines + 3 < MAX_LINES / 2; i++) {
		if (notes[i].pane != pane)
			continue;
		if (lines == 0)
			out[lines++] = (struct line){NULL, keymap_title(pane)};
		out[lines++] = (struct line){notes[i].keys, notes[i].help};
	}
	if (lines)
		out[lines++] = (struct line){0};
	return lines;
}

static int make_lines(struct line *out, enum keymap_pane pane)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	int lines = make_notes(out, pane);
	for (size_t i = 0; i < n && lines + 3 < MAX_LINES; i++) {
		if (i == 0 || rows[i].section != rows[i - 1].section) {
			if (i)
				out[lines++] = (struct line){0};
			out[lines++] = (struct line){NULL, rows[i].section};
		}
		out[lines++] = (struct line){rows[i].keys, rows[i].help};
	}
	return lines;
}

static void draw_line(const struct line *l, struct canvas *c, int y, int x, int width)
{
	if (!l->text)
		return;
	if (!l->keys) {
		canvas_str(c, y, x, width, PEN_BOLD(ST_ACCENT), l->text);
		return;
	}
	canvas_str(c, y, x + 1, KEYS_W - 2, PEN(ST_KEY), l->keys);
	canvas_str(c, y, x + KEYS_W, width - KEYS_W, PEN(ST_TEXT), l->text);
}

void help_draw(struct help *h, enum keymap_pane pane, struct canvas *c)
{
	struct line lines[MAX_LINES];
	int n = make_lines(lines, pane), w = c->cols - 2 * MARGIN_X, rows = c->rows - 2 * MARGIN_Y - 2;
	int columns = (w - 3) / COLUMN_W;
	columns = columns < 1 ? 1 : columns;
	int column_w = (w - 3) / columns, high = (n + columns - 1) / columns;
	high = high > rows ? rows : high;
	if (w < 4 || high < 1)
		return;
	int shown = high * columns, most = n > shown ? n - shown : 0;
	h->top = h->top > most ? most : h->top < 0 ? 0 : h->top;
	canvas_box(c, MARGIN_Y, MARGIN_X, high + 2, w, PEN(ST_DIM), most ? "Keys   j/k scroll   Esc close" : "Keys   Esc close");
	for (int i = 0; i < shown && h->top + i < n; i++)
		draw_line(&lines[h->top + i], c, MARGIN_Y + 1 + i % high, MARGIN_X + 2 + i / high * column_w, column_w - 1);
}

char *help_text(void)
{
	struct line lines[2 * MAX_LINES];
	char *out = NULL;
	size_t size;
	FILE *f = open_memstream(&out, &size);
	if (!f)
		return NULL;
	int n = make_lines(lines, KEYMAP_TIMELINE);
	lines[n++] = (struct line){0};
	for (enum keymap_pane pane = KEYMAP_TIMELINE + 1; pane < KEYMAP_PANES; pane++)
		n += make_notes(lines + n, pane);
	for (int i = 0; i < n; i++) {
		if (lines[i].keys)
			fprintf(f, "  %-14s %s\n", lines[i].keys, lines[i].text);
		else
			fprintf(f, "%s\n", lines[i].text ? lines[i].text : "");
	}
	return fclose(f) == 0 ? out : NULL;
}
