#include "state/model.h"

#include "query/thread_shares.h"

#include <stdlib.h>

/* A window is never narrower than this, nor than one ns a column. */
enum { NARROWEST_NS = 16 };

static uint64_t run_end(const struct model *m) { return m->last + 1; }

static uint64_t narrowest(const struct model *m)
{
	uint64_t least = max_u64(NARROWEST_NS, (uint64_t)m->cols);
	return min_u64(least, max_u64(run_end(m) - m->first, 1));
}

void model_init(struct model *m, struct evl_log *log)
{
	*m = (struct model){.log = log, .cols = 80, .at = {.t1 = 1}};
	model_refresh(m);
}

static bool is_moved(const struct model_place *a, const struct model_place *b)
{
	return a->t0 != b->t0 || a->t1 != b->t1 || a->cursor != b->cursor;
}

static bool is_growing(const struct model *m) { return m->growing && m->follow; }

/* Where a window ends that shows all of the run. While that grows, the window keeps its width for a while, so that the columns of
 * threads go on (thread_shares.h): up to a sixteenth of it is room for events to come. */
static uint64_t whole_end(const struct model *m)
{
	uint64_t run = run_end(m) - m->first;
	return m->first + (is_growing(m) ? course_window(run, m->cols) : run);
}

/* The window keeps its width; while the run grows, it moves by whole columns. The cursor is at the last event. */
static void to_the_end(struct model *m)
{
	uint64_t end = run_end(m), width = min_u64(model_width(m), end - m->first), col = width / (uint64_t)m->cols;
	uint64_t even = col * (uint64_t)m->cols, at = m->at.t0 + even;
	if (m->at.t0 <= m->first && m->at.t1 >= end) {
		m->at.t0 = m->first;
		m->at.t1 = whole_end(m);
	} else if (is_growing(m) && even && at <= end) {
		m->at.t1 = at + (end - at + col - 1) / col * col;
		m->at.t0 = m->at.t1 - even;
	} else if (!is_growing(m) || m->at.t1 < end) {
		m->at.t0 = end - width;
		m->at.t1 = end;
	}
	m->at.cursor = m->last;
	m->followed = m->at;
}

void model_refresh(struct model *m)
{
	uint64_t first, last;
	if (!evl_progress(m->log).ready || !evl_range(m->log, &first, &last))
		return;
	m->follow = m->follow && (!m->ranged || !is_moved(&m->at, &m->followed));
	bool whole = !m->ranged || (m->at.t0 <= m->first && m->at.t1 >= run_end(m) && (!m->live || m->follow));
	bool at_start = !m->ranged || m->at.cursor == m->first;
	m->ranged = true;
	m->first = first;
	m->last = last;
	if (whole) {
		m->at.t0 = first;
		m->at.t1 = whole_end(m);
	}
	if (at_start || m->at.cursor < first)
		m->at.cursor = first;
	m->at.cursor = min_u64(m->at.cursor, last);
	if (m->follow)
		to_the_end(m);
}

void model_on_log_replaced(struct model *m, struct evl_log *log, bool reset)
{
	m->log = log;
	m->ranged = m->ranged && !reset;
}

void model_follow_end(struct model *m)
{
	m->follow = true;
	if (m->ranged)
		to_the_end(m);
}

void model_set_cols(struct model *m, int cols)
{
	m->cols = cols > 1 ? cols : 1;
	if (m->ranged && model_width(m) < narrowest(m)) {
		m->at.t1 = min_u64(m->at.t0 + narrowest(m), run_end(m));
		m->at.t0 = m->at.t1 - narrowest(m);
	}
}

uint64_t model_width(const struct model *m) { return m->at.t1 - m->at.t0; }

uint64_t model_edge(const struct model *m, int col) { return column_edge(m->at.t0, m->at.t1, m->cols, col); }

int model_col(const struct model *m, uint64_t t)
{
	if (t < m->at.t0 || t >= m->at.t1)
		return -1;
	int col = (int)((unsigned __int128)(t - m->at.t0) * (unsigned)m->cols / model_width(m));
	while (col + 1 < m->cols && model_edge(m, col + 1) <= t) /* edges are rounded down */
		col++;
	return col;
}

bool model_selected_cols(const struct model *m, int *from, int *to)
{
	const struct selection *s = &m->selection;
	uint64_t begin = max_u64(selection_from(s), m->at.t0), end = min_u64(selection_to(s), m->at.t1);
	if (!s->on || !m->ranged || selection_from(s) >= m->at.t1 || selection_to(s) < m->at.t0)
		return false;
	*from = model_col(m, begin);
	*to = end > begin ? model_col(m, end - 1) + 1 : *from;
	return *from >= 0;
}

static void push_undo(struct model *m, struct model_place was)
{
	if (m->n_undo == MODEL_UNDO)
		memmove(m->undo, m->undo + 1, sizeof m->undo - sizeof *m->undo), m->n_undo--;
	m->undo[m->n_undo++] = was;
	m->n_redo = 0;
}

/* Where one was before a change, unless nothing changed. */
static void remember(struct model *m, struct model_place was, enum model_change change, int64_t now_ms)
{
	if (!is_moved(&was, &m->at))
		return;
	bool burst = change != CHANGE_JUMP && change == m->change && now_ms - m->changed_ms < MODEL_BURST_MS;
	m->change = change;
	m->changed_ms = now_ms;
	m->n_redo = 0;
	if (change == CHANGE_JUMP) {
		m->before = was;
		m->jumps++;
	}
	if (!burst || !m->n_undo)
		push_undo(m, was);
}

/* Show a window of this width that starts as near to t0 as the run allows. */
static void place_window(struct model *m, uint64_t t0, uint64_t width)
{
	width = min_u64(max_u64(width, narrowest(m)), run_end(m) - m->first);
	t0 = max_u64(t0, m->first);
	m->at.t0 = min_u64(t0, run_end(m) - width);
	m->at.t1 = m->at.t0 + width;
}

static void keep_cursor_inside(struct model *m)
{
	m->at.cursor = max_u64(m->at.cursor, m->at.t0);
	m->at.cursor = min_u64(m->at.cursor, m->at.t1 - 1);
}

/* Columns of a window that is panned stay what they are, if it goes on by whole columns, and these are all as wide. */
static uint64_t whole_cols(const struct model *m, uint64_t by)
{
	uint64_t cols = (uint64_t)m->cols, col = model_width(m) / cols;
	return col && model_width(m) % cols == 0 && by > col ? (by + col / 2) / col * col : by;
}

static void shift_window(struct model *m, int64_t by)
{
	uint64_t far = whole_cols(m, by < 0 ? (uint64_t)-by : (uint64_t)by);
	uint64_t t0 = by < 0 ? sub_or_0(m->at.t0, far) : m->at.t0 + far;
	place_window(m, t0, model_width(m));
}

void model_step(struct model *m, int cols)
{
	int col = model_col(m, m->at.cursor) + cols;
	if (!m->ranged)
		return;
	if (col < 0 || col >= m->cols) {
		int64_t eighth = (int64_t)max_u64(model_width(m) / 8, 1);
		uint64_t was = m->at.t0;
		shift_window(m, cols < 0 ? -eighth : eighth);
		if (m->at.t0 == was) { /* at the edge of the run the last column ends the window */
			m->at.cursor = cols < 0 ? m->at.t0 : m->at.t1 - 1;
			return;
		}
		col = model_col(m, min_u64(max_u64(m->at.cursor, m->at.t0), m->at.t1 - 1)) + cols;
		col = col < 0 ? 0 : col >= m->cols ? m->cols - 1 : col;
	}
	m->at.cursor = model_edge(m, col);
}

void model_pan(struct model *m, int num, int den, int64_t now_ms)
{
	if (!m->ranged)
		return;
	struct model_place was = m->at;
	uint64_t part = max_u64((uint64_t)((unsigned __int128)model_width(m) * (unsigned)abs(num) / (unsigned)den), 1);
	shift_window(m, num < 0 ? -(int64_t)part : (int64_t)part);
	keep_cursor_inside(m);
	remember(m, was, CHANGE_PAN, now_ms);
}

void model_zoom(struct model *m, unsigned num, unsigned den, int64_t now_ms)
{
	model_zoom_at(m, m->at.cursor, num, den, now_ms);
}

/* Round the width so that columns are a whole number of ns; the difference is not noticeable. */
static uint64_t even_cols(const struct model *m, uint64_t width)
{
	enum { A_COLUMN = 64 };
	uint64_t cols = (uint64_t)m->cols;
	return width / cols >= A_COLUMN ? width - width % cols : width;
}

void model_zoom_at(struct model *m, uint64_t t, unsigned num, unsigned den, int64_t now_ms)
{
	enum { ALL_BUT = 64 };
	if (!m->ranged || t < m->at.t0 || t >= m->at.t1)
		return;
	unsigned __int128 width = (unsigned __int128)model_width(m) * num / den;
	uint64_t run = run_end(m) - m->first;
	uint64_t most =
		run - run / ALL_BUT; /* what was rounded off on the way in does not keep one from the whole run */
	uint64_t wide = width > most ? run : max_u64(even_cols(m, (uint64_t)width), narrowest(m));
	if (wide == model_width(m))
		return;
	struct model_place was = m->at;
	uint64_t before = t - m->at.t0; /* keeps its share of the window */
	uint64_t now_before = (uint64_t)((unsigned __int128)before * wide / model_width(m));
	place_window(m, sub_or_0(t, now_before), wide);
	keep_cursor_inside(m);
	remember(m, was, CHANGE_ZOOM, now_ms);
}

void model_place(struct model *m, uint64_t t, int col, int64_t now_ms)
{
	struct model_place was = m->at;
	if (!m->ranged)
		return;
	place_window(m, sub_or_0(t, model_edge(m, col) - m->at.t0), model_width(m));
	keep_cursor_inside(m);
	remember(m, was, CHANGE_PAN, now_ms);
}

void model_fit(struct model *m, uint64_t t0, uint64_t t1, int64_t now_ms)
{
	model_fit_at(m, t0, t1, m->at.cursor, now_ms);
}

void model_fit_at(struct model *m, uint64_t t0, uint64_t t1, uint64_t at, int64_t now_ms)
{
	if (!m->ranged || t1 <= t0)
		return;
	struct model_place was = m->at;
	uint64_t width = max_u64(t1 - t0, narrowest(m)), spare = width - (t1 - t0);
	place_window(m, sub_or_0(t0, spare / 2), width);
	m->at.cursor = at;
	keep_cursor_inside(m);
	remember(m, was, CHANGE_JUMP, now_ms);
}

void model_show(struct model *m, uint64_t from, uint64_t to, uint64_t at, int64_t now_ms)
{
	enum { PART = 40, LENGTHS = 3 };
	if (!m->ranged)
		return;
	struct model_place was = m->at;
	uint64_t len = sub_or_0(to, from), run = run_end(m) - m->first;
	uint64_t width = len ? (len > run / LENGTHS ? run : len * LENGTHS) : min_u64(run / PART + 1, model_width(m));
	width = max_u64(width, narrowest(m));
	place_window(m, sub_or_0(from + len / 2, width / 2), width);
	m->at.cursor = min_u64(max_u64(at, m->at.t0), m->at.t1 - 1);
	remember(m, was, CHANGE_JUMP, now_ms);
}

void model_whole(struct model *m, int64_t now_ms)
{
	if (m->ranged && (m->at.t0 != m->first || m->at.t1 != run_end(m)))
		model_fit(m, m->first, run_end(m), now_ms);
}

void model_goto(struct model *m, uint64_t t, int64_t now_ms)
{
	if (!m->ranged)
		return;
	struct model_place was = m->at;
	model_follow(m, t);
	remember(m, was, CHANGE_JUMP, now_ms);
}

void model_follow(struct model *m, uint64_t t)
{
	if (!m->ranged)
		return;
	t = min_u64(max_u64(t, m->first), m->last);
	if (t < m->at.t0 || t >= m->at.t1)
		place_window(m, sub_or_0(t, model_width(m) / 2), model_width(m));
	m->at.cursor = t;
}

void model_home(struct model *m) { m->at.cursor = m->at.t0; }

void model_end(struct model *m) { m->at.cursor = min_u64(m->at.t1 - 1, m->last); }

void model_centre(struct model *m, int64_t now_ms)
{
	if (!m->ranged)
		return;
	struct model_place was = m->at;
	place_window(m, sub_or_0(m->at.cursor, model_width(m) / 2), model_width(m));
	remember(m, was, CHANGE_PAN, now_ms);
}

/* A place of before: the plot may be wider than it was then. */
static void go_to(struct model *m, struct model_place to)
{
	to.lane = NULL;
	to.pane = 0;
	m->at = to;
	model_set_cols(m, m->cols);
}

bool model_back(struct model *m, int64_t now_ms)
{
	struct model_place was = m->at;
	if (m->jumps == 0)
		return false;
	go_to(m, m->before);
	remember(m, was, CHANGE_JUMP, now_ms);
	return true;
}

void model_set_finding(struct model *m, struct model_place was, size_t finding)
{
	m->at.finding = finding;
	m->at.of_finding = finding;
	m->at.in_whole = model_is_whole(m);
	if (was.finding != finding && !is_moved(&was, &m->at))
		push_undo(m, was);
}

struct model_place model_drop_finding(struct model *m, int64_t now_ms)
{
	struct model_place was = m->at, to = was;
	for (int i = m->n_undo; to.of_finding && i > 0;)
		to = m->undo[--i];
	if (to.of_finding)
		to = was;
	go_to(m, to);
	remember(m, was, CHANGE_JUMP, now_ms);
	model_set_finding(m, was, 0);
	return to;
}

static bool swap_place(struct model *m, struct model_place *from, int *n_from, struct model_place *to, int *n_to)
{
	if (*n_from == 0)
		return false;
	to[(*n_to)++] = m->at;
	m->at = from[--*n_from];
	m->change = CHANGE_NONE;
	return true;
}

bool model_undo(struct model *m) { return swap_place(m, m->undo, &m->n_undo, m->redo, &m->n_redo); }

bool model_redo(struct model *m) { return swap_place(m, m->redo, &m->n_redo, m->undo, &m->n_undo); }

void selection_begin(struct selection *s, uint64_t t)
{
	*s = (struct selection){.on = true, .moving = true, .anchor = t, .end = t};
}

void selection_move(struct selection *s, uint64_t t)
{
	if (s->moving)
		s->end = t;
}

bool selection_keep(struct selection *s)
{
	s->moving = false;
	s->on = s->on && s->anchor != s->end;
	return s->on;
}

void selection_set(struct selection *s, uint64_t from, uint64_t to)
{
	*s = (struct selection){.on = to > from, .anchor = from, .end = to};
}

void selection_drop(struct selection *s) { *s = (struct selection){0}; }

uint64_t selection_turn(struct selection *s)
{
	uint64_t end = s->anchor;
	s->anchor = s->end;
	s->end = end;
	return end;
}
