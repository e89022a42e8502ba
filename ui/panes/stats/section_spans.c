/* What the program says of itself: its spans; and the counters of ticky. */
#include "panes/stats/section.h"

#include "draw/text.h"

#include <stdio.h>

enum { SHOWN = 20, NAME_WIDE = 36, NAME_NARROW = 16, ROOM_FOR_ALL = 110 };

static int name_width(const struct line *l) { return line_room(l) >= ROOM_FOR_ALL ? NAME_WIDE : NAME_NARROW; }

/* --- spans --- */

static int spans_rows(const struct stats_data *d)
{
	size_t n = d->f->spans.n;
	return (int)min_u64(n, SHOWN) + (n > SHOWN || d->f->spans.other_spans);
}

static void spans_head(const struct stats_data *d, struct line *l)
{
	static const char *const names[] = {"n", "total", "mean", "p50", "p90", "p99", "longest", "GC", "net"};
	bool all = line_room(l) >= ROOM_FOR_ALL - 10;
	if (d->f->spans.n == 0)
		return;
	line_skip(l, (all ? NAME_WIDE : NAME_NARROW) + 1 - (int)strlen("SPANS") - 2);
	for (size_t i = 0; i < countof(names); i++) {
		if (!all && (i == 3 || i == 4 || i == 8))
			continue;
		section_right(l, ST_DIM, 8, names[i]);
	}
}

static void draw_span(const struct span_name *s, struct line *l)
{
	bool all = line_room(l) >= ROOM_FOR_ALL;
	uint64_t closed = s->n - s->unfinished;
	section_name(l, ST_TEXT, name_width(l), s->name);
	section_unit(l, ST_TEXT, 8, UNIT_COUNT, (double)s->n);
	section_unit(l, ST_TEXT, 8, UNIT_NS, (double)s->total);
	section_unit(l, ST_TEXT, 8, UNIT_NS, closed ? (double)s->finished / (double)closed : 0);
	if (all) {
		section_unit(l, ST_TEXT, 8, UNIT_NS, (double)s->p50);
		section_unit(l, ST_TEXT, 8, UNIT_NS, (double)s->p90);
	}
	section_unit(l, ST_TEXT, 8, UNIT_NS, (double)s->p99);
	section_unit(l, ST_WARN, 8, UNIT_NS, (double)s->max);
	section_unit(l, ST_TEXT, 8, UNIT_SHARE, span_name_gc_share(s));
	if (all)
		section_unit(l, ST_TEXT, 8, UNIT_NS, (double)(s->total - s->paused));
	if (s->unfinished)
		line_put(l, ST_DIM, false, " some unfinished");
}

static void spans_draw(const struct stats_data *d, int row, struct line *l)
{
	char text[64];
	if (row < SHOWN && row < (int)d->f->spans.n) {
		draw_span(&d->f->spans.items[row], l);
		return;
	}
	snprintf(text, sizeof text, "%zu more names, and %llu spans past the ceiling of names",
		d->f->spans.n - (size_t)row, (unsigned long long)d->f->spans.other_spans);
	line_put(l, ST_DIM, false, text);
}

/* The slowest of that name, whole. */
static void spans_place(const struct stats_data *d, int row, struct stats_place *out)
{
	if (row < 0 || row >= SHOWN || row >= (int)d->f->spans.n)
		return;
	const struct span *s = &d->f->spans.items[row].slowest;
	out->kind = PLACE_RANGE;
	out->t = s->start;
	out->end = s->end > s->start ? s->end : s->start + 1;
}

const struct section_ops section_spans = {.title = "SPANS",
	.absence = ABSENCE_SPANS,
	.wide = true,
	.rows = spans_rows,
	.head = spans_head,
	.draw = spans_draw,
	.place = spans_place};

/* --- ticky counters --- */

static int ticky_rows(const struct stats_data *d) { return (int)min_u64(d->f->ticky.n, SHOWN); }

static void ticky_head(const struct stats_data *d, struct line *l)
{
	static const char *const names[] = {"entries", "allocated", "of closures"};
	if (d->f->ticky.n == 0)
		return;
	line_skip(l, (line_room(l) >= ROOM_FOR_ALL - 10 ? NAME_WIDE : NAME_NARROW) + 1 - (int)strlen("TICKY") - 2);
	for (size_t i = 0; i < countof(names); i++)
		section_right(l, ST_DIM, 14, names[i]);
}

static void ticky_draw(const struct stats_data *d, int row, struct line *l)
{
	const struct ticky_row *t = &d->f->ticky.items[row];
	struct ticky_name name;
	char id[24];
	snprintf(id, sizeof id, "%llu", (unsigned long long)t->id);
	if (ticky_name(d->log, t, &name))
		section_name(l, ST_TEXT, name_width(l), name.label);
	else
		section_left(l, ST_DIM, name_width(l), id);
	section_unit(l, ST_TEXT, 14, UNIT_COUNT, (double)t->entries);
	section_unit(l, ST_TEXT, 14, UNIT_BYTES, (double)t->allocs);
	section_unit(l, ST_TEXT, 14, UNIT_BYTES, (double)t->allocd);
}

const struct section_ops section_ticky = {.title = "TICKY",
	.absence = ABSENCE_TICKY,
	.wide = true,
	.rows = ticky_rows,
	.head = ticky_head,
	.draw = ticky_draw};
