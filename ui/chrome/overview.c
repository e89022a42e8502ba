/* overview.c - the overview: the whole run in two rows, with the window marked. */
#include "chrome/pane.h"
#include "draw/text.h"
#include "jobs/event_job.h"
#include "lanes/cells.h"

#include <stdlib.h>

void overview_free(struct overview *o)
{
	free(o->items);
	*o = (struct overview){0};
}

static void add_cap(struct overview *o, const struct model *m, size_t lane, struct cap_column *cols)
{
	const struct evl_log *log = m->log;
	uint32_t chain = log->cap_chains[lane];
	caps_columns(&log->blocks, &log->tiles[chain], chain, m->first, m->last + 1, o->cols, cols);
	for (int i = 0; i < o->cols; i++) {
		o->items[i].run_ns += cols[i].run_ns;
		o->items[i].gc_ns += cols[i].gc_ns;
		o->items[i].known = o->items[i].known && cols[i].known;
	}
}

static bool fill(struct overview *o, const struct model *m)
{
	struct cap_column *cols = calloc((size_t)o->cols, sizeof *cols);
	struct gc_sum *gcs = calloc((size_t)o->cols, sizeof *gcs);
	bool good = cols && gcs && (o->items = calloc((size_t)o->cols, sizeof *o->items));
	if (good)
		cap_shares_gc_columns(&m->log->gcs, m->first, m->last + 1, o->cols, gcs);
	for (int i = 0; good && i < o->cols; i++)
		o->items[i] = (struct overview_col){.known = true, .pauses = gcs[i]};
	for (size_t lane = 0; good && lane < m->log->n_caps; lane++)
		add_cap(o, m, lane, cols);
	free_all(cols, gcs);
	return good;
}

/* Ask again only when the width changed or more of the log is known. */
static bool update(struct overview *o, const struct model *m, int cols)
{
	struct evl_progress now = evl_progress(m->log);
	if (o->items && o->cols == cols && o->walked == now.bytes && o->fetched == now.fetched && o->done == now.done
		&& o->first == m->first && o->last == m->last)
		return true;
	overview_free(o);
	*o = (struct overview){.walked = now.bytes,
		.fetched = now.fetched,
		.done = now.done,
		.cols = cols,
		.first = m->first,
		.last = m->last};
	return fill(o, m);
}

static void draw_col(
	const struct overview_col *col, size_t caps, uint64_t width, bool inside, struct canvas *c, int y, int x)
{
	const struct cells to = {
		.c = c, .y = y, .rows = 1, .run = (uint8_t)(inside ? ST_RUN : ST_OUTSIDE), .blank = true};
	struct cell_shares shares = cells_of_caps(caps, width, col->run_ns, col->gc_ns, &col->pauses);
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
	if (cols < 1 || !m->ranged || !update(o, m, cols))
		return;
	bool whole = m->at.t0 <= m->first && m->at.t1 > m->last;
	for (int i = 0; i < cols; i++) {
		uint64_t from = column_edge(m->first, m->last + 1, cols, i),
			 to = column_edge(m->first, m->last + 1, cols, i + 1);
		draw_col(&o->items[i], m->log->n_caps, to - from, from < m->at.t1 && to > m->at.t0, c, y, x + i);
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

/* Below the strip where there is a row for them, else under it. */
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
		else if (cell && canvas_at(c, y + 1, x)->ch == ' ')
			canvas_glyph(c, y + 1, x, PEN(ST_KEY), 0x2575, '\'');
	}
}
