#include "lanes/thread_cells.h"

#include "lanes/cells.h"

#include <stdio.h>
#include <stdlib.h>

static const uint8_t cell_of[THREAD_STATES] = {
	[THREAD_ABSENT] = CELL_ABSENT,
	[THREAD_UNKNOWN] = CELL_UNKNOWN,
	[THREAD_RUNNING] = CELL_RUN,
	[THREAD_RUNNABLE] = CELL_RUNNABLE,
	[THREAD_BLOCKED] = CELL_BLOCKED,
	[THREAD_FOREIGN] = CELL_FOREIGN,
};

enum style thread_cells_style(enum thread_state state) { return cells_style((enum cell_state)cell_of[state]); }

/* The time of a column for which the threads existed, summed. */
static uint64_t alive_of(const struct thread_column *col)
{
	return col->ns[THREAD_RUNNING] + col->ns[THREAD_RUNNABLE] + col->ns[THREAD_BLOCKED] + col->ns[THREAD_FOREIGN];
}

/* Is it runnable both in pauses and outside of them? */
static bool is_torn(const struct thread_column *col)
{
	return col->paused_ns > 0 && col->paused_ns < col->ns[THREAD_RUNNABLE];
}

static enum cell_state cell_at(const struct thread_column *col, uint8_t state)
{
	return state == THREAD_RUNNABLE && col->paused_ns ? CELL_RUNNABLE_GC : (enum cell_state)cell_of[state];
}

/* A group runs for the sum of what its threads run, at most all of the time; their other states fill the rest. */
static void share_of_group(struct cell_shares *s, uint64_t width)
{
	uint64_t run = min_u64(s->ns[CELL_RUN], width), others = 0;
	s->ns[CELL_ABSENT] = s->ns[CELL_UNKNOWN] = s->ns[CELL_RUN] = 0;
	for (size_t i = 0; i < CELL_STATES; i++)
		others += s->ns[i];
	for (size_t i = 0; i < CELL_STATES && others; i++)
		s->ns[i] = (uint64_t)((double)s->ns[i] / (double)others * (double)(width - run));
	s->ns[CELL_RUN] = run;
	s->ns[CELL_ABSENT] = others ? 0 : width - run;
}

static void draw_cell(
	const struct thread_column *col, uint64_t from, uint64_t width, bool many, const struct cells *to, int x)
{
	uint64_t alive = alive_of(col);
	struct cell_shares shares = {0};
	if (!col->known || (alive == 0 && col->ns[THREAD_UNKNOWN] && !many)) {
		lane_unknown(to->c, to->y, x);
		return;
	}
	if (alive == 0)
		return;
	for (size_t state = 0; state < THREAD_STATES; state++)
		shares.ns[cell_of[state]] = col->ns[state];
	shares.ns[CELL_RUNNABLE_GC] = col->paused_ns;
	shares.ns[CELL_RUNNABLE] -= col->paused_ns;
	if (many)
		share_of_group(&shares, width);
	if (!many && col->switches == 1 && col->split > from && !is_torn(col) && !to->c->mono)
		cells_draw_edge(to, x, cell_at(col, col->first), cell_at(col, col->last),
			cells_eighths(col->split - from, width));
	else
		cells_draw(to, x, &shares);
}

/* The state with the most time; of equals the one that says most. */
static enum thread_state most(const struct thread_column *col)
{
	static const uint8_t by_weight[] = {
		THREAD_RUNNABLE, THREAD_FOREIGN, THREAD_BLOCKED, THREAD_RUNNING, THREAD_UNKNOWN};
	enum thread_state best = THREAD_UNKNOWN;
	for (size_t i = countof(by_weight); i-- > 0;)
		if (col->ns[by_weight[i]] >= col->ns[best])
			best = (enum thread_state)by_weight[i];
	return best;
}

/* A second row says why it waited: one letter a column where that is what it did most. */
static void draw_reasons(const struct thread_column *cols, int n, struct canvas *c, int y, int x)
{
	for (int i = 0; i < n; i++) {
		enum thread_state state = most(&cols[i]);
		char letter = thread_stop_letter(cols[i].stop);
		if (cols[i].known && letter && (state == THREAD_BLOCKED || state == THREAD_FOREIGN))
			canvas_printf(c, y, x + i, 1, PEN(ST_DIM), "%c", letter);
	}
}

void thread_cells_draw(const struct lane *lane, const struct plot *p, const struct thread_column *cols, bool many,
	const struct lane_place *at, struct canvas *c, int y)
{
	bool reasons = lane->rows > 1 && !many;
	const struct cells to = {.c = c, .y = y, .rows = lane->rows - reasons};
	for (int i = 0; i < p->cols; i++) {
		uint64_t from = model_edge(p->model, i);
		draw_cell(&cols[i], from, model_edge(p->model, i + 1) - from, many, &to, at->plot_x + i);
	}
	if (reasons)
		draw_reasons(cols, p->cols, c, y + lane->rows - 1, at->plot_x);
}

/* The figure of the window that threads are sorted by: wake-ups, ns of waiting without what lies in pauses, else ns of
 * running; false while a column is missing. */
static bool sum_of(const struct plot *p, const struct thread_column *cols, uint64_t *sum)
{
	enum thread_order order = p->lanes->ask.order;
	*sum = 0;
	for (int i = 0; i < p->cols && model_edge(p->model, i) <= p->model->last; i++) {
		if (!cols[i].known)
			return false;
		*sum += order == ORDER_WAKEUPS ? cols[i].wakeups
			: order == ORDER_WAIT  ? cols[i].ns[THREAD_RUNNABLE] - cols[i].paused_ns
					       : cols[i].ns[THREAD_RUNNING];
	}
	return true;
}

/* Of several threads the sum may be more than all of the window. */
static const char *text_sum_of_shares(char out[TEXT_ROOM], double share)
{
	if (share < 1.0005)
		return text_share(out, share);
	snprintf(out, TEXT_ROOM, "%.*f%%", share < 10, share * 100);
	return out;
}

void thread_cells_figure(
	const struct plot *p, const struct thread_column *cols, const struct lane_place *at, struct canvas *c, int y)
{
	uint64_t sum;
	char text[TEXT_ROOM];
	if (!sum_of(p, cols, &sum)) {
		lane_no_figure(at, c, y);
		return;
	}
	if (p->lanes->ask.order == ORDER_WAKEUPS) {
		lane_figure(at, c, y, ST_DIM, as_short(sum));
		return;
	}
	double share = (double)sum / (double)(min_u64(p->t1, p->model->last + 1) - p->t0);
	lane_figure(at, c, y, share > 0.5 ? ST_RUN : ST_DIM, text_sum_of_shares(text, share));
}

struct thread_column *thread_cells_new(const struct plot *p)
{
	return calloc((size_t)p->cols, sizeof(struct thread_column));
}

void thread_cells_inspect(const struct thread_column *col, uint64_t width, struct line *l)
{
	char text[TEXT_ROOM];
	const struct {
		uint64_t ns;
		enum style style;
		const char *name;
	} shown[] = {{col->ns[THREAD_RUNNING], ST_RUN, "run "},
		{col->ns[THREAD_RUNNABLE] - col->paused_ns, ST_RUNNABLE, "runnable "},
		{col->paused_ns, ST_RUNNABLE_GC, "held by GC "}, {col->ns[THREAD_BLOCKED], ST_DIM, "blocked "},
		{col->ns[THREAD_FOREIGN], ST_FOREIGN, "foreign call "},
		{col->ns[THREAD_UNKNOWN], ST_DIM, "not known "}};
	for (size_t i = 0; i < countof(shown); i++)
		if (shown[i].ns || i == 0) {
			line_skip(l, 2);
			line_put(l, shown[i].style, false, shown[i].name);
			line_put(l, shown[i].style, false,
				text_sum_of_shares(text, (double)shown[i].ns / (double)width));
		}
	line_skip(l, 3);
	line_merged(l, ST_DIM, col->switches, "change");
}
