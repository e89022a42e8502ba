/* section_phases.c - Stats box PHASES: intervals between user markers. */
#include "panes/stats/section.h"

#include "draw/text.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 12, NAME_WIDE = 28, NAME_NARROW = 16, ROOM_FOR_ALL = 110, SHARE = 7, TIME = 8 };

static int name_width(const struct line *l) { return line_room(l) >= ROOM_FOR_ALL ? NAME_WIDE : NAME_NARROW; }

static size_t hidden(const struct stats_data *d) { return sub_or_0(d->f->phases.n, SHOWN) + d->f->phases.others; }

static int phases_rows(const struct stats_data *d)
{
	size_t n = d->f->phases.n;
	return (int)min_u64(n, SHOWN) + (n && hidden(d));
}

static void phases_head(const struct stats_data *d, struct line *l)
{
	static const struct {
		const char *title;
		int width;
		bool always;
	} heads[] = {{"length", TIME, true}, {"mutator", SHARE, true}, {"GC", SHARE, true}, {"idle", SHARE, true},
		{"GCs", SHARE, true}, {"longest", TIME, true}, {"allocated", 9, false}, {"caps busy", 9, false}};
	bool all = line_room(l) >= ROOM_FOR_ALL - 10;
	if (d->f->phases.n == 0)
		return;
	line_skip(l, (all ? NAME_WIDE : NAME_NARROW) + 1 - (int)strlen("PHASES") - 2);
	for (size_t i = 0; i < countof(heads); i++)
		if (all || heads[i].always)
			section_right(l, ST_DIM, heads[i].width, heads[i].title);
}

static double known_share(bool known, uint64_t part, const struct phase *p)
{
	return known ? (double)part / (double)(p->to - p->from) : (double)NAN;
}

static double known_value(bool known, uint64_t value) { return known ? (double)value : (double)NAN; }

static void draw_phase(const struct stats_data *d, const struct phase *p, struct line *l)
{
	bool all = line_room(l) >= ROOM_FOR_ALL, gc = d->f->has_gc, sched = d->f->has_sched;
	struct evl_str name = phase_name(d->log, p);
	if (name.p)
		section_name(l, ST_TEXT, name_width(l), name);
	else
		section_left(l, ST_DIM, name_width(l), "before the first");
	section_unit(l, ST_TEXT, TIME, UNIT_NS, (double)(p->to - p->from));
	section_unit(l, ST_TEXT, SHARE, UNIT_SHARE, known_share(sched, p->mutator, p));
	section_unit(l, ST_TEXT, SHARE, UNIT_SHARE, known_share(gc, p->gc + p->sync, p));
	section_unit(l, ST_TEXT, SHARE, UNIT_SHARE, known_share(sched && gc, p->idle, p));
	section_unit(l, ST_TEXT, SHARE, UNIT_COUNT, known_value(gc, p->gc_n));
	section_unit(l, ST_WARN, TIME, UNIT_NS, known_value(gc, p->max_pause));
	if (!all)
		return;
	section_unit(l, ST_TEXT, 9, UNIT_BYTES, known_value(d->log->heap.has_allocated, p->allocated));
	section_unit(l, ST_TEXT, 9, UNIT_NUMBER, sched ? phase_caps_busy(p) : (double)NAN);
	const struct section_part parts[] = {{known_share(sched, p->mutator, p), ST_RUN},
		{known_share(gc, p->gc, p), ST_MAJOR}, {known_share(gc, p->sync, p), ST_SYNC},
		{known_share(sched && gc, p->idle, p), ST_IDLE}};
	line_skip(l, 1);
	if (sched && gc && line_room(l) > 4)
		section_parts(l, line_room(l), parts, countof(parts));
}

static void phases_draw(const struct stats_data *d, int row, struct line *l)
{
	char text[64];
	if (row < SHOWN && row < (int)d->f->phases.n) {
		draw_phase(d, &d->f->phases.items[row], l);
		return;
	}
	snprintf(text, sizeof text, "%zu more (Enter on the title: all)", hidden(d));
	line_put(l, ST_DIM, false, text);
}

/* A phase becomes the range; of the title, all of them. */
static void phases_place(const struct stats_data *d, int row, struct stats_place *out)
{
	if (d->f->phases.n == 0)
		return;
	out->kind = PLACE_PHASES;
	if (row < 0 || row >= SHOWN || row >= (int)d->f->phases.n)
		return;
	out->kind = PLACE_SELECTION;
	out->t = d->f->phases.items[row].from;
	out->end = d->f->phases.items[row].to;
}

const struct section_ops section_phases = {.title = "PHASES",
	.absence = ABSENCE_PHASES,
	.wide = true,
	.rows = phases_rows,
	.head = phases_head,
	.draw = phases_draw,
	.place = phases_place};
