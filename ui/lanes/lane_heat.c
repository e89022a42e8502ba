/* lane_heat.c - lane of many capabilities as one heat strip. */
#include "lanes/cells.h"
#include "lanes/lane_threads.h"

#include <stdio.h>
#include <string.h>

size_t heat_caps(const struct evl_log *log)
{
	size_t caps = 1;
	if (log->n_caps < FOLD_CAPS)
		return 0;
	while (caps * HEAT_ROWS < log->n_caps)
		caps *= 2;
	return caps;
}

static size_t row_end(const struct evl_log *log, uint32_t row)
{
	size_t end = (row + 1) * heat_caps(log);
	return end < log->n_caps ? end : log->n_caps;
}

static void draw_cell(const struct plot *p, int i, const struct plot_group *h, const struct cells *to, int x)
{
	struct cell_shares shares = cells_of_caps(h->ns, plot_group_width(p, i) * h->alive);
	if (!h->known)
		lane_unknown(to->c, to->y, x);
	else if (h->alive)
		cells_draw(to, x, &shares);
}

static void draw(const struct lane *lane, struct plot *p, const struct lane_place *at, struct canvas *c, int y)
{
	const struct evl_log *log = p->model->log;
	size_t first = lane->index * heat_caps(log), last = row_end(log, lane->index) - 1;
	bool open = p->lanes && p->lanes->heat_open[lane->index];
	double running;
	char text[48];
	canvas_glyph(c, y, at->label_x, PEN(ST_KEY), open ? 0x25be : 0x25b8, open ? '-' : '+');
	snprintf(text, sizeof text, "cap %u-%u", log->blocks.chains[log->cap_chains[first]].cap,
		log->blocks.chains[log->cap_chains[last]].cap);
	int x = at->label_x + 1 + at->wide, room = at->label_x + at->label_w - x;
	canvas_str(c, y, x, room, PEN(ST_TEXT), (int)strlen(text) <= room ? text : strchr(text, ' ') + 1);
	const struct cells to = {.c = c, .y = y, .rows = lane->rows};
	const struct plot_group *cols = plot_group(p, lane->index, heat_caps(log));
	for (int i = 0; cols && i < p->cols; i++)
		draw_cell(p, i, &cols[i], &to, at->plot_x + i);
	if (!plot_running(p, first, last + 1, &running)) {
		lane_no_figure(at, c, y);
		return;
	}
	double share = running / (double)(last - first + 1);
	lane_figure(at, c, y, share > 0.5 ? ST_RUN : ST_DIM, text_share(text, share));
}

static void inspect(const struct lane *lane, const struct model *m, struct line *l)
{
	size_t n = row_end(m->log, lane->index) - lane->index * heat_caps(m->log);
	line_printf(l, ST_DIM, false, "%zu capabilities in one row; Enter opens them", n);
}

static void inspect_column(const struct lane *lane, struct plot *p, int i, struct line *l)
{
	const struct plot_group *cols = plot_group(p, lane->index, heat_caps(p->model->log)),
				*h = cols ? &cols[i] : NULL;
	if (!h || !h->known) {
		line_put(l, ST_DIM, false, "  not known");
		return;
	}
	cap_columns_inspect(l, p->model->log, h->ns, plot_group_width(p, i) * h->alive);
}

const struct lane_ops lane_heat = {.name = "caps", .draw = draw, .inspect = inspect, .inspect_column = inspect_column};
