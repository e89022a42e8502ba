/* The pauses: no pause is ever lost here, and the longest is the tallest at every zoom. Height is the logarithm of the
 * longest pause in the column, 0.1 ms … 100 ms; colour the worst kind. */
#include "lane.h"

#include "text.h"

#include <math.h>
#include <stdio.h>

enum { DECADES = 3, LEAST_NS = 100000 };

static size_t count(const struct evl_log *log)
{
	(void)log;
	return 1;
}

static int rows(const struct lane_place *at)
{
	return at->tall ? 2 : 1;
}

/* Eighths of a row that a pause is high, of `all`. */
static int height(uint64_t pause, int all)
{
	double h = log10((double)pause / LEAST_NS) / DECADES * all;
	return h < 1 ? 1 : h > all ? all : (int)lround(h);
}

static void draw_column(const struct gc_sum *gc, const struct lane *lane, struct canvas *c, int y, int x)
{
	int left = height(gc->longest, lane->rows * 8);
	enum style kind = gc->major ? ST_MAJOR : ST_MINOR;
	if (c->mono) {
		canvas_printf(c, y + lane->rows - 1, x, 1, PEN(ST_TEXT), "%c", style_info(kind)->letter);
		return;
	}
	for (int row = lane->rows - 1; row >= 0 && left > 0; row--, left -= 8)
		canvas_lower(c, y + row, x, left > 8 ? 8 : left, (uint8_t)kind, ST_PAGE);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	char figure[TEXT_ROOM + 8];
	lane_label(at, c, y, at->wide ? "GC pause" : "GC");
	if (lane->rows > 1)
		canvas_str(c, y + 1, at->label_x, at->label_w, PEN(ST_DIM), "log 0.1-100ms");
	for (int i = 0; i < plot->cols; i++)
		if (plot->gc[i].major || plot->gc[i].minor)
			draw_column(&plot->gc[i], lane, c, y, at->plot_x + i);
	if (plot->gc_all.longest)
		lane_figure(at, c, y, ST_WARN, text_duration(figure, plot->gc_all.longest));
	snprintf(figure, sizeof figure, "%zu", plot->gc_all.n);
	if (lane->rows > 1 || !plot->gc_all.longest)
		lane_figure(at, c, y + lane->rows - 1, ST_DIM, figure);
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	const struct gc_row *at = gcs_at(&log->gcs, t);
	const struct gc_row *row = forward ? gcs_after(&log->gcs, t, GC_ALL) : gcs_before(&log->gcs, t, GC_ALL);
	(void)lane;
	if (forward && at && gc_end(at) > t && (t >= at->start || !row))
		*out = gc_end(at);
	else if (!forward && row && gc_end(row) < t)
		*out = gc_end(row);
	else if (row)
		*out = row->start;
	else
		return false;
	return true;
}

static bool span(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	const struct gc_row *row = gcs_at(&log->gcs, t);
	(void)lane;
	if (!row)
		return false;
	*from = gc_requested(row);
	*to = gc_end(row);
	return true;
}

const struct lane_ops lane_gc = {.name = "GC", .count = count, .rows = rows, .draw = draw, .change = change, .span = span};
