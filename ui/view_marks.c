#include "view_marks.h"

#include "text.h"

#include <stdio.h>

enum { WIDTH = 50, MARGIN_Y = 2 };

static void draw_mark(const struct model *m, char letter, bool selected, struct canvas *c, int y, int x, int width)
{
	char time[TEXT_ROOM], apart[TEXT_ROOM], text[128];
	uint64_t t = m->marks.t[letter - 'a'], cursor = m->at.cursor;
	struct pen key = {ST_KEY, selected ? ST_ROW : ST_PAGE, ATTR_BOLD}, pen = {ST_TEXT, key.bg, 0};
	text_duration(apart, t > cursor ? t - cursor : cursor - t);
	snprintf(text, sizeof text, "%16s s   %s%s", text_time(time, t),
		t > cursor   ? "+"
		: t < cursor ? "-"
			     : "",
		apart);
	canvas_fill(c, y, x, 1, width, key.bg);
	canvas_printf(c, y, x + 1, 3, key, "%c%c", selected && c->mono ? '>' : ' ', letter);
	canvas_str(c, y, x + 4, width - 4, pen, text);
}

void marks_view_draw(struct marks_view *v, const struct model *m, struct canvas *c)
{
	char letters[BOOKMARKS + 1];
	int n = bookmarks_letters(&m->marks, letters), w = c->cols < WIDTH ? c->cols : WIDTH, x = (c->cols - w) / 2;
	int rows = c->rows - 2 * MARGIN_Y - 2, high = n < rows ? n : rows;
	if (high < 1 || w < 10)
		return;
	v->at = v->at >= n ? n - 1 : v->at < 0 ? 0 : v->at;
	int first = v->at >= high ? v->at - high + 1 : 0;
	canvas_box(c, MARGIN_Y, x, high + 2, w, PEN(ST_DIM), "Marks   Enter go   Del remove   Esc close");
	for (int i = 0; i < high; i++)
		draw_mark(m, letters[first + i], first + i == v->at, c, MARGIN_Y + 1 + i, x + 1, w - 2);
}

char marks_view_key(struct marks_view *v, const struct bookmarks *b, const char *key, char *removed)
{
	char letters[BOOKMARKS + 1];
	int n = bookmarks_letters(b, letters);
	char selected = v->at >= 0 && v->at < n ? letters[v->at] : '\0';
	*removed = '\0';
	if (strcmp(key, "<Down>") == 0)
		v->at++;
	else if (strcmp(key, "<Up>") == 0)
		v->at--;
	else if (strcmp(key, "<Del>") == 0 || strcmp(key, "<BS>") == 0)
		*removed = selected;
	else
		v->open = false;
	if (v->open)
		return '\0';
	if (strcmp(key, "<Enter>") == 0)
		return selected;
	return key[0] >= 'a' && key[0] <= 'z' && key[1] == '\0' && strchr(letters, key[0]) ? key[0] : '\0';
}
