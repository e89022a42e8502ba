#include "lanes/prof_time.h"

#include "draw/bars.h"

#include <stdio.h>

enum {
	PARTED = 4
}; /* columns of a frame that is parted from the one before by a line; narrower ones by their colour */

/* --- the curve ----------------------------------------------------------------------------------------------------- */

static void curve_title(
	const struct prof_picture *p, const struct prof_names *names, uint64_t most, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	line_put(&l, ST_EM, true, "samples over time  ");
	line_text(&l, ST_TEXT, false, prof_label(names, p->ask.centre));
	line_put(&l, ST_DIM, false, " (inclusive)");
	line_printf(&l, ST_DIM, false, p->ask.cap == PROF_ALL_CAPS ? ", all caps" : ", cap %d", p->ask.cap);
	line_printf(&l, ST_DIM, false, ", at most %s per column (%s)", as_count(most),
		as_duration((p->t1 - p->t0) / (uint64_t)(p->cols ? p->cols : 1)));
}

void time_curve(const struct model *m, const struct prof_picture *p, const struct prof_axis *axis,
	const struct prof_names *names, const struct lane_place *at, struct canvas *c, int y, int rows)
{
	struct bars bars = {c, y + 2, rows - 2};
	uint64_t most = 0;
	bool fits = p->series && p->t0 == m->at.t0 && p->t1 == m->at.t1 && p->cols == m->cols;
	for (int i = 0; fits && i < p->cols; i++)
		most = max_u64(most, p->series[i]);
	if (p->ask.centre < names->n)
		curve_title(p, names, most, c, y);
	part_ruler(m, at, c, y + 1);
	for (int i = 0; fits && i < p->cols; i++) {
		int height = p->series[i] ? bars_height(&bars, p->series[i], most) : 0;
		if (axis && axis->off[i])
			lane_unknown(c, y + rows - 1, at->plot_x + i);
		else if (height)
			bars_draw(&bars, at->plot_x + i, height, ST_BAND_7, 0, ST_PAGE);
	}
}

bool time_change(const struct prof_picture *p, uint64_t t, bool forward, uint64_t *out)
{
	if (!p->series || t < p->t0 || t >= p->t1)
		return false;
	int step = forward ? 1 : -1, i = 0;
	while (i + 1 < p->cols && column_edge(p->t0, p->t1, p->cols, i + 1) <= t)
		i++;
	bool some = p->series[i] > 0;
	for (i += step; i >= 0 && i < p->cols; i += step)
		if ((p->series[i] > 0) != some) {
			*out = column_edge(p->t0, p->t1, p->cols, i);
			return true;
		}
	return false;
}

/* --- stacks over time ---------------------------------------------------------------------------------------------- */

/* Rows that a stack takes: MAIN alone is one too. */
static uint32_t height_of(const struct stacks *stacks, uint32_t node)
{
	uint32_t depth = node == PROF_NO_NODE ? 0 : stacks_at(stacks, node)->depth;
	return node == PROF_NO_NODE ? 0 : depth ? depth : 1;
}

/* The part of a stack down to a depth; PROF_NO_NODE: it is not that deep. */
static uint32_t down_to(const struct stacks *stacks, uint32_t node, uint32_t depth)
{
	if (depth > height_of(stacks, node))
		return PROF_NO_NODE;
	while (stacks_at(stacks, node)->depth > depth)
		node = stacks_at(stacks, node)->parent;
	return node;
}

static uint32_t lane_height(const struct prof_axis *axis, const struct stacks *stacks, size_t lane)
{
	uint32_t most = 1;
	for (int i = 0; i < axis->cols; i++) {
		uint32_t height = height_of(stacks, axis->lanes[lane].nodes[i]);
		most = height > most ? height : most;
	}
	return most;
}

/* One depth of a lane: columns of the same stack are one frame. */
static void draw_depth(const struct prof_axis *axis, const struct stacks *stacks, size_t lane, uint32_t depth,
	const struct prof_look *look, int cursor, const struct lane_place *at, struct canvas *c, int y)
{
	const uint32_t *nodes = axis->lanes[lane].nodes;
	for (int i = 0, end; i < axis->cols; i = end) {
		uint32_t node = down_to(stacks, nodes[i], depth);
		for (end = i + 1; end < axis->cols && down_to(stacks, nodes[end], depth) == node; end++)
			;
		if (node != PROF_NO_NODE)
			prof_frame(look, c, y, at->plot_x + i, end - i, look->names->of_node[node], 0, 0, ST_PAGE,
				cursor >= i && cursor < end,
				end - i >= PARTED && i > 0 && down_to(stacks, nodes[i - 1], depth) != PROF_NO_NODE);
	}
}

/* Columns in which profiling was off; named: in words too, where there is room. */
static void draw_off(const struct prof_axis *axis, const struct lane_place *at, struct canvas *c, int y, bool named)
{
	static const char words[] = " profiling off ";
	for (int i = 0, end; i < axis->cols; i = end) {
		for (end = i; end < axis->cols && axis->off[end]; end++)
			lane_unknown(c, y, at->plot_x + end);
		if (named && end - i >= (int)sizeof words)
			canvas_str(c, y, at->plot_x + i + 1, end - i - 2, PEN(ST_DIM), words);
		end += end == i;
	}
}

/* Rows for each lane from the first on: as many as it needs, or an equal part of what there is. */
static int rows_for(const struct prof_axis *axis, const struct stacks *stacks, size_t lane, size_t first, int rows)
{
	int lanes = (int)(axis->n_lanes - first), part, need = (int)lane_height(axis, stacks, lane);
	lanes = lanes > rows / 2 ? rows / 2 : lanes;
	part = rows / (lanes > 0 ? lanes : 1);
	return lanes == 1 ? (need < rows ? need : rows) : need + 1 < part ? need : part > 1 ? part - 1 : 1;
}

void time_stacks(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks,
	const struct prof_look *look, const struct lane_place *at, struct time_spot *spot, struct canvas *c, int y,
	int rows)
{
	int end = y + rows, cursor = model_col(m, m->at.cursor);
	if (spot->first > spot->lane)
		spot->first = spot->lane;
	while (spot->lane - spot->first >= (uint32_t)(rows / 2 > 0 ? rows / 2 : 1))
		spot->first++;
	for (size_t i = spot->first; i < axis->n_lanes && y < end; i++) {
		int height = rows_for(axis, stacks, i, spot->first, rows);
		uint32_t deepest = height_of(stacks, cursor < 0 ? PROF_NO_NODE : axis->lanes[i].nodes[cursor]);
		uint32_t marked = i == spot->lane ? (spot->depth < deepest ? spot->depth : deepest) : 0;
		/* where the marked frame is deeper than there are rows, the outermost ones are left out */
		uint32_t skip = marked > (uint32_t)height ? marked - (uint32_t)height : 0;
		canvas_printf(c, y, at->label_x, at->label_w, i == spot->lane ? PEN_BOLD(ST_EM) : PEN(ST_TEXT),
			"cap %u", axis->lanes[i].cap);
		for (int d = 0; d < height && y + d < end; d++) {
			uint32_t depth = skip + (uint32_t)d + 1;
			draw_depth(axis, stacks, i, depth, look, depth == marked ? cursor : -1, at, c, y + d);
			draw_off(axis, at, c, y + d, d == 0);
		}
		y += height + 1;
	}
}

static uint32_t node_at_cursor(const struct model *m, const struct prof_axis *axis, const struct time_spot *spot)
{
	int cursor = model_col(m, m->at.cursor);
	bool is = spot->lane < axis->n_lanes && cursor >= 0 && cursor < axis->cols;
	return is ? axis->lanes[spot->lane].nodes[cursor] : PROF_NO_NODE;
}

uint32_t time_name(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks,
	const struct prof_names *names, const struct time_spot *spot)
{
	uint32_t node = node_at_cursor(m, axis, spot), deepest = height_of(stacks, node);
	node = deepest ? down_to(stacks, node, spot->depth < deepest ? spot->depth : deepest) : PROF_NO_NODE;
	return node == PROF_NO_NODE ? PROF_NO_NAME : names->of_node[node];
}

void time_move(const struct model *m, const struct prof_axis *axis, const struct stacks *stacks, struct time_spot *spot,
	int by)
{
	uint32_t deepest = height_of(stacks, node_at_cursor(m, axis, spot));
	uint32_t depth = spot->depth < deepest ? spot->depth : deepest;
	if (by > 0 && depth < deepest) {
		spot->depth = depth + 1;
	} else if (by < 0 && depth > 1) {
		spot->depth = depth - 1;
	} else if (by > 0 && spot->lane + 1 < axis->n_lanes) {
		spot->lane++;
		spot->depth = 1;
	} else if (by < 0 && spot->lane > 0) {
		spot->lane--;
		spot->depth = STACK_DEPTH;
	}
}

/* --- a lane of the timeline ---------------------------------------------------------------------------------------- */

void time_row(const struct prof_axis *axis, const struct prof_lane *lane, const struct prof_look *look,
	const struct lane_place *at, struct canvas *c, int y)
{
	const uint32_t *of_node = look->names->of_node, *nodes = lane->nodes;
	for (int i = 0, end; i < axis->cols; i = end) {
		uint32_t name = nodes[i] == PROF_NO_NODE ? PROF_NO_NAME : of_node[nodes[i]];
		end = i + 1;
		while (name != PROF_NO_NAME && end < axis->cols && nodes[end] != PROF_NO_NODE
			&& of_node[nodes[end]] == name)
			end++;
		if (name != PROF_NO_NAME)
			prof_frame(look, c, y, at->plot_x + i, end - i, name, 0, 0, ST_PAGE, false,
				end - i >= PARTED && i > 0 && nodes[i - 1] != PROF_NO_NODE);
	}
	draw_off(axis, at, c, y, false);
}
