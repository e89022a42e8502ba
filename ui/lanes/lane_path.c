/* lane_path.c - lane of the critical path, and the path as a line over the lanes it follows.
 *
 * The lane shows the parts of the path in each column and the thread it is on; path_marks_draw draws the line. */
#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/lane_overlay.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"

#include <stdio.h>

static size_t count(const struct evl_log *log) { return log->n_caps > 0; }

static int rows(const struct lane_place *at) { return !at->path ? -1 : at->tall ? 2 : 1; }

/* The columns of this window; NULL: not known yet, or none. */
static const struct path_col *columns_of(const struct plot *p, const struct path_cols *path)
{
	bool fits = path && path->made && path->ask.t0 == p->t0 && path->ask.t1 == p->t1
		&& path->ask.cols == (uint64_t)p->cols;
	return fits ? path->path.columns : NULL;
}

static uint64_t sum_of(const struct path_col *col)
{
	uint64_t sum = 0;
	for (int i = 0; i < PATH_PART_COUNT; i++)
		sum += col->ns[i];
	return sum;
}

static struct cell_shares shares_of(const struct path_col *col, const struct gc_sum *gc, uint64_t width)
{
	bool major = gc->major_ns > gc->minor_ns;
	struct cell_shares s = {.ns = {[CELL_RUN] = col->ns[PATH_PART_RUN],
					[CELL_FOREIGN] = col->ns[PATH_PART_FOREIGN],
					[CELL_SYNC] = col->ns[PATH_PART_SYNC],
					[CELL_RUNNABLE] = col->ns[PATH_PART_RUNNABLE],
					[CELL_BLOCKED] = col->ns[PATH_PART_EXTERNAL],
					[CELL_UNKNOWN] = col->ns[PATH_PART_UNKNOWN],
					[CELL_ABSENT] = sub_or_0(width, sum_of(col))}};
	s.ns[major ? CELL_MAJOR : CELL_MINOR] = col->ns[PATH_PART_GC];
	return s;
}

/* The thread with the most time in a column; 0: none, or nothing is known of it there, as before its creation. */
static uint32_t thread_in(const struct path_col *col)
{
	return col->ns[PATH_PART_UNKNOWN] < sum_of(col) ? col->threads[0] : 0;
}

/* Draw the threads of the path, in stretches of columns in which one thread has the most time. Without colours a bar separates
 * them. */
static void draw_threads(const struct plot *p, const struct path_col *cols, const struct lane_place *at,
	struct canvas *c, int y, bool own_row)
{
	for (int i = 0, n; i < p->cols; i += n) {
		uint32_t thread = thread_in(&cols[i]);
		bool plain = cols[i].n_threads == 1;
		for (n = 1; i + n < p->cols && thread_in(&cols[i + n]) == thread; n++)
			plain = plain && cols[i + n].n_threads == 1;
		if (thread == 0 || (!own_row && !plain))
			continue;
		enum style style = own_row ? cap_thread_tint(p, thread) : ST_RUN;
		if (own_row && !c->mono)
			canvas_fill(c, y, at->plot_x + i, 1, n, (uint8_t)style);
		else if (own_row)
			canvas_glyph(c, y, at->plot_x + i, PEN(ST_DIM), 0x2502, '|');
		if (own_row || !c->mono)
			cap_thread_draw(p, thread, lane_pen_on(style, at, c), c, y, at->plot_x + i, n);
	}
}

/* Names over cells: only where all of them are the colour of running. */
static bool is_solid_run(const struct path_col *cols, const struct plot *p)
{
	for (int i = 0; i < p->cols; i++)
		if (cols[i].ns[PATH_PART_RUN] * 16 < sum_of(&cols[i]) * 15)
			return false;
	return true;
}

/* Why the window has no step of the path. */
static void note_none(const struct plot *p, const struct path_cols *of, char *text, size_t room)
{
	const struct path *path = &of->path;
	if (!path->found)
		snprintf(text, room, "no path: no thread ran");
	else if (of->ask.of.label)
		snprintf(text, room, "no step here: none of the spans is in this window");
	else if (path->to <= p->t0)
		snprintf(text, room, "no step here: the path ends at %s", as_value(UNIT_MOMENT, (double)path->to));
	else
		snprintf(text, room, "no step here: the path starts at %s", as_value(UNIT_MOMENT, (double)path->from));
}

/* No main thread is known, or not its end: with which thread the path ends instead; and what to do, where nothing of it is
 * known for long enough. Else only why nothing is known. */
static void note_unknown(const struct path *path, const struct path_col *first, bool brief, char *text, size_t room)
{
	if (path->end < PATH_END_UNLOGGED)
		snprintf(text, room, brief ? "not known" : "not known: no event of thread %u yet", first->threads[0]);
	else if (brief)
		snprintf(text, room, "ends with thread %u, which ran last", path->thread);
	else
		snprintf(text, room,
			"ends with thread %u, which ran last, as %s: select the lane of another thread, then W",
			path->thread,
			path->end == PATH_END_NO_MAIN ? "no main thread is known"
						      : "the end of the main thread is not logged");
}

/* Over the columns at the left of which nothing is known, or over all if there is no step of the path. */
static void draw_note(const struct plot *p, const struct path_cols *of, const struct path_col *cols, uint64_t all,
	const struct lane_place *at, struct canvas *c, int y)
{
	char text[160];
	int blank = 0;
	while (blank < p->cols && cols[blank].ns[PATH_PART_UNKNOWN] == sum_of(&cols[blank]))
		blank++;
	for (int brief = 0; brief < 2; brief++) {
		if (all == 0)
			note_none(p, of, text, sizeof text);
		else
			note_unknown(&of->path, cols, brief, text, sizeof text);
		if ((int)strlen(text) + 2 > blank)
			continue;
		canvas_str(c, y, at->plot_x + 1, blank - 1, PEN(ST_DIM), text);
		return;
	}
}

/* If one step other than a run covers the window: what it is. */
static void draw_step(const struct plot *p, const struct path_col *cols, uint64_t all, const struct lane_place *at,
	struct canvas *c, int y)
{
	static const struct {
		enum path_part part;
		enum style style;
		const char *text;
	} steps[] = {{PATH_PART_RUNNABLE, ST_RUNNABLE, "waits for a capability"},
		{PATH_PART_FOREIGN, ST_FOREIGN, "is in a foreign call"},
		{PATH_PART_EXTERNAL, ST_BLOCKED, "waits for a timer, input or output"}};
	char text[64];
	for (size_t k = 0; k < countof(steps); k++) {
		uint64_t sum = 0;
		for (int i = 0; i < p->cols; i++)
			sum += cols[i].threads[0] == cols[0].threads[0] ? cols[i].ns[steps[k].part] : 0;
		snprintf(text, sizeof text, "thread %u %s", cols[0].threads[0], steps[k].text);
		if (sum == all)
			canvas_str(c, y, at->plot_x + 1, p->cols - 2, lane_pen_on(steps[k].style, at, c), text);
	}
}

static void draw(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	const struct path_cols *path = p->lanes->path;
	const struct path_col *cols = columns_of(p, path);
	const struct cells to = {.c = c, .y = y, .rows = 1};
	uint64_t run = 0, all = 0;
	lane_label(at, c, y, "path, run");
	for (int i = 0; i < p->cols; i++) {
		uint64_t from = model_edge(p->model, i), width = model_edge(p->model, i + 1) - from;
		bool known = cols && (path->path.reached <= from || path->path.reached == path->path.from)
			&& from + width <= p->lanes->path_until;
		if (!known || (sum_of(&cols[i]) == 0)) {
			if (!known && !(path && path->made && path->path.proved && !path->path.found))
				lane_unknown(c, y, at->plot_x + i);
			continue;
		}
		struct cell_shares shares = shares_of(&cols[i], &p->gc[i], width);
		cells_draw(&to, at->plot_x + i, &shares);
		run += cols[i].ns[PATH_PART_RUN];
		all += sum_of(&cols[i]);
	}
	if (cols && (path->path.reached == path->path.from || !path->path.found))
		draw_note(p, path, cols, all, at, c, y);
	if (!cols || all == 0)
		return;
	if (lane->rows > 1 && path->path.end >= PATH_END_UNLOGGED && path->path.found) {
		char text[40];
		snprintf(text, sizeof text, "to %u, ran last", path->path.thread);
		lane_label(at, c, y + 1, text);
	}
	draw_step(p, cols, all, at, c, y);
	if (lane->rows > 1)
		draw_threads(p, cols, at, c, y + 1, true);
	else if (is_solid_run(cols, p))
		draw_threads(p, cols, at, c, y, false);
	lane_figure(at, c, y, 2 * run > all ? ST_RUN : ST_DIM, as_share((double)run / (double)all));
}

static void put_threads(struct line *l, const struct evl_log *log, const struct path_col *col)
{
	line_skip(l, 2);
	if (col->cap != EVL_NO_CAP)
		line_printf(l, ST_TEXT, false, "on cap %u  ", col->cap);
	if (!thread_in(col))
		line_put(l, ST_DIM, false, "before ");
	line_thread(l, log, col->threads[0]);
	if (!thread_in(col))
		line_put(l, ST_DIM, false, " is known");
	if (col->n_threads > 1)
		line_printf(l, ST_DIM, false, " and %u%s more", col->n_threads - 1,
			col->n_threads == PATH_ALONG ? " or" : "");
}

static void inspect_column(UNUSED const struct lane *lane, struct plot *p, int i, struct line *l)
{
	static const struct {
		enum path_part part;
		enum style style;
		const char *name;
	} parts[] = {{PATH_PART_RUN, ST_RUN, "run "}, {PATH_PART_GC, ST_MINOR, "GC "},
		{PATH_PART_SYNC, ST_SYNC, "sync "}, {PATH_PART_RUNNABLE, ST_RUNNABLE, "runnable "},
		{PATH_PART_FOREIGN, ST_FOREIGN, "foreign call "}, {PATH_PART_EXTERNAL, ST_TEXT, "timer, I/O "},
		{PATH_PART_UNKNOWN, ST_DIM, "not known "}};
	const struct path_col *cols = columns_of(p, p->lanes->path);
	uint64_t all = cols ? sum_of(&cols[i]) : 0;
	line_put(l, ST_DIM, false, "  path");
	if (all == 0) {
		line_put(l, ST_DIM, false, cols ? "  not on the path here" : "  not known yet");
		return;
	}
	put_threads(l, p->model->log, &cols[i]);
	for (size_t k = 0; k < countof(parts); k++)
		if (cols[i].ns[parts[k].part])
			line_share(l, parts[k].style, parts[k].name, cols[i].ns[parts[k].part], all);
	struct buf end = {0};
	if (path_end_text(&end, p->model->log, &p->lanes->path->path)) {
		line_put(l, ST_DIM, false, "  path ");
		line_text(l, ST_DIM, false, buf_slice(&end, 0, end.len));
	}
	buf_free(&end);
}

const struct lane_ops lane_path = {
	.name = "path", .count = count, .rows = rows, .draw = draw, .inspect_column = inspect_column};

/* --- over the other lanes --- */

/* Does it go along this lane in the column? Time that is not known, such as before a thread's creation, is no part of its
 * lane. */
static bool is_along(const struct path_col *col, const struct evl_log *log, const struct lane *lane)
{
	if (sum_of(col) == 0)
		return false;
	if (lane->ops == &lane_cap) {
		uint16_t cap = log->blocks.chains[log->cap_chains[lane->index]].cap;
		return col->cap == cap || (col->caps & 1ull << (cap & 63) && log->n_caps <= 64);
	}
	uint32_t thread = col->ns[PATH_PART_UNKNOWN] < sum_of(col) ? lanes_thread(lane) : 0;
	for (uint32_t i = 0; thread && i < col->n_threads; i++)
		if (col->threads[i] == thread)
			return true;
	return false;
}

void path_marks_draw(
	const struct plot *p, const struct placed_lane *placed, const struct lane_place *at, struct canvas *c)
{
	const struct path_col *cols = columns_of(p, p->lanes->path);
	int y = placed->y + placed->lane.rows - 1;
	for (int i = 0; cols && i < p->cols; i++) {
		struct cell *cell = canvas_at(c, y, at->plot_x + i);
		if (!cell || !is_along(&cols[i], p->model->log, &placed->lane))
			continue;
		if (overlay_is_text(c, y, at->plot_x + i))
			cell->attr |= ATTR_UNDERLINE;
		else
			lane_sign(at, c, y, at->plot_x + i, 0x2501, '=');
	}
}
