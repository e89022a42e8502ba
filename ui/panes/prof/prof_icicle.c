#include "panes/prof/prof_icicle.h"

#include <stdio.h>

struct drawing {
	const struct prof_rows *r;
	const struct prof_look *look;
	struct canvas *c;
	int y, rows, x, width;
	int level;     /* levels that are left out below the focus */
	uint64_t base; /* samples of the focus: the whole width */
	struct icicle_spots *spots;
};

/* Return the column at which this number of samples, from the left, ends. */
static int column(const struct drawing *d, uint64_t samples)
{
	return d->x + (int)((unsigned __int128)samples * (unsigned)d->width / (d->base ? d->base : 1));
}

static void note(const struct drawing *d, uint32_t item, int y, int x, int end)
{
	struct icicle_spots *s = d->spots;
	if (s->n < ICICLE_SPOTS) {
		s->items[s->n].y = (short)y;
		s->items[s->n].x = (short)x;
		s->items[s->n].end = (short)end;
		s->items[s->n++].item = item;
	}
}

/* Where a depth below the focus is on the screen; -1: it is not. The focus stays at the top. */
static int row_of(const struct drawing *d, int depth)
{
	int row = depth == 0 ? 0 : depth - d->level;
	return (depth && row < 1) || row >= d->rows ? -1 : d->y + row;
}

/* Frames too narrow to be drawn: how many, and is the selected one, or one that calls it, among them? */
struct slivers {
	uint32_t n;
	bool selected;
};

static bool leads_to(const struct prof_rows *r, uint32_t item)
{
	uint32_t depth = prof_rows_item(r, item)->depth, at = r->selected;
	while (at && prof_rows_item(r, at)->depth > depth)
		at = prof_rows_item(r, at)->parent;
	return at == item;
}

/* "…12": the number of frames in columns [x, end), or in the one at x if that is before the limit. */
static void draw_slivers(const struct drawing *d, int depth, int x, int end, int limit, const struct slivers *s)
{
	char text[16];
	int y = row_of(d, depth);
	struct pen pen =
		s->selected ? (struct pen){ST_LABEL_DARK, ST_HIGHLIGHT, ATTR_BOLD} : (struct pen){ST_DIM, ST_BAR, 0};
	end = end > x ? end : x + 1;
	if (s->n == 0 || end > limit || y < 0)
		return;
	snprintf(text, sizeof text, "%u", s->n);
	canvas_fill(d->c, y, x, 1, end - x, pen.bg);
	canvas_glyph(d->c, y, x, pen, 0x2026, '~');
	if ((int)strlen(text) < end - x)
		canvas_str(d->c, y, x + 1, end - x - 1, pen, text);
}

static void draw_children(const struct drawing *d, uint32_t parent, uint64_t from, int depth);

/* Red: a larger share than in the base; blue: a smaller one; grey: within chance. */
static enum style paint_of(const struct drawing *d, const struct prof_item *item)
{
	bool noise;
	if (!d->look->compares)
		return ST_PAGE;
	double change = prof_tree_change(d->r->tree, item, &noise);
	return noise ? ST_BLOCKED : change > 0 ? ST_MAJOR : ST_NM_MARK;
}

/* Draw the frame of an item in columns [x, end), and its callees. beside: another frame ends at x. */
static void draw_item(const struct drawing *d, uint32_t item, uint64_t from, int depth, int x, int end, bool beside)
{
	const struct prof_item *i = prof_rows_item(d->r, item);
	int y = row_of(d, depth);
	if (y >= 0) {
		prof_frame(d->look, d->c, y, x, end - x, i->name, i->incl, i->times, paint_of(d, i),
			item == d->r->selected, beside);
		note(d, item, y, x, end);
	}
	if (depth + 1 < d->rows + d->level)
		draw_children(d, item, from, depth + 1);
}

static void draw_children(const struct drawing *d, uint32_t parent, uint64_t from, int depth)
{
	const struct prof_item *p = prof_rows_item(d->r, parent);
	int begin = column(d, from), limit = column(d, from + p->incl), end = begin;
	struct slivers slivers = {0};
	for (uint32_t i = p->child; i; i = prof_rows_item(d->r, i)->next) {
		uint64_t incl = prof_rows_item(d->r, i)->incl;
		int x = column(d, from), right = column(d, from + incl);
		if (right <= x) {
			slivers.n++;
			slivers.selected |= leads_to(d->r, i);
		} else {
			draw_slivers(d, depth, end, x, x, &slivers);
			draw_item(d, i, from, depth, x, right, x == end && x > begin);
			slivers = (struct slivers){0};
			end = right;
		}
		from += incl;
	}
	draw_slivers(d, depth, end, column(d, from), limit, &slivers);
}

/* How many levels below the focus are left out so that the selected frame, and one that it calls, are among the rows. */
static int level_for(const struct prof_rows *r, int rows)
{
	const struct prof_item *item = prof_rows_item(r, r->selected);
	int depth = (int)(item->depth - prof_rows_item(r, r->focus)->depth), want = depth + (item->child ? 1 : 0);
	int level = want - rows + 1;
	level = level > depth - 1 ? depth - 1 : level;
	return level > 0 && rows > 1 ? level : 0;
}

/* " ^ 37 levels " at the right end of a row. */
static void put_hidden(const struct drawing *d, int y, uint32_t sign, char ascii, int levels)
{
	char text[32];
	if (levels <= 0 || d->rows < 3)
		return;
	int len = snprintf(text, sizeof text, " %d level%s ", levels, levels == 1 ? "" : "s"),
	    x = d->x + d->width - len - 2;
	if (len + 2 > d->width / 2)
		return;
	canvas_fill(d->c, y, x, 1, len + 2, ST_PAGE);
	canvas_glyph(d->c, y, x + 1, PEN_BOLD(ST_KEY), sign, ascii);
	canvas_str(d->c, y, x + 2, len, PEN(ST_DIM), text);
}

void icicle_draw(const struct prof_rows *r, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, struct icicle_spots *spots)
{
	spots->n = 0;
	if (!r->tree || r->tree->n == 0 || rows < 1 || width < 1)
		return;
	struct drawing d = {.r = r,
		.look = look,
		.c = c,
		.y = y,
		.rows = rows,
		.x = x,
		.width = width,
		.level = level_for(r, rows),
		.base = prof_rows_item(r, r->focus)->incl,
		.spots = spots};
	draw_item(&d, r->focus, 0, 0, x, x + width, false);
	put_hidden(&d, y, 0x25b4, '^', d.level);
	put_hidden(&d, y + rows - 1, 0x25be, 'v', icicle_depth(r) - d.level - rows);
}

int icicle_depth(const struct prof_rows *r)
{
	uint32_t deepest = 0, top;
	if (!r->tree || r->tree->n == 0)
		return 0;
	top = prof_rows_item(r, r->focus)->depth;
	for (uint32_t i = 0; i < r->tree->n; i++)
		deepest = r->tree->items[i].depth > deepest ? r->tree->items[i].depth : deepest;
	return (int)(deepest - top) + 1;
}
