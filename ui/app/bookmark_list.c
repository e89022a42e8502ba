#include "app/bookmark_list.h"

#include "draw/text.h"

#include <stdio.h>

enum { WIDTH = 66, MARGIN_Y = 2, NAME_W = 16 };

/* A row of the list; zeros past its end. */
static struct marks_choice row_at(const struct bookmarks *b, int i)
{
	char letters[BOOKMARKS + 1];
	int n = bookmarks_letters(b, letters);
	struct marks_choice row = {0};
	if (i >= 0 && i < n)
		row.letter = letters[i];
	else if (i >= n && i - n < b->n_ranges)
		row.range = &b->ranges[i - n];
	return row;
}

static int count_rows(const struct bookmarks *b)
{
	char letters[BOOKMARKS + 1];
	return bookmarks_letters(b, letters) + b->n_ranges;
}

/* "+12.3 ms" from the cursor. */
static const char *apart(char *out, uint64_t t, uint64_t cursor)
{
	*out = t > cursor ? '+' : '-';
	text_duration(out + (t != cursor), t > cursor ? t - cursor : cursor - t);
	return out;
}

static void draw_row(
	const struct model *m, const struct marks_choice *row, bool selected, struct canvas *c, int y, int x, int width)
{
	char far[TEXT_ROOM + 1], text[128];
	uint64_t t = row->range ? row->range->from : m->marks.t[row->letter - 'a'];
	struct pen key = {ST_KEY, selected ? ST_ROW : ST_PAGE, ATTR_BOLD}, pen = {ST_TEXT, key.bg, 0};
	int name_w = row->range ? NAME_W : 1, time_x = 2 + NAME_W;
	canvas_fill(c, y, x, 1, width, key.bg);
	canvas_str(c, y, x, 1, key, selected && c->mono ? ">" : " ");
	canvas_str(c, y, x + 1, name_w, key, row->range ? row->range->name : (char[]){row->letter, 0});
	snprintf(text, sizeof text, "%16s s %12s%s%s", as_time(t), apart(far, t, m->at.cursor),
		row->range ? "   lasts " : "", row->range ? as_duration(row->range->to - row->range->from) : "");
	canvas_str(c, y, x + time_x, width - time_x, pen, text);
}

void marks_view_draw(struct bookmark_list *v, const struct model *m, struct canvas *c)
{
	int n = count_rows(&m->marks), w = c->cols < WIDTH ? c->cols : WIDTH, x = (c->cols - w) / 2;
	int rows = c->rows - 2 * MARGIN_Y - 2, high = n < rows ? n : rows;
	if (high < 1 || w < 10)
		return;
	v->at = v->at >= n ? n - 1 : v->at < 0 ? 0 : v->at;
	int first = v->at >= high ? v->at - high + 1 : 0;
	canvas_box(c, MARGIN_Y, x, high + 2, w, PEN(ST_DIM), "Marks and ranges   Enter go   Del remove   Esc close");
	for (int i = 0; i < high; i++) {
		struct marks_choice row = row_at(&m->marks, first + i);
		draw_row(m, &row, first + i == v->at, c, MARGIN_Y + 1 + i, x + 1, w - 2);
	}
}

static struct marks_choice chosen(struct marks_choice row, enum bookmark_command what)
{
	row.what = row.letter || row.range ? what : MARKS_NOTHING;
	return row;
}

struct marks_choice marks_view_key(struct bookmark_list *v, const struct bookmarks *b, const char *key)
{
	uint64_t t;
	struct marks_choice none = {0}, selected = row_at(b, v->at);
	if (strcmp(key, "<Down>") == 0 || strcmp(key, "<Up>") == 0) {
		v->at += key[1] == 'D' ? 1 : -1;
		return none;
	}
	if (strcmp(key, "<Del>") == 0 || strcmp(key, "<BS>") == 0)
		return chosen(selected, MARKS_REMOVE);
	v->open = false;
	if (strcmp(key, "<Enter>") == 0)
		return chosen(selected, MARKS_GO);
	if (key[0] && !key[1] && bookmarks_get(b, key[0], &t))
		return (struct marks_choice){.what = MARKS_GO, .letter = key[0]};
	return none;
}
