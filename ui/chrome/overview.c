/* overview.c - the overview: the whole run in two rows, with the window marked. */
#include "chrome/pane.h"
#include "draw/text.h"
#include "jobs/event_job.h"
#include "lanes/cells.h"

void overview_free(struct overview *o) { plot_free(&o->plot); }

/* All capabilities together over the whole run; NULL: not known. */
static const struct plot_group *columns_of(struct overview *o, const struct model *m, int cols)
{
	struct model *whole = &o->whole; /* much else in it stays empty */
	whole->log = m->log;
	whole->first = m->first;
	whole->last = m->last;
	whole->ranged = m->ranged;
	whole->at.t0 = m->first;
	whole->at.t1 = m->last + 1;
	whole->cols = cols;
	return plot_update(&o->plot, whole) && m->log->n_caps ? plot_group(&o->plot, 0, m->log->n_caps) : NULL;
}

static void draw_col(const struct plot_group *col, uint64_t all, bool inside, struct canvas *c, int y, int x)
{
	const struct cells to = {
		.c = c, .y = y, .rows = 1, .run = (uint8_t)(inside ? ST_RUN : ST_OUTSIDE), .blank = true};
	struct cell_shares shares = cells_of_caps(col->ns, all);
	if (col->known)
		cells_draw(&to, x, &shares);
	else
		lane_unknown(c, y, x);
}

/* The window in brackets, outside of what it covers where there is room. */
static void draw_brackets(const struct model *m, struct canvas *c, int y, int x, int cols)
{
	uint64_t run = m->last + 1 - m->first;
	int from = (int)((unsigned __int128)(m->at.t0 - m->first) * (unsigned)cols / run);
	int to = (int)((unsigned __int128)(m->at.t1 - 1 - m->first) * (unsigned)cols / run);
	struct pen pen = PEN_BOLD(ST_KEY);
	canvas_str(c, y, x + (from > 0 ? from - 1 : 0), 1, pen, "[");
	canvas_str(c, y, x + (to + 1 < cols ? to + 1 : cols - 1), 1, pen, "]");
}

void part_overview(struct overview *o, const struct model *m, struct canvas *c, int y, int rows)
{
	int x = 1, cols = c->cols - 2;
	char text[TEXT_ROOM];
	if (cols < 1 || !m->ranged)
		return;
	const struct plot_group *columns = columns_of(o, m, cols);
	bool whole = m->at.t0 <= m->first && m->at.t1 > m->last;
	for (int i = 0; columns && i < cols; i++) {
		uint64_t from = column_edge(m->first, m->last + 1, cols, i),
			 to = column_edge(m->first, m->last + 1, cols, i + 1);
		draw_col(&columns[i], plot_group_width(&o->plot, i) * m->log->n_caps, from < m->at.t1 && to > m->at.t0,
			c, y, x + i);
	}
	if (!whole)
		draw_brackets(m, c, y, x, cols);
	if (rows < 2)
		return;
	canvas_str(c, y + 1, x, cols, PEN(ST_DIM), as_duration(m->first));
	text_duration(text, m->last);
	int width = text_width(str_of(text), c->ascii);
	canvas_str(c, y + 1, c->cols - 1 - width, width, PEN(ST_DIM), text);
	static const char name[] = "overview of the whole run";
	if (cols > 3 * (int)strlen(name))
		canvas_str(c, y + 1, (c->cols - (int)strlen(name)) / 2, cols, PEN(ST_DIM), name);
}

/* Part of a text below the strip, perhaps as the space between a number and its unit. */
static bool in_text(struct canvas *c, int y, int x)
{
	return canvas_at(c, y, x)->ch != ' '
		|| (x > 0 && x < c->cols - 1 && canvas_at(c, y, x - 1)->ch != ' ' && canvas_at(c, y, x + 1)->ch != ' ');
}

/* Below the strip where there is a row for them, else underlined: the text in that row, or the strip. */
void part_ticks(struct pane_host *h, struct canvas *c, int y, int rows)
{
	struct event_job_state state;
	int cols = c->cols - 2;
	event_job_state(h->job, &state);
	for (size_t i = 0; i < COUNT_TICKS && cols > 0 && h->search[0]; i++) {
		int x = 1 + (int)(i * (size_t)cols / COUNT_TICKS);
		struct cell *cell = state.ticks[i] ? canvas_at(c, y, x) : NULL;
		if (cell && rows < 2)
			cell->attr |= ATTR_UNDERLINE;
		else if (cell && in_text(c, y + 1, x))
			canvas_at(c, y + 1, x)->attr |= ATTR_UNDERLINE;
		else if (cell)
			canvas_glyph(c, y + 1, x, PEN(ST_KEY), 0x2575, '\'');
	}
}
