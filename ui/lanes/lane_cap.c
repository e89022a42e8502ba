/* lane_cap.c - lane of a capability: running, GC, sync, idle.
 *
 * Each column follows the rule of cells.h. Where one change is all that happens in a column, its edge at the exact
 * eighth from the left. A lane of more rows keeps the lowest for the colours of the threads. */
#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/lane_threads.h"
#include "lanes/parts.h"
#include "report/abilities.h"
#include "sched/cap_shares.h"
#include "sched/thread_state.h"

#include <math.h>
#include <stdio.h>

enum { HALF_UPPER = 0x2580, BAR_CELLS = 5 };

/* Names inside of wide stretches; NULL: that of the thread. */
static const char *const share_names[CAP_SHARES] = {
	[SHARE_IDLE] = "",
	[SHARE_MINOR] = "GC",
	[SHARE_MAJOR] = "GC",
	[SHARE_WAIT] = "wait",
	[SHARE_SYNC] = "sync",
	[SHARE_STOPPED] = "stopped",
};

static size_t count(const struct evl_log *log) { return log->n_caps; }

uint32_t cap_lane(const struct evl_log *log, uint16_t cap)
{
	uint32_t lane = 0;
	while (lane < log->n_caps && log->blocks.chains[log->cap_chains[lane]].cap != cap)
		lane++;
	return lane;
}

/* One to say that nothing is recorded. */
static int rows(const struct lane_place *at)
{
	return at->tall && !(at->log && absence_is_sure(at->log, ABSENCE_RUNS)) ? 2 : 1;
}

static void draw_cell(const struct plot *p, int i, const struct cap_column *col, const struct cells *to, int x)
{
	uint64_t from = model_edge(p->model, i), width = model_edge(p->model, i + 1) - from;
	if (!col->known) {
		lane_unknown(to->c, to->y, x);
		return;
	}
	if (!col->alive)
		return;
	struct cell_shares shares = cells_of_caps(col->ns, width);
	if (col->changes == 1 && col->change_t > from && !to->c->mono)
		cells_draw_edge(to, x, cells_of_share((enum cap_share)col->from),
			cells_of_share((enum cap_share)col->to), cells_eighths(col->change_t - from, width));
	else
		cells_draw(to, x, &shares);
}

/* Neighbours in the order of run times differ. */
enum style cap_thread_tint(const struct plot *p, uint32_t thread)
{
	return (enum style)(ST_BAND_0 + thread_job_tint(p->lanes ? p->lanes->job : NULL, thread) % STYLE_BANDS);
}

static void draw_tint(const struct plot *p, const struct cap_column *cols, struct canvas *c, int y, int x)
{
	for (int i = 0; i < p->cols; i++)
		if (cols[i].known && cols[i].run_ns)
			canvas_glyph(c, y, x + i, PEN((uint8_t)cap_thread_tint(p, cols[i].thread)), HALF_UPPER, ' ');
}

/* A stretch of columns in which one thread runs, or one kind of stop goes on, all the time. */
static int stretch(const struct cap_column *cols, int n, int i)
{
	int end = i;
	while (end < n && cols[end].known && cols[end].changes == 0 && cols[end].to == cols[i].to
		&& (cols[i].to != SHARE_RUN || cols[end].thread == cols[i].thread))
		end++;
	return end - i;
}

/* "30 worker-18" if there is room, else "30". */
void cap_thread_draw(const struct plot *p, uint32_t thread, struct pen pen, struct canvas *c, int y, int x, int room)
{
	char id[16];
	snprintf(id, sizeof id, "%u", thread);
	struct evl_str label = evl_label(p->model->log, thread);
	int id_w = (int)strlen(id), label_w = label.len ? text_width(label, c->ascii) : 0;
	if (id_w + 2 > room)
		return;
	int used = canvas_str(c, y, x + 1, room, pen, id);
	if (label_w && id_w + 1 + label_w + 2 <= room) {
		canvas_str(c, y, x + 1 + used, 1, pen, " "); /* without colours there is a letter */
		canvas_text(c, y, x + 2 + used, label_w, pen, label);
	}
}

/* "GC gen1", "sync"; t: a moment in it. */
static void draw_stop(
	const struct plot *p, const char *name, uint64_t t, struct pen pen, struct canvas *c, int y, int x, int room)
{
	const struct gc_row *row = cap_shares_gc_at(&p->gcs, t);
	char text[24];
	const char *apart = c->mono ? " " : ""; /* from the letters of the state */
	snprintf(text, sizeof text, "%s%s%s", apart, name, apart);
	if (row && row->gen != GC_GEN_UNKNOWN && strcmp(name, "GC") == 0)
		snprintf(text, sizeof text, "%sGC gen%u%s", apart, (unsigned)row->gen, apart);
	if ((int)strlen(text) + 2 <= room)
		canvas_str(c, y, x + 1, room, pen, text);
}

static void draw_names(
	const struct plot *p, const struct cap_column *cols, const struct lane_place *at, struct canvas *c, int y)
{
	for (int i = 0, n; i<p->cols; i += n> 0 ? n : 1) {
		n = stretch(cols, p->cols, i);
		enum cap_share kind = (enum cap_share)cols[i].to;
		struct pen pen = lane_pen_on(cells_style(cells_of_share(kind)), at, c);
		if (n == 0 || !cols[i].alive)
			continue;
		const char *name = kind == SHARE_WAIT && p->model->log->n_caps == 1 ? "other" : share_names[kind];
		if (!name)
			cap_thread_draw(p, cols[i].thread, pen, c, y, at->plot_x + i, n);
		else if (*name)
			draw_stop(p, name, model_edge(p->model, i + n / 2), pen, c, y, at->plot_x + i, n);
	}
}

void cap_columns_draw(const struct plot *p, const struct cap_column *cols, int rows, const struct lane_place *at,
	struct canvas *c, int y)
{
	const struct cells to = {.c = c, .y = y, .rows = rows};
	for (int i = 0; i < p->cols; i++)
		draw_cell(p, i, &cols[i], &to, at->plot_x + i);
	draw_names(p, cols, at, c, y);
}

static void draw_bar(double share, const struct lane_place *at, struct canvas *c, int y)
{
	int x = at->label_x + at->label_w - BAR_CELLS - 4, left = (int)lround(share * BAR_CELLS * 8);
	for (int i = 0; i < BAR_CELLS; i++, left -= 8)
		canvas_left(c, y, x + i, left, ST_RUN, ST_BAR_DIM);
}

bool cap_is_tinted(const struct lane *lane, const struct canvas *c)
{
	return lane->ops == &lane_cap && lane->rows > 1 && !c->mono && !c->ascii;
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = plot->model->log;
	const struct cap_column *cols = plot_cap(plot, lane->index);
	char text[TEXT_ROOM];
	snprintf(text, sizeof text, "cap %u", log->blocks.chains[log->cap_chains[lane->index]].cap);
	lane_label(at, c, y, text);
	if (!cols)
		return;
	bool tinted = cap_is_tinted(lane, c);
	if (absence_is_sure(log, ABSENCE_RUNS)) {
		canvas_str(c, y, at->plot_x + 2, at->cols - 2, PEN(ST_DIM), absence_text(log, ABSENCE_RUNS));
		return;
	}
	cap_columns_draw(plot, cols, lane->rows - tinted, at, c, y);
	if (tinted && at->wide)
		canvas_str(c, y + lane->rows - 1, at->label_x, at->label_w, PEN(ST_DIM), "  thread colours");
	if (tinted)
		draw_tint(plot, cols, c, y + lane->rows - 1, at->plot_x);
	double share;
	if (!plot_running(plot, lane->index, lane->index + (size_t)1, &share)) {
		lane_no_figure(at, c, y);
		return;
	}
	if (at->wide && !c->mono)
		draw_bar(share, at, c, y);
	lane_figure(at, c, y, share > 0.5 ? ST_RUN : ST_DIM, as_share(share));
}

/* The part of an idle time around t without a collection (or with one part of a collection). */
static void clip_to_gcs(struct cap_moment *now, const struct gcs *gcs, const struct gc_row *gc, uint64_t t)
{
	const struct gc_row *before = gcs_before(gcs, t, GC_ALL), *after = gcs_after(gcs, t, GC_ALL);
	if (gc) {
		now->since = max_u64(now->since, t < gc->start ? gc_requested(gc) : gc->start);
		now->until = min_u64(now->until, t < gc->start ? gc->start : gc_end(gc));
		return;
	}
	if (before && gc_end(before) <= t)
		now->since = max_u64(now->since, gc_end(before));
	if (after)
		now->until = min_u64(now->until, gc_requested(after));
}

static uint16_t cap_of(const struct lane *lane, const struct evl_log *log)
{
	return log->blocks.chains[log->cap_chains[lane->index]].cap;
}

/* The state at t, by the same changes as the lane shows. */
static void moment(const struct lane *lane, const struct evl_log *log, uint64_t t, struct cap_moment *out)
{
	uint32_t chain = log->cap_chains[lane->index];
	const struct gc_row *gc = gcs_at(&log->gcs, t), *before = gcs_before(&log->gcs, t, GC_ALL);
	caps_at(&log->blocks, &log->tiles[chain], chain, t, out);
	if (!out->known)
		return;
	if (out->state == CAP_GC && !gc && before && gc_end(before) > out->since)
		out->state = CAP_IDLE; /* its end is posted late */
	if (out->state == CAP_GC && gc)
		out->until = min_u64(out->until, gc_end(gc));
	if (out->state != CAP_IDLE)
		return;
	clip_to_gcs(out, &log->gcs, gc, t);
	struct cap_absence life = cap_life_at(&log->cap_life, cap_of(lane, log), t);
	out->since = gc ? out->since : max_u64(out->since, life.from);
	out->until = gc ? out->until : min_u64(out->until, life.to);
}

bool cap_idle_in_column(const struct lane *lane, struct plot *plot, struct idle_ask *out)
{
	enum { MOST_OF_ONE = 2 }; /* a single idle time has a start and an end */
	const struct model *m = plot->model;
	int i = model_col(m, m->at.cursor);
	const struct cap_column *col = i >= 0 ? plot_cap(plot, lane->index) : NULL;
	if (!col || !col[i].known || !col[i].ns[SHARE_IDLE] || absence_is_sure(m->log, ABSENCE_RUNS)
		|| (col[i].exact ? col[i].changes : col[i].switches) <= MOST_OF_ONE)
		return false;
	*out = (struct idle_ask){.lane = lane->index, .from = model_edge(m, i), .to = model_edge(m, i + 1)};
	return true;
}

bool cap_is_idle(const struct lane *lane, const struct evl_log *log, uint64_t t)
{
	struct cap_moment now;
	moment(lane, log, t, &now);
	return now.known && now.state == CAP_IDLE && !gcs_at(&log->gcs, t) && !absence_is_sure(log, ABSENCE_RUNS)
		&& cap_life_at(&log->cap_life, cap_of(lane, log), t).state == CAP_ENABLED;
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct cap_moment now;
	moment(lane, log, forward || t == 0 ? t : t - 1, &now);
	*out = forward ? now.until : now.since;
	return forward ? now.until != UINT64_MAX : now.since > 0 && now.since < t;
}

static bool span(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	const struct gc_row *gc = gcs_at(&log->gcs, t);
	struct cap_moment now;
	moment(lane, log, t, &now);
	if (now.known && gc) { /* the whole pause, as in the GC lane, also where a thread has not stopped yet */
		*from = gc_requested(gc);
		*to = gc_end(gc);
		return true;
	}
	*from = now.since;
	*to = now.until;
	return now.known && now.since > 0 && now.until != UINT64_MAX;
}

enum { WHY_IDLE = 75, RUN_END = 30 }; /* columns */

/* With its ends where that leaves `after` columns for what follows. An open interval ends with the log, if all of it is
 * read. */
static void put_interval(struct line *l, const struct model *m, const struct cap_moment *now, int after)
{
	enum { ENDS = 30 };
	bool open = now->until == UINT64_MAX;
	uint64_t until = open ? m->last : now->until;
	if (now->since == 0 || (open && (m->live || !evl_progress(m->log).done || until < now->since)))
		return;
	line_skip(l, 2);
	line_duration(l, ST_TEXT, until - now->since);
	if (line_left(l) < ENDS + after)
		return;
	line_printf(l, ST_DIM, false, "  [%s .. %s%s]", as_time(now->since), as_time(until), open ? ", the end" : "");
}

static void put_run_end(struct line *l, const struct cap_moment *now)
{
	const char *reason = line_stop_text(now->stop_status, line_left(l));
	char text[32];
	if (now->until == UINT64_MAX)
		return;
	if (now->ends_by != EVL_STOP_THREAD) {
		line_put(l, ST_DIM, false, "  then GC");
		return;
	}
	snprintf(text, sizeof text, "stop status %u", now->stop_status);
	line_pair(l, "  then ", ST_TEXT, reason ? reason : text);
}

/* A collection that has not started, without its generation: the room is for what delays it. */
static void put_awaited(struct line *l, const struct model *m, const struct gc_row *gc)
{
	bool major = gc_is_major(&m->log->gcs, gc);
	line_put(l, major ? ST_WARN : ST_MINOR, true,
		major                               ? "major GC"
			: gc->gen == GC_GEN_UNKNOWN ? "GC"
						    : "minor GC");
	line_pause(l, m, gc);
}

/* "disabled (setNumCapabilities) since 0.008223837 s, until 0.015053706 s"; "created 513 µs later (key .)" */
static void put_absent(struct line *l, const struct cap_absence *a, uint64_t t)
{
	static const char *const names[] = {[CAP_NOT_YET] = "not created yet",
		[CAP_DISABLED] = "disabled (setNumCapabilities)",
		[CAP_DELETED] = "deleted"};
	if (a->state == CAP_NOT_YET && a->to != UINT64_MAX) {
		line_pair(l, "created ", ST_TEXT, as_duration(a->to - t));
		line_put(l, ST_DIM, false, " later (key .)");
		return;
	}
	line_put(l, ST_TEXT, true, names[a->state]);
	if (a->state != CAP_NOT_YET)
		line_printf(l, ST_DIM, false, " since %s s", as_time(a->from));
	if (a->to != UINT64_MAX)
		line_printf(l, ST_DIM, false, ", until %s s", as_time(a->to));
}

/* Idle, or stopped for a collection, and for how long. */
static void put_idle(const struct lane *lane, struct line *l, const struct model *m, const struct cap_moment *now)
{
	struct cap_absence life = cap_life_at(&m->log->cap_life, cap_of(lane, m->log), m->at.cursor);
	const struct gc_row *gc = gcs_at(&m->log->gcs, m->at.cursor);
	bool sync = gc && m->at.cursor < gc->start;
	if (!gc && life.state != CAP_ENABLED) {
		put_absent(l, &life, m->at.cursor);
		return;
	}
	const char *no_run = absence_is_sure(m->log, ABSENCE_GCS) ? "runs no thread" : "idle"; /* it may collect */
	line_put(l, gc ? ST_SYNC : ST_TEXT, true, !gc ? no_run : sync ? "sync of " : "stopped by ");
	if (!gc) {
		put_interval(l, m, now, WHY_IDLE);
	} else if (sync) {
		put_awaited(l, m, gc);
	} else {
		line_gc(l, m->log, gc);
		line_pause(l, m, gc);
	}
}

/* Does the capability wait in a collection that it takes part in? */
static bool is_waiting(const struct evl_log *log, uint32_t chain, const struct gc_row *gc, uint64_t t)
{
	struct gc_sum sum;
	struct cap_column now;
	cap_shares_gc_columns(&log->gcs, t, t + 1, 1, &sum);
	cap_shares_columns(&log->blocks, &log->tiles[chain], chain,
		&(struct cap_shares_gcs){.gcs = &log->gcs, .rows = &gc, .n = 1, .columns = &sum}, t, t + 1, 1, &now);
	return now.known && now.ns[SHARE_WAIT] > 0;
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	uint32_t chain = m->log->cap_chains[lane->index];
	const struct gc_row *gc = gcs_at(&m->log->gcs, m->at.cursor);
	bool sync = gc && m->at.cursor < gc->start;
	struct cap_moment now;
	moment(lane, m->log, m->at.cursor, &now);
	line_printf(l, ST_DIM, false, "cap %u  ", m->log->blocks.chains[chain].cap);
	if (absence_is_sure(m->log, ABSENCE_RUNS)) {
		if (gc) {
			line_gc(l, m->log, gc);
			line_pause(l, m, gc);
		} else {
			line_put(l, ST_DIM, false, absence_text(m->log, ABSENCE_RUNS));
		}
	} else if (!now.known) {
		line_put(l, ST_DIM, false,
			!evl_progress(m->log).done ? "not read yet"
				: m->live          ? "not known: not flushed yet"
						   : "not known: the log is truncated here");
	} else if (now.state == CAP_RUN) {
		char runs[32];
		snprintf(runs, sizeof runs, "runs thread %u", now.thread);
		if (gc) { /* not stopped yet */
			line_put(l, ST_RUN, true, runs);
			line_put(l, ST_DIM, false, "; ");
			put_awaited(l, m, gc);
		} else {
			line_put(l, ST_RUN, true, "running ");
			line_thread(l, m->log, now.thread);
			put_interval(l, m, &now, RUN_END);
			put_run_end(l, &now);
		}
	} else if (now.state == CAP_GC && !sync) {
		if (gc && is_waiting(m->log, chain, gc, m->at.cursor))
			line_put(l, ST_GC_WAIT, true, m->log->n_caps == 1 ? "other work of " : "GC wait in ");
		if (gc)
			line_gc(l, m->log, gc);
		else
			line_put(l, ST_MINOR, true, "GC");
		if (gc)
			line_pause(l, m, gc);
		else
			put_interval(l, m, &now, 0);
	} else {
		put_idle(lane, l, m, &now);
	}
}

/* All that there is of run, GC, its phases and stops, and idle: together 100%. */
void cap_columns_inspect(struct line *l, const struct evl_log *log, const uint64_t ns[CAP_SHARES], uint64_t all)
{
	const struct {
		uint8_t share, style;
		const char *name;
	} kinds[] = {
		{SHARE_RUN, ST_RUN, "run "},
		{SHARE_MINOR, ST_MINOR, "minor GC "},
		{SHARE_MAJOR, ST_WARN, "major GC "},
		{SHARE_WAIT, ST_GC_WAIT, log->n_caps == 1 ? "GC other " : "GC wait "},
		{SHARE_SYNC, ST_SYNC, "sync "},
		{SHARE_STOPPED, ST_SYNC, "stopped "},
		{SHARE_IDLE, ST_DIM, "idle "},
	};
	for (size_t i = 0; i < countof(kinds); i++)
		if (ns[kinds[i].share] || kinds[i].share == SHARE_RUN || kinds[i].share == SHARE_IDLE)
			line_share(l, (enum style)kinds[i].style, kinds[i].name, ns[kinds[i].share], all);
}

/* Divide the idle time of a column by the life of the capability. Return how often it appears, is disabled, … there. */
static uint32_t divide_idle(const struct lane *lane, struct plot *plot, int i, uint64_t idle[CAP_DELETED + 1])
{
	enum { MOST = 64 };
	const struct evl_log *log = plot->model->log;
	const uint32_t chain = log->cap_chains[lane->index];
	struct cap_absence absent[MOST];
	const struct time_window column = {model_edge(plot->model, i), model_edge(plot->model, i + 1)};
	uint64_t left = plot_cap(plot, lane->index)[i].ns[SHARE_IDLE], ns[CAP_DELETED + 1] = {0};
	struct cap_shares_ask ask = {.windows = &column, .n = 1, .absent = absent};
	struct cap_shares_sum sum;
	uint32_t edges = 0;
	ask.n_absent = cap_life_absent(&log->cap_life, cap_of(lane, log), column.from, column.to, absent, MOST);
	for (size_t k = 0; k < ask.n_absent; k++) {
		ns[absent[k].state] += min_u64(absent[k].to, column.to) - max_u64(absent[k].from, column.from);
		edges += (uint32_t)(absent[k].from > column.from) + (uint32_t)(absent[k].to < column.to);
	}
	if (cap_shares_over(&log->blocks, &log->tiles[chain], chain, &plot->gcs, &ask, &sum))
		sum.off_ns = 0; /* not without a watch */
	idle[CAP_NOT_YET] = min_u64(ns[CAP_NOT_YET], left);
	idle[CAP_DELETED] = min_u64(ns[CAP_DELETED], left - idle[CAP_NOT_YET]);
	left -= idle[CAP_NOT_YET] + idle[CAP_DELETED];
	idle[CAP_DISABLED] = min_u64(sub_or_0(sum.off_ns, idle[CAP_NOT_YET] + idle[CAP_DELETED]), left);
	idle[CAP_ENABLED] = left - idle[CAP_DISABLED];
	return edges;
}

/* All that there is in a column: together 100%. Return the number of its changes. */
static uint32_t put_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	static const char *const absences[] = {
		[CAP_NOT_YET] = "not created ", [CAP_DISABLED] = "disabled ", [CAP_DELETED] = "deleted "};
	const struct cap_column *col = &plot_cap(plot, lane->index)[i];
	uint64_t width = model_edge(plot->model, i + 1) - model_edge(plot->model, i), idle[CAP_DELETED + 1],
		 ns[CAP_SHARES];
	uint32_t edges = divide_idle(lane, plot, i, idle);
	memcpy(ns, col->ns, sizeof ns);
	ns[SHARE_IDLE] = idle[CAP_ENABLED];
	cap_columns_inspect(l, plot->model->log, ns, width);
	for (int state = CAP_NOT_YET; state <= CAP_DELETED; state++)
		if (idle[state])
			line_share(l, ST_DIM, absences[state], idle[state], width);
	return edges + (col->exact ? col->changes : col->switches);
}

static void inspect_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct cap_column *cols = plot_cap(plot, lane->index);
	if (!cols || !cols[i].known) {
		line_put(l, ST_DIM, false, evl_progress(plot->model->log).done ? "  not known" : "  not read yet");
		return;
	}
	if (absence_is_sure(plot->model->log, ABSENCE_RUNS)) {
		line_pair(l, "  what ran: ", ST_DIM, absence_text(plot->model->log, ABSENCE_RUNS));
		return;
	}
	uint32_t changes = put_column(lane, plot, i, l);
	const struct idle_answer *idle = plot->lanes ? plot->lanes->idle : NULL;
	if (idle && idle->is.ns)
		line_idle_parts(l, plot->model->log, &idle->is, idle->all_threads,
			"; idle: ", model_edge(plot->model, i + 1) - model_edge(plot->model, i));
	line_skip(l, 3);
	line_merged(l, ST_DIM, changes, "state change");
}

bool cap_inspect_start(const struct lane *lane, struct plot *plot, struct line *l)
{
	const struct model *m = plot->model;
	const struct cap_column *cols = plot_cap(plot, lane->index);
	const int i = model_col(m, m->at.cursor);
	if (i < 0 || !cols || !cols[i].known || gcs_at(&m->log->gcs, m->at.cursor)
		|| absence_is_sure(m->log, ABSENCE_RUNS))
		return false;
	struct cap_absence life = cap_life_at(&m->log->cap_life, cap_of(lane, m->log), m->at.cursor);
	if (life.state != CAP_NOT_YET || life.to >= model_edge(m, i + 1))
		return false;
	line_printf(l, ST_DIM, false, "cap %u  in this column:", (unsigned)cap_of(lane, m->log));
	put_column(lane, plot, i, l);
	return true;
}

const struct lane_ops lane_cap = {.name = "cap",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column};
