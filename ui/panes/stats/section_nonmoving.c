/* section_nonmoving.c - Stats box of the nonmoving collector: phases, cycles, segments. */
#include "panes/stats/section.h"
#include "panes/stats/stats_job.h"
#include "panes/stats/stats_tables.h"

#include <math.h>

/* --- all together --- */

static const enum metric figures[] = {METRIC_NONMOVING_CYCLES, METRIC_NONMOVING_MARK, METRIC_NONMOVING_SYNC,
	METRIC_NONMOVING_SYNC_MAX, METRIC_NONMOVING_SWEEP, METRIC_NONMOVING_CONCURRENT, METRIC_NONMOVING_STOPPED};

static int figure_rows(const struct stats_data *d) { return d->f->nonmoving.n ? (int)countof(figures) : 0; }

/* Concurrent work and work while the program was stopped, as parts of both. */
static void figure_draw(const struct stats_data *d, int row, struct line *l)
{
	enum metric m = figures[row];
	double both = d->f->values[METRIC_NONMOVING_CONCURRENT] + d->f->values[METRIC_NONMOVING_STOPPED];
	section_metric(d, l, m, 15, 10);
	if (m != METRIC_NONMOVING_CONCURRENT && m != METRIC_NONMOVING_STOPPED)
		return;
	section_unit(l, ST_TEXT, 6, UNIT_SHARE, d->f->values[m] / (both > 0 ? both : 1));
	section_bar(l, line_room(l), d->f->values[m], both, m == METRIC_NONMOVING_STOPPED ? ST_NM_SYNC : ST_NM_MARK);
}

static void figure_place(const struct stats_data *d, int row, struct stats_place *out)
{
	if (row < 0 || figures[row] != METRIC_NONMOVING_SYNC_MAX)
		return;
	out->kind = PLACE_MOMENT;
	out->t = d->f->nonmoving.longest_sync_at;
}

const struct section_ops section_nonmoving = {.title = "NONMOVING GC",
	.absence = ABSENCE_NONMOVING,
	.rows = figure_rows,
	.draw = figure_draw,
	.place = figure_place};

/* --- cycles --- */

enum { CYCLES_SHOWN = 12 };

static const struct section_field cycle_fields[] = {{.column = nm_cycles_MARK, .width = 8, .style = ST_TEXT},
	{.column = nm_cycles_SYNC, .width = 8, .style = ST_TEXT},
	{.column = nm_cycles_SWEEP, .width = 8, .style = ST_TEXT},
	{.column = nm_cycles_STOPPED, .width = 8, .style = ST_WARN}};
static const struct section_list cycle_list = {&figure_kinds[FIGURES_nm_cycles], SECTION_FIELDS(cycle_fields)};

static int cycle_rows(const struct stats_data *d)
{
	size_t n = d->f->nonmoving.n;
	return (int)min_u64(n, CYCLES_SHOWN) + (n > CYCLES_SHOWN);
}

static void cycle_head(UNUSED const struct stats_data *d, struct line *l)
{
	line_skip(l, 4);
	section_titles(l, &cycle_list, true);
}

static void cycle_draw(const struct stats_data *d, int row, struct line *l)
{
	if (row == CYCLES_SHOWN) {
		section_more(l, d->f->nonmoving.n + d->f->nonmoving.more - CYCLES_SHOWN);
		return;
	}
	const struct nm_cycle *c = &d->f->nonmoving.items[row];
	struct figure_list of = {.log = d->log, .f = d->f};
	section_right(l, ST_TEXT, 13, as_time(c->start));
	section_cells(l, &cycle_list, &of, (size_t)row, true);
	line_put(l, ST_DIM, false, c->end == NM_OPEN ? "cut" : c->syncs > 1 ? "marked on" : "");
}

static void cycle_place(const struct stats_data *d, int row, struct stats_place *out)
{
	if (row < 0 || row >= CYCLES_SHOWN)
		section_place_list(out, &stats_cycles);
	if (row < 0 || row >= CYCLES_SHOWN)
		return;
	out->kind = PLACE_MOMENT;
	out->t = d->f->nonmoving.items[row].start;
}

const struct section_ops section_cycles = {.title = "NM CYCLES",
	.exported = "csv nm_cycles",
	.absence = ABSENCE_NONMOVING,
	.rows = cycle_rows,
	.head = cycle_head,
	.draw = cycle_draw,
	.place = cycle_place};

/* --- segments --- */

static bool holds_something(const struct nm_size *s) { return s->active + s->filled + s->live > 0; }

/* The place of a row among the sizes of blocks: only those that hold something have one. -1: it says that none does. */
static int size_at(const struct stats_data *d, int row)
{
	for (size_t i = 0; i < d->f->nonmoving.n_sizes && i < HISTORY_SIZES; i++)
		if (holds_something(&d->f->nonmoving.sizes[i]) && row-- == 0)
			return (int)i;
	return -1;
}

static int census_rows(const struct stats_data *d)
{
	int n = 0;
	while (size_at(d, n) >= 0)
		n++;
	return n || d->f->nonmoving.n_sizes == 0 ? n : 1;
}

static void census_head(const struct stats_data *d, struct line *l)
{
	line_put(l, ST_DIM, false, "of the last sweep, ");
	section_at(l, d->f->nonmoving.census_t);
	line_put(l, ST_DIM, false, "  history: segments");
}

/* Segments over time, one column per census, as high as their number. */
static void draw_history(const struct section_history *h, struct line *l)
{
	uint64_t max = 0;
	for (size_t i = 0; i < h->n; i++)
		max = max_u64(max, h->points[i].segments);
	for (size_t i = 0; i < h->n && line_room(l) > 0; i++, line_skip(l, 1)) {
		int high = max ? (int)(h->points[i].segments * 8 / max) : 0;
		canvas_lower(l->c, l->y, l->x, high ? high : h->points[i].segments > 0, ST_LIVE, ST_BAR_DIM);
	}
}

static void census_draw(const struct stats_data *d, int row, struct line *l)
{
	int at = size_at(d, row);
	if (at < 0) {
		line_put(l, ST_DIM, false, "no block size has a segment");
		return;
	}
	const struct nm_size *s = &d->f->nonmoving.sizes[at];
	section_right(l, ST_TEXT, 7, as_count(s->block_size));
	line_put(l, ST_DIM, false, "B");
	section_unit(l, ST_TEXT, 7, UNIT_COUNT, (double)(s->active + s->filled));
	line_put(l, ST_DIM, false, "seg  ");
	section_unit(l, ST_TEXT, 10, UNIT_COUNT, (double)s->live);
	line_put(l, ST_DIM, false, "live");
	section_unit(l, ST_TEXT, 7, UNIT_SHARE, s->occupancy);
	section_bar(l, 10, isnan(s->occupancy) ? 0 : s->occupancy, 1, ST_LIVE);
	draw_history(&d->answer->history[at], l);
}

static void census_place(const struct stats_data *d, int row, struct stats_place *out)
{
	section_place_list(out, &stats_segments);
	if (row < 0)
		return;
	out->kind = PLACE_MOMENT;
	out->t = d->f->nonmoving.census_t;
}

const struct section_ops section_census = {.title = "NM SEGMENTS",
	.absence = ABSENCE_NM_CENSUS,
	.wide = true,
	.rows = census_rows,
	.head = census_head,
	.draw = census_draw,
	.place = census_place};
