/* lane_bands.c - lane of the heap profile: its largest bands, stacked, in the hues of the Heap pane. */
#include "base/gallop.h"
#include "jobs/bands_job.h"
#include "lanes/band_stack.h"
#include "lanes/lanes.h"
#include "report/abilities.h"

#include <assert.h>
#include <math.h>

enum { OTHERS = CENSUS_SLOTS - 1, TALL = 4, LEAST_ROWS = 30, LEAST_ALONE = 20, HATCH = 0x2591, EIGHTHS = 8 };

/* --- a column ------------------------------------------------------------------------------------------------------ */

/* A piece of one band in a cell, in eighths from its bottom on. */
struct piece {
	uint8_t style;
	bool hatched;
	int eighths;
};

enum { MOST_PIECES = EIGHTHS + 1 };

static void draw_solid(struct canvas *c, int y, int x, const struct piece *p, enum theme theme)
{
	enum style style = (enum style)p->style;
	if (style == ST_PAGE)
		return;
	if (c->mono) {
		char letter = style_info(style)->letter;
		canvas_printf(c, y, x, 1, (struct pen){ST_TEXT, ST_PAGE, p->hatched ? ATTR_REVERSE : 0}, "%c",
			p->hatched ? (char)(letter - 'a' + 'A') : letter);
		return;
	}
	lane_solid(c, y, x, style);
	if (p->hatched)
		canvas_glyph(c, y, x, (struct pen){(uint8_t)style_label(style, theme), p->style, 0}, HATCH, '%');
}

/* The one that has most of the eighths [from, to). */
static const struct piece *winner(const struct piece *pieces, int n, int from, int to)
{
	const struct piece *best = &pieces[0];
	int most = 0, at = 0;
	for (int i = 0; i < n; i++) {
		int low = at > from ? at : from, high = at + pieces[i].eighths < to ? at + pieces[i].eighths : to;
		if (high - low > most) {
			most = high - low;
			best = &pieces[i];
		}
		at += pieces[i].eighths;
	}
	return best;
}

static void draw_pieces(struct canvas *c, int y, int x, const struct piece *pieces, int n, enum theme theme)
{
	enum { HALF = EIGHTHS / 2 };
	assert(n > 0);
	const struct piece *low = &pieces[0], *high = &pieces[n - 1];
	int split = low->eighths;
	if (n > 2) {
		low = winner(pieces, n, 0, HALF);
		high = winner(pieces, n, HALF, EIGHTHS);
		split = HALF;
	}
	if (c->mono)
		draw_solid(c, y, x, winner(pieces, n, 0, EIGHTHS), theme);
	else if (low->style == high->style)
		draw_solid(c, y, x, low, theme);
	else
		canvas_lower(c, y, x, split, low->style, high->style);
}

/* The pieces of the cell whose bottom is `low` eighths above that of the picture. */
static int cut_cell(const struct band_stack *s, const int *tops, int low, struct piece *out)
{
	int n = 0, at = low;
	for (int k = 0; k < s->n && at < low + EIGHTHS; k++) {
		int top = tops[k] < low + EIGHTHS ? tops[k] : low + EIGHTHS;
		if (top <= at)
			continue;
		out[n++] = (struct piece){s->styles[k], s->hatched[k], top - at};
		at = top;
	}
	if (at < low + EIGHTHS)
		out[n++] = (struct piece){ST_PAGE, false, low + EIGHTHS - at};
	return n;
}

void band_stack_draw(const struct band_stack *s, const struct lane_place *at, struct canvas *c, int y, int rows, int x)
{
	int tops[CENSUS_SLOTS];
	double sum = 0;
	for (int k = 0; k < s->n; k++) {
		sum += s->parts[k];
		tops[k] = (int)lround(sum * rows * EIGHTHS);
	}
	if (s->n && tops[s->n - 1] == 0)
		tops[s->n - 1] = 1; /* what is there is seen */
	for (int row = 0; row < rows; row++) {
		struct piece pieces[MOST_PIECES];
		int n = cut_cell(s, tops, (rows - 1 - row) * EIGHTHS, pieces);
		draw_pieces(c, y + row, x, pieces, n, at->theme);
	}
}

/* --- the lane ------------------------------------------------------------------------------------------------------ */

/* Biographical profiles are written at the end of the run, without times. */
static size_t count(const struct evl_log *log)
{
	return evl_progress(log).done && census_count(&log->census) > 0 && !log->census.profiles[0].biography;
}

/* On a low screen only if the log has little else to show, as with a heap profile alone. */
static int rows(const struct lane_place *at)
{
	bool alone = at->log && absence_is_sure(at->log, ABSENCE_RUNS);
	return at->tall ? TALL : at->rows >= LEAST_ROWS || (alone && at->rows >= LEAST_ALONE) ? 2 : 0;
}

static const struct bands_picture *picture_of(const struct plot *p)
{
	const struct bands_picture *b = p->bands;
	return b && b->of.t0 == p->t0 && b->of.t1 == p->t1 && b->of.cols == p->cols ? b : NULL;
}

/* Is the column after the end of what was read of a growing log? */
static bool is_later(const struct plot *p, int i)
{
	return p->lanes->bands_until && column_edge(p->t0, p->t1, p->cols, i + 1) > p->lanes->bands_until;
}

static bool values_of(const struct bands_picture *b, const struct plot *p, int i, double *values)
{
	return b && b->n_knots && !is_later(p, i)
		&& census_knots_at(b->knots, b->n_knots, column_edge(p->t0, p->t1, p->cols, i),
			column_edge(p->t0, p->t1, p->cols, i + 1), values);
}

static void draw(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	const struct bands_picture *b = picture_of(p);
	double values[CENSUS_SLOTS];
	lane_label(at, c, y, "bands");
	if (lane->rows > 1 && at->label_w >= 11)
		canvas_str(c, y + 1, at->label_x, at->label_w, PEN(ST_DIM), "heap census");
	for (int i = 0; !b && i < p->cols; i++)
		lane_unknown(c, y + lane->rows - 1, at->plot_x + i);
	if (b && b->n_knots == 0)
		canvas_str(c, y, at->plot_x + 2, at->cols - 2, PEN(ST_DIM),
			b->failed ? "no bands over time in this profile (2 shows it)" : "no sample in this window");
	for (int i = 0; b && i < p->cols; i++) {
		struct band_stack stack = {.n = 0};
		if (is_later(p, i)) {
			lane_unknown(c, y + lane->rows - 1, at->plot_x + i);
			continue;
		}
		if (!values_of(b, p, i, values))
			continue;
		for (int k = 0; k < CENSUS_SLOTS; k++) {
			if (values[k] <= 0)
				continue;
			stack.styles[stack.n] = (uint8_t)(ST_BAND_0 + k);
			stack.parts[stack.n++] = values[k] / (double)max_u64(b->largest, 1);
		}
		band_stack_draw(&stack, at, c, y, lane->rows, at->plot_x + i);
	}
	if (b && b->n_knots)
		lane_named(at, c, y, ST_DIM, "max", b->largest);
}

/* Next to each other: the sample before and after. */
static bool change(UNUSED const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	const struct census *c = &log->census;
	BISECT(low, census_count(c), forward ? census_at(c, mid)->t <= t : census_at(c, mid)->t < t);
	if (forward ? low == census_count(c) : low == 0)
		return false;
	*out = census_at(c, forward ? low : low - 1)->t;
	return true;
}

static void inspect(UNUSED const struct lane *lane, UNUSED const struct model *m, struct line *l)
{
	line_put(l, ST_DIM, false, "heap census; 2 shows all bands");
}

/* The largest of the column, by name. */
static void inspect_column(UNUSED const struct lane *lane, struct plot *p, int i, struct line *l)
{
	enum { MOST = 3, LEAST_ROOM = 24 };
	const struct bands_picture *b = picture_of(p);
	double values[CENSUS_SLOTS];
	if (!values_of(b, p, i, values)) {
		line_put(l, ST_DIM, false, b && !is_later(p, i) ? "  no sample" : "  reading …");
		return;
	}
	for (int n = 0; n < MOST && line_room(l) > LEAST_ROOM; n++) {
		int best = 0;
		for (int k = 1; k < OTHERS; k++)
			best = values[k] > values[best] ? k : best;
		if (values[best] <= 0)
			return;
		line_pair(l, "  ", ST_EM, as_bytes((uint64_t)values[best]));
		line_printf(l, ST_TEXT, false, " %s", b->labels[best]);
		values[best] = 0;
	}
}

static const struct lane_colour colours[] = {{"bands lane", {ST_BAND_0, ST_BAND_1}, 0x2586, '#'}, {0}};

const struct lane_ops lane_bands = {.name = "bands",
	.count = count,
	.rows = rows,
	.draw = draw,
	.change = change,
	.inspect = inspect,
	.inspect_column = inspect_column,
	.colours = colours};
