/* lane_spans.c - lanes of user spans.
 *
 * A lane for each of the upper rows of the table: bars with their names; where a column holds more than one edge,
 * its height is the share of the column that spans cover. A name keeps its colour. */
#include "draw/text.h"
#include "lanes/cells.h"
#include "lanes/parts.h"

#include <stdio.h>

enum { MOST_LANES = 4, LEAST_ROWS = 20, MANY = 10, LEAST_NAME = 5 };

static size_t count(const struct evl_log *log)
{
	const struct span_table *t = spans_table(&log->spans);
	return !t ? 0 : t->n_rows < MOST_LANES ? (size_t)t->n_rows : MOST_LANES;
}

/* All spans before this time are in the table. */
static uint64_t kept_until(const struct evl_log *log)
{
	return atomic_load(&((struct evl_log *)(uintptr_t)log)->spans.kept_until);
}

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

/* The name of a span inside of its bar; "…" behind it where the log ends before the span. */
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

static void draw_label(
	const struct lane *lane, const struct span_table *t, const struct lane_place *at, struct canvas *c, int y)
{
	char text[TEXT_ROOM];
	if (lane->index == 0)
		lane_label(at, c, y, "spans");
	snprintf(text, sizeof text, "+%d rows", t->n_rows - MOST_LANES);
	if (lane->index + 1 == MOST_LANES && t->n_rows > MOST_LANES)
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
		const struct span *last = sum.n ? sum.first + sum.n - 1 : NULL; /* may go on behind the column */
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
	char figure[TEXT_ROOM];
	int row = (int)lane->index;
	if (!t || row >= t->n_rows)
		return;
	draw_label(lane, t, at, c, y);
	uint64_t known = min_u64(lane_known(log), kept_until(log));
	draw_row(plot, t, row, at, c, y, lane_known_cols(plot, known));
	lane_figure(at, c, y, ST_DIM, text_count(figure, spans_in(t, row, plot->t0, plot->t1).n));
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

static void put_details(struct line *l, const struct model *m, const struct span *s)
{
	struct gc_sum gc;
	char text[TEXT_ROOM + 16];
	gcs_sum(&m->log->gcs, s->start, s->end, &gc);
	line_put(l, ST_DIM, false, "  ");
	line_duration(l, ST_TEXT, s->end - s->start);
	if (s->unfinished)
		line_put(l, ST_WARN, false, " until the log ends, unfinished");
	line_share(l, ST_MINOR, "GC ", gc.minor_ns + gc.major_ns, s->end - s->start);
	uint32_t thread = s->thread;
	snprintf(text, sizeof text, "  thread %u", thread);
	if (thread)
		line_put(l, ST_TEXT, false, text);
	line_put(l, ST_DIM, false, "  ");
	line_put(l, ST_DIM, false, spans_convention(s));
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	const struct span_table *t = spans_table(&m->log->spans);
	const struct span *s = t && (int)lane->index < t->n_rows ? spans_at(t, (int)lane->index, m->at.cursor) : NULL;
	if (!s) {
		line_put(l, ST_DIM, false, "no span");
		return;
	}
	line_put(l, ST_MARKER, true, "span “");
	struct line name = *l;
	name.end = name.x + line_room(l) / 2;
	line_text(&name, ST_EM, true, spans_name(&m->log->blocks, s));
	l->x = name.x;
	line_put(l, ST_MARKER, true, "”");
	put_details(l, m, s);
}

/* What the table could not hold is said too. */
static void put_losses(struct line *l, const struct evl_log *log, const struct span_table *t)
{
	struct {
		uint64_t n;
		const char *what;
	} losses[] = {
		{t->unfinished, "unfinished"},
		{t->strays, "ended without a begin"},
		{t->deeper, "in no row"},
		{atomic_load(&((struct evl_log *)(uintptr_t)log)->spans.more), "not kept"},
	};
	char text[TEXT_ROOM + 32], number[TEXT_ROOM];
	for (size_t i = 0; i < countof(losses); i++) {
		snprintf(text, sizeof text, "  %s %s", text_count(number, losses[i].n), losses[i].what);
		if (losses[i].n)
			line_put(l, ST_WARN, false, text);
	}
}

static void inspect_column(const struct lane *lane, struct plot *plot, int i, struct line *l)
{
	const struct evl_log *log = plot->model->log;
	const struct span_table *t = spans_table(&log->spans);
	uint64_t from = model_edge(plot->model, i), to = model_edge(plot->model, i + 1);
	char text[TEXT_ROOM + 32], number[TEXT_ROOM];
	if (!t || (int)lane->index >= t->n_rows)
		return;
	struct span_sum sum = spans_in(t, (int)lane->index, from, to);
	line_skip(l, 2);
	line_merged(l, ST_TEXT, sum.n, "span");
	line_share(l, ST_MARKER, "covers ", sum.ns, to - from);
	snprintf(text, sizeof text, "   %s in the log", text_count(number, t->n));
	line_put(l, ST_DIM, false, text);
	put_losses(l, log, t);
}

const struct lane_ops lane_spans = {.most_when_low = 2,
	.name = "spans",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.span = span,
	.inspect = inspect,
	.inspect_column = inspect_column};
