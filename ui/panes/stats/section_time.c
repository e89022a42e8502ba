/* section_time.c - Stats boxes TIME, GENERATIONS and HEAP. */
#include "panes/stats/section.h"
#include "panes/stats/stats_tables.h"

#include <math.h>
#include <stdio.h>

enum { LABEL = 13, VALUE = 10, GEN_W = 5, N_W = 6, NS_W = 7, BYTES_W = 7 };

static bool is_known(const struct stats_data *d, enum metric m) { return !isnan(d->f->values[m]); }

/* --- time --- */

static const struct {
	enum metric metric;
	enum style style; /* of its bar; ST_PAGE: it is no part of the total */
} parts[] = {{METRIC_TIME_TOTAL, ST_PAGE}, {METRIC_TIME_MUTATOR, ST_RUN}, {METRIC_TIME_GC, ST_MINOR},
	{METRIC_TIME_GC_MINOR, ST_MINOR}, {METRIC_TIME_GC_MAJOR, ST_MAJOR}, {METRIC_TIME_GC_SYNC, ST_SYNC},
	{METRIC_TIME_IDLE, ST_DIM}, {METRIC_TIME_PRODUCTIVITY, ST_PAGE}, {METRIC_TIME_PRODUCTIVITY_RTS, ST_PAGE}};

/* With censuses, a row more: the productivity without these. */
static int time_rows(const struct stats_data *d)
{
	return d->f->to > d->f->from ? (int)countof(parts) + is_known(d, METRIC_GC_OWN_PRODUCTIVITY) : 0;
}

/* The bases of percentages: here, and in findings. */
static void time_head(const struct stats_data *d, struct line *l)
{
	const double *v = d->f->values, active = v[METRIC_TIME_TOTAL] - v[METRIC_TIME_IDLE];
	char text[TEXT_ROOM + 48];
	line_put(l, ST_DIM, false, "shares of the total");
	snprintf(text, sizeof text, "; active %s (total minus all idle)", as_value(UNIT_NS, active));
	if (line_room(l) < (int)strlen(text))
		snprintf(text, sizeof text, "; active %s", as_value(UNIT_NS, active));
	if (active > 0 && line_room(l) >= (int)strlen(text))
		line_put(l, ST_DIM, false, text);
}

static void time_draw(const struct stats_data *d, int row, struct line *l)
{
	if (row == (int)countof(parts)) {
		section_metric(d, l, METRIC_GC_OWN_PRODUCTIVITY, LABEL, VALUE);
		line_put(l, ST_DIM, false, "  without heap censuses");
		return;
	}
	enum metric m = parts[row].metric;
	double value = d->f->values[m], total = d->f->values[METRIC_TIME_TOTAL];
	if (m == METRIC_TIME_PRODUCTIVITY_RTS && isnan(value) && d->f->has_gc && !d->f->windows.label) {
		section_left(l, ST_DIM, LABEL, metric_info(m)->label);
		line_put(l, ST_DIM, false, "not known: it counts censuses apart");
		return;
	}
	section_metric(d, l, m, LABEL, VALUE);
	if (isnan(value))
		return;
	if (m == METRIC_TIME_PRODUCTIVITY)
		line_put(l, ST_DIM, false, "  mutator / total");
	if (m == METRIC_TIME_PRODUCTIVITY_RTS)
		line_put(l, ST_DIM, false, "  (total - GC) / total");
	if (parts[row].style == ST_PAGE)
		return;
	section_unit(l, ST_TEXT, 7, UNIT_SHARE, total > 0 ? value / total : (double)NAN);
	section_bar(l, line_room(l), value, total, parts[row].style);
}

const struct section_ops section_time = {.title = "TIME",
	.missing = "no events: a program writes them with +RTS -l",
	.rows = time_rows,
	.head = time_head,
	.draw = time_draw};

/* --- generations --- */

enum { GC_AFTER = 3 }; /* rows after those of the generations; the last of them where there are parallel ones */

static int gc_rows(const struct stats_data *d)
{
	return d->f->n_gens ? (int)d->f->n_gens + GC_AFTER - !is_known(d, METRIC_GC_WORK_BALANCE) : 0;
}

static void gc_head(UNUSED const struct stats_data *d, struct line *l)
{
	static const char *const names[] = {"n", "par", "total", "mean", "max", "copied"};
	static const int widths[] = {N_W, N_W, NS_W, NS_W, NS_W, BYTES_W};
	line_skip(l, GEN_W - (int)strlen("GC") - 1);
	for (size_t i = 0; i < countof(names); i++)
		section_right(l, ST_DIM, widths[i], names[i]);
}

static void draw_gen(const struct stats_data *d, const struct gen_figures *g, struct line *l)
{
	bool major = g->gen + 1 == atomic_load(&d->log->gcs.generations);
	char name[TEXT_ROOM];
	if (g->gen == GC_GEN_UNKNOWN)
		snprintf(name, sizeof name, "gen ?");
	else
		snprintf(name, sizeof name, "gen %u", g->gen);
	section_left(l, major ? ST_WARN : ST_MINOR, GEN_W, name);
	section_unit(l, ST_TEXT, N_W, UNIT_COUNT, (double)g->sum.n);
	section_unit(l, ST_TEXT, N_W, UNIT_COUNT, (double)g->sum.par);
	section_unit(l, ST_TEXT, NS_W, UNIT_NS, (double)g->sum.elapsed);
	section_unit(l, ST_TEXT, NS_W, UNIT_NS, g->sum.n ? (double)g->sum.elapsed / (double)g->sum.n : (double)NAN);
	section_unit(l, major ? ST_WARN : ST_TEXT, NS_W, UNIT_NS, (double)g->sum.max);
	section_unit(l, ST_TEXT, BYTES_W, UNIT_BYTES, (double)g->sum.copied);
}

static void gc_draw(const struct stats_data *d, int row, struct line *l)
{
	static const enum metric after[GC_AFTER] = {METRIC_GC_N, METRIC_GC_RATE, METRIC_GC_WORK_BALANCE};
	int i = row - (int)d->f->n_gens;
	if (i < 0)
		draw_gen(d, &d->f->gens[row], l);
	else
		section_metric(d, l, after[i], LABEL, VALUE);
	if (i >= 0 && after[i] == METRIC_GC_RATE && is_known(d, after[i]))
		line_put(l, ST_DIM, false, d->f->whole ? "in the whole run" : "in the whole range");
	if (i == GC_AFTER - 1 && is_known(d, after[i]))
		line_put(l, ST_DIM, false, "100% = perfect");
}

static void gc_place(const struct stats_data *d, int row, struct stats_place *out)
{
	section_place_list(out, &stats_gcs);
	if (row >= 0 && row < (int)d->f->n_gens && d->f->gens[row].gen != GC_GEN_UNKNOWN)
		snprintf(out->filter, sizeof out->filter, "gen=%u", d->f->gens[row].gen);
}

const struct section_ops section_gc = {.title = "GC",
	.exported = "csv gc",
	.absence = ABSENCE_GCS,
	.rows = gc_rows,
	.head = gc_head,
	.draw = gc_draw,
	.place = gc_place};

/* --- heap --- */

static const enum metric heap[] = {METRIC_HEAP_MAX_LIVE, METRIC_HEAP_MAX_SIZE, METRIC_HEAP_MAX_BLOCKS,
	METRIC_HEAP_ALLOCATED, METRICS, METRIC_HEAP_ALLOC_RATE, METRIC_HEAP_LIVE_SLOPE};

static int heap_rows(const struct stats_data *d)
{
	for (size_t i = 0; i < countof(heap); i++)
		if (heap[i] < METRICS && is_known(d, heap[i]))
			return (int)countof(heap) - !is_known(d, METRIC_HEAP_LIVE_SLOPE); /* the last */
	return 0;
}

/* "live grew         351 MB from 3.7 MB to 355 MB": from the first major collection to the last, or in a step. */
static void put_growth(const struct stats_data *d, int label, struct line *l)
{
	const struct live_trend *live = &d->f->live;
	const struct heap_trend *t = &d->f->trend;
	const bool once = t->known && t->rises && t->step;
	const uint64_t from = once ? t->before : live->first, to = once ? t->after : live->last;
	section_left(l, ST_DIM, label, once ? "live rose once" : to < from ? "live fell" : "live grew");
	section_unit(l, ST_TEXT, VALUE, UNIT_BYTES, (double)(to < from ? from - to : to - from));
	line_clause(l, ST_DIM, "from %s to %s", as_bytes(from), as_bytes(to));
}

static void heap_draw(const struct stats_data *d, int row, struct line *l)
{
	enum { WIDER = 15 };
	if (heap[row] == METRIC_HEAP_ALLOC_RATE && is_known(d, heap[row])) {
		section_left(l, ST_DIM, WIDER, "  while running");
		section_unit(l, ST_TEXT, VALUE, UNIT_RATE, d->f->values[heap[row]]);
		line_put(l, ST_DIM, false, "without GC and idle");
	} else if (heap[row] == METRICS) {
		section_left(l, ST_DIM, WIDER, "alloc rate");
		section_unit(l, ST_TEXT, VALUE, UNIT_RATE,
			d->f->values[METRIC_HEAP_ALLOCATED] * 1e9 / d->f->values[METRIC_TIME_TOTAL]);
		line_put(l, ST_DIM, false, d->f->whole ? "mean of the run" : "mean of the range");
	} else if (heap[row] == METRIC_HEAP_LIVE_SLOPE) {
		put_growth(d, WIDER, l);
	} else {
		section_metric(d, l, heap[row], WIDER, VALUE);
	}
}

const struct section_ops section_heap = {
	.title = "HEAP", .exported = "csv heap", .absence = ABSENCE_HEAP, .rows = heap_rows, .draw = heap_draw};
