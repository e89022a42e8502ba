#include "view_timeline.h"

#include <stdlib.h>

/* What a screen of some height has besides the lanes. Rows of 0: not there. */
struct layout {
	int min_rows;
	int answers, overview, inspector, legend;
	bool markers;
};

static const struct layout layouts[] = {
	{40, 1, 2, 2, 1, true},
	{20, 1, 1, 1, 1, true},
	{12, 0, 0, 1, 0, true},
	{5, 0, 0, 0, 0, false},
};

enum { LEAST_ROWS = 5, LEAST_COLS = 20, WIDE_COLS = 120, NARROW_COLS = 48 };
enum { GAP = 1 }; /* a blank row between parts on tall screens */

void timeline_free(struct timeline *t)
{
	plot_free(&t->plot);
	overview_free(&t->overview);
	free(t->lanes);
	*t = (struct timeline){0};
}

static bool find_lanes(struct timeline *t, const struct evl_log *log)
{
	size_t n = 0;
	for (const struct lane_ops *const *kind = lane_kinds; *kind; kind++)
		n += (*kind)->count(log);
	t->lanes = calloc(n ? n : 1, sizeof *t->lanes);
	if (!t->lanes)
		return false;
	for (const struct lane_ops *const *kind = lane_kinds; *kind; kind++)
		for (size_t i = 0; i < (*kind)->count(log); i++)
			t->lanes[t->n_lanes++] = (struct lane){.ops = *kind, .index = (uint32_t)i};
	return true;
}

/* Once the log's lanes are known: list them, and select the first capability. */
static void lay_out_once(struct timeline *t, struct model *m)
{
	if (t->laid_out || !evl_progress(m->log).ready || !find_lanes(t, m->log))
		return;
	t->laid_out = true;
	while ((size_t)m->lane < t->n_lanes && t->lanes[m->lane].ops != &lane_cap)
		m->lane++;
	if ((size_t)m->lane >= t->n_lanes)
		m->lane = 0;
}

const struct lane *timeline_lane(const struct timeline *t, const struct model *m)
{
	return (size_t)m->lane < t->n_lanes ? &t->lanes[m->lane] : NULL;
}

static const struct layout *layout_for(const struct canvas *c)
{
	for (size_t i = 0; i < countof(layouts); i++)
		if (c->rows >= layouts[i].min_rows)
			return &layouts[i];
	return NULL;
}

static struct lane_place place_for(const struct canvas *c, enum theme theme)
{
	struct lane_place at = {.theme = theme, .wide = c->cols >= WIDE_COLS, .label_x = 1, .label_w = 8, .plot_x = 10,
		.gutter_w = 7};
	if (at.wide) {
		at.label_w = 17;
		at.plot_x = 19;
		at.gutter_w = 9;
	} else if (c->cols < NARROW_COLS) {
		at.label_w = 6;
		at.plot_x = 7;
		at.gutter_w = 0;
	}
	at.gutter_x = c->cols - at.gutter_w - 1;
	at.cols = at.gutter_x - at.plot_x - (at.gutter_w ? 1 : 0) + 1;
	return at;
}

/* Rows of all lanes when each takes what it wants. */
static int rows_wanted(struct timeline *t, const struct lane_place *at, bool markers)
{
	int rows = 0;
	for (size_t i = 0; i < t->n_lanes; i++) {
		t->lanes[i].rows = t->lanes[i].ops == &lane_markers && !markers ? 0 : t->lanes[i].ops->rows(at);
		rows += t->lanes[i].rows;
	}
	return rows;
}

/* Markers and pauses stay; the capabilities scroll so that the selected one is seen. */
static bool is_pinned(const struct lane *lane)
{
	return lane->ops != &lane_cap;
}

static void scroll_to(struct timeline *t, const struct model *m, int room)
{
	size_t first = 0, selected = (size_t)m->lane;
	while (first < t->n_lanes && is_pinned(&t->lanes[first])) {
		room -= t->lanes[first].rows;
		first++;
	}
	if (t->top < first || t->top >= t->n_lanes)
		t->top = first;
	if (selected >= first && selected < t->top)
		t->top = selected;
	int rows = 0;
	for (size_t i = t->top; i <= selected && i < t->n_lanes; i++)
		rows += t->lanes[i].rows;
	for (; rows > room && t->top < selected; t->top++)
		rows -= t->lanes[t->top].rows;
	rows = 0; /* no empty room below while lanes are hidden above */
	for (size_t i = t->top; i < t->n_lanes; i++)
		rows += t->lanes[i].rows;
	while (t->top > first && rows + t->lanes[t->top - 1].rows <= room)
		rows += t->lanes[--t->top].rows;
}

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

/* The cursor's line through a row of lanes: what is under it keeps its colour as the background. */
static void draw_cursor(const struct model *m, const struct lane_place *at, struct canvas *c, int y)
{
	int col = model_col(m, m->at.cursor);
	struct cell *cell = col < 0 ? NULL : canvas_at(c, y, at->plot_x + col);
	if (!cell)
		return;
	bool filled = cell->ch >= 0x2584 && cell->ch <= 0x2588; /* the lower half and more: the foreground prevails */
	uint8_t bg = filled ? cell->fg : cell->bg;
	uint8_t fg = bg == ST_PAGE || bg == ST_IDLE ? ST_CURSOR : (uint8_t)style_label((enum style)bg, at->theme);
	canvas_glyph(c, y, at->plot_x + col, (struct pen){fg, bg, ATTR_BOLD}, 0x2502, '|');
}

static void draw_lane(struct timeline *t, const struct model *m, size_t i, const struct lane_place *at, struct canvas *c,
	int y)
{
	struct lane *lane = &t->lanes[i];
	lane->ops->draw(lane, &t->plot, at, c, y);
	if ((size_t)m->lane == i)
		draw_selection(at, c, y, lane->rows);
	for (int row = 0; row < lane->rows; row++)
		draw_cursor(m, at, c, y + row);
}

static void draw_lanes(struct timeline *t, const struct model *m, const struct lane_place *at, struct canvas *c, int y,
	int end)
{
	size_t i = 0;
	scroll_to(t, m, end - y);
	for (; i < t->n_lanes && is_pinned(&t->lanes[i]); i++) {
		if (y + t->lanes[i].rows <= end && t->lanes[i].rows)
			draw_lane(t, m, i, at, c, y);
		y += t->lanes[i].rows;
	}
	size_t hidden_above = t->top > i ? t->top - i : 0;
	for (i = t->top > i ? t->top : i; i < t->n_lanes && y + t->lanes[i].rows <= end; i++) {
		draw_lane(t, m, i, at, c, y);
		y += t->lanes[i].rows;
	}
	if ((hidden_above || i < t->n_lanes) && end > 0)
		canvas_printf(c, end - 1, at->gutter_x, at->gutter_w, PEN(ST_KEY), "%s+%zu", i < t->n_lanes ? "▾" : "▴",
			i < t->n_lanes ? t->n_lanes - i : hidden_above);
}

static void draw_too_small(struct canvas *c)
{
	canvas_str(c, 0, 0, c->cols, PEN(ST_TEXT), "evtui: too small");
}

void timeline_draw(struct timeline *t, struct model *m, const struct timeline_status *status, enum theme theme,
	struct canvas *c)
{
	const struct layout *layout = layout_for(c);
	canvas_clear(c);
	if (!layout || c->cols < LEAST_COLS || c->rows < LEAST_ROWS) {
		draw_too_small(c);
		return;
	}
	struct lane_place at = place_for(c, theme);
	model_set_cols(m, at.cols);
	lay_out_once(t, m);
	m->n_lanes = (int)t->n_lanes;
	int y = 0, bottom = c->rows - 1 - layout->legend - layout->inspector;
	part_title(m, c, y++);
	if (layout->answers)
		part_answers(m, c, y++);
	if (plot_update(&t->plot, m)) {
		if (layout->overview > 1)
			y += GAP;
		if (layout->overview)
			part_overview(&t->overview, m, c, y, layout->overview);
		y += layout->overview;
		part_ruler(m, &at, c, y++);
		at.tall = layout->overview > 1;
		if (at.tall && rows_wanted(t, &at, layout->markers) > bottom - y)
			at.tall = false;
		rows_wanted(t, &at, layout->markers);
		draw_lanes(t, m, &at, c, y, bottom);
		if (layout->inspector)
			part_inspector(m, timeline_lane(t, m), &t->plot, c, bottom, layout->inspector);
	}
	if (layout->legend)
		part_legend(c, c->rows - 2, theme);
	part_hints(m, status->message, status->warning, status->pending, c, c->rows - 1);
}
