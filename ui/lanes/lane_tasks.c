/* lane_tasks.c - lane of an OS thread: the capability it was on.
 *
 * Each capability has a colour; where the task moved more than once in a column, the digit says how often. */
#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/parts.h"
#include "report/absence.h"

#include <stdio.h>

enum { MANY = 10 };

static size_t count(const struct evl_log *log) { return tasks_count(&log->tasks); }

static int rows(const struct lane_place *at)
{
	(void)at;
	return 1;
}

static enum style colour(uint16_t cap) { return (enum style)(ST_BAND_0 + cap % STYLE_BANDS); }

static struct pen pen_on(enum style style, const struct lane_place *at, const struct canvas *c)
{
	return c->mono ? PEN(ST_TEXT) : (struct pen){(uint8_t)style_label(style, at->theme), (uint8_t)style, 0};
}

static void draw_cell(const struct task_column *col, uint64_t from, uint64_t to, const struct lane_place *at,
	struct canvas *c, int y, int x)
{
	enum style style = colour(col->to);
	if (!col->moves && c->mono)
		canvas_printf(c, y, x, 1, PEN(ST_TEXT), "-");
	else if (!col->moves)
		canvas_fill(c, y, x, 1, 1, (uint8_t)style);
	else if (col->moves == 1 && !c->mono)
		canvas_left(
			c, y, x, cells_part(col->split - from, to - from), (uint8_t)colour(col->from), (uint8_t)style);
	else
		canvas_printf(
			c, y, x, 1, pen_on(style, at, c), "%c", col->moves < MANY ? (char)('0' + col->moves) : '+');
}

/* "cap 3" inside of a stretch on one capability. */
static void draw_names(
	const struct plot *p, const struct task *task, const struct lane_place *at, struct canvas *c, int y)
{
	const struct model *m = p->model;
	for (int i = 0, n; i < p->cols; i += n) {
		struct task_column first = tasks_column(task, model_edge(m, i), model_edge(m, i + 1));
		char text[TEXT_ROOM];
		for (n = 1; i + n < p->cols && first.alive && !first.moves; n++) {
			struct task_column col = tasks_column(task, model_edge(m, i + n), model_edge(m, i + n + 1));
			if (!col.alive || col.moves || col.to != first.to)
				break;
		}
		snprintf(text, sizeof text, "cap %u", first.to);
		if (first.alive && !first.moves && n >= (int)strlen(text) + 2)
			canvas_str(c, y, at->plot_x + i + 1, n - 1, pen_on(colour(first.to), at, c), text);
	}
}

static const char *name_of(const struct task *task, const char *prefix, char *out, size_t room)
{
	if (task->os_thread)
		snprintf(out, room, "%s %llu", prefix, (unsigned long long)task->os_thread);
	else
		snprintf(out, room, "%s ?", prefix);
	return out;
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct model *m = plot->model;
	const struct task *task = tasks_at(&m->log->tasks, lane->index);
	char text[TEXT_ROOM];
	size_t moves = 0;
	lane_label(at, c, y, name_of(task, at->wide ? "task" : "os", text, sizeof text));
	for (int i = 0; i < plot->cols; i++) {
		uint64_t from = model_edge(m, i), to = model_edge(m, i + 1);
		struct task_column col = tasks_column(task, from, to);
		moves += col.moves;
		if (col.alive)
			draw_cell(&col, from, to, at, c, y, at->plot_x + i);
	}
	draw_names(plot, task, at, c, y);
	lane_figure(at, c, y, ST_DIM, lane_short(text, moves));
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	const struct task *task = tasks_at(&log->tasks, lane->index);
	uint64_t from, to;
	uint16_t cap;
	if (forward && t < task->born) {
		*out = task->born;
		return true;
	}
	if (!tasks_stay(task, forward || t == 0 ? t : t - 1, &cap, &from, &to))
		return false;
	*out = forward ? to : from;
	return forward ? to != UINT64_MAX : from > 0;
}

static bool span(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	uint16_t cap;
	return tasks_stay(tasks_at(&log->tasks, lane->index), t, &cap, from, to) && *to != UINT64_MAX;
}

/* Tasks on a capability at t. */
static size_t tasks_on(const struct tasks *tasks, uint16_t cap, uint64_t t)
{
	size_t n = 0;
	for (size_t i = 0; i < tasks_count(tasks); i++) {
		uint64_t from, to;
		uint16_t on;
		n += tasks_stay(tasks_at(tasks, i), t, &on, &from, &to) && on == cap;
	}
	return n;
}

/* What the capability did at the cursor is what the task did if no other is there: no event says which of many ran. */
static void put_work(struct line *l, const struct model *m, uint16_t cap)
{
	const struct evl_log *log = m->log;
	size_t n = tasks_on(&log->tasks, cap, m->at.cursor), lane = 0;
	struct cap_moment now;
	char text[96];
	if (n > 1) {
		snprintf(text, sizeof text, "  one of %zu there: which of them ran is not logged", n);
		line_put(l, ST_DIM, false, text);
		return;
	}
	while (lane < log->n_caps && log->blocks.chains[log->cap_chains[lane]].cap != cap)
		lane++;
	if (lane == log->n_caps || !absence_is_recorded(log, ABSENCE_RUNS))
		return;
	uint32_t chain = log->cap_chains[lane];
	caps_at(&log->blocks, &log->tiles[chain], chain, m->at.cursor, &now);
	if (!now.known)
		return;
	line_skip(l, 2);
	if (now.state == CAP_RUN) {
		line_put(l, ST_RUN, true, "runs ");
		line_thread(l, log, now.thread);
	} else {
		bool gc = now.state == CAP_GC && gcs_at(&log->gcs, m->at.cursor);
		line_put(l, gc ? ST_MINOR : ST_TEXT, true, gc ? "collects" : "idle");
	}
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	const struct task *task = tasks_at(&m->log->tasks, lane->index);
	char text[TEXT_ROOM], id[TEXT_ROOM];
	uint64_t from, to;
	uint16_t cap;
	line_put(l, ST_DIM, false, name_of(task, "task", text, sizeof text));
	snprintf(id, sizeof id, " (0x%llx)  ", (unsigned long long)task->id);
	line_put(l, ST_DIM, false, id);
	if (!tasks_stay(task, m->at.cursor, &cap, &from, &to)) {
		line_put(l, ST_TEXT, true, m->at.cursor < task->born ? "not there yet" : "gone");
		return;
	}
	snprintf(text, sizeof text, "on cap %u", cap);
	line_put(l, ST_TEXT, true, text);
	if (evl_progress(m->log).done)
		put_work(l, m, cap);
	line_put(l, ST_DIM, false, from ? "  since " : "  since before the log");
	if (from)
		line_put(l, ST_TEXT, false, text_time(text, from));
	if (from && to != UINT64_MAX) {
		line_put(l, ST_DIM, false, "  for ");
		line_duration(l, ST_TEXT, to - from);
	}
}

static void inspect_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct model *m = plot->model;
	const struct task *task = tasks_at(&m->log->tasks, lane->index);
	struct task_column col = tasks_column(task, model_edge(m, i), model_edge(m, i + 1));
	uint64_t more = atomic_load(&((struct evl_log *)(uintptr_t)m->log)->tasks.more);
	char text[TEXT_ROOM + 32], number[TEXT_ROOM];
	snprintf(text, sizeof text, "  %s move%s between capabilities", text_count(number, col.moves),
		col.moves == 1 ? "" : "s");
	line_put(l, ST_TEXT, false, text);
	snprintf(text, sizeof text, "   %s task events not kept", text_count(number, more));
	if (more)
		line_put(l, ST_WARN, false, text);
}

const struct lane_ops lane_tasks = {.name = "tasks",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.hidden_by_default = true};
