/* Threads: what one did, or what many of a group did together, by the cell rule of the capabilities: no change in the
 * column one colour, one change two with the edge at its eighth, more the share of running by height and above it the
 * most of the rest. What is not known is hatched, what is not alive is blank. */
#include "lane_threads.h"
#include "parts.h"
#include "text.h"
#include "thread_find.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ID_W = 4 };

static const uint8_t styles[THREAD_STATES] = {
	[THREAD_ABSENT] = ST_PAGE, [THREAD_UNKNOWN] = ST_UNKNOWN, [THREAD_RUNNING] = ST_RUN, [THREAD_RUNNABLE] = ST_RUNNABLE,
	[THREAD_BLOCKED] = ST_BLOCKED, [THREAD_FOREIGN] = ST_FOREIGN,
};

static size_t none(const struct evl_log *log)
{
	(void)log;
	return 0;
}

static int one_row(const struct lane_place *at)
{
	(void)at;
	return 1;
}

/* --- cells --- */

static int eighths(uint64_t part, uint64_t all)
{
	long k = lround(8.0 * (double)part / (double)(all ? all : 1));
	return k < 1 ? 1 : k > 7 ? 7 : (int)k;
}

/* The state with the most time, but for one; runnable wins over what is equal. */
static enum thread_state most(const struct thread_column *col, enum thread_state but)
{
	static const uint8_t by_weight[] = {THREAD_RUNNABLE, THREAD_FOREIGN, THREAD_BLOCKED, THREAD_RUNNING, THREAD_UNKNOWN,
		THREAD_ABSENT};
	enum thread_state best = but == THREAD_ABSENT ? THREAD_UNKNOWN : THREAD_ABSENT;
	for (size_t i = countof(by_weight); i-- > 0;)
		if (by_weight[i] != but && col->ns[by_weight[i]] >= col->ns[best])
			best = (enum thread_state)by_weight[i];
	return best;
}

static void draw_letter(const struct thread_column *col, uint64_t all, struct canvas *c, int y, int x)
{
	enum thread_state state = most(col, THREAD_STATES);
	char letter = style_info((enum style)styles[state])->letter;
	if (col->ns[THREAD_RUNNING] && (state != THREAD_RUNNING || col->ns[THREAD_RUNNING] < all / 2))
		letter = ':';
	canvas_printf(c, y, x, 1, PEN(ST_TEXT), "%c", letter);
}

static void draw_dense(const struct thread_column *col, uint64_t all, struct canvas *c, int y, int x)
{
	enum thread_state base = col->ns[THREAD_RUNNING] ? THREAD_RUNNING : most(col, THREAD_ABSENT), other = most(col, base);
	if (col->ns[other] == 0)
		canvas_fill(c, y, x, 1, 1, styles[base]);
	else
		canvas_lower(c, y, x, eighths(col->ns[base], all), styles[base], styles[other]);
}

/* One change, at its eighth. What is not alive is the page itself, which cannot be painted on: then the cell is drawn
 * the other way round. */
static void draw_edge(const struct thread_column *col, uint64_t from, uint64_t width, struct canvas *c, int y, int x)
{
	int left = eighths(col->split - from, width);
	if (col->first != THREAD_ABSENT) {
		canvas_left(c, y, x, left, styles[col->first], styles[col->last]);
		return;
	}
	canvas_left(c, y, x, c->ascii ? 8 - left : left, styles[col->last], ST_PAGE);
	struct cell *cell = canvas_at(c, y, x);
	if (cell && !c->ascii)
		cell->attr |= ATTR_REVERSE;
}

static uint64_t alive_ns(const struct thread_column *col)
{
	return col->ns[THREAD_RUNNING] + col->ns[THREAD_RUNNABLE] + col->ns[THREAD_BLOCKED] + col->ns[THREAD_FOREIGN];
}

static void draw_cell(const struct thread_column *col, uint64_t from, uint64_t width, bool many, struct canvas *c, int y, int x)
{
	uint64_t alive = alive_ns(col);
	bool edge = col->switches == 1 && col->split > from;
	if (!col->known || (alive == 0 && col->ns[THREAD_UNKNOWN] && !many))
		lane_unknown(c, y, x);
	else if (alive == 0)
		return;
	else if (c->mono)
		draw_letter(col, width, c, y, x);
	else if (many)
		draw_dense(col, alive, c, y, x);
	else if (col->switches == 0 || (col->switches == 1 && !edge))
		canvas_fill(c, y, x, 1, 1, styles[col->last]);
	else if (edge)
		draw_edge(col, from, width, c, y, x);
	else
		draw_dense(col, width, c, y, x);
}

/* A second row says why it waited: one letter a column where that is what it did most. */
static void draw_reasons(const struct thread_column *cols, int n, struct canvas *c, int y, int x)
{
	for (int i = 0; i < n; i++) {
		enum thread_state state = most(&cols[i], THREAD_ABSENT);
		char letter = thread_stop_letter(cols[i].stop);
		if (cols[i].known && letter && (state == THREAD_BLOCKED || state == THREAD_FOREIGN))
			canvas_printf(c, y, x + i, 1, PEN(ST_DIM), "%c", letter);
	}
}

static void draw_columns(const struct lane *lane, const struct plot *p, const struct thread_column *cols, bool many,
	const struct lane_place *at, struct canvas *c, int y)
{
	for (int i = 0; i < p->cols; i++) {
		uint64_t from = model_edge(p->model, i);
		draw_cell(&cols[i], from, model_edge(p->model, i + 1) - from, many, c, y, at->plot_x + i);
	}
	if (lane->rows > 1 && !many)
		draw_reasons(cols, p->cols, c, y + 1, at->plot_x);
}

/* The share of one state in the window; false while a column is missing. */
static bool share_of(const struct plot *p, const struct thread_column *cols, enum thread_state state, double *share)
{
	uint64_t ns = 0;
	for (int i = 0; i < p->cols; i++) {
		if (!cols[i].known)
			return false;
		ns += cols[i].ns[state];
	}
	*share = (double)ns / (double)(p->t1 - p->t0);
	return true;
}

static void draw_figure(const struct plot *p, const struct thread_column *cols, const struct lane_place *at, struct canvas *c,
	int y)
{
	bool wait = p->lanes->ask.order == ORDER_WAIT;
	char text[TEXT_ROOM];
	double share;
	if (share_of(p, cols, wait ? THREAD_RUNNABLE : THREAD_RUNNING, &share))
		lane_figure(at, c, y, share > 0.5 ? ST_RUN : ST_DIM, text_share(text, share));
	else
		lane_figure(at, c, y, ST_DIM, "...");
}

static struct thread_column *scratch(const struct plot *p)
{
	return calloc((size_t)p->cols, sizeof(struct thread_column));
}

/* --- one thread --- */

/* "  12 worker-0": the label before the id where not both fit. */
static void draw_label(const struct plot *p, uint32_t thread, const struct lane_place *at, struct canvas *c, int y)
{
	struct evl_str label = evl_label(p->model->log, thread);
	struct pen pen = p->lanes->highlight == thread ? PEN_BOLD(ST_KEY) : PEN(ST_TEXT);
	int used = 0, w = at->label_w;
	char id[16];
	int id_w = snprintf(id, sizeof id, "%u", thread);
	if (label.len == 0 || (at->wide && id_w + 4 <= w)) {
		used = (at->wide && ID_W > id_w ? ID_W - id_w : 0);
		used += canvas_str(c, y, at->label_x + used, w - used, pen, id) + 1;
	} else if (id_w + 1 + text_width(label, c->ascii) <= w) {
		used = canvas_str(c, y, at->label_x, w, pen, id) + 1;
	}
	canvas_name(c, y, at->label_x + used, w - used, pen, label);
}

static void draw_thread(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	struct thread_column *cols = scratch(p);
	draw_label(p, lane->index, at, c, y);
	if (cols && p->lanes->job)
		thread_job_columns(p->lanes->job, lane->index, cols, p->cols);
	if (cols) {
		draw_columns(lane, p, cols, false, at, c, y);
		draw_figure(p, cols, at, c, y);
	}
	free(cols);
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct thread_moment now;
	if (!forward && t == 0)
		return false;
	thread_at(log, lane->index, forward ? t : t - 1, THREAD_JUMP_TILES, &now);
	*out = forward ? now.until : now.pos.since;
	return now.known && (forward ? now.until != UINT64_MAX : now.pos.since > 0);
}

static bool span(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	struct thread_moment now;
	thread_at(log, lane->index, t, THREAD_JUMP_TILES, &now);
	*from = now.pos.since;
	*to = now.until;
	return now.known && now.pos.since > 0 && now.until != UINT64_MAX;
}

static void put_who(struct line *l, const struct evl_log *log, uint32_t thread)
{
	struct evl_str label = evl_label(log, thread);
	char text[32];
	snprintf(text, sizeof text, "thread %u", thread);
	line_put(l, ST_EM, true, text);
	if (label.len == 0)
		return;
	line_put(l, ST_EM, true, " “");
	line_text(l, ST_EM, true, label);
	line_put(l, ST_EM, true, "”");
}

static void put_state(struct line *l, const struct thread_moment *now)
{
	static const char *const names[THREAD_STATES] = {"not alive", "not known", "running", "runnable", "blocked", "foreign call"};
	const char *reason = caps_stop_reason(now->pos.stop);
	char text[48];
	line_skip(l, 2);
	bool coloured = now->pos.state == THREAD_RUNNING || now->pos.state == THREAD_RUNNABLE || now->pos.state == THREAD_FOREIGN;
	line_put(l, coloured ? (enum style)styles[now->pos.state] : ST_TEXT, true, now->pos.state == THREAD_BLOCKED && reason ? reason : names[now->pos.state]);
	if (now->pos.state == THREAD_RUNNING)
		snprintf(text, sizeof text, " on cap %u", now->pos.cap);
	else if (now->pos.stop == STOP_BLACK_HOLE && now->owner)
		snprintf(text, sizeof text, " of thread %u", now->owner);
	else
		return;
	line_put(l, ST_TEXT, false, text);
}

/* How long, and what came then. */
static void put_span(struct line *l, const struct thread_moment *now)
{
	bool ends = now->until != UINT64_MAX;
	line_skip(l, 2);
	if (now->pos.since && ends)
		line_duration(l, ST_TEXT, now->until - now->pos.since);
	else
		line_put(l, ST_DIM, false, ends ? "since before the log" : "to the end");
	if (now->pos.state == THREAD_RUNNING && ends && caps_stop_reason(now->ends_by)) {
		line_put(l, ST_DIM, false, "  then ");
		line_put(l, ST_TEXT, false, caps_stop_reason(now->ends_by));
	}
}

/* "  woken by thread 12 “x” on cap 0, ran 4.2 µs later" */
static void put_waker(struct line *l, const struct evl_log *log, const struct thread_moment *now)
{
	char text[32];
	if (!now->woken)
		return;
	line_put(l, ST_DIM, false, "  woken by ");
	if (now->waker)
		put_who(l, log, now->waker);
	snprintf(text, sizeof text, "%scap %u", now->waker ? " on " : "", now->wake.cap);
	line_put(l, ST_DIM, false, text);
	if (now->ran == UINT64_MAX)
		return;
	line_put(l, ST_DIM, false, ", ran ");
	line_duration(l, ST_TEXT, sub_or_0(now->ran, now->wake.t));
	line_put(l, ST_DIM, false, " later");
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	struct thread_moment now;
	put_who(l, m->log, lane->index);
	if (!evl_progress(m->log).done)
		return;
	thread_at(m->log, lane->index, m->at.cursor, THREAD_FRAME_TILES, &now);
	if (!now.known) {
		line_put(l, ST_DIM, false, "  too far from its last run to say (, and . go there)");
		return;
	}
	put_state(l, &now);
	if (now.pos.state == THREAD_ABSENT)
		return;
	put_span(l, &now);
	put_waker(l, m->log, &now);
}

static void put_column(const struct thread_column *col, uint64_t all, struct line *l)
{
	static const struct {
		enum thread_state state;
		const char *name;
	} shown[] = {{THREAD_RUNNING, "run "}, {THREAD_RUNNABLE, "runnable "}, {THREAD_BLOCKED, "blocked "},
		{THREAD_FOREIGN, "foreign call "}, {THREAD_UNKNOWN, "not known "}};
	char text[TEXT_ROOM + 16], number[TEXT_ROOM];
	for (size_t i = 0; i < countof(shown); i++)
		if (col->ns[shown[i].state] || shown[i].state == THREAD_RUNNING)
			line_share(l, shown[i].state == THREAD_BLOCKED ? ST_DIM : (enum style)styles[shown[i].state], shown[i].name,
				col->ns[shown[i].state], all);
	snprintf(text, sizeof text, "   %s changes", text_count(number, col->switches));
	line_put(l, ST_DIM, false, text);
}

static void inspect_column(const struct lane *lane, struct plot *p, int i, struct line *l)
{
	struct thread_column *cols = scratch(p);
	if (cols && p->lanes->job && thread_job_columns(p->lanes->job, lane->index, cols, p->cols) && cols[i].known)
		put_column(&cols[i], model_edge(p->model, i + 1) - model_edge(p->model, i), l);
	else
		line_put(l, ST_DIM, false, "  not known yet");
	free(cols);
}

const struct lane_ops lane_thread = {.name = "thread", .count = none, .rows = one_row, .draw = draw_thread, .change = change,
	.span = span, .inspect = inspect, .inspect_column = inspect_column};

/* --- a group --- */

static const char *group_name(const struct lanes *l, uint32_t fold)
{
	return l->ask.folds[fold][0] ? l->ask.folds[fold] : "(no label)";
}

static void draw_group(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	struct thread_column *cols = scratch(p);
	char text[LIST_NAME + 32];
	snprintf(text, sizeof text, "%s (%u)", group_name(p->lanes, lane->index), p->lanes->threads.in_fold[lane->index]);
	canvas_glyph(c, y, at->label_x, PEN(ST_KEY), 0x25b8, '+');
	canvas_name(c, y, at->label_x + 2, at->label_w - 2, PEN(ST_TEXT), (struct evl_str){(const uint8_t *)text, strlen(text)});
	if (cols && p->lanes->job)
		thread_job_group(p->lanes->job, lane->index, cols, p->cols);
	if (cols) {
		draw_columns(lane, p, cols, true, at, c, y);
		draw_figure(p, cols, at, c, y);
	}
	free(cols);
}

static void inspect_group_column(const struct lane *lane, struct plot *p, int i, struct line *l)
{
	struct thread_column *cols = scratch(p);
	if (cols && p->lanes->job && thread_job_group(p->lanes->job, lane->index, cols, p->cols) && cols[i].known)
		put_column(&cols[i], max_u64(alive_ns(&cols[i]), 1), l);
	else
		line_put(l, ST_DIM, false, "  not known yet");
	free(cols);
}

static void inspect_group(const struct lane *lane, const struct model *m, struct line *l)
{
	(void)lane;
	(void)m;
	line_put(l, ST_DIM, false, "threads with labels that differ in digits, together; Enter unfolds them");
}

const struct lane_ops lane_group = {.name = "group", .count = none, .rows = one_row, .draw = draw_group,
	.inspect = inspect_group, .inspect_column = inspect_group_column};

/* --- the header --- */

static void put_keys(struct line *l, const char *key, const char *what)
{
	line_put(l, ST_KEY, true, key);
	line_put(l, ST_DIM, false, what);
}

static void put_order(struct line *l, const struct plot *p, bool wide)
{
	const struct lanes *lanes = p->lanes;
	line_put(l, ST_DIM, false, wide ? " · sorted by " : " by ");
	line_put(l, ST_DIM, false, thread_order_name(lanes->ask.order));
	bool fixed = lanes->ask.order == ORDER_ID || lanes->ask.order == ORDER_NAME;
	bool now = lanes->threads.t0 == p->t0 && lanes->threads.t1 == p->t1;
	if (!fixed && !now)
		line_put(l, ST_WARN, false, wide ? " in the window before (this one is being read)" : " (window before)");
	else if (!fixed && !lanes->threads.in_window)
		line_put(l, ST_WARN, false, wide ? " in the whole run (the window is being read)" : " (whole run)");
	else if (!fixed && wide)
		line_put(l, ST_DIM, false, " in window");
	if (lanes->threads.others)
		line_put(l, ST_WARN, false, wide ? " (too many to follow: some are not counted)" : " (not all)");
}

static void draw_header(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	static const char *const by[ORDERS] = {"by run", "by wait", "by wakes", "by id", "by name"};
	const struct lanes *l = p->lanes;
	char text[2 * TEXT_ROOM + 32], all[TEXT_ROOM], shown[TEXT_ROOM];
	(void)lane;
	text_count(all, l->threads.all);
	canvas_glyph(c, y, at->label_x, PEN(ST_KEY), l->threads_closed ? 0x25b8 : 0x25be, l->threads_closed ? '+' : '-');
	snprintf(text, sizeof text, "%sthreads%s%s", at->wide ? " " : "", at->wide && l->threads.all ? " " : "",
		at->wide && l->threads.all ? all : "");
	canvas_str(c, y, at->label_x + 1, at->label_w - 1, PEN(ST_TEXT), text);
	struct line line = {.c = c, .y = y, .x = at->plot_x, .end = at->plot_x + at->cols, .bg = ST_PAGE};
	if (l->threads.all == 0) {
		line_put(&line, ST_DIM, false, l->reading ? "listed when the log has been read" : l->threads.t1
			? "none in this log (+RTS -l records them)" : "being listed");
		return;
	}
	text_count(shown, l->shown_threads);
	snprintf(text, sizeof text, "%s of %s%s", shown, all, at->wide ? " shown" : "");
	line_put(&line, ST_DIM, false, text);
	put_order(&line, p, at->wide);
	line_put(&line, ST_DIM, false, " · ");
	put_keys(&line, "f", " filter");
	if (*l->ask.filter) {
		line_put(&line, ST_KEY, true, " ");
		line_text(&line, ST_EM, true, (struct evl_str){(const uint8_t *)l->ask.filter, strlen(l->ask.filter)});
		snprintf(text, sizeof text, " (%s match)", text_count(shown, l->threads.n));
		line_put(&line, ST_DIM, false, text);
	}
	put_keys(&line, "  p", " pin");
	put_keys(&line, "  x", " hide");
	put_keys(&line, "  O", " sort");
	lane_figure(at, c, y, ST_DIM, by[l->ask.order]);
}

static void inspect_header(const struct lane *lane, const struct model *m, struct line *l)
{
	(void)lane;
	(void)m;
	line_put(l, ST_DIM, false, "threads: Enter opens and closes the list, f filters, O sorts");
}

const struct lane_ops lane_threads = {.name = "threads", .count = none, .rows = one_row, .draw = draw_header,
	.inspect = inspect_header};
