/* lane_perf.c - lanes of hardware counters (perf): samples in each column. */
#include "draw/bars.h"
#include "draw/text.h"
#include "lanes/parts.h"

#include <stdio.h>
#include <stdlib.h>

static size_t count(const struct evl_log *log) { return perf_count(&log->perf); }

static int rows(const struct lane_place *at) { return at->rows >= 20; }

/* "perf cycles", or by its number where the log does not name it. */
static void put_name(const struct evl_log *log, const struct perf_counter *counter, bool wide, char *out, size_t room)
{
	struct evl_str name = evl_text_at(log, atomic_load(&counter->name));
	if (name.len)
		snprintf(out, room, "%s%.*s", wide ? "perf " : "", (int)min_u64(name.len, room / 2), name.p);
	else
		snprintf(out, room, "perf %u", counter->id);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = plot->model->log;
	const struct perf_counter *counter = perf_at(&log->perf, lane->index);
	const struct bars b = {c, y, lane->rows};
	int known = lane_known_cols(plot, evl_known(log));
	size_t *cols = counter ? calloc((size_t)plot->cols + 1, sizeof *cols) : NULL, max = 0, all = 0;
	char text[128];
	if (!cols)
		return;
	put_name(log, counter, at->wide, text, sizeof text);
	canvas_name(c, y, at->label_x, at->label_w, PEN(ST_TEXT), str_of(text));
	for (int i = 0; i < known; i++) {
		cols[i] =
			points_in(&counter->samples, model_edge(plot->model, i), model_edge(plot->model, i + 1), NULL);
		max = max_u64(max, cols[i]);
		all += cols[i];
	}
	for (int i = 0; i < plot->cols; i++)
		if (i < known)
			bars_draw(&b, at->plot_x + i, bars_height(&b, cols[i], max), ST_ALLOC, 0, ST_PAGE);
		else
			lane_unknown(c, y + lane->rows - 1, at->plot_x + i);
	lane_figure(at, c, y, ST_DIM, text_count(text, all));
	free(cols);
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	const struct perf_counter *counter = perf_at(&log->perf, lane->index);
	struct point at = {0};
	bool found = counter && (forward ? points_after : points_before)(&counter->samples, t, &at);
	*out = at.t;
	return found;
}

/* The last sample: " 1,000,000 in OS thread 4711, 12 µs ago". */
static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	const struct perf_counter *counter = perf_at(&m->log->perf, lane->index);
	struct perf_sample sample;
	struct point at;
	char text[160];
	if (!counter)
		return;
	put_name(m->log, counter, true, text, sizeof text);
	line_text(l, ST_EM, true, str_of(text));
	bool any = points_before(&counter->samples, m->at.cursor + 1, &at);
	if (!any || !perf_sample(&m->log->blocks, at.off, &sample)) {
		line_put(l, ST_DIM, false, any ? "  reading the last sample" : "  no sample before the cursor");
		return;
	}
	bool here = at.t == m->at.cursor;
	line_put(l, ST_DIM, false, here ? "  sample " : "  last sample ");
	if (sample.period)
		line_printf(l, ST_TEXT, false, "of %s ", as_count(sample.period));
	line_printf(l, ST_DIM, false, "in OS thread %llu", (unsigned long long)sample.kernel_tid);
	if (here)
		return;
	line_pair(l, ", ", ST_TEXT, as_duration(m->at.cursor - at.t));
	line_put(l, ST_DIM, false, " ago");
}

static void inspect_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct perf_counter *counter = perf_at(&plot->model->log->perf, lane->index);
	line_skip(l, 2);
	if (counter)
		line_merged(l, ST_TEXT,
			points_in(&counter->samples, model_edge(plot->model, i), model_edge(plot->model, i + 1), NULL),
			"sample");
}

static const struct lane_colour colours[] = {{"perf", {ST_ALLOC, ST_ALLOC}, 0x2586, '#'}, {0}};

const struct lane_ops lane_perf = {.name = "perf",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.most_when_low = 1,
	.colours = colours};
