/* section_spans.c - Stats boxes of user spans and ticky counters. */
#include "panes/stats/section.h"
#include "panes/stats/stats_job.h"
#include "panes/stats/stats_tables.h"

#include "base/idmap.h"
#include "draw/text.h"
#include "table/lists.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 20, NAME_WIDE = 28, NAME_NARROW = 16, ROOM_FOR_ALL = 138 };

static int name_width(const struct line *l) { return line_room(l) >= ROOM_FOR_ALL ? NAME_WIDE : NAME_NARROW; }

/* --- spans --- */

/* The columns after the name. */
#define FIELD(id, chars, is_wide)  .column = spans_##id, .width = chars, .style = ST_TEXT, .wide = is_wide
#define SHARES(id, chars, is_wide) FIELD(id, chars, is_wide), .share = true
static const struct section_field fields[] = {{FIELD(N, 7, false)}, {FIELD(TOTAL, 8, false)}, {FIELD(MEAN, 8, true)},
	{FIELD(P50, 8, true)}, {FIELD(P90, 8, true)}, {FIELD(P99, 8, false)},
	{.column = spans_MAX, .width = 8, .style = ST_WARN}, {SHARES(RUN, 6, false)}, {SHARES(GC, 6, false)},
	{SHARES(RUNNABLE, 7, true)}, {SHARES(BLOCKED, 8, false)}, {SHARES(FOREIGN, 8, true)},
	{SHARES(UNKNOWN, 8, true)}};
static const struct section_list list = {&figure_kinds[FIGURES_spans], SECTION_FIELDS(fields)};

/* The parts of the time, in the order of the bar. */
static const struct {
	int column;
	enum style style;
} budget[] = {{spans_RUN, ST_RUN}, {spans_GC, ST_RUNNABLE_GC}, {spans_RUNNABLE, ST_RUNNABLE},
	{spans_BLOCKED, ST_BLOCKED}, {spans_FOREIGN, ST_FOREIGN}, {spans_UNKNOWN, ST_UNKNOWN}};

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
	section_titles(l, &list, all);
}

/* The time by activity, as a bar. */
static void draw_budget(struct figure_list *of, struct line *l)
{
	enum { LEAST = 6, MOST = 40 };
	struct section_part parts[countof(budget)];
	for (size_t i = 0; i < countof(budget); i++)
		parts[i] =
			(struct section_part){table_number(list.kind, of, 0, budget[i].column, true), budget[i].style};
	line_skip(l, 1);
	if (of->spans->items[0].total && line_room(l) >= LEAST)
		section_parts(l, line_room(l) < MOST ? line_room(l) : MOST, parts, countof(parts));
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

static void draw_span(const struct stats_data *d, struct span_group *g, struct line *l)
{
	struct span_stats one = {.items = &g->sum, .n = 1};
	struct figure_list of = {.log = d->log, .f = d->f, .spans = &one, .no_quantiles = !g->quantiles};
	bool all = line_room(l) >= ROOM_FOR_ALL;
	put_name(g, l);
	section_cells(l, &list, &of, 0, all);
	if (d->f->deep && all)
		draw_budget(&of, l);
}

static void spans_draw(const struct stats_data *d, int row, struct line *l)
{
	const struct span_groups *s = &d->answer->spans;
	if (row < SHOWN && row < (int)s->n) {
		draw_span(d, &s->items[row], l);
		return;
	}
	section_more(l, s->n - (size_t)row);
	if (others(d))
		line_printf(l, ST_DIM, false, ", and %s spans of further names", as_count(others(d)));
}

/* List all spans of the name, or of the names in one row; for the title, all spans; for the last row of a cut list, all names. */
static void spans_place(const struct stats_data *d, int row, struct stats_place *out)
{
	const struct span_groups *s = &d->answer->spans;
	const struct span_group *g = row >= 0 && row < SHOWN && row < (int)s->n ? &s->items[row] : NULL;
	if (s->n == 0)
		return;
	section_place_list(out, row < (int)min_u64(s->n, SHOWN) ? &stats_spans : &stats_span_names);
	if (g && g->names == 1)
		out->label = idmap_key(g->sum.name);
	else if (g && g->sum.name.len + 3 < sizeof out->filter && !memchr(g->sum.name.p, '"', g->sum.name.len))
		snprintf(
			out->filter, sizeof out->filter, "\"%.*s\"", (int)g->sum.name.len, (const char *)g->sum.name.p);
}

const struct section_ops section_spans = {.title = "SPANS",
	.exported = "csv spans",
	.table = &stats_span_names,
	.absence = ABSENCE_SPANS,
	.wide = true,
	.rows = spans_rows,
	.head = spans_head,
	.draw = spans_draw,
	.place = spans_place};

/* --- ticky counters --- */

static const struct section_field ticky_fields[] = {{.column = TICKY_COLUMN_ENTRIES, .width = 14, .style = ST_TEXT},
	{.column = TICKY_COLUMN_ALLOCS, .width = 14, .style = ST_TEXT, .title = "allocated"},
	{.column = TICKY_COLUMN_ALLOCD, .width = 14, .style = ST_TEXT, .title = "of closures"}};
static const struct section_list ticky_box = {&ticky_list_kind, SECTION_FIELDS(ticky_fields)};

static int ticky_rows(const struct stats_data *d)
{
	return (int)min_u64(d->f->ticky.n, SHOWN) + (d->f->ticky.n > SHOWN);
}

static void ticky_head(UNUSED const struct stats_data *d, struct line *l)
{
	line_skip(l, (line_room(l) >= ROOM_FOR_ALL - 10 ? NAME_WIDE : NAME_NARROW) + 1 - (int)strlen("TICKY") - 2);
	section_titles(l, &ticky_box, true);
}

static void ticky_draw(const struct stats_data *d, int row, struct line *l)
{
	if (row == SHOWN) {
		section_more(l, d->f->ticky.n - SHOWN);
		return;
	}
	const struct ticky_row *t = &d->f->ticky.items[row];
	struct ticky_name name;
	struct ticky_list of = {.of.log = d->log, .ticky = d->f->ticky};
	char id[24];
	snprintf(id, sizeof id, "%llu", (unsigned long long)t->id);
	if (ticky_name(d->log, t, &name))
		section_name(l, ST_TEXT, name_width(l), name.label);
	else
		section_left(l, ST_DIM, name_width(l), id);
	section_cells(l, &ticky_box, &of, (size_t)row, true);
}

/* All counters. */
static void ticky_place(UNUSED const struct stats_data *d, UNUSED int row, struct stats_place *out)
{
	section_place_list(out, &stats_ticky);
}

const struct section_ops section_ticky = {.title = "TICKY",
	.absence = ABSENCE_TICKY,
	.wide = true,
	.rows = ticky_rows,
	.head = ticky_head,
	.draw = ticky_draw,
	.place = ticky_place};
