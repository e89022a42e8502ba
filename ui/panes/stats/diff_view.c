#include "panes/stats/diff_view.h"

#include "base/order.h"
#include "base/utf8.h"
#include "draw/text.h"
#include "export/export_list.h"
#include "panes/stats/section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	NAME_LEAST = 22,
	NAME_MOST = 48,
	VALUE_W = 11,
	SHARE_W = 9,
	VERDICT_W = 9, /* "too small" */
	SIGN = 0x25b8,
	TRIANGLE_UP = 0x25b4,
	TRIANGLE_DOWN = 0x25be,
	WIDE = 100
};

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
	diff_answer_free(&v->answer);
	free(v->rows);
	other_log_drop(v->other);
	*v = (struct diff_view){0};
}

bool diff_view_news(struct diff_view *v) { return job_news(v->job); }
bool diff_view_busy(const struct diff_view *v) { return v->open && job_busy(v->job); }
bool diff_view_stop(struct diff_view *v) { return v->job && job_stop(v->job); }

/* --- order and filter ---------------------------------------------------------------------------------------------- */

enum diff_field { FIELD_NAME, FIELD_GROUP, FIELD_RELATIVE, FIELD_VERDICT };

/* A line with what it is filtered and sorted by. Lines of one name stay together. */
struct ranked {
	int line, group, name; /* the line; the title and the first line of the name that it belongs to */
	double rank;           /* of the name */
	bool passes;
};

const struct filter_fields *diff_view_fields(void)
{
	static const struct filter_field items[DIFF_FIELDS] = {
		[FIELD_NAME] = {.name = "name", .example = "name~pause", .kind = FILTER_TEXT},
		[FIELD_GROUP] = {.name = "group", .example = "group~heap", .kind = FILTER_TEXT},
		[FIELD_RELATIVE] = {.name = "relative",
			.example = "relative>10%",
			.kind = FILTER_NUMBER,
			.unit = UNIT_SHARE},
		[FIELD_VERDICT] = {.name = "verdict", .example = "verdict=worse", .kind = FILTER_TEXT}};
	static const struct filter_fields fields = {.items = items, .n = DIFF_FIELDS};
	return &fields;
}

/* Better or worse can be said of whole runs only: parts of runs do different work. */
static bool is_of_runs(const struct diff_view *v)
{
	const struct diff_range *r = v->ask.ranges;
	return r[0].other != r[1].other && r[0].to == UINT64_MAX && r[1].to == UINT64_MAX;
}

static int sense_of(const struct diff_view *v, const struct difference_item *l)
{
	return is_of_runs(v) ? l->row.sense : 0;
}

/* The first text of a line on the screen. */
static struct evl_str text_of(const struct difference_item *l)
{
	switch (l->kind) {
	case DIFF_FINDING: return l->text;
	case DIFF_FIGURE: return l->label ? str_of(l->label) : l->name;
	case DIFF_DETAIL: return str_of(l->figure);
	default: return str_of(l->group);
	}
}

static const char *verdict_of(const struct diff_view *v, const struct difference_item *l)
{
	return diff_verdict(l, sense_of(v, l));
}

/* The relative difference of the values per second. */
static double rate_of(const struct diff_view *v, const struct difference_item *l)
{
	return l->sum ? l->row.b / l->row.a * v->answer.list.total[0] / v->answer.list.total[1] - 1 : (double)NAN;
}

/* One of the ranges is longer by more than a twentieth: sums are compared per second, too. Of two runs of a program the
 * sums themselves are compared. */
static bool is_uneven(const struct diff_view *v)
{
	const double *t = v->answer.list.total;
	return !is_of_runs(v) && t[0] > 0 && t[1] > 0 && fabs(t[1] / t[0] - 1) > 0.05;
}

/* On the screen: of values that differ and of which neither is better, the direction; of sums over ranges of different lengths
 * that of the values per second, if these differ by a tenth. */
static const char *shown_verdict(const struct diff_view *v, const struct difference_item *l)
{
	const double rate = is_uneven(v) ? rate_of(v, l) : (double)NAN, by = isnan(rate) ? l->row.by : rate;
	bool directed = !l->only && l->row.notable && sense_of(v, l) == 0 && by != 0;
	if (!directed || isnan(by))
		return verdict_of(v, l);
	return !isnan(rate) && fabs(rate) < 0.1 ? "" : by > 0 ? "higher" : "lower";
}

static bool has_verdict(
	const struct filter *f, const struct filter_term *t, const struct diff_view *v, const struct difference_item *l)
{
	bool stored = filter_text(f, t, str_of(verdict_of(v, l))),
	     shown = filter_text(f, t, str_of(shown_verdict(v, l)));
	return t->op == FILTER_IS_NOT ? stored && shown : stored || shown;
}

/* A line that a filter looks at. */
struct tested {
	const struct diff_view *v;
	const struct difference_item *line;
};

static enum filter_answer holds(void *ctx, const struct filter *f, const struct filter_term *t)
{
	const struct tested *of = ctx;
	struct evl_str name = text_of(of->line), group = str_of(of->line->group);
	bool yes = false;
	switch (t->field) {
	case FIELD_NAME: yes = filter_text(f, t, name); break;
	case FIELD_GROUP: yes = filter_text(f, t, group); break;
	case FIELD_RELATIVE: yes = filter_number(t, of->line->row.ratio); break;
	case FIELD_VERDICT: yes = has_verdict(f, t, of->v, of->line); break;
	default: yes = filter_text(f, t, name) || filter_text(f, t, group);
	}
	return yes ? FILTER_YES : FILTER_NO;
}

static double value_of(const struct diff_view *v, const struct difference_item *l)
{
	switch (v->order) {
	case DIFF_BY_A: return l->row.a;
	case DIFF_BY_B: return l->row.b;
	case DIFF_BY_CHANGE: return fabs(l->row.by);
	case DIFF_BY_RATIO: return l->only ? (double)INFINITY : fabs(l->row.ratio);
	case DIFF_BY_RATE: return fabs(rate_of(v, l));
	default: return l->only ? 0 : l->row.notable ? 2 + sense_of(v, l) : (double)NAN;
	}
}

static double rank_of(const struct diff_view *v, const struct difference_item *l)
{
	double value = l->kind == DIFF_MORE ? (double)NAN : value_of(v, l);
	return isnan(value) ? -(double)INFINITY : v->rising ? -value : value;
}

COMPARE_BY(compare_ranked, struct ranked, RISING(group) ?: FALLING(rank) ?: RISING(name) ?: RISING(line));

/* A line belongs to the one above: a metric of a name, or one that is a part of another ("  minor" of "GC"). */
static bool is_below(const struct difference_item *l)
{
	struct evl_str text = text_of(l);
	return l->kind == DIFF_DETAIL || (l->kind == DIFF_FIGURE && text.len && text.p[0] == ' ');
}

/* Each line with the first of its name and with its group, and whether it passes by itself. */
static void rank(const struct diff_view *v, const struct filter *f, struct ranked *out)
{
	const struct difference_item *lines = v->answer.list.items;
	int group = 0, name = 0;
	for (int i = 0; i < (int)v->answer.list.n; i++) {
		group = lines[i].kind == DIFF_HEAD ? i : group;
		name = is_below(&lines[i]) ? name : i;
		struct tested of = {v, &lines[i]};
		out[i] = (struct ranked){.line = i, .group = group, .name = name};
		out[i].passes = f->n == 0 || (diff_has_values(&lines[i]) && filter_ask(f, holds, &of) != FILTER_NO);
		if (v->order)
			out[i].rank = i == group ? (double)INFINITY : rank_of(v, &lines[name]);
		if (f->n && out[i].passes)
			out[group].passes = out[name].passes = true;
	}
	for (int i = 0; i < (int)v->answer.list.n; i++)
		out[i].passes = out[i].passes || (out[i].name != i && out[out[i].name].passes);
}

/* List the rows again; the selected line stays selected if it passes. */
static void list_rows(struct diff_view *v)
{
	const struct difference_item *here = diff_view_line(v);
	size_t n = v->answer.list.n;
	int line = here ? (int)(here - v->answer.list.items) : -1;
	struct ranked *all = calloc(n + 1, sizeof *all);
	int *rows = calloc(n + 1, sizeof *rows);
	struct filter filter;
	struct evl_err err;
	bool good = filter_parse(&filter, diff_view_fields(), v->filter, &err) == 0 && all && rows;
	good = good && v->answer.made; /* the lines of another may have no texts */
	v->n = v->names = 0;
	if (good) {
		rank(v, &filter, all);
		qsort(all, n, sizeof *all, compare_ranked);
	}
	for (size_t i = 0; i < n && good; i++) {
		if (!all[i].passes)
			continue;
		v->at = all[i].line == line ? (int)v->n : v->at;
		v->names += v->answer.list.items[all[i].line].kind != DIFF_HEAD;
		rows[v->n++] = all[i].line;
	}
	filter_free(&filter);
	free_all(v->rows, all);
	v->rows = rows;
}

const struct difference_item *diff_view_line(const struct diff_view *v)
{
	bool any = v->answer.made && v->at >= 0 && v->at < (int)v->n && (size_t)v->rows[v->at] < v->answer.list.n;
	return any ? &v->answer.list.items[v->rows[v->at]] : NULL;
}

int diff_view_filter(struct diff_view *v, const char *text, struct evl_err *err)
{
	struct filter filter;
	if (strlen(text) >= sizeof v->filter)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "this filter is too long");
	int result = filter_parse(&filter, diff_view_fields(), text, err);
	filter_free(&filter);
	if (result < 0)
		return result;
	snprintf(v->filter, sizeof v->filter, "%s", text);
	list_rows(v);
	return 0;
}

/* --- exporting ----------------------------------------------------------------------------------------------------- */

/* Lines that outlive the view. */
struct kept {
	struct figure_list list; /* first: the list of its kind */
	struct diff_list own;
};

static void drop_kept(void *list)
{
	struct kept *k = list;
	diff_list_free(&k->own);
	free(k);
}

bool diff_view_list(const struct diff_view *v, struct export_list *out)
{
	struct kept *k = v->answer.made ? calloc(1, sizeof *k) : NULL;
	struct difference_item *items = k ? calloc(v->n + 1, sizeof *items) : NULL;
	if (!items) {
		free(k);
		return false;
	}
	k->own.items = items;
	for (size_t i = 0; i < v->n; i++) {
		const struct difference_item *l = &v->answer.list.items[v->rows[i]];
		if (!diff_has_values(l))
			continue;
		items[k->own.n] = *l;
		items[k->own.n++].row.sense = sense_of(v, l);
	}
	if (diff_list_own(&k->own) < 0) {
		drop_kept(k);
		return false;
	}
	k->list.differences = items;
	k->list.n_differences = k->own.n;
	*out = (struct export_list){
		.kind = figure_list(FIGURES_differences), .made = k, .drop = drop_kept, .column = -1};
	return true;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

static bool is_of_two_logs(const struct diff_view *v) { return v->ask.ranges[0].other != v->ask.ranges[1].other; }

/* Where there is not room for both, the difference of what is not comparable goes. */
static bool has_difference(const struct diff_view *v, const struct line *l)
{
	return !is_uneven(v) || l->c->cols >= WIDE;
}

/* Names have what the other columns leave. */
static int name_width(const struct diff_view *v, const struct line *l)
{
	int columns = 2 + has_difference(v, l) + is_uneven(v);
	int room = l->end - l->x - 1 - columns * (VALUE_W + 1) - SHARE_W - 1 - VERDICT_W;
	return room < NAME_LEAST ? NAME_LEAST : room > NAME_MOST ? NAME_MOST : room;
}

static void put_title(struct diff_view *v, struct line *l, enum diff_order order, int width, const char *title)
{
	bool sorted = v->order == order;
	section_right(l, sorted ? ST_KEY : ST_DIM, width, title);
	if (sorted)
		canvas_glyph(l->c, l->y, l->x - 1, PEN_BOLD(ST_KEY), v->rising ? TRIANGLE_UP : TRIANGLE_DOWN,
			v->rising ? '^' : 'v');
	v->ends[order] = l->x;
}

static void put_titles(struct diff_view *v, struct line *l)
{
	enum { NAME = 64, WORDY = 44 };
	char text[NAME + 64] = "";
	const double *t = v->answer.list.total;
	const struct evl_log *other = is_of_two_logs(v) && v->other ? other_log_get(v->other, 0) : NULL;
	struct diff_side sides[2] = {{.log = v->log}, {.log = other ? other : v->log}};
	struct program_facts facts = program_get(&sides[1].log->program);
	struct evl_str there = utf8_cut(program_program(&facts), NAME);
	if (diff_other_program(sides) && name_width(v, l) < WORDY)
		snprintf(text, sizeof text, "different programs");
	else if (diff_other_program(sides))
		snprintf(text, sizeof text, "different programs, neither better; %c: %.*s",
			v->ask.ranges[0].other ? 'A' : 'B', (int)there.len, (const char *)there.p);
	if (is_uneven(v))
		snprintf(text, sizeof text, "%s is %.3g times as long", t[1] > t[0] ? "B" : "A",
			t[1] > t[0] ? t[1] / t[0] : t[0] / t[1]);
	section_name(l, ST_WARN, name_width(v, l), str_of(text));
	memset(v->ends, 0, sizeof v->ends);
	put_title(v, l, DIFF_BY_A, VALUE_W, "A");
	put_title(v, l, DIFF_BY_B, VALUE_W, "B");
	if (has_difference(v, l))
		put_title(v, l, DIFF_BY_CHANGE, VALUE_W, "difference");
	put_title(v, l, DIFF_BY_RATIO, SHARE_W, "relative");
	if (is_uneven(v))
		put_title(v, l, DIFF_BY_RATE, VALUE_W, "per second");
	put_title(v, l, DIFF_BY_VERDICT, VERDICT_W, "verdict  "); /* at the left, as the words below */
}

/* "+3.2 ms", "-12.3 pts" (percentage points) */
static const char *with_sign(char *out, enum unit unit, double value)
{
	if (isnan(value))
		return "";
	char *points = strstr(text_change(out, unit, value), " points");
	if (points)
		strcpy(points, " pts");
	return out;
}

/* In place of a difference: why a metric is unknown in A or in B. */
static void put_absent(const struct diff_view *v, const struct difference_item *d, struct line *l)
{
	bool of_b = isnan(d->row.b), done = !diff_view_busy(v);
	const struct diff_range *r = &v->ask.ranges[of_b];
	const struct evl_log *log = r->other ? other_log_get(v->other, 0) : v->log;
	line_put(l, ST_DIM, false, of_b ? "B: " : "A: ");
	if (log)
		section_absent(l, log, metric_find(d->name), r->to == UINT64_MAX || !done, r->label && done);
}

static void put_figure(const struct diff_view *v, const struct difference_item *d, struct line *l)
{
	const struct diff_row *r = &d->row;
	int sense = sense_of(v, d), width = name_width(v, l), indent = d->kind == DIFF_DETAIL ? 2 : 0;
	enum style style = !r->notable ? ST_DIM : sense > 0 ? ST_WARN : sense < 0 ? ST_RUN : ST_KEY;
	char text[TEXT_ROOM + 2];
	line_skip(l, indent);
	section_name(l, r->notable ? ST_EM : indent ? ST_DIM : ST_TEXT, width - indent, text_of(d));
	section_unit(l, ST_TEXT, VALUE_W, d->unit, r->a);
	section_unit(l, ST_TEXT, VALUE_W, d->unit, r->b);
	if (d->label && isnan(r->by)) {
		put_absent(v, d, l);
		return;
	}
	double rate = rate_of(v, d);
	enum style of_sum = d->sum && is_uneven(v) ? ST_DIM : style;
	if (has_difference(v, l))
		section_right(l, of_sum, VALUE_W, with_sign(text, d->unit, r->by));
	section_right(l, of_sum, SHARE_W, text_relative(text, r->a, r->by));
	if (is_uneven(v))
		section_right(l, fabs(rate) >= 0.1 ? ST_KEY : ST_DIM, VALUE_W, text_relative(text, r->a, rate * r->a));
	line_put(l, d->only ? ST_KEY : style, true, shown_verdict(v, d));
}

static void put_line(const struct diff_view *v, const struct difference_item *d, struct line *l)
{
	static const char *const in[] = {"A and B  ", "A only   ", "B only   "};
	switch (d->kind) {
	case DIFF_HEAD: line_put(l, ST_KEY, true, d->group); return;
	case DIFF_MORE: line_printf(l, ST_DIM, false, "and %s more that differ less", as_count(d->more)); return;
	case DIFF_FINDING:
		line_put(l, d->only ? ST_KEY : ST_DIM, d->only, in[d->only]);
		line_put(l, ST_DIM, false, d->only ? "" : "B: ");
		line_text(l, ST_TEXT, false, d->text);
		return;
	case DIFF_FIGURE:
	case DIFF_DETAIL: put_figure(v, d, l); return;
	}
}

static void draw_row(const struct diff_view *v, int row, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = row == v->at ? ST_ROW : ST_PAGE};
	if (row == v->at) {
		canvas_fill(c, y, 0, 1, c->cols, ST_ROW);
		canvas_glyph(c, y, 0, (struct pen){ST_KEY, ST_ROW, ATTR_BOLD}, SIGN, '>');
	}
	put_line(v, &v->answer.list.items[v->rows[row]], &l);
}

/* The folders of a path are left out where there is little room. */
static const char *file_of(const struct diff_view *v, const struct line *l)
{
	const char *path = other_log_path(v->other), *slash = strrchr(path, '/');
	return slash && slash[1] && (int)strlen(path) > line_room(l) / 2 ? slash + 1 : path;
}

static void put_range(const struct diff_view *v, struct line *l, const char *letter, const struct diff_range *r)
{
	bool whole = r->to == UINT64_MAX;
	line_put(l, ST_TEXT, true, letter);
	line_put(l, ST_ACCENT, true,
		r->other && v->other                              ? file_of(v, l)
			: whole && !r->label && is_of_two_logs(v) ? "this log"
								  : r->name);
	if (whole || r->label)
		return;
	line_printf(l, ST_DIM, false, " %s", as_duration(r->to - r->from));
}

static void put_status(const struct diff_view *v, struct line *l)
{
	static const char *const keys[] = {"  ·  D: another B", "  ]]: next group", "  Esc: back"};
	char text[64];
	put_range(v, l, "A: ", &v->ask.ranges[0]);
	put_range(v, l, "   B: ", &v->ask.ranges[1]);
	if (other_log_busy(v->other))
		snprintf(text, sizeof text, "  ·  reading B … %.0f%%", 100 * other_log_share(v->other));
	else if (diff_view_busy(v))
		snprintf(text, sizeof text, "  ·  comparing … %.0f%%", 100 * job_share(v->job));
	else
		*text = '\0';
	line_put(l, ST_KEY, false, text);
	if (v->filter[0]) {
		line_put(l, ST_DIM, false, "  ·  filter ");
		line_put(l, ST_KEY, true, v->filter);
		line_printf(l, ST_DIM, false, "  → %zu row%s", v->names, v->names == 1 ? "" : "s");
	}
	for (size_t i = 0; i < countof(keys) && !*text; i++)
		if (line_room(l) >= text_width(str_of(keys[i]), l->c->ascii))
			line_put(l, ST_DIM, false, keys[i]);
}

static void settle(struct diff_view *v, int rows)
{
	int n = (int)v->n;
	v->shown = rows > 0 ? rows : 1;
	v->at = v->at >= n ? n - 1 : v->at;
	v->at = v->at < 0 ? 0 : v->at;
	v->top = v->at < v->top ? v->at : v->at >= v->top + v->shown ? v->at - v->shown + 1 : v->top;
}

/* Of ranges of different lengths compare the sums as if both were as long as the shorter one. */
static void compare_sums(struct diff_view *v)
{
	struct difference_item *items = v->answer.list.items;
	const double *t = v->answer.list.total, shorter = fmin(t[0], t[1]);
	for (size_t i = 0; i < v->answer.list.n && is_uneven(v); i++) {
		struct diff_row *r = &items[i].row, even;
		if (!items[i].sum)
			continue;
		even = diff_row(items[i].unit, METRIC_FLAT, r->a * shorter / t[0], r->b * shorter / t[1]);
		r->notable = even.notable;
		r->trifle = even.trifle;
	}
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
	if (job_take(v->job, &v->answer)) {
		compare_sums(v);
		list_rows(v);
	}
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
	v->y = y + 2;
	put_titles(v, &titles);
	settle(v, end - y - 2);
	if (v->n == 0)
		canvas_str(c, y + 2, 2, c->cols - 3, PEN(ST_DIM),
			filter_none(diff_view_fields(), v->filter, "row", (char[FILTER_SAY]){0}));
	for (int i = 0; i < v->shown && v->top + i < (int)v->n; i++)
		draw_row(v, v->top + i, c, y + 2 + i);
}

void diff_view_copy(const struct diff_view *v, struct canvas *c)
{
	struct line l = {.c = c, .end = c->cols, .bg = ST_PAGE};
	const struct difference_item *here = diff_view_line(v);
	if (here)
		put_line(v, here, &l);
}

/* To the next title of a group, or the one before. */
static void to_group(struct diff_view *v, int by)
{
	int at = v->at + by, n = (int)v->n;
	while (at > 0 && at < n && v->answer.list.items[v->rows[at]].kind != DIFF_HEAD)
		at += by;
	if (at < 0 || at >= n)
		return;
	v->at = at;
	v->top = at; /* as much of the group as there is room for */
}

/* Sort by a column, the largest first; by the same again: reverse. */
static void sort_by(struct diff_view *v, enum diff_order order)
{
	v->rising = order && v->order == order && !v->rising;
	v->order = order;
	list_rows(v);
}

/* The next column that is drawn, or the one before. Left of the first is the order of the list. */
static void sort_beside(struct diff_view *v, int by)
{
	int order = (int)v->order;
	do
		order = (order + DIFF_ORDERS + by) % DIFF_ORDERS;
	while (order && v->ends[order] == 0);
	sort_by(v, (enum diff_order)order);
}

bool diff_view_act(struct diff_view *v, enum action action)
{
	int by = (int)keymap_scroll(action, v->shown, (int64_t)v->n);
	bool to_box = action == ACT_NEXT_BOX || action == ACT_PREV_BOX;
	bool sorts = action == ACT_SORT || action == ACT_HIGHER || action == ACT_LOWER;
	if (action == ACT_SORT)
		sort_by(v, v->order ? v->order : DIFF_BY_RATIO);
	else if (sorts)
		sort_beside(v, action == ACT_HIGHER ? 1 : -1);
	v->at += by;
	settle(v, v->shown);
	if (to_box)
		to_group(v, action == ACT_NEXT_BOX ? 1 : -1);
	return by || to_box || sorts;
}

bool diff_view_click(struct diff_view *v, int y, int x)
{
	enum diff_order order = DIFF_BY_A;
	while (order < DIFF_ORDERS && v->ends[order] <= x)
		order++;
	if (v->answer.made && y == v->y - 1 && order < DIFF_ORDERS)
		sort_by(v, x < v->ends[DIFF_BY_A] - VALUE_W - 1 ? DIFF_IN_LIST : order);
	int row = v->top + y - v->y;
	bool hit = v->answer.made && y >= v->y && y < v->y + v->shown && row < (int)v->n;
	v->at = hit ? row : v->at;
	return hit;
}

void diff_view_on_log_replaced(struct diff_view *v, const struct evl_log *log)
{
	job_free(v->job);
	v->job = NULL; /* asked again when it is drawn */
	v->log = log;
}
