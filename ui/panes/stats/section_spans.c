/* section_spans.c - Stats boxes of user spans and ticky counters. */
#include "panes/stats/section.h"
#include "panes/stats/stats_job.h"

#include "base/idmap.h"
#include "draw/text.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 20, NAME_WIDE = 28, NAME_NARROW = 16, ROOM_FOR_ALL = 138 };

static int name_width(const struct line *l) { return line_room(l) >= ROOM_FOR_ALL ? NAME_WIDE : NAME_NARROW; }

/* --- spans --- */

static double if_finished(const struct span_name *s, double value)
{
	return s->n > s->unfinished ? value : (double)NAN;
}

static double share_of(const struct span_name *s, uint64_t part)
{
	return s->total ? (double)part / (double)s->total : (double)NAN;
}

static double quantile(const struct span_group *g, uint64_t value)
{
	return g->quantiles ? if_finished(&g->sum, (double)value) : (double)NAN;
}

#define FIGURE(name, value)                                                                                            \
	static double name##_of(const struct span_group *g)                                                            \
	{                                                                                                              \
		const struct span_name *s = &g->sum;                                                                   \
		return value;                                                                                          \
	}
FIGURE(n, (double)s->n)
FIGURE(total, (double)s->total)
FIGURE(mean, if_finished(s, (double)s->finished / (double)(s->n - s->unfinished)))
FIGURE(p50, quantile(g, s->p50))
FIGURE(p90, quantile(g, s->p90))
FIGURE(p99, quantile(g, s->p99))
FIGURE(longest, if_finished(s, (double)s->max))
FIGURE(run, share_of(s, s->budget.run))
FIGURE(gc, share_of(s, s->budget.gc))
FIGURE(runnable, share_of(s, s->budget.runnable))
FIGURE(blocked, share_of(s, s->budget.blocked))
FIGURE(foreign, share_of(s, s->budget.foreign))
FIGURE(unknown, share_of(s, span_budget_unknown(&s->budget, s->total)))

/* The columns after the name. Parts of the budget are known when the log was read for them. */
static const struct span_figure {
	const char *title;
	double (*of)(const struct span_group *g);
	enum unit unit;
	uint8_t width;
	bool always, is_part; /* always: also where there is little room */
	enum style style;
} figures[] = {{"n", n_of, UNIT_COUNT, 7, true, false, ST_TEXT}, {"total", total_of, UNIT_NS, 8, true, false, ST_TEXT},
	{"mean", mean_of, UNIT_NS, 8, false, false, ST_TEXT}, {"p50", p50_of, UNIT_NS, 8, false, false, ST_TEXT},
	{"p90", p90_of, UNIT_NS, 8, false, false, ST_TEXT}, {"p99", p99_of, UNIT_NS, 8, true, false, ST_TEXT},
	{"longest", longest_of, UNIT_NS, 8, true, false, ST_WARN}, {"ran", run_of, UNIT_SHARE, 6, true, true, ST_RUN},
	{"in GC", gc_of, UNIT_SHARE, 6, true, true, ST_RUNNABLE_GC},
	{"waited", runnable_of, UNIT_SHARE, 7, false, true, ST_RUNNABLE},
	{"blocked", blocked_of, UNIT_SHARE, 8, true, true, ST_BLOCKED},
	{"foreign", foreign_of, UNIT_SHARE, 8, false, true, ST_FOREIGN},
	{"unknown", unknown_of, UNIT_SHARE, 8, false, true, ST_UNKNOWN}};

/* The spans that have no row: of names past the first ones, and past the ceiling of names. */
static uint64_t others(const struct stats_data *d)
{
	const struct figures *f = d->f;
	return f->span_labels.n ? f->span_labels.other_spans : f->spans.other_spans;
}

static int spans_rows(const struct stats_data *d)
{
	size_t n = d->answer->spans.n;
	return (int)min_u64(n, SHOWN) + (n > SHOWN || others(d));
}

static void spans_head(const struct stats_data *d, struct line *l)
{
	bool all = line_room(l) >= ROOM_FOR_ALL - 10;
	if (d->answer->spans.n == 0)
		return;
	line_skip(l, (all ? NAME_WIDE : NAME_NARROW) + 1 - (int)strlen("SPANS") - 2);
	for (size_t i = 0; i < countof(figures); i++)
		if (all || figures[i].always)
			section_right(l, ST_DIM, figures[i].width, figures[i].title);
}

/* The time by activity, as a bar. */
static void draw_budget(const struct span_group *g, struct line *l)
{
	enum { LEAST = 6, MOST = 40 };
	struct section_part parts[countof(figures)];
	size_t n = 0;
	for (size_t i = 0; i < countof(figures); i++)
		if (figures[i].is_part && g->sum.total)
			parts[n++] = (struct section_part){figures[i].of(g), figures[i].style};
	line_skip(l, 1);
	if (n && line_room(l) >= LEAST)
		section_parts(l, line_room(l) < MOST ? line_room(l) : MOST, parts, n);
}

/* "report #", of several names. */
static void put_name(const struct span_group *g, struct line *l)
{
	struct line name = *l;
	int width = name_width(l), used = text_width(g->sum.name, l->c->ascii);
	section_name(l, ST_TEXT, g->names > 1 ? width - 1 : width, g->sum.name);
	if (g->names == 1)
		return;
	line_skip(&name, used < width - 1 ? used : width - 1);
	line_put(&name, ST_KEY, true, "#");
	line_skip(l, 1);
}

static void draw_span(const struct stats_data *d, const struct span_group *g, struct line *l)
{
	bool all = line_room(l) >= ROOM_FOR_ALL;
	put_name(g, l);
	for (size_t i = 0; i < countof(figures); i++) {
		const struct span_figure *f = &figures[i];
		double value = f->is_part && !d->f->deep ? (double)NAN : f->of(g);
		if (all || f->always)
			section_unit(l, f->is_part ? ST_TEXT : f->style, f->width, f->unit, value);
	}
	if (d->f->deep && all)
		draw_budget(g, l);
}

static void spans_draw(const struct stats_data *d, int row, struct line *l)
{
	const struct span_groups *s = &d->answer->spans;
	char text[64];
	if (row < SHOWN && row < (int)s->n) {
		draw_span(d, &s->items[row], l);
		return;
	}
	snprintf(text, sizeof text, "%zu more name%s, and %llu spans past the ceiling of names", s->n - (size_t)row,
		s->n - (size_t)row == 1 ? "" : "s", (unsigned long long)others(d));
	line_put(l, ST_DIM, false, text);
}

/* List all spans of the name, or of the names in one row; for the title, all spans. */
static void spans_place(const struct stats_data *d, int row, struct stats_place *out)
{
	const struct span_groups *s = &d->answer->spans;
	const struct span_group *g = row >= 0 && row < SHOWN && row < (int)s->n ? &s->items[row] : NULL;
	if (s->n == 0)
		return;
	out->kind = PLACE_SPANS;
	if (g && g->names == 1)
		out->label = idmap_key(g->sum.name);
	else if (g && g->sum.name.len + 3 < sizeof out->filter && !memchr(g->sum.name.p, '"', g->sum.name.len))
		snprintf(
			out->filter, sizeof out->filter, "\"%.*s\"", (int)g->sum.name.len, (const char *)g->sum.name.p);
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
