/* lane_heap.c - lane of the heap's live bytes and size.
 *
 * Live bytes are known after major collections only; columns without one carry the last value on and are dimmer. */
#include "draw/bars.h"
#include "lanes/parts.h"

#include <stdio.h>

enum { TALL = 5 };

static size_t count(const struct evl_log *log) { return log->heap.has_live || log->heap.has_size; }

/* A curve of live bytes needs height; without any the lane is small. */
static int rows(const struct lane_place *at)
{
	bool live = !at->log || at->log->heap.has_live;
	return at->tall && live ? TALL : at->rows >= 20 ? 2 : at->rows >= 12;
}

/* Why the left of the lane is empty: GHC tells sizes only at collections. */
static void draw_reason(const struct evl_log *log, const struct lane *lane, const struct heap_column *live,
	const struct heap_column *size, int known, const struct lane_place *at, struct canvas *c, int y)
{
	static const char *const texts[] = {
		"no heap data before the first GC", "live bytes are known after a major GC: none in this log"};
	int n = 0;
	while (n < known && !live[n].known && !size[n].known)
		n++;
	if (n >= (int)strlen(texts[0]) + 2)
		canvas_str(c, y + lane->rows - 1, at->plot_x + 1, n - 2, PEN(ST_DIM), texts[0]);
	if (evl_progress(log).done && !log->heap.has_live && known >= (int)strlen(texts[1]) + 2)
		canvas_str(c, y, at->plot_x + 1, known - 2, PEN(ST_DIM), texts[1]);
}

static void draw_column(
	const struct heap_column *live, const struct heap_column *size, uint64_t max, const struct bars *b, int x)
{
	int front = live->known ? bars_height(b, live->max, max) : 0,
	    back = size->known ? bars_height(b, size->max, max) : 0;
	bars_draw(b, x, front, live->fresh ? ST_LIVE : ST_STALE, back, ST_SIZE);
}

static uint64_t largest(const struct heap_column *cols, int n)
{
	uint64_t max = 0;
	for (int i = 0; i < n; i++)
		max = max_u64(max, cols[i].known ? cols[i].max : 0);
	return max;
}

/* The largest size in the run, which is the scale, and below it the most live bytes in the window: at the left where there is
 * no room to name them at the right. The rows are one chart, so neither label may read as that of a row. */
static void draw_labels(const struct lane *lane, const struct evl_log *log, const struct heap_column *live,
	uint64_t max, int n, const struct lane_place *at, struct canvas *c, int y)
{
	enum { LEAST_LABEL = 14 };
	char scale[2 * TEXT_ROOM], number[TEXT_ROOM];
	uint64_t most = largest(live, n);
	bool has_live = log->heap.has_live, narrow = !at->wide && at->gutter_w, two = lane->rows > 1 && has_live,
	     left = narrow && two && at->label_w >= LEAST_LABEL;
	int live_y = two ? y + 1 : y;
	snprintf(scale, sizeof scale, "heap 0–%s", lane_short(number, max));
	lane_label(at, c, y, left ? scale : narrow && !has_live ? "heap max" : "heap");
	if (left) {
		snprintf(scale, sizeof scale, " max live %s", most ? lane_short(number, most) : "-");
		canvas_str(c, y + 1, at->label_x, at->label_w, PEN(most ? ST_ACCENT : ST_DIM), scale);
		return;
	}
	if (two)
		canvas_str(c, y + 1, at->label_x, at->label_w, PEN(ST_DIM),
			at->label_w >= 11 ? "live / size" : "live/size");
	if (has_live && most)
		lane_named(at, c, live_y, ST_ACCENT, "live", most);
	else if (has_live)
		lane_figure(at, c, live_y, ST_DIM, "live -");
	if (two || !has_live)
		lane_named(at, c, y, ST_DIM, two ? "size" : "max", max);
	if (lane->rows > 2)
		lane_figure(at, c, y + lane->rows - 1, ST_DIM, "0 B");
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = plot->model->log;
	const struct heap_column *live = plot_heap(plot, HEAP_CURVE_LIVE), *size = plot_heap(plot, HEAP_CURVE_SIZE);
	const struct bars b = {c, y, lane->rows};
	uint64_t max = max_u64(log->heap.max_live, log->heap.max_size);
	int known = lane_known_cols(plot, evl_known(log));
	if (!live || !size)
		return;
	for (int i = 0; i < known; i++)
		draw_column(&live[i], &size[i], max, &b, at->plot_x + i);
	draw_reason(log, lane, live, size, known, at, c, y);
	for (int i = known; i < plot->cols; i++)
		lane_unknown(c, y + lane->rows - 1, at->plot_x + i);
	draw_labels(lane, log, live, max, plot->cols, at, c, y);
}

/* Samples of live bytes are the changes; where there are none, those of the size. */
static enum heap_curve main_curve(const struct evl_log *log)
{
	return log->heap.has_live ? HEAP_CURVE_LIVE : HEAP_CURVE_SIZE;
}

static bool change(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct series_row row;
	if (!forward && t == 0)
		return false;
	bool found = forward ? heap_after(&log->heap, main_curve(log), t, &row)
			     : heap_at(&log->heap, main_curve(log), t - 1, &row);
	*out = found ? row.t : t;
	return found;
}

static void put_curve(struct line *l, const struct model *m, const char *name, enum heap_curve curve)
{
	struct series_row row;
	if (!heap_at(&m->log->heap, curve, m->at.cursor, &row))
		return;
	line_pair(l, name, ST_TEXT, as_bytes(row.value));
	if (curve != HEAP_CURVE_LIVE || row.t == m->at.cursor)
		return;
	line_pair(l, " (by GC ", ST_DIM, as_duration(m->at.cursor - row.t));
	line_put(l, ST_DIM, false, " ago)");
}

static void put_returned(struct line *l, const struct model *m)
{
	struct point at;
	struct heap_return r;
	char text[96];
	if (!points_before(&m->log->heap.returns, m->at.cursor + 1, &at)
		|| !heap_return_at(&m->log->blocks, at.off, &r))
		return;
	snprintf(text, sizeof text, "  last return: %u of %u megablocks", r.returned, r.current);
	if (line_room(l) > (int)strlen(text))
		line_put(l, ST_DIM, false, text);
}

static void inspect(UNUSED const struct lane *lane, const struct model *m, struct line *l)
{
	struct series_row row;
	line_put(l, ST_DIM, false, "heap");
	put_curve(l, m, "  live ", HEAP_CURVE_LIVE);
	put_curve(l, m, "  size ", HEAP_CURVE_SIZE);
	put_curve(l, m, "  blocks ", HEAP_CURVE_BLOCKS);
	if (!heap_at(&m->log->heap, HEAP_CURVE_LIVE, m->at.cursor, &row))
		line_put(l, ST_DIM, false, "  live bytes not known before the first major GC");
	put_returned(l, m);
	line_thinned(l, m->log);
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	static const char *const names[] = {"  live ", "  size ", "  blocks "};
	bool any = false;
	for (enum heap_curve curve = 0; curve < HEAP_CURVES; curve++) {
		const struct heap_column *cols = plot_heap(plot, curve);
		if (!cols || !cols[i].known)
			continue;
		any = true;
		line_put(l, ST_DIM, false, names[curve]);
		if (cols[i].min != cols[i].max) {
			line_bytes(l, ST_TEXT, cols[i].min);
			line_put(l, ST_DIM, false, " to ");
		}
		line_bytes(l, ST_TEXT, cols[i].max);
	}
	if (!any)
		line_put(l, ST_DIM, false, "  no heap data before the first GC");
	line_thinned(l, plot->model->log);
}

const struct lane_ops lane_heap = {.name = "heap",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.inspect = inspect,
	.inspect_column = inspect_column};
