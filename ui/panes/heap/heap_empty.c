/* heap_empty.c - the Heap pane of a log without a heap profile.
 *
 * It shows what the collector reported about the heap, and how to get a profile. */
#include "log/rts_flags.h"
#include "panes/heap/heap_private.h"
#include "report/abilities.h"

enum { NEEDS_GAP = 2, NEEDS_X = 13, SCALE = 9, LEAST_CURVE = 3, MOST_CURVE = 26 };

static int draw_flag(const struct breakdown_row *row, struct canvas *c, int y, int end)
{
	struct line l = {.c = c, .y = y, .x = 3, .end = c->cols, .bg = ST_PAGE};
	line_printf(&l, ST_KEY, true, "+RTS -l %s", row->flag);
	line_skip(&l, 2);
	line_put(&l, ST_TEXT, false, row->question);
	if (!*row->needs)
		return y + 1;
	int room = line_room(&l) - (int)strlen(row->needs);
	if (room < NEEDS_GAP && y + 1 < end) { /* in the next row: it is not cut */
		l.y = ++y;
		l.x = NEEDS_X;
	}
	line_printf(&l, ST_DIM, false,
		room >= (int)sizeof "   compiled with " - 1 || l.x == NEEDS_X ? "   compiled with %s" : "  %s",
		row->needs);
	return y + 1;
}

/* Those that any program can do come first; one that it ran with gave nothing. */
static int draw_flags(const struct evl_log *log, struct canvas *c, int y, int end)
{
	size_t n;
	const struct breakdown_row *rows = breakdown_rows(&n);
	for (int needs = 0; needs < 2; needs++)
		for (size_t i = 1; i < n && y < end; i++)
			if ((*rows[i].needs != 0) == needs && !rts_flag_given(log, rows[i].flag))
				y = draw_flag(&rows[i], c, y, end);
	return y;
}

/* Live bytes and the size of the heap, as on the timeline. */
static void draw_curve(struct heap_pane *v, struct pane_host *h, struct canvas *c, int y, int rows)
{
	struct lane_place at = {.theme = h->theme,
		.label_x = 1,
		.label_w = SCALE,
		.plot_x = SCALE + 2,
		.rows = c->rows,
		.gutter_w = SCALE};
	struct lane lane = {.ops = &lane_heap, .rows = rows - 1};
	at.gutter_x = c->cols - at.gutter_w - 1;
	at.cols = at.gutter_x - at.plot_x - 1;
	model_set_cols(&h->model, at.cols);
	if (!plot_update(&v->plot, &h->model))
		return;
	lane_heap.draw(&lane, &v->plot, &at, c, y);
	part_ruler(&h->model, &at, c, y + rows - 1);
}

/* The flag of a heap profile that the program was started with; NULL: none. */
static const char *flag_given(const struct evl_log *log)
{
	size_t n;
	const struct breakdown_row *rows = breakdown_rows(&n);
	for (size_t i = 1; i < n; i++)
		if (*rows[i].flag && rts_flag_given(log, rows[i].flag))
			return rows[i].flag;
	return NULL;
}

void heap_none_draw(struct heap_pane *v, struct pane_host *h, struct canvas *c, int y, int end)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	bool curves = lane_heap.count(h->log) > 0;
	const char *flag = flag_given(h->log);
	if (flag) {
		line_put(&l, ST_KEY, true, flag);
		line_put(&l, ST_TEXT, true,
			h->live[0] ? " requested, but no sample yet" : " requested, but no sample in this log");
		line_put(&l, ST_DIM, false,
			h->live[0] ? "   the first is taken after one interval (-i)"
				   : "   the run ended before the first (-i)");
	} else {
		line_put(&l, ST_TEXT, true, "no heap profile in this log.");
		line_put(&l, ST_DIM, false, "  Run the program with one of these options to see:");
	}
	y = draw_flags(h->log, c, y + 2, end) + 1;
	int rows = end - y < MOST_CURVE ? end - y : MOST_CURVE;
	if (curves && rows >= LEAST_CURVE)
		draw_curve(v, h, c, y, rows);
	else if (!curves && y < end)
		canvas_printf(c, y, 1, c->cols - 1, PEN(ST_DIM), "heap sizes: %s", absence_text(h->log, ABSENCE_HEAP));
}
