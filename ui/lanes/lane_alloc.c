/* lane_alloc.c - lane of the allocation rate.
 *
 * The figure, called max, is that of the fastest column, which is as high as the lane: bytes per second of
 * all time, pauses included, so it may be below the mean rate of the mutator. After the last sample the rate is
 * unknown. */
#include "draw/bars.h"
#include "heap/alloc_rate.h"
#include "lanes/parts.h"

enum { LEAST_SCREEN = 30 };

static size_t count(const struct evl_log *log) { return log->heap.has_allocated; }

static int rows(const struct lane_place *at) { return at->tall ? 2 : at->rows >= LEAST_SCREEN; }

/* The rate of a column, in bytes a second. */
static uint64_t rate_of(const struct plot *p, const uint64_t *cols, int i)
{
	uint64_t ns = model_edge(p->model, i + 1) - model_edge(p->model, i);
	return (uint64_t)((unsigned __int128)cols[i] * 1000000000 / ALLOC_PARTS / (ns ? ns : 1));
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = plot->model->log;
	const uint64_t *cols = plot_allocated(plot);
	const struct bars b = {c, y, lane->rows};
	int read = lane_known_cols(plot, evl_known(log));
	uint64_t max = 0;
	char text[TEXT_ROOM + 8];
	lane_label(at, c, y, lane->rows > 1 || at->label_w < 15 ? "alloc rate" : "alloc rate, max");
	if (lane->rows > 1)
		canvas_str(c, y + 1, at->label_x, at->label_w, PEN(ST_DIM), at->wide ? "pauses included" : "with GC");
	for (int i = 0; cols && i < plot->cols; i++)
		max = max_u64(max, rate_of(plot, cols, i));
	for (int i = 0; cols && i < plot->cols; i++) {
		if (i < read)
			bars_draw(
				&b, at->plot_x + i, bars_height(&b, rate_of(plot, cols, i), max), ST_ALLOC, 0, ST_PAGE);
		else
			lane_unknown(c, y + lane->rows - 1, at->plot_x + i);
	}
	lane_short(text, max);
	memcpy(text + strlen(text), "/s", sizeof "/s");
	if (read)
		lane_figure(at, c, y, ST_DIM, text);
	else
		lane_no_figure(at, c, y);
	if (read && lane->rows > 1)
		lane_figure(at, c, y + 1, ST_DIM, "max");
}

static void inspect(UNUSED const struct lane *lane, const struct model *m, struct line *l)
{
	uint64_t until;
	heap_allocations(&m->log->heap, 0, m->at.cursor + 1, 1, &until);
	line_pair(l, "allocated so far ", ST_TEXT, as_bytes(until));
	if (m->at.cursor > heap_allocated_known(&m->log->heap))
		line_put(l, ST_DIM, false, "  plus the bytes since the last sample");
	line_thinned(l, m->log);
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const uint64_t *cols = plot_allocated(plot);
	if (!cols)
		return;
	line_pair(l, "  allocated ", ST_TEXT, as_bytes(cols[i] / ALLOC_PARTS));
	line_pair(l, "  rate ", ST_ALLOC, as_bytes(rate_of(plot, cols, i)));
	line_put(l, ST_ALLOC, false, "/s");
	line_put(l, ST_DIM, false, " (pauses included)");
}

static const struct lane_colour colours[] = {{"alloc rate", {ST_ALLOC, ST_ALLOC}, 0x2586, '#'}, {0}};

const struct lane_ops lane_alloc = {.name = "alloc rate",
	.count = count,
	.rows = rows,
	.draw = draw,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.colours = colours};
