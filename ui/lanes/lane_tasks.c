/* lane_tasks.c - lanes of OS threads of the run-time system: what each ran, where, and when it was idle.
 *
 * As far as the log tells: a task that is alone on a capability did what the capability did, and all tasks of an idle one are
 * idle. Which of several ran is not logged, nor is each move (tasks.h). A second row, or a number where each stay begins, says
 * which capability it was on, if the log does. */
#include "lanes/cells.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"
#include "report/abilities.h"

#include <stdio.h>
#include <stdlib.h>

enum { MANY = 10 };

static size_t count(const struct evl_log *log) { return tasks_threads(&log->tasks); }

static int rows(const struct lane_place *at) { return at->tall ? 2 : 1; }

/* The capability in a column; TASK_NO_CAP: unknown, not one, or the OS thread was not there. */
static uint16_t only_cap(const struct task_column *col)
{
	return col->alive && !col->moves && col->from == col->to ? col->to : TASK_NO_CAP;
}

static enum style colour(uint16_t cap) { return (enum style)(ST_BAND_0 + cap % STYLE_BANDS); }

static void draw_cell(const struct task_column *col, uint64_t from, uint64_t to, const struct lane_place *at,
	struct canvas *c, int y, int x)
{
	enum style style = colour(col->to);
	if (col->to == TASK_NO_CAP || col->from == TASK_NO_CAP)
		lane_unknown(c, y, x);
	else if (!col->moves && c->mono)
		canvas_printf(c, y, x, 1, PEN(ST_TEXT), "-");
	else if (!col->moves)
		canvas_fill(c, y, x, 1, 1, (uint8_t)style);
	else if (col->moves == 1 && !c->mono)
		canvas_left(
			c, y, x, cells_part(col->split - from, to - from), (uint8_t)colour(col->from), (uint8_t)style);
	else
		canvas_printf(c, y, x, 1, lane_pen_on(style, at, c), "%c",
			col->moves < MANY ? (char)('0' + col->moves) : '+');
}

/* "cap 3" inside of a stretch on one capability. */
static void draw_names(
	const struct plot *p, const struct task *task, const struct lane_place *at, struct canvas *c, int y)
{
	const struct model *m = p->model;
	for (int i = 0, n; i < p->cols; i += n) {
		struct task_column first = tasks_thread_column(task, model_edge(m, i), model_edge(m, i + 1));
		char text[TEXT_ROOM];
		const uint16_t cap = only_cap(&first);
		for (n = 1; i + n < p->cols && cap != TASK_NO_CAP; n++) {
			struct task_column col =
				tasks_thread_column(task, model_edge(m, i + n), model_edge(m, i + n + 1));
			if (only_cap(&col) != cap)
				break;
		}
		snprintf(text, sizeof text, "cap %u", cap);
		if (cap != TASK_NO_CAP && n >= (int)strlen(text) + 2)
			canvas_str(c, y, at->plot_x + i + 1, n - 1, lane_pen_on(colour(first.to), at, c), text);
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

/* Activity in a column, as far as known. */
static struct cap_column work_in(struct plot *p, const struct task *task, int i)
{
	const uint8_t(*tasks)[PLOT_TASK_CAPS + 1] = plot_tasks(p);
	uint64_t from = model_edge(p->model, i), to = model_edge(p->model, i + 1);
	struct task_column there = tasks_thread_column(task, from, to);
	struct cap_column unknown = {.alive = there.alive, .known = !there.alive};
	if (only_cap(&there) >= PLOT_TASK_CAPS || !tasks)
		return unknown;
	const struct cap_column *cap = plot_cap(p, cap_lane(p->model->log, there.to));
	bool idle = cap && cap[i].known && cap[i].ns[SHARE_IDLE] == to - from;
	return cap && (tasks[i][there.to] + tasks[i][PLOT_TASK_CAPS] == 1 || idle) ? cap[i] : unknown;
}

/* The capability that it was on in a column in which others were there too; NULL: none, unknown, or it moved. */
static const struct cap_column *shared_work(struct plot *p, const struct task *task, int i, uint16_t *number)
{
	struct task_column there = tasks_thread_column(task, model_edge(p->model, i), model_edge(p->model, i + 1));
	const struct cap_column *cap =
		only_cap(&there) != TASK_NO_CAP ? plot_cap(p, cap_lane(p->model->log, there.to)) : NULL;
	*number = there.to;
	return cap && cap[i].known && cap[i].alive ? &cap[i] : NULL;
}

/* Activity of one of several tasks: hatched, in the colour of the largest part; as unknown where the capability is. */
static void draw_shared(struct plot *p, const struct task *task, int i, struct canvas *c, int y, int x)
{
	static const uint8_t styles[CAP_SHARES] = {[SHARE_RUN] = ST_RUN,
		[SHARE_MINOR] = ST_MINOR,
		[SHARE_MAJOR] = ST_MAJOR,
		[SHARE_WAIT] = ST_GC_WAIT,
		[SHARE_SYNC] = ST_SYNC,
		[SHARE_STOPPED] = ST_STOPPED};
	uint16_t number;
	const struct cap_column *cap = shared_work(p, task, i, &number);
	enum cap_share most = SHARE_RUN;
	for (int k = SHARE_RUN; cap && k < CAP_SHARES; k++)
		most = cap->ns[k] > cap->ns[most] ? (enum cap_share)k : most;
	if (number == TASK_NO_CAP)
		lane_unknown(c, y, x);
	else if (cap && cap->ns[most])
		canvas_glyph(c, y, x, PEN(styles[most]), 0x2591, '?');
}

/* "3" in the first column of each stay on a capability. */
static void draw_numbers(
	const struct plot *p, const struct task *task, const struct lane_place *at, struct canvas *c, int y)
{
	uint16_t last = EVL_NO_CAP;
	for (int i = 0; i < p->cols; i++) {
		struct task_column col =
			tasks_thread_column(task, model_edge(p->model, i), model_edge(p->model, i + 1));
		char digit = (char)('0' + col.to % MANY);
		if (col.alive && col.to != last && col.to != TASK_NO_CAP)
			lane_sign(at, c, y, at->plot_x + i, (uint32_t)digit, digit);
		last = col.alive ? col.to : EVL_NO_CAP;
	}
}

/* In a separate row. */
static void draw_caps(
	const struct plot *p, const struct task *task, const struct lane_place *at, struct canvas *c, int y)
{
	for (int i = 0; i < p->cols; i++) {
		uint64_t from = model_edge(p->model, i), to = model_edge(p->model, i + 1);
		struct task_column col = tasks_thread_column(task, from, to);
		if (col.alive)
			draw_cell(&col, from, to, at, c, y, at->plot_x + i);
	}
	draw_names(p, task, at, c, y);
}

/* How much of the window it ran for: at least, where not all is known. Where nothing is and the label has no room for it, the
 * capability that it was on, or how often it moved. */
static void draw_figure(const struct plot *p, const struct task *task, const struct cap_column *cols,
	const struct lane_place *at, struct canvas *c, int y)
{
	struct task_column there = tasks_thread_column(task, p->t0, p->t1);
	uint64_t run = 0;
	bool all = true;
	char share[TEXT_ROOM], text[TEXT_ROOM + 16];
	for (int i = 0; i < p->cols; i++) {
		run += cols[i].alive && cols[i].known ? cols[i].run_ns : 0;
		all = all && cols[i].known;
	}
	text_share(share, (double)run / (double)(p->t1 - p->t0));
	snprintf(text, sizeof text, "%s%s", all || *share == '>' || *share == '<' ? "" : ">=", share);
	if (!all && !run)
		snprintf(text, sizeof text, there.moves ? "%zu move%s" : "cap %zu",
			there.moves ? there.moves : there.to, there.moves == 1 ? "" : "s");
	if (all || run || ((there.moves || only_cap(&there) != TASK_NO_CAP) && !at->wide))
		lane_figure(at, c, y, ST_DIM, text);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = plot->model->log;
	const struct task *task = tasks_of_thread(&log->tasks, lane->index);
	bool recorded = evl_progress(log).done && absence_seen(log, ABSENCE_RUNS);
	struct cap_column *cols = recorded ? calloc((size_t)plot->cols, sizeof *cols) : NULL;
	bool own_row = lane->rows > 1 || !cols;
	struct task_column all = tasks_thread_column(task, plot->t0, plot->t1);
	char text[TEXT_ROOM], label[2 * TEXT_ROOM];
	name_of(task, at->wide ? "task" : "os", text, sizeof text);
	if (at->wide && only_cap(&all) != TASK_NO_CAP)
		snprintf(label, sizeof label, "%s cap %u", text, all.to);
	else
		snprintf(label, sizeof label, "%s", text);
	lane_label(at, c, y, label);
	for (int i = 0; cols && i < plot->cols; i++)
		cols[i] = work_in(plot, task, i);
	if (cols) {
		cap_columns_draw(plot, cols, lane->rows - (lane->rows > 1), at, c, y);
		for (int i = 0; i < plot->cols; i++)
			if (cols[i].alive && !cols[i].known)
				draw_shared(plot, task, i, c, y, at->plot_x + i);
		draw_figure(plot, task, cols, at, c, y);
	}
	free(cols);
	if (own_row)
		draw_caps(plot, task, at, c, y + lane->rows - 1);
	else
		draw_numbers(plot, task, at, c, y);
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	const struct task *task = tasks_of_thread(&log->tasks, lane->index);
	uint64_t from, to;
	uint16_t cap;
	const struct task *then = tasks_then(task, forward || t == 0 ? t : t - 1);
	if (!tasks_stay(then, forward || t == 0 ? t : t - 1, &cap, &from, &to)) {
		while (task->born > t && task->earlier && task->earlier->born > t)
			task = task->earlier;
		*out = task->born; /* the first that comes after */
		return forward && t < task->born;
	}
	*out = forward ? to : from;
	return forward ? to != UINT64_MAX : from > 0;
}

static bool span(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	uint16_t cap;
	const struct task *then = tasks_then(tasks_of_thread(&log->tasks, lane->index), t);
	return tasks_stay(then, t, &cap, from, to) && *to != UINT64_MAX;
}

/* Tasks on a capability at t, and those that may be. */
static size_t tasks_on(const struct tasks *tasks, uint16_t cap, uint64_t t, size_t *maybe)
{
	size_t n = 0;
	*maybe = 0;
	for (size_t i = 0; i < tasks_count(tasks); i++) {
		uint64_t from, to;
		uint16_t on;
		if (!tasks_stay(tasks_at(tasks, i), t, &on, &from, &to))
			continue;
		n += on == cap;
		*maybe += on == TASK_NO_CAP;
	}
	return n;
}

/* The capability's activity at the cursor is the task's if it has no other task: no event tells which of many ran. If it is
 * idle, as its lane says, so are all. */
static void put_work(struct line *l, const struct model *m, uint16_t cap)
{
	const struct evl_log *log = m->log;
	const uint64_t t = m->at.cursor;
	const struct lane lane = {.ops = &lane_cap, .index = cap_lane(log, cap)};
	size_t maybe, n = tasks_on(&log->tasks, cap, t, &maybe);
	bool gc = gcs_at(&log->gcs, t);
	struct cap_moment now = {0};
	if (lane.index < log->n_caps && !absence_is_sure(log, ABSENCE_RUNS)) {
		uint32_t chain = log->cap_chains[lane.index];
		caps_at(&log->blocks, &log->tiles[chain], chain, t, &now);
	}
	if (now.known && (gc ? now.state == CAP_IDLE : cap_is_idle(&lane, log, t))) {
		line_put(l, gc ? ST_MINOR : ST_TEXT, true, gc ? "  its cap is stopped for GC" : "  idle");
	} else if (n + maybe > 1) {
		line_printf(l, ST_DIM, false, "  one of %zu %s: the log does not say which ran", n + maybe,
			maybe ? "that may be there" : "there");
	} else if (now.known && now.state == CAP_RUN) {
		line_put(l, ST_RUN, true, "  runs ");
		line_thread(l, log, now.thread);
	} else if (now.known && now.state == CAP_GC) {
		line_put(l, ST_MINOR, true, "  collects");
	}
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	const struct task *latest = tasks_of_thread(&m->log->tasks, lane->index);
	const struct task *task = tasks_then(latest, m->at.cursor);
	char text[TEXT_ROOM];
	uint64_t from, to;
	uint16_t cap;
	line_printf(l, ST_DIM, false, "%s (0x%llx)  ", name_of(task, "task", text, sizeof text),
		(unsigned long long)task->id);
	if (!tasks_stay(task, m->at.cursor, &cap, &from, &to)) {
		line_put(l, ST_TEXT, true,
			m->at.cursor < task->born ? "does not exist yet"
				: task != latest  ? "away"
						  : "gone");
		return;
	}
	if (cap == TASK_NO_CAP) {
		line_put(l, ST_TEXT, true, "on which cap is not known: it may have moved without a logged move");
		return;
	}
	line_printf(l, ST_TEXT, true, "on cap %u", cap);
	if (evl_progress(m->log).done)
		put_work(l, m, cap);
	line_put(l, ST_DIM, false, from ? "  on this cap since " : "  on this cap since before the log");
	if (from)
		line_put(l, ST_TEXT, false, as_time(from));
	if (from && to != UINT64_MAX)
		line_pair(l, " for ", ST_TEXT, as_duration(to - from));
}

static void inspect_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct model *m = plot->model;
	const struct task *task = tasks_of_thread(&m->log->tasks, lane->index);
	struct task_column col = tasks_thread_column(task, model_edge(m, i), model_edge(m, i + 1));
	uint64_t more = atomic_load(&m->log->tasks.more);
	struct cap_column work = work_in(plot, task, i);
	uint16_t cap;
	const struct cap_column *shared = shared_work(plot, task, i, &cap);
	if (work.alive && work.known) {
		cap_columns_inspect(l, m->log, work.ns, model_edge(m, i + 1) - model_edge(m, i));
	} else if (shared) {
		line_printf(l, ST_DIM, false, "  one of the tasks on cap %u, which did:", cap);
		cap_columns_inspect(l, m->log, shared->ns, model_edge(m, i + 1) - model_edge(m, i));
	} else if (col.alive && cap == TASK_NO_CAP) {
		line_put(l, ST_TEXT, true, "  on which cap is not known");
	}
	line_printf(l, ST_TEXT, false, "  %s logged move%s between capabilities", as_count(col.moves),
		col.moves == 1 ? "" : "s");
	if (more)
		line_printf(l, ST_WARN, false, "   %s task events not kept", as_count(more));
}

static const struct lane_colour colours[] = {
	{"tasks", {ST_BAND_0, ST_BAND_1}, 0x2586, '#'}, {"one of the tasks", {ST_RUN, ST_MINOR}, 0x2591, '?'}, {0}};

const struct lane_ops lane_tasks = {.name = "tasks",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.hidden_by_default = true,
	.colours = colours};
