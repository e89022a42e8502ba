/* lane_gaps.c - lane of times at which a capability could not log.
 *
 * Its full buffer was being written: an apparently idle capability may have run. */
#include "draw/bars.h"
#include "lanes/parts.h"

#include <stdio.h>

static size_t count(const struct evl_log *log) { return load_relaxed(&log->gaps.any); }

static int rows(const struct lane_place *at) { return at->rows >= 20; }

static void draw(
	UNUSED const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct plot_gap *cols = plot_gaps(plot);
	const struct bars b = {c, y, 1};
	uint64_t longest;
	log_gaps_in(&plot->model->log->gaps, plot->t0, plot->t1, &longest);
	lane_label(at, c, y, at->label_w >= 10 ? "log writes" : "writes");
	for (int i = 0; cols && i < plot->cols; i++)
		bars_draw(&b, at->plot_x + i, bars_height(&b, cols[i].longest, longest), ST_GAP, 0, ST_PAGE);
	if (longest)
		lane_figure(at, c, y, ST_DIM, as_duration(longest));
}

static bool change(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct gap gap = {0};
	if (!(forward ? log_gaps_after : log_gaps_before)(&log->gaps, t, &gap))
		return false;
	*out = gap.from;
	return true;
}

static bool span(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	struct gap gap;
	if (!log_gaps_before(&log->gaps, t + 1, &gap) || gap.to <= t)
		return false;
	*from = gap.from;
	*to = gap.to;
	return true;
}

static void inspect(UNUSED const struct lane *lane, const struct model *m, struct line *l)
{
	struct gap gap;
	if (!log_gaps_before(&m->log->gaps, m->at.cursor + 1, &gap) || gap.to <= m->at.cursor) {
		line_put(l, ST_DIM, false, "no log was being written");
		return;
	}
	line_printf(
		l, ST_GAP, true, gap.cap == EVL_NO_CAP ? "no global events for " : "no events of cap %u for ", gap.cap);
	line_duration(l, ST_TEXT, gap.to - gap.from);
	line_put(l, ST_DIM, false, ": the buffer was being written");
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct plot_gap *cols = plot_gaps(plot);
	if (!cols || !cols[i].n)
		return;
	line_printf(l, ST_DIM, false, "  %s writes, the longest ", as_count(cols[i].n));
	line_duration(l, ST_TEXT, cols[i].longest);
}

static const struct lane_colour colours[] = {{"log writes", {ST_GAP, ST_GAP}, 0x2586, '#'}, {0}};

const struct lane_ops lane_gaps = {.name = "log writes",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.hidden_by_default = true,
	.colours = colours};
