/* lane_spans.c - lanes of user spans.
 *
 * A lane for each of the upper rows of the table, in which no spans overlap: bars with their names; where a column holds more than one edge,
 * its height is the share of the column that spans cover. A name keeps its colour. */
#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/parts.h"
#include "sched/thread_state.h"

#include <stdio.h>

enum { MOST_LANES = 4, WHEN_LOW = 2, LEAST_ROWS = 20, MANY = 10, LEAST_NAME = 5 };

static size_t count(const struct evl_log *log)
{
	const struct span_table *t = spans_table(&log->spans);
	return !t ? 0 : t->n_rows < MOST_LANES ? (size_t)t->n_rows : MOST_LANES;
}

/* All spans before this time are in the table. */
static uint64_t kept_until(const struct evl_log *log) { return atomic_load(&log->spans.kept_until); }

static int rows(const struct lane_place *at) { return at->rows >= LEAST_ROWS; }

static enum style colour(const struct evl_log *log, const struct span *s)
{
	struct evl_str name = spans_name(&log->blocks, s);
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < name.len && i < TEXT_ROOM; i++)
		h = (h ^ name.p[i]) * 16777619u;
	return (enum style)(ST_BAND_0 + (h ^ h >> 16) % STYLE_BANDS);
}

/* One span, or how many. */
static char letter(size_t n) { return n == 1 ? '=' : n < MANY ? (char)('0' + n) : '+'; }

static void draw_cell(
	const struct span_sum *sum, enum style style, uint64_t from, uint64_t to, struct canvas *c, int y, int x)
{
	const struct span *s = sum->first;
	uint8_t fg = (uint8_t)style;
	if (c->mono)
		canvas_printf(c, y, x, 1, PEN(ST_TEXT), "%c", letter(sum->n));
	else if (sum->n == 1 && s->start <= from && s->end >= to)
		canvas_fill(c, y, x, 1, 1, fg);
	else if (sum->n == 1 && s->start <= from)
		canvas_left(c, y, x, cells_part(s->end - from, to - from), fg, ST_PAGE);
	else if (sum->n == 1 && s->end >= to) /* the page has no colour to draw with */
		canvas_left(c, y, x, cells_part(s->start - from, to - from), ST_IDLE, fg);
	else
		canvas_lower(c, y, x, cells_part(sum->ns, to - from), fg, ST_PAGE);
}

/* The name of a span inside its bar, followed by "…" if the log ends before the span. */
static void draw_name(const struct plot *p, const struct span *s, enum style style, const struct lane_place *at,
	struct canvas *c, int y)
{
	const struct model *m = p->model;
	uint64_t from = max_u64(s->start, p->t0), to = min_u64(s->end, p->t1);
	int first = model_col(m, from), last = model_col(m, to - (to > from));
	struct pen pen = {(uint8_t)style_label(style, at->theme), (uint8_t)style, 0};
	if (c->mono)
		pen = PEN(ST_TEXT);
	first += s->start > model_edge(m, first);
	last -= s->end < model_edge(m, last + 1);
	int room = last - first - 1;
	struct evl_str name = spans_name(&m->log->blocks, s);
	if (room < 1 || (room < LEAST_NAME && text_width(text_capped(name), c->ascii) > room))
		return;
	int used = canvas_name(c, y, at->plot_x + first + 1, room, pen, name);
	if (s->unfinished && used + 2 <= room)
		canvas_glyph(c, y, at->plot_x + first + 2 + used, pen, 0x2026, '~');
}

/* "overlapping, +2 rows": those that overlap the rows above, and how many further rows have spans in the window. */
static void draw_label(const struct lane *lane, const struct plot *p, const struct span_table *t,
	const struct lane_place *at, struct canvas *c, int y)
{
	int shown = at->rows < LANE_LOW ? WHEN_LOW : MOST_LANES, more = 0;
	char text[80], rows[32] = "";
	if (lane->index == 0) {
		lane_label(at, c, y, "spans");
		return;
	}
	for (int row = shown; row < t->n_rows && (int)lane->index + 1 == shown; row++)
		more += spans_in(t, row, p->t0, p->t1).n > 0;
	if (more)
		snprintf(rows, sizeof rows, " +%d row%s", more, more == 1 ? "" : "s");
	snprintf(text, sizeof text, "  %s%s", at->wide && !more ? "overlapping" : "overlap", rows);
	if ((int)strlen(text) > at->label_w)
		snprintf(text, sizeof text, "  overlap +%d", more);
	canvas_str(c, y, at->label_x, at->label_w, PEN(ST_DIM), text);
}

/* Cells first, then the names on them. */
static void draw_row(const struct plot *p, const struct span_table *t, int row, const struct lane_place *at,
	struct canvas *c, int y, int known)
{
	const struct evl_log *log = p->model->log;
	const struct span *named = NULL;
	for (int i = 0; i < known; i++) {
		uint64_t from = model_edge(p->model, i), to = model_edge(p->model, i + 1);
		struct span_sum sum = spans_in(t, row, from, to);
		if (sum.n)
			draw_cell(&sum, colour(log, sum.first), from, to, c, y, at->plot_x + i);
	}
	for (int i = 0; i < known; i++) {
		struct span_sum sum = spans_in(t, row, model_edge(p->model, i), model_edge(p->model, i + 1));
		const struct span *last = sum.n ? sum.first + sum.n - 1 : NULL; /* may continue after the column */
		if (last && last != named)
			draw_name(p, last, colour(log, last), at, c, y);
		named = last ? last : named;
	}
	for (int i = known; i < p->cols; i++)
		lane_unknown(c, y, at->plot_x + i);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = plot->model->log;
	const struct span_table *t = spans_table(&log->spans);
	int row = (int)lane->index;
	if (!t || row >= t->n_rows)
		return;
	draw_label(lane, plot, t, at, c, y);
	uint64_t known = min_u64(evl_known(log), kept_until(log));
	draw_row(plot, t, row, at, c, y, lane_known_cols(plot, known));
	lane_counted(at, c, y, spans_in(t, row, plot->t0, plot->t1).n, "span");
}

/* Begins and ends are changes. */
static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	const struct span_table *table = spans_table(&log->spans);
	int row = (int)lane->index;
	if (!table || row >= table->n_rows)
		return false;
	const struct span *at = spans_at(table, row, t), *before = spans_before(table, row, t);
	const struct span *next = spans_after(table, row, t);
	if (forward && at && at->end > t && (!next || at->end < next->start))
		*out = at->end;
	else if (forward && next)
		*out = next->start;
	else if (!forward && before)
		*out = before->end < t ? before->end : before->start;
	else
		return false;
	return true;
}

static bool span(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	const struct span_table *table = spans_table(&log->spans);
	const struct span *s = table && (int)lane->index < table->n_rows ? spans_at(table, (int)lane->index, t) : NULL;
	if (!s)
		return false;
	*from = s->start;
	*to = max_u64(s->end, s->start + 1);
	return true;
}

static void put_details(struct line *l, const struct evl_log *log, const struct span *s)
{
	line_pair(l, "  ", ST_TEXT, as_duration(s->end - s->start));
	if (s->unfinished)
		line_put(l, ST_WARN, false, " until the log ends, unfinished");
	if (s->thread) {
		line_skip(l, 2);
		line_thread(l, log, s->thread);
	}
	line_printf(l, ST_DIM, false, "  %s", spans_convention(s));
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	const struct span_table *t = spans_table(&m->log->spans);
	const struct span *s = t && (int)lane->index < t->n_rows ? spans_at(t, (int)lane->index, m->at.cursor) : NULL;
	if (!s) {
		line_put(l, ST_DIM, false, "no span");
		return;
	}
	line_put(l, ST_MARKER, true, "span \"");
	struct line name = *l;
	name.wrap_y = 0;
	name.end = name.x + line_left(l) / 2;
	line_text(&name, ST_EM, true, spans_name(&m->log->blocks, s));
	l->x = name.x;
	line_put(l, ST_MARKER, true, "\"");
	put_details(l, m->log, s);
}

/* Also report spans that the table has no room for. */
static void put_losses(struct line *l, const struct evl_log *log, const struct span_table *t)
{
	struct {
		uint64_t n;
		const char *what;
	} losses[] = {
		{t->unfinished, "unfinished"},
		{t->strays, "ended without a start"},
		{t->deeper, "in no row"},
		{atomic_load(&log->spans.more), "not kept"},
	};
	for (size_t i = 0; i < countof(losses); i++)
		if (losses[i].n)
			line_printf(l, ST_WARN, false, "  %s %s", as_count(losses[i].n), losses[i].what);
}

static void inspect_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct evl_log *log = plot->model->log;
	const struct span_table *t = spans_table(&log->spans);
	uint64_t from = model_edge(plot->model, i), to = model_edge(plot->model, i + 1);
	if (!t || (int)lane->index >= t->n_rows)
		return;
	struct span_sum sum = spans_in(t, (int)lane->index, from, to);
	line_skip(l, 2);
	line_merged(l, ST_TEXT, sum.n, "span");
	line_share(l, ST_MARKER, "covers ", sum.ns, to - from);
	line_printf(l, ST_DIM, false, "   %s in the log", as_count(t->n));
	put_losses(l, log, t);
}

/* --- the budget of a span --- */

/* Draw the cells that fit; without colours the letters of the states. */
static void put_bar(struct line *l, const struct span_answer *a, int cells)
{
	const struct span_budget *b = &a->detail.parts;
	const struct cell_shares s = {.ns = {
					      [CELL_RUN] = b->run,
					      [CELL_FOREIGN] = b->foreign,
					      [CELL_RUNNABLE_GC] = b->gc,
					      [CELL_RUNNABLE] = b->runnable,
					      [CELL_BLOCKED] = b->blocked,
					      [CELL_UNKNOWN] = a->detail.unknown,
				      }};
	int units[CELL_STATES], x = l->x;
	if (!l->c->mono)
		cells_draw_bar(l->c, l->y, x, cells, &s);
	cells_share(&s, cells, units);
	for (int state = 0; state < CELL_STATES && l->c->mono; state++)
		for (int i = 0; i < units[state] && x < l->end; i++)
			canvas_printf(l->c, l->y, x++, 1, PEN(ST_TEXT), "%c",
				style_info(cells_style((enum cell_state)state))->letter);
	line_skip(l, cells + 1);
}

/* " (most: thread 11 "worker-4" on cap 1, 0.6 ms)", in little room " thr 11". */
static void put_who(struct line *l, const struct evl_log *log, const struct span_waits *w, const char *until, bool wide)
{
	const struct span_wait *first = &w->items[0];
	if (w->n == 0 || (!wide && !first->thread))
		return;
	line_put(l, ST_DIM, false, wide ? until : " ");
	if (!first->thread)
		line_put(l, ST_DIM, false, "unknown");
	else if (wide)
		line_thread(l, log, first->thread);
	else
		line_printf(l, ST_EM, false, "thr %u", first->thread);
	if (!wide)
		return;
	if (first->cap != EVL_NO_CAP)
		line_printf(l, ST_DIM, false, " on cap %u", first->cap);
	if (w->n > 1 || w->more_ns) {
		line_pair(l, " ", ST_TEXT, as_duration(first->ns));
		line_printf(l, ST_DIM, false, ", %zu%s more", w->n - 1, w->more_ns ? " or" : "");
	}
	line_put(l, ST_DIM, false, ")");
}

static void put_part(struct line *l, enum style style, const char *name, uint64_t ns, uint64_t all, bool wide)
{
	line_skip(l, wide ? 2 : 1);
	line_put(l, style, false, name);
	if (wide)
		line_duration(l, ST_TEXT, ns);
	if (wide)
		line_skip(l, 1);
	line_put(l, wide ? ST_DIM : ST_TEXT, false, as_share((double)ns / (double)(all ? all : 1)));
}

void part_span(const struct evl_log *log, const struct span_answer *a, struct canvas *c, int y)
{
	enum { WIDE = 120, BAR_WIDE = 32, BAR = 16 };
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	bool wide = c->cols >= WIDE;
	line_put(&l, ST_MARKER, true, wide ? "  span: " : "");
	if (!a || !a->made) {
		line_put(&l, ST_DIM, false, a && a->result < 0 ? "out of memory" : "…");
		return;
	}
	const struct span_budget *b = &a->detail.parts;
	const char *reason = a->detail.blocked.n ? thread_block_name(a->detail.blocked.items[0].reason) : "";
	put_bar(&l, a, wide ? BAR_WIDE : BAR);
	if (b->run)
		put_part(&l, ST_RUN, "ran ", b->run, a->ns, wide);
	if (b->gc)
		put_part(&l, ST_RUNNABLE_GC, wide ? "held by GC " : "held ", b->gc, a->ns, wide);
	if (b->runnable) {
		put_part(&l, ST_RUNNABLE, wide ? "waited for a cap " : "waited ", b->runnable, a->ns, wide);
		put_who(&l, log, &a->detail.holders, " (it had ", wide);
	}
	if (b->blocked) {
		put_part(&l, ST_TEXT, "blocked ", b->blocked, a->ns, wide);
		line_pair(&l, wide ? " on " : " ", ST_TEXT, reason);
		put_who(&l, log, &a->detail.blocked, " (until ", wide);
	}
	if (b->foreign)
		put_part(&l, ST_FOREIGN, wide ? "foreign call " : "call ", b->foreign, a->ns, wide);
	if (a->detail.unknown)
		put_part(&l, ST_DIM, "not known ", a->detail.unknown, a->ns, wide);
}

static const struct lane_colour colours[] = {{"spans", {ST_BAND_1, ST_BAND_2}, 0x2586, '#'}, {0}};

const struct lane_ops lane_spans = {.most_when_low = WHEN_LOW,
	.name = "spans",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.colours = colours};
