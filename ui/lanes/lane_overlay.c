#include "lanes/lane_overlay.h"

#include "lanes/lane_threads.h"

#include <ctype.h>
#include <stdlib.h>

enum { ABSENCES = 256 };

static void draw_selection(const struct lane_place *at, struct canvas *c, int y, int rows)
{
	for (int row = 0; row < rows; row++) {
		canvas_glyph(c, y + row, 0, PEN(ST_KEY), row == 0 ? 0x258c : ' ', row == 0 ? '|' : ' ');
		for (int x = at->label_x; x < at->plot_x - 1 && row == 0 && !c->mono; x++) {
			struct cell *cell = canvas_at(c, y, x);
			if (cell && cell->bg == ST_PAGE)
				cell->bg = ST_ROW;
			if (cell && cell->fg == ST_TEXT)
				cell->fg = ST_EM, cell->attr |= ATTR_BOLD;
		}
	}
}

/* Part of a text, whose blanks stay. */
static bool is_word(struct canvas *c, int y, int x)
{
	const struct cell *cell = canvas_at(c, y, x);
	return cell && cell->ch > ' ' && cell->ch < 0x2190;
}

bool overlay_is_text(struct canvas *c, int y, int x)
{
	const struct cell *cell = canvas_at(c, y, x);
	bool letter = c->ascii ? cell->ch < 0x80 && isalnum((int)cell->ch) : is_word(c, y, x);
	return !c->mono && !c->few && (letter || (cell->ch == ' ' && is_word(c, y, x - 1) && is_word(c, y, x + 1)));
}

/* Draw a sign into a column, but not into a note such as "none in this log". Column -1 is the margin. */
static void draw_over(
	const struct model *m, const struct lane_place *at, struct canvas *c, int y, int col, uint32_t sign, char ascii)
{
	const struct cell *cell = canvas_at(c, y, at->plot_x + col);
	bool note = cell && cell->fg == ST_DIM && cell->ch < 0x80 && isalpha((int)cell->ch);
	if (col >= -1 && col < m->cols && !note)
		lane_sign(at, c, y, at->plot_x + col, sign, ascii);
}

static void draw_bracket(
	const struct model *m, const struct lane_place *at, struct canvas *c, int y, int col, char bracket)
{
	if (!canvas_at(c, y, at->plot_x + col) || !overlay_is_text(c, y, at->plot_x + col))
		draw_over(m, at, c, y, col, (uint32_t)bracket, bracket);
}

/* Brackets next to the selected columns, which keep their look; one that ends in the last column is on it. */
static void draw_range(const struct model *m, const struct lane_place *at, struct canvas *c, int y)
{
	int from, to;
	if (!model_selected_cols(m, &from, &to))
		return;
	if (selection_from(&m->selection) >= m->at.t0)
		draw_bracket(m, at, c, y, from - 1, '[');
	if (selection_to(&m->selection) <= m->at.t1)
		draw_bracket(m, at, c, y, to < m->cols ? to : m->cols - 1, ']');
}

/* The runs of the highlighted thread on a capability stand out. */
static void draw_highlight(const struct lanes *l, const struct model *m, const struct placed_lane *p,
	const struct lane_place *at, struct canvas *c)
{
	const struct evl_log *log = m->log;
	uint16_t cap = log->blocks.chains[log->cap_chains[p->lane.index]].cap;
	struct thread_column *cols = calloc((size_t)m->cols, sizeof *cols);
	bool known = cols && thread_job_columns(l->job, l->highlight, false, cols, m->cols);
	for (int i = 0; known && i < m->cols; i++) {
		struct cell *cell = canvas_at(c, p->y, at->plot_x + i);
		if (!cell || !(cols[i].caps & 1ull << (cap & 63)) || (cap >= 64 && cols[i].cap != cap))
			continue;
		if (cell->fg == ST_RUN)
			cell->fg = ST_HIGHLIGHT;
		if (cell->bg == ST_RUN)
			cell->bg = ST_HIGHLIGHT;
		cell->attr |= c->mono ? ATTR_REVERSE : 0;
	}
	free(cols);
}

/* One cell in which nothing was to be done: not there at all, or disabled. */
static void draw_absent(enum cap_life_state state, struct canvas *c, int y, int x)
{
	const struct cell *cell = canvas_at(c, y, x);
	bool letter = cell && cell->ch == (uint32_t)style_info(ST_IDLE)->letter;
	bool idle = c->mono ? letter : cell && cell->bg == ST_IDLE && cell->ch == ' ';
	if (idle && state == CAP_DISABLED)
		lane_disabled(c, y, x);
	else if (idle)
		canvas_fill(c, y, x, 1, 1, ST_PAGE);
}

/* Before its creation and while it was disabled a capability is not idle. */
static void draw_absences(
	const struct model *m, const struct placed_lane *p, const struct lane_place *at, struct canvas *c)
{
	const struct evl_log *log = m->log;
	struct cap_absence absent[ABSENCES];
	uint16_t cap = log->blocks.chains[log->cap_chains[p->lane.index]].cap;
	size_t n = cap_life_absent(&log->cap_life, cap, m->at.t0, m->at.t1, absent, ABSENCES);
	for (size_t i = 0; i < n; i++) {
		int col = absent[i].from > m->at.t0 ? model_col(m, absent[i].from) : 0;
		for (; col < m->cols && model_edge(m, col + 1) <= absent[i].to; col++)
			if (model_edge(m, col) >= absent[i].from)
				draw_absent(absent[i].state, c, p->y, at->plot_x + col);
	}
}

/* --- pauses over all lanes --- */

/* Is the column part of a pause; by itself only where it is of one alone. */
static uint8_t shade_of(const struct plot *p, int i, enum gc_shade mode)
{
	const struct gc_sum *gc = &p->gc[i];
	uint64_t width = model_edge(p->model, i + 1) - model_edge(p->model, i);
	if (gc->minor_ns + gc->major_ns + gc->sync_ns < width / 2 + width % 2 || (mode == SHADE_AUTO && gc->n > 1))
		return 0;
	return gc->major_ns > gc->minor_ns ? SHADED_MAJOR : SHADED_MINOR;
}

bool shade_columns(const struct plot *p, enum gc_shade mode, uint8_t *out)
{
	enum { WIDE = 3 };
	bool any = false;
	uint8_t kind = 0;
	for (int i = p->cols - 1; i >= 0; i--) {
		bool sync = p->gc[i].minor_ns + p->gc[i].major_ns == 0; /* of the collection that follows */
		out[i] = mode == SHADE_OFF ? 0 : shade_of(p, i, mode);
		if (out[i] && sync && i + 1 < p->cols && out[i + 1])
			out[i] = out[i + 1];
	}
	for (int i = 0, end; i < p->cols; i = end + 1) {
		for (end = i; end < p->cols && out[end]; end++)
			;
		bool drawn = end > i && (mode == SHADE_ON || end - i >= WIDE);
		for (int k = i; k < end; k++) { /* begin and end, as more lines look like more pauses */
			bool begins = k == i || out[k] != kind, ends = k == end - 1 || out[k + 1] != out[k];
			kind = out[k];
			out[k] = drawn && (begins || ends) ? kind : 0;
		}
		any = any || drawn;
	}
	return any;
}

/* A thread has stopped by itself (blocked, in a foreign call) or waits: its colour stays under the sign of the pause. */
static bool is_shaded(uint8_t bg)
{
	return bg == ST_PAGE || bg == ST_IDLE || bg == ST_BLOCKED || bg == ST_FOREIGN || bg == ST_RUNNABLE
		|| bg == ST_RUNNABLE_GC;
}

static void draw_shade(const struct lanes *l, const struct lane_place *at, struct canvas *c, int y)
{
	static const struct {
		uint8_t style;
		uint32_t sign;
		char ascii;
	} signs[] = {[SHADED_MINOR] = {ST_MINOR, 0x250a, ';'}, [SHADED_MAJOR] = {ST_MAJOR, 0x250b, '%'}};
	for (int i = 0; i < at->cols; i++) {
		const struct cell *cell = l->shade[i] ? canvas_at(c, y, at->plot_x + i) : NULL;
		int x = at->plot_x + i;
		bool touches = i + 1 == at->cols && is_word(c, y, x + 1); /* a figure at the right */
		if (!cell || cell->ch != ' ' || !is_shaded(cell->bg) || touches
			|| (is_word(c, y, x - 1) && is_word(c, y, x + 1)))
			continue;
		uint8_t fg = c->mono ? ST_TEXT : signs[l->shade[i]].style;
		canvas_glyph(c, y, x, (struct pen){fg, cell->bg, 0}, signs[l->shade[i]].sign, signs[l->shade[i]].ascii);
	}
}

/* A line; texts, such as a marker's name, stay legible under it, and bars of a part of the cell before it. */
static void draw_cursor(const struct model *m, const struct lane_place *at, struct canvas *c, int y)
{
	enum { LOWEST = 0x2581, HIGHEST = 0x2587 };
	int col = model_col(m, m->at.cursor), x = at->plot_x + col;
	struct cell *cell = col >= 0 && col < m->cols ? canvas_at(c, y, x) : NULL;
	bool bar = cell && cell->ch >= LOWEST && cell->ch <= HIGHEST && (cell->bg == ST_PAGE || cell->bg == ST_IDLE);
	if (cell && ((bar && c->mono) || overlay_is_text(c, y, x)))
		cell->attr |= ATTR_REVERSE;
	else if (bar)
		cell->bg = ST_CURSOR;
	else if (col >= 0)
		draw_over(m, at, c, y, col, 0x2502, '|');
}

void marks_draw(const struct plot *plot, const struct placed_lane *p, const struct lane_place *at, struct canvas *c)
{
	const struct lanes *l = plot->lanes;
	const struct model *m = plot->model;
	bool cap = p->lane.ops == &lane_cap, header = p->lane.ops == &lane_threads;
	if (cap)
		draw_absences(m, p, at, c);
	if (cap && l->highlight && l->job)
		draw_highlight(l, m, p, at, c);
	for (int row = 0; l->shade && row < p->lane.rows && !p->lane.ops->unshaded; row++)
		draw_shade(l, at, c, p->y + row);
	if (l->path)
		path_marks_draw(plot, p, at, c);
	if (p->position == l->position)
		draw_selection(at, c, p->y, p->lane.rows);
	for (int row = 0; row < p->lane.rows && !header; row++) {
		draw_range(m, at, c, p->y + row);
		draw_cursor(m, at, c, p->y + row);
	}
}
