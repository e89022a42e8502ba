/* lane_activity.c - lane of the number of capabilities that run threads. */
#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"
#include "report/abilities.h"

#include <stdio.h>

static size_t count(const struct evl_log *log) { return log->n_caps > 1; }

/* Then all time outside of collections may be anything. */
static bool no_runs(const struct evl_log *log) { return absence_is_sure(log, ABSENCE_RUNS); }

/* If nothing is recorded, the lanes of capabilities say so. */
static int rows(const struct lane_place *at) { return at->log && no_runs(at->log) ? 0 : at->tall ? 3 : at->rows >= 20; }

static struct cell_shares shares_of(const struct plot *plot, int i, const struct plot_group *busy)
{
	return cells_of_caps(busy->ns, plot_group_width(plot, i) * plot->model->log->n_caps);
}

static void draw_column(const struct plot *plot, int i, const struct plot_group *busy, const struct cells *to, int x)
{
	struct cell_shares shares = shares_of(plot, i, busy);
	if (!busy->known)
		lane_unknown(to->c, to->y + to->rows - 1, x);
	else
		cells_draw(to, x, &shares);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct plot_group *cols = plot_busy(plot, heat_caps(plot->model->log));
	const struct cells to = {.c = c, .y = y, .rows = lane->rows, .blank = true};
	char text[32];
	double running;
	lane_label(at, c, y, "activity");
	if (lane->rows > 1)
		canvas_str(c, y + 1, at->label_x, at->label_w, PEN(ST_DIM), "caps running");
	if (no_runs(plot->model->log)) {
		canvas_str(
			c, y, at->plot_x + 2, at->cols - 2, PEN(ST_DIM), absence_text(plot->model->log, ABSENCE_RUNS));
		return;
	}
	for (int i = 0; cols && i < plot->cols; i++)
		draw_column(plot, i, &cols[i], &to, at->plot_x + i);
	if (!plot_running(plot, 0, plot->n_caps, &running)) {
		lane_no_figure(at, c, y);
		return;
	}
	lane_figure(at, c, y, ST_DIM, text_of_caps(text, running, plot->n_caps));
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct plot_group *cols = plot_busy(plot, heat_caps(plot->model->log));
	uint64_t width = plot_group_width(plot, i);
	if (!cols || !cols[i].known) {
		line_put(l, ST_DIM, false, "  not known");
		return;
	}
	struct cell_shares s = shares_of(plot, i, &cols[i]);
	if (no_runs(plot->model->log)) {
		line_pair(l, "  what ran: ", ST_DIM, absence_text(plot->model->log, ABSENCE_RUNS));
		if (!absence_seen(plot->model->log, ABSENCE_GCS))
			return;
		line_printf(l, ST_DIM, false, "; of %zu capabilities ", plot->model->log->n_caps);
	} else {
		line_printf(l, ST_RUN, true, "  %.2f", (double)s.ns[CELL_RUN] / (double)width);
		line_printf(l, ST_DIM, false, " of %zu capabilities run, ", plot->model->log->n_caps);
	}
	line_printf(l, ST_MINOR, true, "%.2f",
		(double)(s.ns[CELL_MINOR] + s.ns[CELL_MAJOR] + s.ns[CELL_WAIT]) / (double)width);
	line_put(l, ST_DIM, false, " collect, ");
	line_printf(l, ST_SYNC, true, "%.2f", (double)s.ns[CELL_STOPPED] / (double)width);
	line_put(l, ST_DIM, false, " stopped, ");
	line_printf(l, ST_SYNC, true, "%.2f", (double)s.ns[CELL_SYNC] / (double)width);
	line_put(l, ST_DIM, false, " in sync, ");
	line_printf(l, ST_TEXT, true, "%.2f", (double)s.ns[CELL_IDLE] / (double)width);
	line_put(l, ST_DIM, false, " idle");
}

static const struct lane_colour colours[] = {{"activity", {ST_RUN, ST_STOPPED}, 0x2586, '#'}, {0}};

const struct lane_ops lane_activity = {.name = "activity",
	.count = count,
	.rows = rows,
	.draw = draw,
	.inspect_column = inspect_column,
	.colours = colours};
