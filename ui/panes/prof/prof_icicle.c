#include "panes/prof/prof_icicle.h"

#include <stdio.h>

struct drawing {
	const struct prof_rows *r;
	const struct prof_look *look;
	struct canvas *c;
	int y, rows, x, width;
	uint64_t base; /* samples of the focus: the whole width */
	struct icicle_spots *spots;
};

/* The column at which so many samples from the left end. */
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

/* "…12": so many frames in columns [x, end), or in the one at x if that is before the limit. */
static void draw_slivers(const struct drawing *d, int y, int x, int end, int limit, uint32_t n)
{
	char text[16];
	end = end > x ? end : x + 1;
	if (n == 0 || end > limit)
		return;
	snprintf(text, sizeof text, "%u", n);
	canvas_fill(d->c, y, x, 1, end - x, ST_BAR);
	canvas_glyph(d->c, y, x, (struct pen){ST_DIM, ST_BAR, 0}, 0x2026, '~');
	if ((int)strlen(text) < end - x)
		canvas_str(d->c, y, x + 1, end - x - 1, (struct pen){ST_DIM, ST_BAR, 0}, text);
}

static void draw_children(const struct drawing *d, uint32_t parent, uint64_t from, int depth);

/* The frame of an item in columns [x, end), and what it calls. beside: another frame ends at x. */
static void draw_item(const struct drawing *d, uint32_t item, uint64_t from, int depth, int x, int end, bool beside)
{
	const struct prof_item *i = prof_rows_item(d->r, item);
	prof_frame(d->look, d->c, d->y + depth, x, end - x, i->name, i->incl, item == d->r->selected, beside);
	note(d, item, d->y + depth, x, end);
	if (depth + 1 < d->rows)
		draw_children(d, item, from, depth + 1);
}

static void draw_children(const struct drawing *d, uint32_t parent, uint64_t from, int depth)
{
	const struct prof_item *p = prof_rows_item(d->r, parent);
	int begin = column(d, from), limit = column(d, from + p->incl), end = begin;
	uint32_t slivers = 0;
	for (uint32_t i = p->child; i; i = prof_rows_item(d->r, i)->next) {
		uint64_t incl = prof_rows_item(d->r, i)->incl;
		int x = column(d, from), right = column(d, from + incl);
		if (right <= x) {
			slivers++;
		} else {
			draw_slivers(d, d->y + depth, end, x, x, slivers);
			draw_item(d, i, from, depth, x, right, x == end && x > begin);
			slivers = 0;
			end = right;
		}
		from += incl;
	}
	draw_slivers(d, d->y + depth, end, column(d, from), limit, slivers);
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
		.base = prof_rows_item(r, r->focus)->incl,
		.spots = spots};
	draw_item(&d, r->focus, 0, 0, x, x + width, false);
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
