#include "lanes/thread_cells.h"

#include "draw/text.h"
#include "lanes/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const uint8_t thread_cells_style[THREAD_STATES] = {
	[THREAD_ABSENT] = ST_PAGE,
	[THREAD_UNKNOWN] = ST_UNKNOWN,
	[THREAD_RUNNING] = ST_RUN,
	[THREAD_RUNNABLE] = ST_RUNNABLE,
	[THREAD_BLOCKED] = ST_BLOCKED,
	[THREAD_FOREIGN] = ST_FOREIGN,
};

static int eighths(uint64_t part, uint64_t all)
{
	long k = lround(8.0 * (double)part / (double)(all ? all : 1));
	return k < 1 ? 1 : k > 7 ? 7 : (int)k;
}

/* The state with the most time, but for one; runnable wins over what is equal. */
static enum thread_state most(const struct thread_column *col, enum thread_state but)
{
	static const uint8_t by_weight[] = {
		THREAD_RUNNABLE, THREAD_FOREIGN, THREAD_BLOCKED, THREAD_RUNNING, THREAD_UNKNOWN, THREAD_ABSENT};
	enum thread_state best = but == THREAD_ABSENT ? THREAD_UNKNOWN : THREAD_ABSENT;
	for (size_t i = countof(by_weight); i-- > 0;)
		if (by_weight[i] != but && col->ns[by_weight[i]] >= col->ns[best])
			best = (enum thread_state)by_weight[i];
	return best;
}

static void draw_letter(const struct thread_column *col, uint64_t all, struct canvas *c, int y, int x)
{
	enum thread_state state = most(col, THREAD_STATES);
	char letter = style_info((enum style)thread_cells_style[state])->letter;
	if (col->ns[THREAD_RUNNING] && (state != THREAD_RUNNING || col->ns[THREAD_RUNNING] < all / 2))
		letter = ':';
	canvas_printf(c, y, x, 1, PEN(ST_TEXT), "%c", letter);
}

static void draw_dense(const struct thread_column *col, uint64_t all, struct canvas *c, int y, int x)
{
	enum thread_state base = col->ns[THREAD_RUNNING] ? THREAD_RUNNING : most(col, THREAD_ABSENT);
	enum thread_state other = most(col, base);
	if (col->ns[other] == 0)
		canvas_fill(c, y, x, 1, 1, thread_cells_style[base]);
	else
		canvas_lower(c, y, x, eighths(col->ns[base], all), thread_cells_style[base], thread_cells_style[other]);
}

/* One change, at its eighth. What is not alive is the page itself, which cannot be painted on: then the cell is drawn
 * the other way round. */
static void draw_edge(const struct thread_column *col, uint64_t from, uint64_t width, struct canvas *c, int y, int x)
{
	int left = eighths(col->split - from, width);
	if (col->first != THREAD_ABSENT) {
		canvas_left(c, y, x, left, thread_cells_style[col->first], thread_cells_style[col->last]);
		return;
	}
	canvas_left(c, y, x, c->ascii ? 8 - left : left, thread_cells_style[col->last], ST_PAGE);
	struct cell *cell = canvas_at(c, y, x);
	if (cell && !c->ascii)
		cell->attr |= ATTR_REVERSE;
}

uint64_t thread_cells_alive(const struct thread_column *col)
{
	return col->ns[THREAD_RUNNING] + col->ns[THREAD_RUNNABLE] + col->ns[THREAD_BLOCKED] + col->ns[THREAD_FOREIGN];
}

static void draw_cell(
	const struct thread_column *col, uint64_t from, uint64_t width, bool many, struct canvas *c, int y, int x)
{
	uint64_t alive = thread_cells_alive(col);
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
		lane_solid(c, y, x, (enum style)thread_cells_style[col->last]);
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

void thread_cells_draw(const struct lane *lane, const struct plot *p, const struct thread_column *cols, bool many,
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

void thread_cells_figure(
	const struct plot *p, const struct thread_column *cols, const struct lane_place *at, struct canvas *c, int y)
{
	bool wait = p->lanes->ask.order == ORDER_WAIT;
	char text[TEXT_ROOM];
	double share;
	if (share_of(p, cols, wait ? THREAD_RUNNABLE : THREAD_RUNNING, &share))
		lane_figure(at, c, y, share > 0.5 ? ST_RUN : ST_DIM, text_share(text, share));
	else
		lane_no_figure(at, c, y);
}

struct thread_column *thread_cells_new(const struct plot *p)
{
	return calloc((size_t)p->cols, sizeof(struct thread_column));
}

void thread_cells_inspect(const struct thread_column *col, uint64_t all, struct line *l)
{
	static const struct {
		enum thread_state state;
		const char *name;
	} shown[] = {{THREAD_RUNNING, "run "}, {THREAD_RUNNABLE, "runnable "}, {THREAD_BLOCKED, "blocked "},
		{THREAD_FOREIGN, "foreign call "}, {THREAD_UNKNOWN, "not known "}};
	for (size_t i = 0; i < countof(shown); i++) {
		enum thread_state state = shown[i].state;
		enum style style = state == THREAD_BLOCKED ? ST_DIM : (enum style)thread_cells_style[state];
		if (col->ns[state] || state == THREAD_RUNNING)
			line_share(l, style, shown[i].name, col->ns[state], all);
	}
	line_skip(l, 3);
	line_merged(l, ST_DIM, col->switches, "change");
}
