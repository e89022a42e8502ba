#include "tables/table_view.h"

#include "chrome/pane.h"
#include "draw/text.h"
#include "export/export_list.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = 2, GAP = 2, TRIANGLE_DOWN = 0x25be, TRIANGLE_UP = 0x25b4, SIGN = 0x25b8 };

bool table_view_open(struct table_view *v, const struct table_source *source, const void *of, const char *filter,
	void (*wake)(void *), void *wake_ctx)
{
	*v = (struct table_view){.first_column = 1,
		.none = source->none ? source->none
				     : absence_text(((const struct table_range *)of)->log, source->absence)};
	v->job = table_job_new(source, of, wake, wake_ctx);
	if (!v->job)
		return false;
	if (source->deepens && (v->deep = table_job_new(source, of, wake, wake_ctx)))
		job_ask(v->deep, &(struct table_ask){.column = source->sorted, .deep = true});
	v->source = source;
	v->ask.column = source->sorted;
	v->ask.falling = source->falling;
	snprintf(v->ask.filter, sizeof v->ask.filter, "%s", filter);
	return true;
}

void table_view_end_jobs(struct table_view *v)
{
	job_free(v->job);
	job_free(v->deep);
	v->job = v->deep = NULL;
}

void table_view_close(struct table_view *v)
{
	table_view_end_jobs(v);
	table_page_free(&v->page);
	*v = (struct table_view){0};
}

void table_view_on_log_replaced(struct table_view *v, const void *of, void (*wake)(void *), void *wake_ctx)
{
	if (!v->source)
		return;
	table_view_end_jobs(v);
	struct table_view was = *v;
	if (!table_view_open(v, was.source, of, was.ask.filter, wake, wake_ctx)) {
		table_page_free(&was.page);
		*v = (struct table_view){0};
		return;
	}
	v->page = was.page;
	v->ask = was.ask;
	v->ask.deep = false;
	v->at = was.at;
	v->top = was.top;
	v->rows = was.rows;
	v->first_column = was.first_column;
}

/* --- the page ------------------------------------------------------------------------------------------------------ */

static bool is_on_page(const struct table_view *v)
{
	return v->source && v->at >= v->page.first && v->at - v->page.first < v->page.n;
}

static const struct table_text *cell_here(const struct table_view *v, int column)
{
	return table_page_cell(&v->page, v->at - v->page.first, column);
}

bool table_view_row(const struct table_view *v, uint64_t *ref)
{
	if (is_on_page(v))
		*ref = v->page.refs[v->at - v->page.first];
	return is_on_page(v);
}

bool table_view_number(const struct table_view *v, int column, double *out)
{
	const struct table_text *cell = is_on_page(v) ? cell_here(v, column) : NULL;
	if (cell && cell->known)
		*out = cell->number;
	return cell && cell->known;
}

struct evl_str table_view_text(const struct table_view *v, int column)
{
	const struct table_text *cell = is_on_page(v) ? cell_here(v, column) : NULL;
	return cell && cell->known ? table_page_text(&v->page, cell) : (struct evl_str){0};
}

bool table_view_moment(const struct table_view *v, uint64_t *t)
{
	int sorted = v->ask.column, at = v->source->at;
	bool by_moment = sorted >= 0 && v->source->kind->columns[sorted].unit == UNIT_MOMENT;
	if (!is_on_page(v) || (at < 0 && !by_moment))
		return false;
	const struct table_text *cell = cell_here(v, by_moment ? sorted : at);
	if (!cell->known && at >= 0)
		cell = cell_here(v, at);
	*t = cell->known ? (uint64_t)cell->number : 0;
	return cell->known;
}

/* Clamp the selection and scroll it into view. */
static void settle(struct table_view *v)
{
	uint64_t n = v->page.passed, rows = (uint64_t)(v->rows > 0 ? v->rows : 1);
	v->at = min_u64(v->at, sub_or_0(n, 1));
	v->top = min_u64(v->top, v->at);
	v->top = max_u64(v->top, sub_or_0(v->at + 1, rows));
	v->top = min_u64(v->top, sub_or_0(n, rows));
}

static void shift(struct table_view *v, int64_t by)
{
	v->at = by < 0 ? sub_or_0(v->at, (uint64_t)-by) : v->at + (uint64_t)by;
	settle(v);
}

static void ask(struct table_view *v)
{
	v->ask.n = (size_t)(v->rows > 0 ? v->rows : 1);
	v->asked = v->pending = true;
	job_ask(v->job, &v->ask);
}

/* Another order, or other rows: one stays on the same row. */
static void reorder(struct table_view *v)
{
	if (!v->ask.follows)
		v->ask.follows = table_view_row(v, &v->ask.ref);
	v->ask.above = (size_t)(v->at - v->top);
	v->ask.first = 0;
	v->asked = false;
}

/* A page has come. Where the row is now that was followed. */
static void arrive(struct table_view *v)
{
	v->pending = false;
	v->had = v->ask;
	v->had.follows = false;
	if (v->ask.follows) {
		v->at = v->top = v->page.first;
		for (size_t i = 0; i < v->page.n; i++)
			if (v->page.refs[i] == v->ask.ref)
				v->at += i;
		v->ask.follows = false;
	}
	shift(v, v->moved);
	v->moved = 0;
}

static bool covers(const struct table_view *v)
{
	uint64_t rows = (uint64_t)v->rows;
	return v->asked && v->page.first <= v->top
		&& min_u64(v->top + rows, v->page.passed) <= v->page.first + v->page.n;
}

/* The table that says more is there: it takes the other's place. */
static void go_deep(struct table_view *v, bool wait_for_jobs)
{
	struct table_page page = {0};
	if (!v->deep || v->pending || !v->asked || !job_wait(v->deep, wait_for_jobs ? -1 : 0))
		return;
	bool good = job_take(v->deep, &page) && page.result == 0;
	table_page_free(&page);
	job_free(good ? v->job : v->deep);
	v->job = good ? v->deep : v->job;
	v->deep = NULL;
	v->ask.deep = good;
	if (good && v->at)
		reorder(v);
	else if (good) /* no move yet: at the top */
		v->asked = false;
}

static bool is_ask_due(const struct table_view *v)
{
	if (!v->asked)
		return true;
	return v->pending ? !v->ask.follows && v->ask.first != v->top : !covers(v);
}

/* Ask for what is to be seen, and take what there is; a followed row may turn out to want another page. */
static void update(struct table_view *v, int wait_ms)
{
	enum { TIMES = 4 };
	for (int i = 0; i < TIMES; i++) {
		go_deep(v, wait_ms < 0);
		if (is_ask_due(v)) {
			v->ask.first = v->top;
			ask(v);
		} else if (!v->pending) {
			return;
		}
		bool there = job_wait(v->job, v->pending ? wait_ms : 0);
		if (job_take(v->job, &v->page) || (there && v->pending)) /* the same question has the same answer */
			arrive(v);
	}
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

static bool is_left(const struct table_column *column) { return column->unit == UNIT_TEXT; }

/* Columns of the screen that it takes. */
static int width_of(const struct table_view *v, int column)
{
	enum { WIDE = 24, NUMBER = 9 }; /* the first column tells rows apart: 2,307,102 is whole */
	static const int widths[UNITS] = {[UNIT_COUNT] = 6,
		[UNIT_NS] = 8,
		[UNIT_MOMENT] = 13,
		[UNIT_BYTES] = 7,
		[UNIT_SHARE] = 6,
		[UNIT_RATE] = 9,
		[UNIT_FREQUENCY] = 8,
		[UNIT_NUMBER] = 8,
		[UNIT_TEXT] = 8};
	const struct table_column *k = &v->source->kind->columns[column];
	bool measured = v->source->widths && (k->unit == UNIT_TEXT || k->unit == UNIT_COUNT || k->unit == UNIT_NUMBER);
	int title = (int)strlen(k->title) + 1,
	    least = measured                           ? v->source->widths[column]
		: column == v->source->wide            ? WIDE
		: column == 0 && k->unit == UNIT_COUNT ? NUMBER
						       : widths[k->unit];
	least = title > least ? title : least;
	return (least < TABLE_WIDEST ? least : TABLE_WIDEST) + (column == v->source->wide ? v->spare : 0);
}

/* Give the room that all columns leave to the wide one. */
static void spread(struct table_view *v)
{
	int used = LEFT;
	v->spare = 0;
	for (int i = 0; i < v->source->kind->n_columns; i++)
		used += width_of(v, i) + GAP;
	v->spare = v->source->fills && used < v->width ? v->width - used : 0;
}

static void put(struct canvas *c, int y, int x, int width, bool left, struct pen pen, struct evl_str text)
{
	int used = text_width(text, c->ascii);
	canvas_name(c, y, left || used > width ? x : x + width - used, width, pen, text);
}

/* The sign of the order takes the column that every width has to spare. */
static void draw_title(const struct table_view *v, struct canvas *c, int y, int x, int width, int column)
{
	const struct table_column *k = &v->source->kind->columns[column];
	bool sorted = column == v->ask.column, left = is_left(k);
	struct pen pen = {sorted ? ST_KEY : ST_DIM, ST_PAGE, (uint8_t)(ATTR_UNDERLINE | (sorted ? ATTR_BOLD : 0))};
	struct evl_str title = {(const uint8_t *)k->title, strlen(k->title)};
	int used = text_width(title, c->ascii);
	put(c, y, x, width, left, pen, title);
	if (sorted)
		canvas_glyph(c, y, left ? x + used : x + width - used - 1, PEN_BOLD(ST_KEY),
			v->ask.falling ? TRIANGLE_DOWN : TRIANGLE_UP, v->ask.falling ? 'v' : '^');
}

/* Return whether the text was cut. */
static bool draw_cell(
	const struct table_view *v, struct canvas *c, int y, int x, int width, int column, size_t i, bool here)
{
	const struct table_text *cell = table_page_cell(&v->page, i, column);
	enum style style = !cell->known ? ST_DIM : here ? ST_EM : column == v->ask.column ? ST_KEY : ST_TEXT;
	struct pen pen = {(uint8_t)style, here ? ST_ROW : ST_PAGE, here ? ATTR_BOLD : 0};
	const struct table_column *k = &v->source->kind->columns[column];
	struct evl_str text = cell->known ? table_page_text(&v->page, cell) : EVL_STR("-");
	put(c, y, x, width, is_left(k), pen, text);
	return text_width(text, c->ascii) > width;
}

/* Return the width of the last column, which takes the remaining room. */
static int last_width(const struct table_view *v, int width, int room)
{
	int longest = v->source->widths[v->source->kind->n_columns - 1], most = longest < room ? longest : room;
	return most > width ? most : width;
}

/* Row i of the page, or the titles (-1). How many columns there was room for. */
static int draw_row(struct table_view *v, struct canvas *c, int y, int64_t i, bool here)
{
	int x = LEFT, column = 0, drawn = 0;
	for (; column < v->source->kind->n_columns; drawn++) {
		int width = width_of(v, column);
		if (v->source->widths && column == v->source->kind->n_columns - 1)
			width = last_width(v, width, c->cols - x - 1);
		if (x + width >= c->cols && drawn > 0)
			break;
		if (i < 0)
			draw_title(v, c, y, x, width, column);
		else if (draw_cell(v, c, y, x, width, column, (size_t)i, here) && here)
			v->cut |= 1ull << column;
		x += width + GAP;
		column = column == 0 ? v->first_column : column + 1;
	}
	v->all_columns = column >= v->source->kind->n_columns;
	return drawn;
}

static void draw_position(struct table_view *v, struct canvas *c, int y, uint64_t position)
{
	bool here = position == v->at;
	if (here)
		canvas_fill(c, y, 0, 1, c->cols, ST_ROW);
	if (here)
		canvas_glyph(c, y, 0, (struct pen){ST_KEY, ST_ROW, ATTR_BOLD}, SIGN, '>');
	if (position >= v->page.first && position - v->page.first < v->page.n)
		draw_row(v, c, y, (int64_t)(position - v->page.first), here);
	else
		canvas_str(c, y, 2, 3, (struct pen){ST_DIM, here ? ST_ROW : ST_PAGE, 0}, "…");
}

static void put_count(struct line *l, const struct table_view *v)
{
	line_put(l, ST_TEXT, false, v->source->title);
	line_put(l, ST_TEXT, false, v->subject);
	line_put(l, ST_TEXT, true, *v->subject ? ": " : " ");
	if (*v->subject)
		line_merged(l, ST_TEXT, v->page.all, "row");
	else
		line_put(l, ST_TEXT, true, as_count(v->page.all));
	if (!v->ask.filter[0])
		return;
	line_put(l, ST_DIM, false, "  ·  filter ");
	line_put(l, ST_KEY, true, v->ask.filter);
	if (!v->pending)
		line_printf(
			l, ST_DIM, false, "  → %s match%s", as_count(v->page.passed), v->page.passed == 1 ? "" : "es");
}

static void draw_status(struct table_view *v, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	put_count(&l, v);
	if (v->pending || v->deep) {
		line_printf(&l, ST_KEY, false, "  ·  %s … %.0f%%", v->pending ? "looking" : v->source->deepens,
			100 * job_share(v->pending ? v->job : v->deep));
	} else if (v->page.passed) {
		line_printf(&l, ST_DIM, false, "  ·  row %s", as_count(v->at + 1));
	}
	if (line_room(&l) > 24 && !v->source->stays)
		line_put(&l, ST_DIM, false, "  ·  Esc: back");
	if (line_room(&l) > 24 && !v->all_columns)
		line_put(&l, ST_DIM, false, "  ·  l: more columns");
}

/* Why there are no rows; out: FILTER_SAY bytes for it. */
static const char *nothing(const struct table_view *v, char *out)
{
	struct filter_field items[TABLE_FIELDS];
	struct filter_fields fields = table_filter_fields(v->source->kind, items);
	if (v->page.result == EVL_NOMEM)
		return "out of memory";
	if (v->page.result == EVL_CANCELLED)
		return "stopped (O: continue)";
	return v->pending ? "…" : v->page.all ? filter_none(&fields, v->ask.filter, "row", out) : v->none;
}

/* Draw the remark on the list from row y. Return the row after it. */
static int draw_remark(const struct table_view *v, struct canvas *c, int y)
{
	enum { ROWS = 4 };
	struct line l = {
		.c = c, .y = y, .x = LEFT, .end = c->cols, .bg = ST_PAGE, .wrap_y = y + ROWS - 1, .wrap_x = LEFT};
	if (v->page.remark.len == 0)
		return y;
	line_text(&l, ST_TEXT, false, buf_slice(&v->page.remark, 0, v->page.remark.len));
	return l.y + 1;
}

void table_view_draw(struct table_view *v, struct canvas *c, int y, int end, int wait_ms)
{
	v->rows = end - y - 2;
	v->width = c->cols;
	v->cut = 0;
	spread(v);
	update(v, wait_ms);
	v->y = draw_remark(v, c, y + 1) + 1;
	v->rows = end - v->y;
	settle(v);
	v->columns = draw_row(v, c, v->y - 1, -1, false);
	draw_status(v, c, y);
	if (v->page.passed == 0)
		canvas_str(c, v->y, 2, c->cols - 3, PEN(ST_DIM), nothing(v, (char[FILTER_SAY]){0}));
	for (int i = 0; i < v->rows && v->top + (uint64_t)i < v->page.passed; i++)
		draw_position(v, c, v->y + i, v->top + (uint64_t)i);
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

/* While another order is on its way moves add up. */
static void move(struct table_view *v, int64_t by)
{
	if (v->ask.follows || !v->asked)
		v->moved += by;
	else
		shift(v, by);
}

/* Scroll the columns after the first one, on or back. */
static void scroll_columns(struct table_view *v, int by)
{
	int last = v->source->kind->n_columns - 1, to = v->first_column + by;
	if (by < 0 || !v->all_columns)
		v->first_column = to < 1 ? 1 : to > last ? last : to;
}

/* The first of the columns that there is room for if the last one is shown. */
static int last_columns(const struct table_view *v)
{
	int column = v->source->kind->n_columns - 1, x = LEFT + width_of(v, 0) + GAP + width_of(v, column);
	while (column > 1 && (x += GAP + width_of(v, column - 1)) < v->width)
		column--;
	return column > 1 ? column : 1;
}

/* Large values come first, except for times of the run, texts and running numbers. */
static bool falls(const struct table_view *v, int column)
{
	enum unit unit = v->source->kind->columns[column].unit;
	return column > 0 && unit != UNIT_TEXT && unit != UNIT_MOMENT;
}

/* Sort by the next column or the one before, which then is to be seen. */
static void sort_beside(struct table_view *v, int by)
{
	int n = v->source->kind->n_columns, shown = v->columns > 1 ? v->columns - 1 : 1;
	v->ask.column = v->ask.column < 0 ? (by > 0 ? 0 : n - 1) : (v->ask.column + n + by) % n;
	v->ask.falling = falls(v, v->ask.column);
	if (v->ask.column && v->ask.column < v->first_column)
		v->first_column = v->ask.column;
	if (v->ask.column >= v->first_column + shown)
		v->first_column = v->ask.column + 1 - shown;
	reorder(v);
}

static void turn(struct table_view *v)
{
	v->ask.falling = v->ask.column >= 0 && !v->ask.falling;
	v->ask.column = v->ask.column < 0 ? 0 : v->ask.column;
	reorder(v);
}

static void sort_by(struct table_view *v, int column)
{
	if (column == v->ask.column) {
		turn(v);
		return;
	}
	v->ask.column = column;
	v->ask.falling = falls(v, column);
	reorder(v);
}

/* The column that is drawn at x; -1: none. */
static int column_at(const struct table_view *v, int x)
{
	int at = LEFT, column = 0;
	for (int i = 0; i < v->columns; i++) {
		int width = width_of(v, column);
		if (x >= at && x < at + width)
			return column;
		at += width + GAP;
		column = column == 0 ? v->first_column : column + 1;
	}
	return -1;
}

bool table_view_click(struct table_view *v, int y, int x)
{
	int column = y == v->y - 1 ? column_at(v, x) : -1;
	uint64_t at = v->top + (uint64_t)(y - v->y);
	if (column >= 0)
		sort_by(v, column);
	if (y < v->y || y >= v->y + v->rows || at >= v->page.passed)
		return false;
	v->at = at;
	return true;
}

bool table_view_act(struct table_view *v, enum action action)
{
	enum { A_FEW = 4 };
	int64_t by = keymap_scroll(action, v->rows, INT32_MAX);
	move(v, by);
	switch (action) {
	case ACT_LEFT: scroll_columns(v, -1); return true;
	case ACT_RIGHT: scroll_columns(v, 1); return true;
	case ACT_LEFT_HALF: scroll_columns(v, -A_FEW); return true;
	case ACT_RIGHT_HALF: scroll_columns(v, A_FEW); return true;
	case ACT_HOME: v->first_column = 1; return true;
	case ACT_WINDOW_END: v->first_column = last_columns(v); return true;
	case ACT_LOWER: sort_beside(v, -1); return true;
	case ACT_HIGHER: sort_beside(v, 1); return true;
	case ACT_SORT: turn(v); return true;
	default: return by;
	}
}

int table_view_filter(struct table_view *v, const char *text, struct evl_err *err)
{
	struct filter filter;
	if (strcmp(text, v->ask.filter) == 0)
		return 0;
	if (strlen(text) >= sizeof v->ask.filter)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "this filter is too long");
	int result = table_filter_parse(&filter, v->source->kind, text, err);
	filter_free(&filter);
	if (result < 0)
		return result;
	memset(v->ask.filter, 0, sizeof v->ask.filter);
	memcpy(v->ask.filter, text, strlen(text));
	reorder(v);
	return 0;
}

/* Errors are reported at the end. */
static void take_filter(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct evl_err err = {0};
	struct table_view *v = h->filtered;
	if (v->source && table_view_filter(v, text, &err) < 0 && result == PROMPT_DONE)
		pane_filter_again(h, err.text);
}

void table_view_ask(struct table_view *v, struct pane_host *h)
{
	h->filtered = v;
	pane_ask(h, ASK_ROWS, v->ask.filter, take_filter);
	v->fields = table_filter_fields(v->source->kind, v->items);
	h->fields = &v->fields;
}

void table_view_copy(const struct table_view *v, struct canvas *c)
{
	size_t i = (size_t)(v->at - v->page.first);
	for (int k = 0, x = LEFT; is_on_page(v) && k < v->source->kind->n_columns; k++) {
		struct evl_str text = table_page_text(&v->page, table_page_cell(&v->page, i, k));
		int least = width_of(v, k), width = text_width(text, c->ascii);
		width = width > least ? width : least;
		draw_cell(v, c, 0, x, width, k, i, false);
		x += width + GAP;
	}
}

void table_view_list(const struct table_view *v, const struct table_range *range, struct export_list *out)
{
	*out = (struct export_list){.kind = v->source->kind,
		.range = *range,
		.column = v->ask.column,
		.falling = v->ask.falling,
		.deep = v->source->deepens};
	memcpy(out->filter, v->ask.filter, sizeof out->filter);
}

bool table_view_stop(struct table_view *v)
{
	bool deep = v->deep, pending = v->job && job_stop(v->job);
	if (pending && v->page.refs)
		v->ask = v->had; /* what is shown stays */
	else if (pending)
		v->page.result = EVL_CANCELLED;
	v->pending = v->pending && !pending;
	v->moved = 0;
	job_free(v->deep);
	v->deep = NULL;
	return deep || pending;
}

bool table_view_news(struct table_view *v)
{
	bool deep = job_news(v->deep);
	return job_news(v->job) || deep;
}

bool table_view_busy(const struct table_view *v) { return job_busy(v->job) || job_busy(v->deep); }
