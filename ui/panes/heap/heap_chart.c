#include "panes/heap/heap_chart.h"

#include "draw/bars.h"

#include <math.h>
#include <stdio.h>

enum { OTHERS = CENSUS_SLOTS - 1, LINE = 0x2502 };

/* --- values -------------------------------------------------------------------------------------------------------- */

static void put_slot(
	struct band_stack *s, const struct heap_answer *p, const struct heap_look *look, int slot, double value)
{
	bool own = slot < p->slots.n;
	if ((!own && slot != OTHERS) || value <= 0)
		return;
	s->styles[s->n] = p->styles[slot];
	s->hatched[s->n] = own && p->slots.bands[slot] == look->selected;
	s->parts[s->n++] = value;
}

/* largest: what is as high as the picture. */
static bool stack_of(const struct heap_answer *p, const struct heap_look *look, uint64_t largest, const struct model *m,
	int i, struct band_stack *out)
{
	double values[CENSUS_SLOTS], sum = 0;
	out->n = 0;
	if (!census_knots_at(p->knots, p->n_knots, model_edge(m, i), model_edge(m, i + 1), values))
		return false;
	for (int k = 0; k < CENSUS_SLOTS; k++) {
		int slot = look->inverted ? OTHERS - k : k;
		put_slot(out, p, look, slot, values[slot]);
		sum += values[slot];
	}
	double all = look->share ? sum : (double)largest;
	for (int k = 0; k < out->n; k++)
		out->parts[k] = all > 0 ? out->parts[k] / all : 0;
	return out->n > 0;
}

/* --- over it ------------------------------------------------------------------------------------------------------- */

/* A sign over the picture: what is under it keeps its colour as the background. */
static void draw_over(
	struct canvas *c, int y, int x, enum style style, uint32_t sign, char ascii, const struct lane_place *at)
{
	struct cell *cell = canvas_at(c, y, x);
	if (!cell)
		return;
	bool filled = cell->ch >= 0x2584 && cell->ch <= 0x2588; /* the lower half and more */
	uint8_t bg = filled ? cell->fg : cell->bg;
	uint8_t fg = bg == ST_PAGE ? (uint8_t)style : (uint8_t)style_label((enum style)bg, at->theme);
	canvas_glyph(c, y, x, (struct pen){fg, bg, ATTR_BOLD}, sign, ascii);
}

static const struct curve {
	enum heap_curve curve;
	uint32_t sign;
	char ascii;
	enum style style;
	const char *name;
} heap_curves[] = {{HEAP_CURVE_LIVE, 0x2022, '*', ST_LIVE, "live"}, {HEAP_CURVE_SIZE, 0x2500, '-', ST_TEXT, "size"},
	{HEAP_CURVE_BLOCKS, 0x254c, '=', ST_DIM, "blocks"}};

enum { CURVE_SCALE = 6 }; /* columns of the scale at the right end */

static uint64_t curves_max(const struct heap_look *look, const struct model *m)
{
	uint64_t most = 0;
	for (size_t k = 0; k < countof(heap_curves); k++) {
		const struct heap_column *cols = plot_heap(look->plot, heap_curves[k].curve);
		for (int i = 0; cols && i < m->cols; i++)
			most = max_u64(most, cols[i].known ? cols[i].max : 0);
	}
	return most;
}

static void draw_curve(const struct curve *curve, const struct heap_look *look, uint64_t all, const struct model *m,
	const struct lane_place *at, struct canvas *c, int y, int rows)
{
	const struct heap_column *cols = plot_heap(look->plot, curve->curve);
	int last = -1;
	for (int i = 0; cols && all && i < m->cols; i++) {
		int up = cols[i].known ? (int)((double)cols[i].max / (double)all * rows) : -1;
		up = up >= rows ? rows - 1 : up;
		if (up < 0)
			continue;
		draw_over(c, y + rows - 1 - up, at->plot_x + i, curve->style, curve->sign, curve->ascii, at);
		last = up;
	}
	if (last >= 0)
		canvas_str(c, y + rows - 1 - last, at->plot_x + m->cols - CURVE_SCALE - (int)strlen(curve->name),
			(int)strlen(curve->name), PEN((uint8_t)curve->style), curve->name);
}

static void draw_cursor(const struct model *m, const struct lane_place *at, struct canvas *c, int y, int rows)
{
	int from, to, cursor = model_col(m, m->at.cursor);
	bool selected = model_selected_cols(m, &from, &to);
	for (int row = 0; row < rows; row++) {
		if (selected && from > 0)
			draw_over(c, y + row, at->plot_x + from - 1, ST_ACCENT, '[', '[', at);
		if (selected && to < m->cols)
			draw_over(c, y + row, at->plot_x + to, ST_ACCENT, ']', ']', at);
		if (cursor >= 0)
			draw_over(c, y + row, at->plot_x + cursor, ST_CURSOR, LINE, '|', at);
	}
}

/* Return the step of an axis that ends at or above `most` and has `ticks` ticks: 1, 2 or 5 times a power of ten. */
static uint64_t round_step(uint64_t most, int ticks)
{
	uint64_t least = most / (uint64_t)ticks + (most % (uint64_t)ticks != 0), step = 1;
	for (int k = 0; step < least && step <= UINT64_MAX / 10; k++)
		step = k % 3 == 1 ? step / 2 * 5 : step * 2;
	return step ? step : 1;
}

uint64_t heap_axis(uint64_t most, int rows, uint64_t *step)
{
	enum { EVERY = 4 };
	*step = round_step(most ? most : 1, rows / EVERY > 1 ? rows / EVERY : 1);
	uint64_t ticks = most / *step + (most % *step != 0);
	return ticks > UINT64_MAX / *step ? UINT64_MAX : (ticks ? ticks : 1) * *step;
}

static void put_tick(const struct lane_place *at, struct canvas *c, int y, const char *text)
{
	char round[TEXT_ROOM];
	const char *zero = strstr(text, ".0"); /* "5.0M": 5M */
	snprintf(round, sizeof round, "%.*s%s", (int)(zero ? zero - text : (long)strlen(text)), text,
		zero ? zero + 2 : "");
	int width = (int)strlen(round);
	canvas_str(c, y, at->plot_x - 1 - width, width, PEN(ST_DIM), round);
}

/* "500M", "250M", "0": each at the row whose upper edge it is, 0 at the last. */
static void draw_scale(const struct heap_look *look, uint64_t all, uint64_t step, const struct lane_place *at,
	struct canvas *c, int y, int rows)
{
	enum { QUARTERS = 4 };
	char text[TEXT_ROOM];
	put_tick(at, c, y + rows - 1, look->share ? "0%" : "0");
	for (int k = 1; look->share && k <= QUARTERS; k++) {
		int row = (QUARTERS - k) * rows / QUARTERS;
		snprintf(text, sizeof text, "%d%%", 100 * k / QUARTERS);
		if (row < rows - 1)
			put_tick(at, c, y + row, text);
	}
	for (uint64_t v = step; !look->share && v <= all && v >= step; v += step) {
		int row = rows - (int)lround((double)v / (double)all * rows);
		if (row < rows - 1)
			put_tick(at, c, y + row, as_short(v));
	}
}

/* The right end of the curves' axis, inside the picture. */
static void draw_curves_scale(uint64_t all, uint64_t step, const struct model *m, const struct lane_place *at,
	struct canvas *c, int y, int rows)
{
	char text[TEXT_ROOM];
	for (uint64_t v = step; v <= all && v >= step; v += step) {
		int row = rows - (int)lround((double)v / (double)all * rows), width;
		lane_short(text, v);
		width = (int)strlen(text);
		if (row < rows - 1)
			canvas_str(c, y + row, at->plot_x + m->cols - width, width, PEN_BOLD(ST_LIVE), text);
	}
}

/* The largest value of a single band in the columns. */
static uint64_t lines_max(const struct heap_answer *p)
{
	uint64_t most = 0;
	for (size_t i = 0; i < p->n_knots; i++)
		for (int s = 0; s < p->slots.n; s++)
			most = max_u64(most, p->knots[i].parts[s]);
	return most;
}

enum { HALVES = 2 };

/* A line per band: each half of a cell high, joined where it jumps; the larger bands over the smaller. */
static void draw_lines(const struct heap_answer *p, const struct heap_look *look, uint64_t all, const struct model *m,
	const struct lane_place *at, struct canvas *c, int y, int rows)
{
	for (int s = p->slots.n - 1; s >= 0; s--) {
		bool here = p->slots.bands[s] == look->selected;
		struct pen pen = {c->mono ? ST_TEXT : p->styles[s], ST_PAGE, here ? ATTR_BOLD : 0};
		char letter = style_info((enum style)p->styles[s])->letter;
		int before = -1;
		for (int i = 0; i < m->cols; i++) {
			double values[CENSUS_SLOTS];
			int half = -1;
			if (census_knots_at(p->knots, p->n_knots, model_edge(m, i), model_edge(m, i + 1), values)
				&& values[s] > 0 && all)
				half = (int)(values[s] / (double)all * rows * HALVES);
			half = half >= rows * HALVES ? rows * HALVES - 1 : half;
			for (int k = before; half >= 0 && before >= 0 && k / HALVES != half / HALVES;
				k += k < half ? 1 : -1)
				if (k / HALVES != before / HALVES)
					canvas_glyph(c, y + rows - 1 - k / HALVES, at->plot_x + i, pen, 0x2502, letter);
			if (half >= 0)
				canvas_glyph(c, y + rows - 1 - half / HALVES, at->plot_x + i, pen,
					here                    ? 0x25cf
						: half % HALVES ? 0x2580
								: 0x2584,
					here ? '*' : letter);
			before = half;
		}
	}
}

void heap_chart(const struct heap_answer *page, const struct heap_look *look, const struct model *m,
	const struct lane_place *at, struct canvas *c, int y, int rows)
{
	bool curves = look->curves && !look->share, lines = look->lines && !look->share;
	uint64_t step, all = heap_axis(lines ? lines_max(page) : page->largest, rows, &step), curves_step,
		       curves_all = curves ? heap_axis(curves_max(look, m), rows, &curves_step) : 0;
	struct band_stack stack;
	if (lines)
		draw_lines(page, look, all, m, at, c, y, rows);
	for (int i = 0; i < m->cols && !lines; i++)
		if (stack_of(page, look, all, m, i, &stack))
			band_stack_draw(&stack, at, c, y, rows, at->plot_x + i);
	for (size_t k = 0; k < countof(heap_curves) && curves; k++)
		draw_curve(&heap_curves[k], look, curves_all, m, at, c, y, rows);
	if (curves)
		draw_curves_scale(curves_all, curves_step, m, at, c, y, rows);
	draw_scale(look, all, step, at, c, y, rows);
	draw_cursor(m, at, c, y, rows);
}

void heap_chart_ruler(
	const struct heap_answer *page, const struct model *m, const struct lane_place *at, struct canvas *c, int y)
{
	char text[TEXT_ROOM];
	int free_from = 0;
	canvas_str(c, y, at->label_x, at->label_w, PEN(ST_DIM), "sample");
	for (size_t i = 0; i < page->samples; i++) {
		unsigned __int128 run = page->ask.last - page->ask.first; /* as census_axis_time has it */
		uint64_t t = page->ask.first + (uint64_t)(run * (2 * i + 1) / (2 * page->samples));
		int col = t >= m->at.t0 && t < m->at.t1 ? model_col(m, t) : -1;
		if (col < free_from || col + (int)strlen(text_count(text, i + 1)) >= at->cols)
			continue;
		canvas_glyph(c, y, at->plot_x + col, PEN(ST_DIM), LINE, '|');
		canvas_str(c, y, at->plot_x + col + 1, at->cols - col - 1, PEN(ST_DIM), text);
		free_from = col + (int)strlen(text) + 3;
	}
	int cursor = model_col(m, m->at.cursor);
	if (cursor >= 0)
		canvas_glyph(c, y, at->plot_x + cursor, PEN_BOLD(ST_KEY), 0x25b4, '^');
}

void heap_spark(const uint16_t *spark, uint64_t peak, enum style style, struct pen pen, struct canvas *c, int y, int x,
	int cells)
{
	for (int i = 0; i < cells; i++) {
		uint64_t most = 0;
		for (int k = i * CENSUS_SPARK / cells; k <= ((i + 1) * CENSUS_SPARK - 1) / cells; k++)
			most = max_u64(most, census_smooth(spark[k]));
		int eighths = bars_eighths((double)most, (double)peak, 1);
		if (eighths)
			canvas_lower(c, y, x + i, eighths, (uint8_t)(c->mono ? ST_TEXT : style), pen.bg);
	}
}
