#include "panes/timeline/mouse.h"

#include "lanes/lane_threads.h"
#include "panes/timeline/selection_keys.h"

#include <stdlib.h>

enum { LEFT_BUTTON = 1, DOUBLE_CLICK_MS = 400, LANES_A_NOTCH = 3 };

/* The column of the plot under x, as near as there is one. */
static int col_at(const struct timeline *t, const struct model *m, int x)
{
	int col = x - t->spots.place.plot_x;
	return col < 0 ? 0 : col >= m->cols ? m->cols - 1 : col;
}

static bool in_plot(const struct timeline *t, const struct model *m, int x)
{
	int col = x - t->spots.place.plot_x;
	return col >= 0 && col < m->cols;
}

/* The lane in row y; NULL: none. */
static const struct placed_lane *lane_at(const struct timeline *t, int y)
{
	for (size_t i = 0; i < t->n_placed; i++)
		if (y >= t->placed[i].y && y < t->placed[i].y + t->placed[i].lane.rows)
			return &t->placed[i];
	return NULL;
}

static bool in_lanes(const struct timeline *t, int y) { return y >= t->spots.lanes_y && y < t->spots.lanes_end; }

static bool in_overview(const struct timeline *t, int y)
{
	return y >= t->spots.overview_y && y < t->spots.overview_y + t->spots.overview_rows;
}

/* --- wheel --- */

static void zoom(const struct timeline *t, struct model *m, const struct key *key, int64_t now_ms)
{
	uint64_t at = in_plot(t, m, key->x) ? model_edge(m, col_at(t, m, key->x)) : m->at.cursor;
	bool in = key->button < 0, fine = key->mods & MOD_CTRL;
	unsigned num = fine ? 4 : 1, den = fine ? 5 : 2;
	model_zoom_at(m, at, in ? num : den, in ? den : num, now_ms);
}

static void wheel(struct timeline *t, struct model *m, const struct key *key, int64_t now_ms)
{
	bool sideways = abs(key->button) == 2 || key->mods & MOD_SHIFT;
	if (sideways)
		model_pan(m, key->button < 0 ? -1 : 1, 8, now_ms);
	else if (in_lanes(t, key->y) && !in_plot(t, m, key->x))
		lanes_move(&t->lanes, key->button < 0 ? -LANES_A_NOTCH : LANES_A_NOTCH);
	else
		zoom(t, m, key, now_ms);
}

/* --- buttons --- */

bool mouse_twice(struct mouse *mouse, const struct key *key, int64_t now_ms)
{
	bool twice = mouse->clicked && mouse->y == key->y && mouse->x == key->x
		&& now_ms - mouse->clicked_ms < DOUBLE_CLICK_MS;
	mouse->clicked = !twice; /* a third click starts over */
	mouse->clicked_ms = now_ms;
	mouse->y = key->y;
	mouse->x = key->x;
	return twice;
}

static const char *fit_span(const struct timeline *t, struct model *m, int64_t now_ms)
{
	uint64_t from, to;
	if (!select_span_at(t, m, m->at.cursor, &from, &to))
		return "no interval under the pointer in this lane";
	select_fit(m, from, to, now_ms);
	return NULL;
}

static void grab_column(struct mouse *mouse, const struct model *m, enum mouse_grab grab, int col)
{
	mouse->grab = grab;
	mouse->grabbed = model_edge(m, col);
	mouse->grabbed_end = model_edge(m, col + 1);
}

static bool opens(const struct lane *lane)
{
	return lane->ops == &lane_group || lane->ops == &lane_threads || lane->ops == &lane_heat;
}

/* The signs at the right edge: -1: more lanes above, 1: below, 0: none. */
static int page_at(const struct timeline *t, int y) { return y == t->spots.above_y ? -1 : y == t->spots.below_y; }

static const char *press_lane(
	struct mouse *mouse, struct timeline *t, struct model *m, const struct key *key, int64_t now_ms)
{
	const struct placed_lane *p = lane_at(t, key->y);
	int page = t->spots.cols - 1 == key->x ? page_at(t, key->y) : 0;
	bool twice = mouse_twice(mouse, key, now_ms);
	if (page) {
		lanes_page(&t->lanes, page);
		return NULL;
	}
	if (p)
		lanes_select_at(&t->lanes, p->position);
	if (!in_plot(t, m, key->x) && twice && p && opens(&p->lane))
		return lanes_expand(&t->lanes);
	if (!in_plot(t, m, key->x))
		return NULL;
	if (twice)
		return fit_span(t, m, now_ms);
	selection_keep(&m->selection);
	grab_column(mouse, m, GRAB_PLOT, col_at(t, m, key->x));
	m->at.cursor = mouse->grabbed;
	return NULL;
}

static void to_overview(const struct timeline *t, struct model *m, int x, int64_t now_ms)
{
	int cols = t->spots.cols - 2, col = x - 1;
	if (cols < 1)
		return;
	col = col < 0 ? 0 : col >= cols ? cols - 1 : col;
	model_place(m, column_edge(m->first, m->last + 1, cols, col), m->cols / 2, now_ms);
}

bool mouse_on_finding(const struct timeline *t, int y)
{
	return y >= t->spots.finding_y && y < t->spots.finding_y + t->spots.finding_rows;
}

enum action mouse_hint(const struct hint_spots *hints, int x)
{
	for (int i = 0; i < hints->n; i++)
		if (x >= hints->items[i].x && x < hints->items[i].end)
			return hints->items[i].action;
	return ACT_NONE;
}

static const char *press(
	struct mouse *mouse, struct timeline *t, struct model *m, const struct key *key, int64_t now_ms)
{
	const char *why = NULL;
	mouse->grab = GRAB_NOTHING;
	t->word = part_legend_at(&t->spots.legend, key->y, key->x);
	if (in_lanes(t, key->y)) {
		why = press_lane(mouse, t, m, key, now_ms);
	} else if (key->y == t->spots.ruler_y && in_plot(t, m, key->x)) {
		grab_column(mouse, m, GRAB_RULER, col_at(t, m, key->x));
	} else if (in_overview(t, key->y)) {
		mouse->grab = GRAB_OVERVIEW;
		to_overview(t, m, key->x, now_ms);
	}
	return why;
}

/* The range covers the column where the button went down, the one under the pointer, and all between. */
static void drag_range(const struct mouse *mouse, const struct timeline *t, struct model *m, int x)
{
	int col = col_at(t, m, x);
	m->at.cursor = model_edge(m, col);
	selection_set(&m->selection, min_u64(mouse->grabbed, model_edge(m, col)),
		max_u64(mouse->grabbed_end, model_edge(m, col + 1)));
}

static void drag(struct mouse *mouse, struct timeline *t, struct model *m, const struct key *key, int64_t now_ms)
{
	switch (mouse->grab) {
	case GRAB_PLOT: drag_range(mouse, t, m, key->x); break;
	case GRAB_RULER: model_place(m, mouse->grabbed, col_at(t, m, key->x), now_ms); break;
	case GRAB_OVERVIEW: to_overview(t, m, key->x, now_ms); break;
	case GRAB_NOTHING: break;
	}
}

bool mouse_rests(struct timeline *t, const struct key *key)
{
	const char *was = t->word;
	t->word = timeline_word_at(t, key->y, key->x);
	return t->word != was;
}

const char *mouse_event(struct mouse *mouse, struct timeline *t, struct model *m, const struct key *key, int64_t now_ms)
{
	if (!mouse->on || !m->ranged)
		return NULL;
	if (key->kind != KEY_PRESS && key->kind != KEY_RELEASE)
		mouse->clicked = false;
	if (key->kind == KEY_WHEEL)
		wheel(t, m, key, now_ms);
	else if (key->kind == KEY_RELEASE)
		mouse->grab = GRAB_NOTHING;
	else if (key->button == LEFT_BUTTON && key->kind == KEY_PRESS)
		return press(mouse, t, m, key, now_ms);
	else if (key->button == LEFT_BUTTON && key->kind == KEY_DRAG)
		drag(mouse, t, m, key, now_ms);
	return NULL;
}
