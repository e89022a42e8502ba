#include "panes/stats/diff_view.h"

#include "draw/text.h"
#include "panes/stats/section.h"

#include <math.h>
#include <stdio.h>

enum { NAME_W = 26, VALUE_W = 11, SHARE_W = 8, SIGN = 0x25b8 };

void diff_view_open(struct diff_view *v, const struct evl_log *log, struct other_log *other, const struct diff_ask *ask,
	void (*wake)(void *), void *wake_ctx)
{
	*v = (struct diff_view){.open = true,
		.log = log,
		.other = other_log_hold(other),
		.wake = wake,
		.wake_ctx = wake_ctx,
		.ask = *ask};
}

void diff_view_close(struct diff_view *v)
{
	job_free(v->job);
	other_log_drop(v->other);
	*v = (struct diff_view){0};
}

bool diff_view_news(struct diff_view *v) { return v->job && job_news(v->job); }
bool diff_view_busy(const struct diff_view *v) { return v->open && v->job && job_busy(v->job); }
bool diff_view_stop(struct diff_view *v) { return v->job && job_stop(v->job); }

/* --- rows ---------------------------------------------------------------------------------------------------------- */

static bool says_something(const struct diff_view *v, int m)
{
	return !isnan(v->answer.rows[m].a) || !isnan(v->answer.rows[m].b);
}

static int count(const struct diff_view *v)
{
	int n = 0;
	for (int m = 0; m < METRICS; m++)
		n += says_something(v, m);
	return n;
}

/* The figure in a row. */
static int metric_at(const struct diff_view *v, int row)
{
	int m = 0;
	for (; m < METRICS; m++)
		if (says_something(v, m) && row-- == 0)
			return m;
	return -1;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

static bool is_of_ranges(const struct diff_view *v) { return !v->other; }

static void put_titles(const struct diff_view *v, struct line *l)
{
	section_left(l, ST_DIM, NAME_W, "figure");
	section_right(l, ST_DIM, VALUE_W, is_of_ranges(v) ? "A" : "this log");
	section_right(l, ST_DIM, VALUE_W, is_of_ranges(v) ? "B" : "the other");
	section_right(l, ST_DIM, VALUE_W, "difference");
	section_right(l, ST_DIM, SHARE_W, "relative");
}

/* "+3.2 ms", "-12.3%" */
static const char *with_sign(char *out, enum unit unit, double value)
{
	char text[TEXT_ROOM];
	if (isnan(value))
		return "";
	snprintf(out, TEXT_ROOM + 2, "%s%s",
		value > 0           ? "+"
			: value < 0 ? "-"
				    : "",
		text_value(text, unit, fabs(value)));
	return out;
}

/* "+12.3%", and past a doubling "+512%": never cut to 100%. */
static const char *relative(char *out, double ratio)
{
	enum { MOST = 9999 };
	if (!(fabs(ratio) > 1))
		return with_sign(out, UNIT_SHARE, ratio);
	if (fabs(ratio) > MOST)
		return ratio > 0 ? "+++" : "---";
	snprintf(out, TEXT_ROOM + 2, "%+.0f%%", 100 * ratio);
	return out;
}

static void put_row(const struct diff_view *v, int m, struct line *l)
{
	const struct diff_row *r = &v->answer.rows[m];
	const struct metric_info *info = metric_info((enum metric)m);
	int sense = is_of_ranges(v) ? 0 : r->sense; /* parts of a run do different work */
	enum style style = !r->notable ? ST_DIM : sense > 0 ? ST_WARN : sense < 0 ? ST_RUN : ST_KEY;
	char text[TEXT_ROOM + 2];
	section_left(l, r->notable ? ST_EM : ST_TEXT, NAME_W, info->name);
	section_unit(l, ST_TEXT, VALUE_W, info->unit, r->a);
	section_unit(l, ST_TEXT, VALUE_W, info->unit, r->b);
	section_right(l, style, VALUE_W, with_sign(text, info->unit, r->by));
	section_right(l, style, SHARE_W, relative(text, r->ratio));
	if (r->notable)
		line_put(l, style, true, sense > 0 ? "worse" : sense < 0 ? "better" : "differs");
}

static void draw_row(const struct diff_view *v, int row, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = row == v->at ? ST_ROW : ST_PAGE};
	if (row == v->at) {
		canvas_fill(c, y, 0, 1, c->cols, ST_ROW);
		canvas_glyph(c, y, 0, (struct pen){ST_KEY, ST_ROW, ATTR_BOLD}, SIGN, '>');
	}
	put_row(v, metric_at(v, row), &l);
}

static void put_range(struct line *l, const char *letter, const struct diff_range *r)
{
	char text[TEXT_ROOM];
	line_put(l, ST_TEXT, true, letter);
	line_put(l, ST_ACCENT, true, r->name);
	if (r->to == UINT64_MAX || r->label)
		return;
	line_put(l, ST_DIM, false, " ");
	line_put(l, ST_DIM, false, text_duration(text, r->to - r->from));
}

static void put_status(const struct diff_view *v, struct line *l)
{
	char text[64];
	if (is_of_ranges(v)) {
		put_range(l, "A: ", &v->ask.ranges[0]);
		put_range(l, "   B: ", &v->ask.ranges[1]);
	} else {
		line_put(l, ST_TEXT, true, "whole runs, compared with ");
		line_put(l, ST_ACCENT, true, other_log_path(v->other));
	}
	if (other_log_busy(v->other)) {
		snprintf(text, sizeof text, "  ·  reading it … %.0f%%", 100 * other_log_share(v->other));
		line_put(l, ST_KEY, false, text);
	} else if (diff_view_busy(v)) {
		line_put(l, ST_KEY, false, "  ·  comparing …");
	}
	if (line_room(l) > 24)
		line_put(l, ST_DIM, false, "  ·  Esc: back");
}

static void settle(struct diff_view *v, int rows)
{
	int n = count(v);
	v->shown = rows;
	v->at = v->at >= n ? n - 1 : v->at;
	v->at = v->at < 0 ? 0 : v->at;
	v->top = v->at < v->top ? v->at : v->at >= v->top + rows ? v->at - rows + 1 : v->top;
}

/* The job begins when the other log is there. */
static void update(struct diff_view *v, int wait_ms)
{
	const struct evl_log *other = v->other ? other_log_get(v->other, wait_ms) : NULL;
	if (!v->job && (other || !v->other) && (v->job = diff_job_new(v->log, other, v->wake, v->wake_ctx)))
		job_ask(v->job, &v->ask);
	if (!v->job)
		return;
	job_wait(v->job, wait_ms);
	job_take(v->job, &v->answer);
}

/* Why there are no rows; "": they are on their way. */
static const char *why_not(const struct diff_view *v)
{
	if (v->answer.err.code)
		return v->answer.err.text;
	if (v->other && *other_log_error(v->other))
		return other_log_error(v->other);
	if (!v->job)
		return other_log_busy(v->other) ? "" : "out of memory";
	return job_busy(v->job) ? "" : "stopped";
}

void diff_view_draw(struct diff_view *v, struct canvas *c, int y, int end, int wait_ms)
{
	struct line status = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE}, titles = status;
	update(v, wait_ms);
	put_status(v, &status);
	if (!v->answer.made) {
		canvas_str(c, y + 1, 1, c->cols - 1, PEN(ST_WARN), why_not(v));
		return;
	}
	titles.y = y + 1;
	put_titles(v, &titles);
	settle(v, end - y - 2);
	for (int i = 0; i < v->shown && v->top + i < count(v); i++)
		draw_row(v, v->top + i, c, y + 2 + i);
}

void diff_view_copy(const struct diff_view *v, struct canvas *c)
{
	struct line l = {.c = c, .end = c->cols, .bg = ST_PAGE};
	if (v->answer.made && metric_at(v, v->at) >= 0)
		put_row(v, metric_at(v, v->at), &l);
}

bool diff_view_act(struct diff_view *v, enum action action)
{
	const struct {
		enum action action;
		int by;
	} moves[] = {{ACT_DOWN, 1}, {ACT_UP, -1}, {ACT_HALF_DOWN, v->shown / 2}, {ACT_HALF_UP, -v->shown / 2},
		{ACT_PAGE_DOWN, v->shown}, {ACT_PAGE_UP, -v->shown}, {ACT_START, -METRICS}, {ACT_END, METRICS}};
	for (size_t i = 0; i < countof(moves); i++)
		if (moves[i].action == action) {
			v->at += moves[i].by;
			return true;
		}
	return false;
}
