/* A capability: what it did in each column, by the cell rule.
 *   no change in the column   one colour
 *   one                       two colours, the edge at the exact eighth
 *   more                      height is the share of running, the colour above is the most important other state
 * A state that is present is never less than an eighth. */
#include "lane.h"

#include "text.h"

#include <math.h>
#include <stdio.h>

enum { HALF_UPPER = 0x2580, BAR_CELLS = 5 };

/* The time of a column by what it went into, ns. */
struct shares {
	uint64_t run, minor, major, idle, all;
};

static size_t count(const struct evl_log *log)
{
	return log->n_lanes;
}

static int rows(const struct lane_place *at)
{
	return at->tall ? 2 : 1;
}

static struct shares shares_of(const struct plot *p, int i, const struct cap_column *col)
{
	struct shares s = {.run = col->run_ns, .all = model_edge(p->model, i + 1) - model_edge(p->model, i)};
	s.major = p->gc[i].major ? min_u64(col->gc_ns, p->gc[i].major_ns) : 0;
	s.minor = col->gc_ns - s.major;
	s.idle = sub_or_0(s.all, s.run + col->gc_ns);
	return s;
}

static enum style style_of(enum cap_state state, const struct shares *s)
{
	if (state == CAP_GC)
		return s->major > s->minor ? ST_MAJOR : ST_MINOR;
	return state == CAP_RUN ? ST_RUN : ST_IDLE;
}

/* The state that stands for a dense column beside `base`: a major GC if there is any; else the larger, but a minor GC
 * wins over idle from half of it on. */
static enum style second(const struct shares *s, enum style base)
{
	if (s->major && base != ST_MAJOR)
		return ST_MAJOR;
	if (s->minor && base != ST_MINOR && s->minor >= s->idle / 2)
		return ST_MINOR;
	return base == ST_IDLE ? ST_MINOR : ST_IDLE;
}

static enum style largest(const struct shares *s)
{
	if (s->run)
		return ST_RUN;
	if (s->idle >= s->minor && s->idle >= s->major)
		return ST_IDLE;
	return s->major >= s->minor ? ST_MAJOR : ST_MINOR;
}

static uint64_t share_of(const struct shares *s, enum style style)
{
	return style == ST_RUN ? s->run : style == ST_MAJOR ? s->major : style == ST_MINOR ? s->minor : s->idle;
}

/* part / all in eighths, 1…7: what is there is seen, and what is missing too. */
static int eighths(uint64_t part, uint64_t all)
{
	long k = lround(8.0 * (double)part / (double)(all ? all : 1));
	return k < 1 ? 1 : k > 7 ? 7 : (int)k;
}

static void draw_dense(const struct shares *s, struct canvas *c, int y, int x)
{
	enum style base = largest(s), other = second(s, base);
	if (share_of(s, other) == 0)
		canvas_fill(c, y, x, 1, 1, (uint8_t)base);
	else
		canvas_lower(c, y, x, eighths(share_of(s, base), s->all), (uint8_t)base, (uint8_t)other);
}

/* Without colours the worst state gives its letter; a share of running under a half is said by a small one. */
static void draw_letter(const struct shares *s, struct canvas *c, int y, int x)
{
	enum style worst = s->major ? ST_MAJOR : s->minor && s->minor >= s->run ? ST_MINOR : s->run ? ST_RUN : ST_IDLE;
	char letter = style_info(worst)->letter;
	if (worst == ST_RUN && s->run < s->all / 2)
		letter = ':';
	canvas_printf(c, y, x, 1, PEN(ST_TEXT), "%c", letter);
}

static void draw_cell(const struct plot *p, int i, const struct cap_column *col, struct canvas *c, int y, int x)
{
	uint64_t from = model_edge(p->model, i);
	struct shares s = shares_of(p, i, col);
	enum style last = style_of((enum cap_state)col->last, &s);
	if (!col->known)
		lane_unknown(c, y, x);
	else if (!col->alive)
		return;
	else if (c->mono)
		draw_letter(&s, c, y, x);
	else if (col->switches == 0 || (col->switches == 1 && col->split <= from))
		canvas_fill(c, y, x, 1, 1, (uint8_t)last);
	else if (col->switches == 1)
		canvas_left(c, y, x, eighths(col->split - from, s.all),
			(uint8_t)style_of((enum cap_state)col->first, &s), (uint8_t)last);
	else
		draw_dense(&s, c, y, x);
}

/* The colour of a thread: neighbours in id differ. */
static uint8_t tint(uint32_t thread)
{
	return (uint8_t)(ST_BAND_0 + thread % STYLE_BANDS);
}

static void draw_tint(const struct cap_column *cols, int n, struct canvas *c, int y, int x)
{
	for (int i = 0; i < n; i++)
		if (cols[i].known && cols[i].run_ns)
			canvas_glyph(c, y, x + i, PEN(tint(cols[i].thread)), HALF_UPPER, ' ');
}

/* A stretch of columns in which one thread runs, or one GC goes on, all the time. */
static int stretch(const struct cap_column *cols, int n, int i)
{
	int end = i;
	while (end < n && cols[end].known && cols[end].switches == 0 && cols[end].last == cols[i].last
		&& cols[end].thread == cols[i].thread)
		end++;
	return end - i;
}

/* "30 worker-18" if there is room, else "30". */
static void draw_name(const struct plot *p, const struct cap_column *col, const struct lane_place *at, struct canvas *c, int y,
	int x, int room)
{
	char id[16];
	snprintf(id, sizeof id, "%u", col->thread);
	struct evl_str label = evl_label(p->model->log, col->thread);
	int id_w = (int)strlen(id), label_w = label.len ? text_width(label, c->ascii) : 0;
	struct pen pen = {(uint8_t)style_label(ST_RUN, at->theme), ST_RUN, 0};
	if (c->mono)
		pen = PEN(ST_TEXT);
	if (id_w + 2 > room)
		return;
	bool both = label_w && id_w + 1 + label_w + 2 <= room;
	int used = canvas_str(c, y, x + 1, room, pen, id);
	if (both)
		canvas_text(c, y, x + 2 + used, label_w, pen, label);
}

static void draw_names(const struct plot *p, const struct cap_column *cols, const struct lane_place *at, struct canvas *c, int y)
{
	for (int i = 0; i < p->cols;) {
		int n = stretch(cols, p->cols, i);
		if (n > 0 && cols[i].last == CAP_RUN)
			draw_name(p, &cols[i], at, c, y, at->plot_x + i, n);
		i += n > 0 ? n : 1;
	}
}

static double run_share(const struct plot *p, const struct cap_column *cols)
{
	uint64_t run = 0;
	for (int i = 0; i < p->cols; i++)
		run += cols[i].run_ns;
	return (double)run / (double)(p->t1 - p->t0);
}

static void draw_bar(double share, const struct lane_place *at, struct canvas *c, int y)
{
	int x = at->label_x + at->label_w - BAR_CELLS - 4, left = (int)lround(share * BAR_CELLS * 8);
	for (int i = 0; i < BAR_CELLS; i++, left -= 8)
		canvas_left(c, y, x + i, left < 0 ? 0 : left > 8 ? 8 : left, ST_RUN, ST_BAR_DIM);
}

static void draw(const struct lane *lane, struct plot *plot, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = plot->model->log;
	const struct cap_column *cols = plot_cap(plot, lane->index);
	char text[TEXT_ROOM];
	snprintf(text, sizeof text, "cap %u", log->blocks.chains[log->lanes[lane->index]].cap);
	lane_label(at, c, y, text);
	if (!cols)
		return;
	for (int i = 0; i < plot->cols; i++)
		draw_cell(plot, i, &cols[i], c, y, at->plot_x + i);
	draw_names(plot, cols, at, c, y);
	if (lane->rows > 1 && !c->mono && !c->ascii)
		draw_tint(cols, plot->cols, c, y + 1, at->plot_x);
	double share = run_share(plot, cols);
	if (at->wide && !c->mono)
		draw_bar(share, at, c, y);
	lane_figure(at, c, y, share > 0.5 ? ST_RUN : ST_DIM, text_share(text, share));
}

static bool change(const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	uint32_t chain = log->lanes[lane->index];
	struct cap_moment now;
	caps_at(&log->blocks, &log->tiles[chain], chain, forward || t == 0 ? t : t - 1, &now);
	*out = forward ? now.until : now.since;
	return forward ? now.until != UINT64_MAX : now.since > 0 && now.since < t;
}

static bool span(const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from, uint64_t *to)
{
	uint32_t chain = log->lanes[lane->index];
	struct cap_moment now;
	caps_at(&log->blocks, &log->tiles[chain], chain, t, &now);
	*from = now.since;
	*to = now.until;
	return now.known && now.since > 0 && now.until != UINT64_MAX;
}

const struct lane_ops lane_cap = {.name = "cap", .count = count, .rows = rows, .draw = draw, .change = change, .span = span};
