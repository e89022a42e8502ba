/* How many capabilities run threads, with those in collections on top, out of all. */
#include "draw/bars.h"
#include "draw/text.h"
#include "lanes/parts.h"

#include <stdio.h>

static size_t count(const struct evl_log *log) { return log->n_caps > 1; }

static int rows(const struct lane_place *at) { return at->tall ? 3 : at->rows >= 20; }

/* What is missing is seen too: never full unless it is. */
static int height(const struct bars *b, uint64_t part, uint64_t all)
{
	int k = bars_height(b, part, all);
	return part < all && k == 8 * b->rows ? k - 1 : k;
}

static void draw_column(const struct plot *plot, int i, const struct plot_busy *busy, const struct bars *b, int x)
{
	uint64_t width = model_edge(plot->model, i + 1) - model_edge(plot->model, i),
		 all = width * plot->model->log->n_caps;
	enum style gc = plot->gc[i].major_ns > plot->gc[i].minor_ns ? ST_MAJOR : ST_MINOR;
	int run = height(b, busy->run_ns, all), both = height(b, busy->run_ns + busy->gc_ns, all);
	if (busy->gc_ns && both <= run)
		both = run + 1;
	if (!busy->known)
		lane_unknown(b->c, b->y + b->rows - 1, x);
	else
		bars_draw(b, x, run, ST_RUN, both, gc);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct plot_busy *cols = plot_busy(plot);
	const struct bars b = {c, y, lane->rows};
	char text[32];
	double running;
	lane_label(at, c, y, "activity");
	if (lane->rows > 1)
		canvas_str(c, y + 1, at->label_x, at->label_w, PEN(ST_DIM), "caps running");
	for (int i = 0; cols && i < plot->cols; i++)
		draw_column(plot, i, &cols[i], &b, at->plot_x + i);
	if (!plot_running(plot, 0, plot->n_caps, &running)) {
		lane_no_figure(at, c, y);
		return;
	}
	snprintf(text, sizeof text, "%.1f/%zu", running, plot->n_caps);
	lane_figure(at, c, y, ST_DIM, text);
}

static void inspect_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct plot_busy *cols = plot_busy(plot);
	uint64_t width = model_edge(plot->model, i + 1) - model_edge(plot->model, i);
	char text[64];
	(void)lane;
	if (!cols || !cols[i].known) {
		line_put(l, ST_DIM, false, "  not known");
		return;
	}
	snprintf(text, sizeof text, "  %.2f", (double)cols[i].run_ns / (double)width);
	line_put(l, ST_RUN, true, text);
	snprintf(text, sizeof text, " of %zu capabilities run, ", plot->model->log->n_caps);
	line_put(l, ST_DIM, false, text);
	snprintf(text, sizeof text, "%.2f", (double)cols[i].gc_ns / (double)width);
	line_put(l, ST_MINOR, true, text);
	line_put(l, ST_DIM, false, " collect");
}

const struct lane_ops lane_activity = {
	.name = "activity", .count = count, .rows = rows, .draw = draw, .inspect_column = inspect_column};
