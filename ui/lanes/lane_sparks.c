/* lane_sparks.c - lanes of sparks: what was created and run in each column, and the pools.
 *
 * By single events (-lf) a column shows the sparks created, run and stolen in it, or those collected if there are no others
 * in the window; on tall screens the pools too. The figure of a low lane is the larger of the two numbers. By
 * counters the pools, and on tall screens how fast they are created and converted, which the counters spread between
 * two samples. Created and run have the same scale. */
#include "draw/bars.h"
#include "lanes/parts.h"

#include <stdio.h>

static size_t count(const struct evl_log *log)
{
	return points_count(&log->sparks.bursts) > 0 || spark_events_any(&log->sparks.events); /* 0 is no data */
}

static int rows(const struct lane_place *at) { return at->tall ? 3 : at->rows >= 20; }

/* One row: the back up to back(column), the front below it. */
struct row {
	int y;
	enum style front_style, back_style;
	uint64_t (*front)(const struct spark_column *col);
	uint64_t (*back)(const struct spark_column *col);
};

static uint64_t none(const struct spark_column *col) { return 0 * col->pool; }
static uint64_t pool(const struct spark_column *col) { return col->pool; }
static uint64_t created(const struct spark_column *col) { return col->created; }
static uint64_t converted(const struct spark_column *col) { return col->converted; }
static uint64_t collected(const struct spark_column *col) { return col->events.n[SPARK_GCD]; }
static uint64_t run(const struct spark_column *col) { return col->events.n[SPARK_RUN]; }

static void draw_row(struct plot *plot, int known, const struct lane_place *at, struct canvas *c, const struct row *row,
	uint64_t max)
{
	const struct spark_column *cols = plot_sparks(plot);
	const struct bars b = {c, row->y, 1};
	for (int i = 0; i < plot->cols; i++)
		if (i < known && !cols[i].missing)
			bars_draw(&b, at->plot_x + i, bars_height(&b, row->front(&cols[i]), max), row->front_style,
				bars_height(&b, row->back(&cols[i]), max), row->back_style);
		else
			lane_unknown(c, row->y, at->plot_x + i);
}

static void draw_rate(const struct plot *plot, const struct lane_place *at, struct canvas *c, int y, uint64_t n)
{
	char text[TEXT_ROOM + 8];
	lane_short(text, (uint64_t)((double)n / ((double)(plot->t1 - plot->t0) / 1e9)));
	memcpy(text + strlen(text), "/s", sizeof "/s");
	lane_figure(at, c, y, ST_DIM, text);
}

static void label(const struct lane_place *at, struct canvas *c, int y, const char *text)
{
	canvas_str(c, y, at->label_x, at->label_w, PEN(ST_DIM), text);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct spark_column *cols = plot_sparks(plot);
	struct spark_column max = {0}, sum = {0};
	uint64_t max_gcd = 0, gcd = 0;
	int known = lane_known_cols(plot, evl_known(plot->model->log));
	bool events = spark_events_any(&plot->model->log->sparks.events);
	lane_label(at, c, y, "sparks");
	for (int i = 0; cols && i < plot->cols; i++) {
		max.pool = max_u64(max.pool, cols[i].pool);
		max.created = max_u64(max.created, max_u64(cols[i].created, cols[i].converted));
		sum.created += cols[i].created;
		sum.converted += cols[i].converted;
		max_gcd = max_u64(max_gcd, collected(&cols[i]));
		gcd += collected(&cols[i]);
	}
	if (!cols)
		return;
	if (events && lane->rows < 3 && gcd && !max.created) {
		lane_named(at, c, y, ST_DIM, "GC'd", gcd);
		draw_row(plot, known, at, c, &(struct row){y, ST_SPARKS, ST_SPARKS, collected, none}, max_gcd);
		return;
	}
	if (events && lane->rows < 3) {
		bool more_run = sum.converted > sum.created;
		lane_named(at, c, y, ST_DIM, more_run ? "run" : "new", more_run ? sum.converted : sum.created);
		draw_row(
			plot, known, at, c, &(struct row){y, ST_CONVERTED, ST_SPARKS, converted, created}, max.created);
		return;
	}
	lane_named(at, c, y, ST_DIM, "pool", max.pool);
	draw_row(plot, known, at, c, &(struct row){y, ST_SPARKS, ST_SPARKS, pool, none}, max.pool);
	if (lane->rows < 3)
		return;
	label(at, c, y + 1, " created");
	label(at, c, y + 2, events ? " run+stolen" : " converted");
	draw_row(plot, known, at, c, &(struct row){y + 1, ST_SPARKS, ST_SPARKS, created, none}, max.created);
	draw_row(plot, known, at, c, &(struct row){y + 2, ST_CONVERTED, ST_STOLEN, events ? run : converted, converted},
		max.created);
	draw_rate(plot, at, c, y + 1, sum.created);
	draw_rate(plot, at, c, y + 2, sum.converted);
}

static bool change(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	bool missing;
	if (spark_events_any(&log->sparks.events))
		return sparks_near(&log->sparks, t, forward, out, &missing);
	return sparks_sample_near(&log->sparks, t, forward, out);
}

static void put_count(struct line *l, const char *name, uint64_t n) { line_pair(l, name, ST_TEXT, as_count(n)); }

/* Counts from single events; zeros are omitted except for the first. */
static void put_events(struct line *l, const struct spark_sums *sums)
{
	static const char *const names[SPARK_KINDS] = {
		"  created ", "  dud ", "  overflowed ", "  run ", "  stolen ", "  fizzled ", "  GC'd "};
	static const enum spark_kind order[SPARK_KINDS] = {
		SPARK_CREATED, SPARK_RUN, SPARK_STOLEN, SPARK_FIZZLED, SPARK_GCD, SPARK_DUD, SPARK_OVERFLOWED};
	for (int i = 0; i < SPARK_KINDS; i++)
		if (sums->n[order[i]] || order[i] <= SPARK_CREATED)
			put_count(l, names[order[i]], sums->n[order[i]]);
}

static void inspect(UNUSED const struct lane *lane, const struct model *m, struct line *l)
{
	struct spark_column now;
	sparks_at(&m->log->sparks, m->at.cursor, &now);
	if (now.missing) {
		line_put(l, ST_DIM, false, "sparks  being read from the disk");
		return;
	}
	put_count(l, "sparks  in the pools ", now.pool);
	if (spark_events_any(&m->log->sparks.events)) {
		line_put(l, ST_DIM, false, "  so far");
		put_events(l, &now.events);
		return;
	}
	put_count(l, "  so far: created ", now.created);
	put_count(l, "  converted ", now.converted);
	line_thinned(l, m->log);
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct spark_column *cols = plot_sparks(plot);
	uint64_t from, to;
	if (!cols)
		return;
	if (spark_events_any(&plot->model->log->sparks.events)) {
		put_events(l, &cols[i].events);
		return;
	}
	put_count(l, "  created ", cols[i].created);
	put_count(l, "  converted ", cols[i].converted);
	if (sparks_spread(&plot->model->log->sparks, plot->model->at.cursor, &from, &to)) {
		line_pair(l, " (spread over the ", ST_DIM, as_duration(to - from));
		line_put(l, ST_DIM, false, " between two samples)");
	}
	put_count(l, "  pools at their fullest ", cols[i].pool);
	line_thinned(l, plot->model->log);
}

static const struct lane_colour colours[] = {{"sparks, pool", {ST_SPARKS, ST_SPARKS}, 0x2586, '#'},
	{"sparks created", {ST_SPARKS, ST_SPARKS}, 0x2586, '#'}, {"sparks run", {ST_CONVERTED, ST_STOLEN}, 0x2586, '#'},
	{0}};

const struct lane_ops lane_sparks = {.name = "sparks",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.colours = colours};
