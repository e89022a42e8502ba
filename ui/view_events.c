/* The list of all events, and what the one that one stands on holds. */
#include "event_text.h"
#include "text.h"
#include "view.h"
#include "view_events.h"
#include "when.h"

#include <stdio.h>
#include <stdlib.h>

enum { WAIT_MS = 12, LEAST_ROWS = 5, LEAST_COLS = 20, STATUS_ROWS = 8, INSPECTOR_ROWS = 12, DETAIL_LEAST = 36 };

struct view_list {
	struct event_page page;
	struct event_ask ask;   /* the last */
	uint64_t serial;        /* of asks */
	uint64_t synced;        /* the time cursor when the list last went to it, or the other way round */
	bool asked, follows;    /* the time cursor goes along to what was asked for */
	bool to_top, to_bottom; /* of the screen comes what was asked for */
	int rows;               /* that the screen has for events */
	order_key top;          /* the first of them */
	char filter[PROMPT_ROOM];
};

/* --- where to stand ------------------------------------------------------------------------------------------------ */

static order_key row_key(const struct event_row *row)
{
	return order_key_of(row->t, row->off);
}

static bool is_pending(const struct view_list *v)
{
	return v->asked && v->page.serial != v->serial;
}

static void ask(struct view_list *v, struct view_host *h, bool follows)
{
	struct event_job *job = view_job(h);
	if (!job)
		return;
	v->ask.above = v->ask.below = v->rows > 0 ? v->rows : 1;
	v->ask.serial = ++v->serial;
	v->asked = true;
	v->follows = follows;
	event_job_ask(job, &v->ask);
}

static void go_to_key(struct view_list *v, struct view_host *h, order_key at, bool follows)
{
	v->ask = (struct event_ask){.at = at};
	ask(v, h, follows);
}

/* So many rows on or back; moves add up while the page is on its way. */
static void move(struct view_list *v, struct view_host *h, int by)
{
	enum { MOST = 10000 };
	if (is_pending(v))
		by += v->ask.move;
	else if (v->page.n)
		v->ask = (struct event_ask){.at = row_key(&v->page.rows[v->page.cursor])};
	v->ask.move = by > MOST ? MOST : by < -MOST ? -MOST : by;
	ask(v, h, true);
}

/* The event that was gone to last if the cursor is still there, else the first from the cursor on. */
static order_key cursor_key(const struct view_host *h)
{
	uint64_t t = h->model.at.cursor;
	return order_key_t(h->place) == t ? h->place : order_key_of(t, 0);
}

/* A hit of the search, or the time cursor where it was moved elsewhere, is gone to. */
static void sync_with_cursor(struct view_list *v, struct view_host *h)
{
	uint64_t cursor = h->model.at.cursor;
	if (h->placed) {
		h->placed = false;
		v->synced = cursor;
		go_to_key(v, h, h->place, false);
	} else if (!v->asked || v->synced != cursor) {
		v->synced = cursor;
		go_to_key(v, h, order_key_of(cursor, 0), false);
	}
}

/* The page for the last ask is there: the time cursor goes along. */
static void follow(struct view_list *v, struct view_host *h)
{
	if (v->page.n == 0 || is_pending(v))
		return;
	const struct event_row *row = &v->page.rows[v->page.cursor];
	if (v->follows)
		model_follow(&h->model, row->t);
	if (v->follows || row->t == h->model.at.cursor)
		h->place = row_key(row);
	v->synced = h->model.at.cursor;
	v->follows = false;
}

/* Give the job a moment, and take what it has. */
static void take_page(struct view_list *v, struct view_host *h)
{
	if (!h->job)
		return;
	event_job_wait(h->job, h->patient ? -1 : WAIT_MS);
	if (event_job_take(h->job, &v->page))
		follow(v, h);
}

static void update(struct view_list *v, struct view_host *h, int rows)
{
	v->rows = rows;
	sync_with_cursor(v, h);
	if (v->ask.above < rows) /* the screen has grown, or was not known yet */
		ask(v, h, v->follows);
	take_page(v, h);
	if (h->job)
		event_job_news(h->job); /* what came until now is drawn in this frame */
}

/* The row of the page that stands on top of the screen: the same as before if the cursor is seen then. */
static int top_row(struct view_list *v)
{
	const struct event_page *page = &v->page;
	int top = page->cursor;
	for (int i = 0; i < page->n; i++)
		if (row_key(&page->rows[i]) <= v->top)
			top = i;
	if (v->top == 0 || v->top < row_key(&page->rows[0]) || top > page->cursor || v->to_top)
		top = page->cursor;
	if (page->cursor >= top + v->rows || v->to_bottom)
		top = page->cursor - v->rows + 1;
	if (top > page->n - v->rows)
		top = page->n - v->rows;
	top = top < 0 ? 0 : top;
	v->top = row_key(&page->rows[top]);
	v->to_top = v->to_bottom = false;
	return top;
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

/* Where the columns stand. Widths of 0: there is no room for it. */
struct columns {
	int number, time, delta, cap, bar, name, details; /* where each ends, begins from `bar` on */
	int name_w, digits;
};

static struct columns columns_for(const struct canvas *c, uint64_t total)
{
	char text[TEXT_ROOM];
	int w = (int)strlen(text_count(text, total));
	struct columns k = {.digits = 9, .name_w = 24};
	if (c->cols >= 120) {
		k.number = w > 11 ? w + 1 : 12;
		k.time = k.number + 17;
		k.delta = k.time + 11;
		k.cap = k.delta + 6;
		k.bar = k.cap + 2;
	} else if (c->cols >= 60) {
		k.number = w > 9 ? w + 1 : 10;
		k.time = k.number + 12;
		k.delta = k.time + 9;
		k.cap = k.delta + 4;
		k.bar = k.cap + 1;
		k.digits = 6;
		k.name_w = 15;
	} else {
		k.time = 13;
		k.bar = k.time + 1;
		k.digits = 6;
		k.name_w = 15;
	}
	k.name = k.bar + 2;
	k.details = k.name + k.name_w + 1;
	return k;
}

static void put_right(struct canvas *c, int y, int end, struct pen pen, const char *text)
{
	int width = text_width((struct evl_str){(const uint8_t *)text, strlen(text)}, c->ascii);
	if (end > 0)
		canvas_str(c, y, end - width < 1 ? 1 : end - width, width, pen, text);
}

static void draw_header(const struct columns *k, struct canvas *c, int y)
{
	struct pen pen = {ST_DIM, ST_PAGE, ATTR_UNDERLINE};
	put_right(c, y, k->number, pen, "#");
	put_right(c, y, k->time, pen, "time (s)");
	put_right(c, y, k->delta, pen, c->ascii ? "delta" : "Δ");
	put_right(c, y, k->cap, pen, "cap");
	canvas_str(c, y, k->name, k->name_w, pen, "event");
	canvas_str(c, y, k->details, c->cols - k->details, pen, "details");
}

/* Threads by what happens to them, all else by its group. */
static enum style bar_style(uint16_t tag)
{
	static const enum style groups[] = {[EVL_SCHED] = ST_RUNNABLE, [EVL_GC] = ST_MINOR, [EVL_HEAP] = ST_LIVE,
		[EVL_SPARK] = ST_SPARKS, [EVL_USER] = ST_MARKER, [EVL_META] = ST_OUTSIDE, [EVL_TASK] = ST_FOREIGN,
		[EVL_HEAP_PROF] = ST_BAND_0, [EVL_TIME_PROF] = ST_BAND_1, [EVL_NONMOVING] = ST_NM_MARK,
		[EVL_TICKY] = ST_BAND_8, [EVL_EDEN] = ST_BAND_5, [EVL_MERCURY] = ST_BAND_6, [EVL_PERF] = ST_BAND_9};
	size_t n;
	const struct schema *rows = schema_rows(&n);
	if (tag == EVL_RUN_THREAD || tag == EVL_STOP_THREAD)
		return tag == EVL_RUN_THREAD ? ST_RUN : ST_BLOCKED;
	if (tag >= EVL_REQUEST_SEQ_GC && tag <= EVL_REQUEST_PAR_GC)
		return ST_SYNC;
	for (size_t i = 0; i < n; i++)
		if (rows[i].tag == tag)
			return groups[rows[i].group];
	return ST_UNKNOWN;
}

static bool is_user_text(uint16_t tag)
{
	return tag == EVL_USER_MSG || tag == EVL_USER_MARKER || tag == EVL_LOG_MSG;
}

static void draw_row(const struct event_row *row, bool here, const struct columns *k, struct canvas *c, int y)
{
	char text[TEXT_ROOM];
	uint8_t bg = here ? ST_ROW : ST_PAGE, bold = here ? ATTR_BOLD : 0;
	struct pen dim = {ST_DIM, bg, 0}, plain = {ST_TEXT, bg, bold}, key = {ST_KEY, bg, bold};
	if (here)
		canvas_fill(c, y, 0, 1, c->cols, ST_ROW);
	if (here && c->mono)
		canvas_glyph(c, y, 0, plain, 0x25b8, '>');
	put_right(c, y, k->number, dim, text_count(text, row->number + 1));
	text_time(text, row->t);
	text[strlen(text) - (size_t)(9 - k->digits)] = 0;
	put_right(c, y, k->time, plain, text);
	put_right(c, y, k->delta, dim, text_duration(text, row->delta));
	snprintf(text, sizeof text, "%u", (unsigned)row->cap);
	put_right(c, y, k->cap, dim, row->cap == EVL_NO_CAP ? "-" : text);
	canvas_fill(c, y, k->bar, 1, 1, (uint8_t)bar_style(row->tag));
	canvas_name(c, y, k->name, k->name_w, row->hit ? key : plain, (struct evl_str){(const uint8_t *)row->name, strlen(row->name)});
	canvas_text(c, y, k->details, c->cols - k->details - 1, is_user_text(row->tag) ? key : dim,
		(struct evl_str){(const uint8_t *)row->text, row->text_len});
}

static void draw_status(const struct view_list *v, struct view_host *h, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	struct event_job_state s = {0};
	char text[TEXT_ROOM + 32], number[TEXT_ROOM];
	line_put(&l, ST_TEXT, false, "events ");
	line_put(&l, ST_TEXT, true, text_count(text, v->page.total));
	if (h->job && v->filter[0]) {
		event_job_state(h->job, &s);
		line_put(&l, ST_DIM, false, "  ·  filter ");
		line_put(&l, ST_KEY, true, v->filter);
		snprintf(text, sizeof text, "  → %s match", text_count(number, s.passed));
		line_put(&l, ST_DIM, false, text);
		if (s.counting || s.stopped) {
			snprintf(text, sizeof text, " in %.0f%%", 100 * s.share);
			line_put(&l, ST_DIM, false, text);
		}
	}
	if (is_pending(v))
		line_put(&l, ST_KEY, false, "  ·  looking …");
	else if (line_room(&l) > 34)
		line_put(&l, ST_DIM, false, "  ·  same time as the timeline");
}

static void draw_list(struct view_list *v, struct canvas *c, int y, int rows)
{
	struct columns k = columns_for(c, v->page.total);
	draw_header(&k, c, y++);
	if (v->page.n == 0) {
		canvas_str(c, y, 1, c->cols - 1, PEN(ST_DIM), is_pending(v) ? "…"
			: v->filter[0] ? "no event passes the filter" : "no events");
		return;
	}
	int top = top_row(v);
	for (int i = 0; i < rows - 1 && top + i < v->page.n; i++)
		draw_row(&v->page.rows[top + i], top + i == v->page.cursor, &k, c, y + i);
}

static void draw_events(struct view_list *v, struct view_host *h, struct canvas *c, int y, int bottom)
{
	bool details = c->rows >= DETAIL_LEAST;
	int status = y;
	if (details)
		bottom -= EVENT_DETAIL_ROWS;
	if (c->rows >= STATUS_ROWS)
		y++;
	update(v, h, bottom - y - 1);
	if (status < y)
		draw_status(v, h, c, status);
	draw_list(v, c, y, bottom - y);
	if (details && v->page.n)
		part_event(h->log, &v->page, c, bottom);
}

static void draw(void *view, struct view_host *h, struct canvas *c)
{
	struct view_list *v = view;
	int y = 0, bottom = c->rows - 1;
	canvas_clear(c);
	if (c->rows < LEAST_ROWS || c->cols < LEAST_COLS) {
		canvas_str(c, 0, 0, c->cols, PEN(ST_TEXT), "evtui: too small");
		return;
	}
	part_title(h, c, y++);
	bottom -= c->rows >= INSPECTOR_ROWS;
	if (evl_progress(h->log).done)
		draw_events(v, h, c, y, bottom);
	else
		canvas_str(c, y, 1, c->cols - 1, PEN(ST_DIM), "reading …  the list of events is there when all are counted");
	if (c->rows >= INSPECTOR_ROWS)
		part_inspector(&h->model, NULL, NULL, c, bottom, 1);
	part_hints(h, c, c->rows - 1);
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static struct view_list *list_of(struct view_host *h)
{
	return h->views[VIEW_EVENTS];
}

/* "1,084,416": digits, and what stands between them for the eye. */
static bool parse_count(const char *text, uint64_t *out)
{
	enum { MOST_DIGITS = 15 };
	int digits = 0;
	*out = 0;
	for (text += *text == '#'; *text; text++) {
		if (*text >= '0' && *text <= '9' && ++digits <= MOST_DIGITS)
			*out = *out * 10 + (uint64_t)(*text - '0');
		else if (*text != ',' && *text != ' ')
			return false;
	}
	return digits > 0;
}

static void go_to_number(struct view_host *h, const char *text, enum prompt_result result)
{
	struct view_list *v = list_of(h);
	uint64_t n, total = v->page.total;
	char number[TEXT_ROOM];
	if (result != PROMPT_DONE || !*text)
		return;
	if (!parse_count(text, &n) || n == 0 || (total && n > total)) {
		view_say(h, true, "no event has that number: 1 to %s", text_count(number, total));
		return;
	}
	h->shown = VIEW_EVENTS;
	v->synced = h->model.at.cursor;
	v->ask = (struct event_ask){.by_number = true, .number = n - 1};
	ask(v, h, true);
}

/* Enter takes the filter; one that cannot be understood leaves the former. Esc keeps it too. */
static void set_filter(struct view_host *h, const char *text, enum prompt_result result)
{
	struct view_list *v = list_of(h);
	struct names_facts facts = names_get(&h->log->names);
	struct when when = {.first = h->model.first, .last = h->model.last, .wall_ns = facts.wall_ns};
	struct event_filter filter;
	struct evl_err err = {0};
	if (result != PROMPT_DONE || strcmp(text, v->filter) == 0)
		return;
	if (event_filter_init(&filter, text, &when, &err) < 0) {
		view_say(h, true, "%s", err.text);
		return;
	}
	event_job_filter(h->job, &filter);
	snprintf(v->filter, sizeof v->filter, "%s", text);
	go_to_key(v, h, cursor_key(h), false);
}

static void ask_filter(struct view_list *v, struct view_host *h)
{
	if (view_job(h))
		view_ask(h, ASK_EVENTS, v->filter, set_filter);
}

static void show_on_timeline(struct view_list *v, struct view_host *h)
{
	take_page(v, h);
	if (v->page.n)
		model_goto(&h->model, v->page.rows[v->page.cursor].t, h->now_ms);
	h->shown = VIEW_TIMELINE;
}

static void to_end(struct view_list *v, struct view_host *h, bool last)
{
	v->to_top = !last;
	v->to_bottom = last;
	go_to_key(v, h, last ? ORDER_END : 0, true);
}

static bool act(void *view, struct view_host *h, enum action action)
{
	struct view_list *v = view;
	int page = v->rows > 1 ? v->rows - 1 : 1;
	if (!evl_progress(h->log).done)
		return false;
	switch (action) {
	case ACT_DOWN: move(v, h, 1); return true;
	case ACT_UP: move(v, h, -1); return true;
	case ACT_HALF_DOWN: move(v, h, (page + 1) / 2); return true;
	case ACT_HALF_UP: move(v, h, -(page + 1) / 2); return true;
	case ACT_PAGE_DOWN: move(v, h, page); return true;
	case ACT_PAGE_UP: move(v, h, -page); return true;
	case ACT_START: to_end(v, h, false); return true;
	case ACT_END: to_end(v, h, true); return true;
	case ACT_FILTER: ask_filter(v, h); return true;
	case ACT_EXPAND: show_on_timeline(v, h); return true;
	default: return false;
	}
}

void events_ask_number(struct view_host *h)
{
	if (view_job(h))
		view_ask(h, ASK_NUMBER, "", go_to_number);
}

/* --- the pane ------------------------------------------------------------------------------------------------------ */

static void *open_list(struct view_host *h)
{
	(void)h;
	return calloc(1, sizeof(struct view_list));
}

static void close_list(void *view)
{
	struct view_list *v = view;
	event_page_free(&v->page);
	free(v);
}

/* Its job is that of all panes. */
static bool news(void *view)
{
	(void)view;
	return false;
}

static bool busy(const void *view)
{
	return is_pending(view);
}

const struct view_ops view_events = {.name = "Events", .key = ACT_PANE_EVENTS, .pane = KEYMAP_EVENTS, .open = open_list,
	.close = close_list, .draw = draw, .act = act, .news = news, .busy = busy};
