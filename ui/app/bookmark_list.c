#include "app/bookmark_list.h"

#include "base/order.h"
#include "draw/text.h"
#include "term/keymap.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 66, MARGIN_Y = 2, NAME_W = 16 };

struct marks_rows {
	struct marks_choice items[BOOKMARKS + RANGES];
	size_t n;
};

/* A row of the list with its time. */
struct timed {
	uint64_t t;
	size_t at;
	struct marks_choice row;
};

COMPARE_BY(by_time, struct timed, RISING(t) ?: RISING(at));

static uint64_t time_of(const struct bookmarks *b, const struct marks_choice *row)
{
	return row->range ? row->range->from : b->t[row->letter - 'a'];
}

static void sort_by_time(const struct bookmarks *b, struct marks_rows *rows)
{
	struct timed all[countof(rows->items)] = {0};
	for (size_t i = 0; i < rows->n; i++)
		all[i] = (struct timed){time_of(b, &rows->items[i]), i, rows->items[i]};
	qsort(all, rows->n, sizeof *all, by_time);
	for (size_t i = 0; i < rows->n; i++)
		rows->items[i] = all[i].row;
}

static void list_rows(const struct bookmark_list *v, const struct bookmarks *b, struct marks_rows *out)
{
	char letters[BOOKMARKS + 1];
	memset(out, 0, sizeof *out);
	for (int i = 0, n = bookmarks_letters(b, letters); i < n; i++)
		out->items[out->n++].letter = letters[i];
	for (int i = 0; i < b->n_ranges; i++)
		out->items[out->n++].range = &b->ranges[i];
	if (v->by_time)
		sort_by_time(b, out);
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
	uint64_t t = time_of(&m->marks, row);
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
	struct marks_rows list;
	list_rows(v, &m->marks, &list);
	int n = (int)list.n, w = c->cols < WIDTH ? c->cols : WIDTH, x = (c->cols - w) / 2;
	int rows = c->rows - 2 * MARGIN_Y - 2, high = n < rows ? n : rows;
	if (high < 1 || w < 10)
		return;
	v->at = v->at >= n ? n - 1 : v->at < 0 ? 0 : v->at;
	int first = v->at >= high ? v->at - high + 1 : 0;
	v->shown = high;
	canvas_box(c, MARGIN_Y, x, high + 2, w, PEN(ST_DIM),
		v->by_time ? "Marks, ranges by time   Enter go  Del remove  O by name"
			   : "Marks and ranges   Enter go  Del remove  O sort  Esc close");
	for (int i = 0; i < high; i++)
		draw_row(m, &list.items[first + i], first + i == v->at, c, MARGIN_Y + 1 + i, x + 1, w - 2);
}

/* Keys that move in all lists; a lone small letter goes to its mark. */
static bool move(struct bookmark_list *v, int n, const char *key)
{
	struct keymap_state keys = {0};
	enum action action = key[0] == '<' ? keymap_feed(&keys, key, NULL) : ACT_NONE;
	action = action == ACT_HOME ? ACT_START : action == ACT_WINDOW_END ? ACT_END : action;
	int by = action < ACT_COUNT ? (int)keymap_scroll(action, v->shown, n) : 0;
	v->at = v->at + by >= n ? n - 1 : v->at + by;
	v->at = v->at < 0 ? 0 : v->at;
	return by;
}

static struct marks_choice chosen(struct marks_choice row, enum bookmark_command what)
{
	row.what = row.letter || row.range ? what : MARKS_NOTHING;
	return row;
}

struct marks_choice marks_view_key(struct bookmark_list *v, const struct bookmarks *b, const char *key)
{
	uint64_t t;
	struct marks_rows list;
	list_rows(v, b, &list);
	struct marks_choice none = {0}, selected = v->at < (int)list.n ? list.items[v->at] : none;
	if (move(v, (int)list.n, key))
		return none;
	if (strcmp(key, "O") == 0) {
		v->by_time = !v->by_time;
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
