/* lane_sparks.c - lanes of sparks: pool size, and rates of creation and conversion.
 *
 * The first shows how many sparks wait in the pools. On tall screens also how fast they are created and converted,
 * both to the same scale. */
#include "draw/bars.h"
#include "draw/text.h"
#include "lanes/parts.h"

#include <stdio.h>

static size_t count(const struct evl_log *log)
{
	return points_count(&log->sparks.bursts) > 0; /* counters that stay 0 are no data */
}

static int rows(const struct lane_place *at) { return at->tall ? 3 : at->rows >= 20; }

static void draw_row(struct plot *plot, int known, const struct lane_place *at, struct canvas *c, int y,
	enum style style, const size_t offset, uint64_t max)
{
	const struct spark_column *cols = plot_sparks(plot);
	const struct bars b = {c, y, 1};
	for (int i = 0; i < plot->cols; i++) {
		uint64_t value;
		memcpy(&value, (const uint8_t *)&cols[i] + offset, sizeof value);
		if (i < known)
			bars_draw(&b, at->plot_x + i, bars_height(&b, value, max), style, 0, ST_PAGE);
		else
			lane_unknown(c, y, at->plot_x + i);
	}
}

static void draw_rate(const struct plot *plot, const struct lane_place *at, struct canvas *c, int y, uint64_t n)
{
	char text[TEXT_ROOM + 8];
	lane_short(text, (uint64_t)((double)n / ((double)(plot->t1 - plot->t0) / 1e9)));
	memcpy(text + strlen(text), "/s", sizeof "/s");
	lane_figure(at, c, y, ST_DIM, text);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct spark_column *cols = plot_sparks(plot);
	struct spark_column max = {0}, sum = {0};
	int known = lane_known_cols(plot, lane_known(plot->model->log));
	char text[TEXT_ROOM + 8] = "pool ", number[TEXT_ROOM];
	lane_label(at, c, y, "sparks");
	for (int i = 0; cols && i < plot->cols; i++) {
		max.pool = max_u64(max.pool, cols[i].pool);
		max.created = max_u64(max.created, max_u64(cols[i].created, cols[i].converted));
		sum.created += cols[i].created;
		sum.converted += cols[i].converted;
	}
	strcat(text, lane_short(number, max.pool));
	lane_figure(at, c, y, ST_DIM, (int)strlen(text) <= at->gutter_w ? text : number);
	if (!cols)
		return;
	draw_row(plot, known, at, c, y, ST_SPARKS, offsetof(struct spark_column, pool), max.pool);
	if (lane->rows < 3)
		return;
	canvas_str(c, y + 1, at->label_x, at->label_w, PEN(ST_DIM), " created");
	canvas_str(c, y + 2, at->label_x, at->label_w, PEN(ST_DIM), " converted");
	draw_row(plot, known, at, c, y + 1, ST_SPARKS, offsetof(struct spark_column, created), max.created);
	draw_row(plot, known, at, c, y + 2, ST_CONVERTED, offsetof(struct spark_column, converted), max.created);
	draw_rate(plot, at, c, y + 1, sum.created);
	draw_rate(plot, at, c, y + 2, sum.converted);
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct point at;
	(void)lane;
	if (!(forward ? points_after : points_before)(&log->sparks.samples, t, &at))
		return false;
	*out = at.t;
	return true;
}

static void put_count(struct line *l, const char *name, uint64_t n)
{
	char number[TEXT_ROOM];
	line_put(l, ST_DIM, false, name);
	line_put(l, ST_TEXT, false, text_count(number, n));
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	struct spark_column now;
	(void)lane;
	sparks_at(&m->log->sparks, m->at.cursor, &now);
	put_count(l, "sparks  in the pools ", now.pool);
	put_count(l, "  until here created ", now.created);
	put_count(l, "  converted ", now.converted);
	line_thinned(l, m->log);
}

static void inspect_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct spark_column *cols = plot_sparks(plot);
	(void)lane;
	if (!cols)
		return;
	put_count(l, "  created ", cols[i].created);
	put_count(l, "  converted ", cols[i].converted);
	put_count(l, "  pools at their fullest ", cols[i].pool);
	line_thinned(l, plot->model->log);
}

const struct lane_ops lane_sparks = {.name = "sparks",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.inspect = inspect,
	.inspect_column = inspect_column};
