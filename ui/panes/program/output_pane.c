/* Output of the program that runs under the viewer: its last lines, following the end until the user scrolls. */
#include "panes/program/output_pane.h"

#include "chrome/pane.h"
#include "panes/program/child.h"

#include <stdlib.h>

enum { LINES = 512, LINE_ROOM = 2048 };

struct view_lines {
	char *lines[LINES];
	char *room;
	uint64_t first, all; /* the line on top, and how many there are */
	int rows;            /* for lines, in the last frame */
	bool moved;          /* it does not go along */
};

static void *open_lines(UNUSED struct pane_host *h)
{
	struct view_lines *v = calloc(1, sizeof *v);
	char *room = malloc((size_t)LINES * LINE_ROOM);
	if (!v || !room) {
		free_all(v, room);
		return NULL;
	}
	v->room = room;
	for (size_t i = 0; i < LINES; i++)
		v->lines[i] = room + i * LINE_ROOM;
	return v;
}

static void close_lines(void *view)
{
	struct view_lines *v = view;
	free_all(v->room, v);
}

static bool there(const struct pane_host *h) { return h->child; }

static uint64_t last_first(const struct view_lines *v)
{
	return v->all > (uint64_t)v->rows ? v->all - (uint64_t)v->rows : 0;
}

static void draw_status(const struct view_lines *v, const struct pane_host *h, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	line_printf(&l, ST_TEXT, true, "%s line%s", as_count(v->all), v->all == 1 ? "" : "s");
	if (h->child->output.dropped)
		line_put(&l, ST_WARN, false, "  ·  earlier output dropped");
	if (!atomic_load(&h->child->over)) {
		line_put(&l, ST_DIM, false, "  ·  the program runs");
		return;
	}
	line_printf(&l, h->child->status ? ST_WARN : ST_DIM, false, "  ·  ended with status %d", h->child->status);
}

static void draw_lines(struct view_lines *v, const struct pane_host *h, struct canvas *c, int y)
{
	int most = v->rows < LINES ? v->rows : LINES;
	output_lines(&h->child->output, UINT64_MAX, v->lines, 0, LINE_ROOM, &v->all);
	if (!v->moved || v->first > last_first(v))
		v->first = last_first(v);
	int n = output_lines(&h->child->output, v->first, v->lines, most, LINE_ROOM, &v->all);
	for (int i = 0; i < n; i++)
		canvas_text(c, y + i, 1, c->cols - 2, PEN(ST_TEXT), str_of(v->lines[i]));
	if (v->all == 0)
		canvas_str(c, y, 1, c->cols - 2, PEN(ST_DIM), "the program has not printed anything yet");
}

static void draw_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	struct view_lines *v = view;
	v->rows = bottom - y - 1;
	if (!there(h)) {
		canvas_str(c, y + 1, 1, c->cols - 2, PEN(ST_DIM), "no program is run: evtui -- PROGRAM ARGS runs one");
		return;
	}
	draw_lines(v, h, c, y + 1);
	draw_status(v, h, c, y);
}

static void scroll(struct view_lines *v, int64_t by)
{
	uint64_t most = last_first(v);
	if (by < 0)
		v->first = v->first > (uint64_t)-by ? v->first - (uint64_t)-by : 0;
	else
		v->first = v->first + (uint64_t)by < most ? v->first + (uint64_t)by : most;
	v->moved = v->first < most;
}

static bool act(void *view, UNUSED struct pane_host *h, enum action action)
{
	struct view_lines *v = view;
	int64_t by = keymap_scroll(action, v->rows, INT32_MAX);
	if (by)
		scroll(v, by);
	v->moved = v->moved || action == ACT_START;
	return by;
}

/* Nothing here is of the log. */
static void on_log_replaced(UNUSED void *view, UNUSED struct pane_host *h) {}

const struct pane_ops output_pane = {.name = "Output",
	.brief = "Out",
	.key = ACT_PANE_OUTPUT,
	.pane = KEYMAP_OUTPUT,
	.there = there,
	.open = open_lines,
	.close = close_lines,
	.body = draw_body,
	.act = act,
	.on_log_replaced = on_log_replaced};
