/* ruler.c - the ruler: round times over the lanes. */
#include "lanes/parts.h"

#include <ctype.h>
#include <stdio.h>
#include <time.h>

enum { TICK = 0x2502, PROVISIONAL = 0x2504, CURSOR_SIGN = 0x25bc, LEAST_COLS = 10, WALL_COLS = 4 };

/* The smallest 1, 2 or 5 times a power of ten that is at least `least`. */
static uint64_t nice_step(uint64_t least)
{
	for (uint64_t power = 1;; power *= 10) {
		static const unsigned factors[] = {1, 2, 5};
		for (size_t i = 0; i < countof(factors); i++)
			if (power * factors[i] >= least || power > INT64_MAX / 100)
				return power * factors[i];
	}
}

/* A tick's time in seconds with the digits that tell it from its neighbours. */
static void tick_text(char *out, size_t room, uint64_t t, uint64_t step)
{
	int digits = 9;
	for (; digits > 0 && step % 10 == 0; digits--)
		step /= 10;
	char full[TEXT_ROOM];
	text_time(full, t);
	char *dot = strchr(full, '.');
	if (dot)
		dot[digits ? digits + 1 : 0] = 0;
	snprintf(out, room, "%s", full);
}

/* Unix time of the log's time 0, if the ruler is to show the time of day and the log tells it; else 0. */
static uint64_t wall_start(const struct model *m) { return m->wall ? program_get(&m->log->program).wall_ns : 0; }

/* "14:03:22.5" in local time, as the go-to prompt reads it after @, with the digits that tell ticks apart. */
static void wall_text(char *out, size_t room, uint64_t wall, uint64_t step)
{
	enum { SECOND = 1000000000 };
	time_t seconds = (time_t)(wall / SECOND);
	char text[TEXT_ROOM], part[TEXT_ROOM];
	struct tm tm;
	if (!localtime_r(&seconds, &tm) || strftime(text, sizeof text, "%H:%M:%S", &tm) == 0)
		*text = '\0';
	tick_text(part, sizeof part, wall % SECOND, step);
	snprintf(out, room, "%s%s", text, step % SECOND ? strchr(part, '.') : "");
}

/* Return the first tick in the window: ticks are at whole steps from the origin. */
static uint64_t first_tick(const struct model *m, uint64_t step)
{
	uint64_t phase = (wall_start(m) ? step - wall_start(m) % step : m->origin) % step,
		 t = m->at.t0 - m->at.t0 % step + phase;
	if (t >= m->at.t0 + step)
		t -= step;
	return t < m->at.t0 ? t + step : t;
}

/* With an origin set by the user the ruler counts in both directions. */
static void relative_text(char *out, size_t room, uint64_t t, const struct model *m, uint64_t step)
{
	uint64_t origin = m->origin;
	if (wall_start(m)) {
		wall_text(out, room, wall_start(m) + t, step);
		return;
	}
	if (origin == 0) {
		tick_text(out, room, t, step);
		return;
	}
	*out = t < origin ? '-' : '+';
	tick_text(out + 1, room - 1, t < origin ? origin - t : t - origin, step);
}

/* The selected part stands out; without colours, reversed. */
static void draw_range(const struct model *m, const struct lane_place *at, struct canvas *c, int y)
{
	int from, to;
	if (!model_selected_cols(m, &from, &to))
		return;
	for (int col = from; col < to; col++) {
		struct cell *cell = canvas_at(c, y, at->plot_x + col);
		if (!cell)
			return;
		cell->bg = ST_RANGE;
		cell->fg = cell->fg == ST_DIM ? ST_TEXT : cell->fg;
		cell->attr |= c->mono ? ATTR_REVERSE : 0;
	}
}

/* Where something may still come. */
static void draw_provisional(const struct model *m, const struct lane_place *at, struct canvas *c, int y)
{
	for (int col = m->cols - 1; m->final_t && col >= 0 && model_edge(m, col + 1) > m->final_t; col--) {
		const struct cell *cell = canvas_at(c, y, at->plot_x + col);
		if (cell && cell->ch == ' ')
			canvas_glyph(c, y, at->plot_x + col, PEN(ST_WARN), PROVISIONAL, '~');
	}
}

static void draw_marks(const struct model *m, const struct lane_place *at, struct canvas *c, int y)
{
	char letters[BOOKMARKS + 1];
	int n = bookmarks_letters(&m->marks, letters);
	for (int i = 0; i < n; i++) {
		int col = model_col(m, m->marks.t[letters[i] - 'a']);
		struct cell *cell = col < 0 ? NULL : canvas_at(c, y, at->plot_x + col);
		if (cell)
			canvas_printf(c, y, at->plot_x + col, 1, (struct pen){ST_ACCENT, cell->bg, ATTR_BOLD}, "%c",
				letters[i]);
	}
}

/* Is a text of len columns clear of the cursor's sign and of marks? Next to a mark's letter it would be read with it. */
static bool is_clear_of_signs(const struct model *m, int col, int len)
{
	char letters[BOOKMARKS + 1];
	int n = bookmarks_letters(&m->marks, letters), cursor = model_col(m, m->at.cursor);
	bool clear = cursor < col || cursor >= col + len;
	for (int i = 0; i < n; i++) {
		int mark = model_col(m, m->marks.t[letters[i] - 'a']);
		clear = clear && (mark < col - 1 || mark > col + len);
	}
	return clear;
}

/* The text of a tick next to it, up to the next one, with its unit if there is room; none where signs would cover its digits,
 * and none without a unit before "in window". After the last column there is a blank. */
static void put_tick(const struct model *m, const struct lane_place *at, struct canvas *c, int y, uint64_t t,
	uint64_t next, const char *text)
{
	bool last = next >= m->at.t1;
	int col = model_col(m, t) + 1, end = last ? at->cols + 1 : model_col(m, next), len = (int)strlen(text);
	const int unit = wall_start(m) ? 0 : 2;
	if (at->cols - col < len + at->wide * (1 + unit) /* "in window" follows */ || !is_clear_of_signs(m, col, len))
		return;
	canvas_str(c, y, at->plot_x + col, len, PEN(ST_DIM), text);
	if (!wall_start(m) && end - col > len + 2 && is_clear_of_signs(m, col + len, 2))
		canvas_str(c, y, at->plot_x + col + len, 2, PEN(ST_DIM), " s");
}

void part_ruler(const struct model *m, const struct lane_place *at, struct canvas *c, int y)
{
	char text[TEXT_ROOM + 16], width[TEXT_ROOM];
	if (!m->ranged)
		return;
	snprintf(text, sizeof text, "%s%s", at->wide ? "window " : "",
		lane_duration(width, model_width(m), at->label_w));
	canvas_str(c, y, at->label_x, at->label_w, PEN(ST_DIM), text);
	int per_tick = (model_width(m) < 100000000 ? LEAST_COLS + 4 : LEAST_COLS) + (wall_start(m) ? WALL_COLS : 0);
	uint64_t step = nice_step(
		max_u64((uint64_t)((unsigned __int128)model_width(m) * (unsigned)per_tick / (unsigned)m->cols), 1));
	for (uint64_t t = first_tick(m, step); t < m->at.t1; t += step) {
		if (at->wide && model_col(m, t) == at->cols - 1) /* "in window" would be read as its time */
			break;
		canvas_glyph(c, y, at->plot_x + model_col(m, t), PEN(ST_DIM), TICK, '|');
		relative_text(text, sizeof text, t, m, step);
		put_tick(m, at, c, y, t, t + step, text);
	}
	draw_provisional(m, at, c, y);
	draw_range(m, at, c, y);
	draw_marks(m, at, c, y);
	int cursor = model_col(m, m->at.cursor);
	if (cursor >= 0)
		canvas_glyph(c, y, at->plot_x + cursor, PEN_BOLD(ST_KEY), CURSOR_SIGN, 'v');
	const struct cell *before = canvas_at(c, y, at->plot_x + at->cols - 1);
	bool letter = before && before->ch < 0x80 && isalpha((int)before->ch); /* a mark, or the cursor in ASCII */
	lane_figure(at, c, y, ST_DIM, at->wide && !letter ? "in window" : "window");
}
