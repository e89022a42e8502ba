/* Event list and details of the selected event. */
#include "panes/events/events_pane.h"
#include "chrome/pane.h"
#include "draw/text.h"
#include "export/export_list.h"
#include "jobs/event_job.h"
#include "panes/events/event_list.h"
#include "state/moment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_ROWS = 8, TEXT_LEAST = 20, TEXT_ROWS = 2, DETAIL_LEAST = 36, FULL = 0x2588 };

/* --- drawing ------------------------------------------------------------------------------------------------------- */

/* Where columns end; from `bar` on where they begin. 0: there is no room for it. delta: since the row before; kind: since the
 * last event of its kind. */
struct columns {
	int number, time, delta, kind, cap, bar, name, thread, details;
	int name_w, thread_w, digits;
};

static struct columns columns_for(const struct canvas *c, uint64_t total)
{
	enum { WIDE = 150, MIDDLE = 110, NARROW = 60 };
	int w = (int)strlen(as_count(total));
	struct columns k = {.digits = 9, .name_w = 24};
	if (c->cols >= MIDDLE) {
		k.number = w > 11 ? w + 1 : 12;
		k.time = k.number + 17;
		k.delta = k.time + 11;
		k.kind = k.delta + 10;
		k.cap = k.kind + 5;
		k.bar = k.cap + 2;
		k.name_w = c->cols >= WIDE ? 24 : 23;
		k.thread_w = c->cols >= WIDE ? 20 : 14;
	} else if (c->cols >= NARROW) { /* the moment to the ns tells more than any difference */
		k.number = w > 7 ? w + 1 : 8;
		k.time = k.number + 14;
		k.cap = k.time + 4;
		k.bar = k.cap + 1;
		k.name_w = 17;
		k.thread_w = 12;
	} else {
		k.time = 13;
		k.bar = k.time + 1;
		k.digits = 6;
		k.name_w = 15;
	}
	k.name = k.bar + 2;
	k.thread = k.name + k.name_w + 1;
	k.details = k.thread + k.thread_w + (k.thread_w > 0);
	return k;
}

static void put_right(struct canvas *c, int y, int end, struct pen pen, const char *text)
{
	int width = text_width(str_of(text), c->ascii);
	if (end > 0)
		canvas_str(c, y, end - width < 1 ? 1 : end - width, width, pen, text);
}

static void draw_header(const struct columns *k, struct canvas *c, int y)
{
	struct pen pen = {ST_DIM, ST_PAGE, ATTR_UNDERLINE};
	put_right(c, y, k->number, pen, "#");
	put_right(c, y, k->time, pen, "time (s)");
	put_right(c, y, k->delta, pen, c->ascii ? "delta" : "Δ");
	put_right(c, y, k->kind, pen, c->ascii ? "d kind" : "Δ kind");
	put_right(c, y, k->cap, pen, "cap");
	canvas_str(c, y, k->thread, k->thread_w, pen, "running");
	canvas_str(c, y, k->name, k->name_w, pen, "event");
	canvas_str(c, y, k->details, c->cols - k->details, pen, "details");
}

/* The colours of groups of events, each with the event that the glossary explains the group by. */
static const struct group_colour {
	enum style style;
	const char *word;
} groups[] = {[EVL_SCHED] = {ST_RUNNABLE, "THREAD_WAKEUP"},
	[EVL_GC] = {ST_MINOR, "GC_START"},
	[EVL_HEAP] = {ST_LIVE, "HEAP_LIVE"},
	[EVL_SPARK] = {ST_SPARKS, "SPARK_CREATE"},
	[EVL_USER] = {ST_MARKER, "USER_MARKER"},
	[EVL_META] = {ST_OUTSIDE, "WALL_CLOCK_TIME"},
	[EVL_TASK] = {ST_FOREIGN, "TASK_CREATE"},
	[EVL_HEAP_PROF] = {ST_BAND_0, "HEAP_PROF_SAMPLE_BEGIN"},
	[EVL_TIME_PROF] = {ST_BAND_1, "PROF_SAMPLE_COST_CENTRE"},
	[EVL_NONMOVING] = {ST_NM_MARK, "CONC_MARK_BEGIN"},
	[EVL_TICKY] = {ST_BAND_8, "TICKY_COUNTER_SAMPLE"},
	[EVL_EDEN] = {ST_BAND_5, "EDEN_START_RECEIVE"},
	[EVL_MERCURY] = {ST_BAND_6, "MER_CREATE_SPARK"},
	[EVL_PERF] = {ST_BAND_9, "PERF_COUNTER"}};

/* Threads by what happens to them, all else by its group. */
static enum style bar_style(uint16_t tag)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	if (tag == EVL_RUN_THREAD || tag == EVL_STOP_THREAD)
		return tag == EVL_RUN_THREAD ? ST_RUN : ST_BLOCKED;
	if (tag >= EVL_REQUEST_SEQ_GC && tag <= EVL_REQUEST_PAR_GC)
		return ST_SYNC;
	for (size_t i = 0; i < n; i++)
		if (rows[i].tag == tag)
			return groups[rows[i].group].style;
	return ST_UNKNOWN;
}

static bool is_user_text(uint16_t tag) { return tag == EVL_USER_MSG || tag == EVL_USER_MARKER || tag == EVL_LOG_MSG; }

/* "9 worker-2": the thread that ran. */
static void put_runner(const struct event_row *row, const struct columns *k, struct pen pen, struct canvas *c, int y)
{
	char text[16];
	if (row->runner == 0 || k->thread_w == 0)
		return;
	int n = snprintf(text, sizeof text, "%u ", (unsigned)row->runner);
	canvas_str(c, y, k->thread, k->thread_w, pen, text);
	canvas_name(c, y, k->thread + n, k->thread_w - n, pen,
		(struct evl_str){(const uint8_t *)row->label, row->label_len});
}

static void draw_row(const struct event_row *row, bool here, const struct columns *k, struct canvas *c, int y)
{
	char text[TEXT_ROOM];
	uint8_t bg = here ? ST_ROW : ST_PAGE, bold = here ? ATTR_BOLD : 0;
	struct pen dim = {ST_DIM, bg, 0}, plain = {ST_TEXT, bg, bold}, key = {ST_KEY, bg, bold};
	if (here) {
		canvas_fill(c, y, 0, 1, c->cols, ST_ROW);
		c->cursor_y = y; /* not seen, but where screen readers look */
	}
	if (here)
		canvas_glyph(c, y, 0, key, 0x25b8, '>');
	put_right(c, y, k->number, dim, as_count(row->number + 1));
	text_time(text, row->t);
	text[strlen(text) - (size_t)(9 - k->digits)] = 0;
	put_right(c, y, k->time, plain, text);
	put_right(c, y, k->delta, dim, as_duration(row->delta));
	put_right(c, y, k->kind, dim, row->kind_delta == EVENT_NO_DELTA ? "-" : as_duration(row->kind_delta));
	snprintf(text, sizeof text, "%u", (unsigned)row->cap);
	put_right(c, y, k->cap, dim, row->cap == EVL_NO_CAP ? "-" : text);
	canvas_fill(c, y, k->bar, 1, 1, (uint8_t)bar_style(row->tag));
	canvas_name(c, y, k->name, k->name_w, row->hit ? key : dim, str_of(row->name));
	put_runner(row, k, dim, c, y);
	canvas_text(c, y, k->details, c->cols - k->details - 1, is_user_text(row->tag) ? key : plain,
		(struct evl_str){(const uint8_t *)row->text, k->thread_w ? row->own_len : row->text_len});
}

/* A sign before the rows of the range. */
static void draw_selected(const struct event_row *row, const struct selection *s, struct canvas *c, int y)
{
	struct cell *cell = canvas_at(c, y, 0);
	if (s->on && cell && cell->ch == ' ' && row->t >= selection_from(s) && row->t < selection_to(s))
		canvas_glyph(c, y, 0, (struct pen){ST_ACCENT, cell->bg, ATTR_BOLD}, 0x2502, '|');
}

static void draw_status(const struct event_list *list, struct pane_host *h, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	struct event_job_state s = {0};
	line_put(&l, ST_TEXT, false, "events ");
	line_put(&l, ST_TEXT, true, as_count(list->page.total));
	if (h->job && list->filter[0]) {
		event_job_state(h->job, &s);
		line_put(&l, ST_DIM, false, "  ·  filter ");
		line_put(&l, ST_KEY, true, list->filter);
		line_printf(&l, ST_DIM, false, "  → %s match%s", as_count(s.passed), s.passed == 1 ? "" : "es");
		if (s.counting || s.stopped)
			line_printf(&l, ST_DIM, false, " in %.0f%%", 100 * s.share);
	}
	if (event_list_pending(list))
		line_put(&l, ST_KEY, false, "  ·  looking …");
	if (!list->all && line_room(&l) >= 42)
		line_put(&l, ST_DIM, false, "  ·  x shows block markers, capsets");
	if (!event_list_pending(list) && line_room(&l) > 34)
		line_put(&l, ST_DIM, false,
			h->own_times ? "  ·  moves separately from the timeline (=)"
				     : "  ·  moves with the timeline (=)");
}

static void draw_list(struct event_list *l, const struct pane_host *h, struct canvas *c, int y, int rows)
{
	struct columns k = columns_for(c, l->page.total);
	char none[FILTER_SAY];
	draw_header(&k, c, y++);
	if (l->page.n == 0) {
		canvas_str(c, y, 1, c->cols - 1, PEN(ST_DIM),
			event_list_pending(l)  ? "…"
				: l->filter[0] ? filter_none(&event_filter_fields, l->filter, "event", none)
					       : "no events");
		return;
	}
	int top = event_list_top(l);
	l->y = y;
	l->first = top;
	for (int i = 0; i < rows - 1 && top + i < l->page.n; i++) {
		const struct event_row *row = &l->page.rows[top + i];
		draw_row(row, top + i == l->page.cursor, &k, c, y + i);
		draw_selected(row, &h->model.selection, c, y + i);
	}
}

/* On a screen without room for its fields: the name of the selected event, and its details as far as two rows hold. */
static void draw_text(const struct event_list *l, struct canvas *c, int y)
{
	enum { COLS = TEXT_ROWS * 240 };
	struct canvas wide = {.ascii = c->ascii};
	struct line line = {.c = &wide, .x = 1, .end = COLS, .bg = ST_PAGE};
	if (canvas_resize(&wide, 1, COLS) == 0) {
		line_put(&line, ST_KEY, true, l->page.rows[l->page.cursor].name);
		line_skip(&line, 2);
		line_text(&line, ST_TEXT, false,
			(struct evl_str){(const uint8_t *)l->page.detail.text, l->page.detail.text_len});
		canvas_wrap(c, y, TEXT_ROWS, &wide, 0);
	}
	canvas_free(&wide);
}

static void draw_events(struct event_list *l, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	bool details = c->rows >= DETAIL_LEAST, text = !details && c->rows >= TEXT_LEAST;
	int status = y;
	bottom -= details ? EVENT_DETAIL_ROWS : text ? TEXT_ROWS : 0;
	if (c->rows >= STATUS_ROWS)
		y++;
	event_list_update(l, h, bottom - y - 1);
	if (status < y)
		draw_status(l, h, c, status);
	draw_list(l, h, c, y, bottom - y);
	if (details && l->page.n)
		part_event(h->log, &l->page, c, bottom);
	else if (text && l->page.n)
		draw_text(l, c, bottom);
}

static void draw_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	if (evl_progress(h->log).done)
		draw_events(view, h, c, y, bottom);
	else
		canvas_str(
			c, y, 1, c->cols - 1, PEN(ST_DIM), "reading …  the list is shown when all events are counted");
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static struct event_list *list_of(struct pane_host *h) { return h->views[PANE_EVENTS]; }

static void answer_number(struct pane_host *h, const char *text, enum prompt_result result)
{
	uint64_t number;
	if (result != PROMPT_DONE || !*text)
		return;
	if (!moment_event(text, &number)) {
		pane_say(h, true, "invalid event number \"%.100s\" (use 1 and up)", text);
		return;
	}
	h->shown = PANE_EVENTS;
	event_list_go_number(list_of(h), h, number, LIST_ALONG);
}

void events_go_number(struct pane_host *h, uint64_t number) { event_list_go_number(list_of(h), h, number, LIST_JUMPS); }

void events_go_marker(struct pane_host *h, const char *name) { event_list_go_marker(list_of(h), h, name); }

/* It is taken at the end, as it takes a reading of the log; one that cannot be understood leaves the former. */
static void set_filter(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct event_list *l = list_of(h);
	struct time_expr when = moment_when(&h->model);
	struct event_filter filter;
	struct evl_err err = {0};
	if (result == PROMPT_EDITING || strcmp(text, l->filter) == 0)
		return;
	if (event_filter_init(&filter, text, &when, &err) < 0) {
		pane_filter_again(h, err.text);
		return;
	}
	event_job_filter(h->job, &filter);
	l->only = false;
	snprintf(l->filter, sizeof l->filter, "%s", text);
	event_list_go(l, h, event_list_here(h), LIST_STAYS);
}

void events_only(struct pane_host *h, const char *filter)
{
	struct event_list *l = list_of(h);
	h->shown = PANE_EVENTS;
	if (!pane_job(h))
		return;
	if (!l->only)
		snprintf(l->former, sizeof l->former, "%s", l->filter);
	set_filter(h, filter, PROMPT_DONE);
	l->only = true;
}

void events_restore(struct pane_host *h)
{
	struct event_list *l = list_of(h);
	if (!l->only)
		return;
	if (pane_job(h))
		set_filter(h, l->former, PROMPT_DONE);
	l->only = h->went_in = false;
}

void events_back(struct pane_host *h)
{
	h->shown = PANE_TIMELINE;
	events_restore(h);
}

static const char *filter(const void *view, const struct pane_host *h)
{
	return h->job ? ((const struct event_list *)view)->filter : "";
}

static void ask_filter(struct event_list *l, struct pane_host *h)
{
	if (pane_job(h))
		pane_ask(h, ASK_EVENTS, l->filter, set_filter);
	h->fields = &event_filter_fields;
}

/* With some hundred events around it. */
static void show_on_timeline(struct event_list *l, struct pane_host *h)
{
	enum { EVENTS = 400 };
	event_list_take(l, h, true);
	if (l->page.n) {
		const struct event_row *first = &l->page.rows[0], *last = &l->page.rows[l->page.n - 1];
		uint64_t t = l->page.rows[l->page.cursor].t, part = last->t > first->t ? last->t - first->t : 0;
		uint64_t around = part / (uint64_t)l->page.n * EVENTS / 6;
		around = 6 * around < model_width(&h->model) ? around : 0; /* it is near already */
		model_show(&h->model, sub_or_0(t, around), t + around, t, h->now_ms);
	}
	h->shown = PANE_TIMELINE;
}

void events_follow(struct pane_host *h)
{
	if (list_of(h)->asked)
		event_list_end(list_of(h), h, true);
}

void events_same_time(struct pane_host *h)
{
	h->own_times = !h->own_times;
	if (!h->own_times)
		event_list_go(list_of(h), h, event_list_here(h), LIST_STAYS);
	pane_say(h, false,
		h->own_times ? "list and timeline move separately now (= links them)"
			     : "list and timeline move together");
}

/* Keys for time charts are not handled here, except for the cursor, which the list follows. */
static bool move_window(struct pane_host *h, enum action action)
{
	struct model_place was = h->model.at;
	if (!window_keys(h, action))
		return false;
	if (h->model.at.t0 != was.t0 || h->model.at.t1 != was.t1)
		pane_say(h, false, "the timeline shows %s from %s on", as_duration(model_width(&h->model)),
			as_duration(h->model.at.t0));
	return true;
}

static bool act(void *view, struct pane_host *h, enum action action)
{
	struct event_list *l = view;
	bool read = evl_progress(h->log).done;
	int by = (int)keymap_scroll(action, l->rows, 0);
	if (action == ACT_FILTER)
		ask_filter(l, h);
	else if (!read)
		return false;
	else if (action == ACT_START || action == ACT_END)
		event_list_end(l, h, action == ACT_END);
	else if (action == ACT_EXPAND)
		show_on_timeline(l, h);
	else if (action == ACT_HIDE)
		event_list_show_all(l, h, !l->all);
	else if (action == ACT_SORT)
		pane_say(h, true, "events stay in time order: f filters, :sql SELECT … ORDER BY … sorts");
	else if (by)
		event_list_move(l, h, by);
	else
		return move_window(h, action);
	return true;
}

/* A click selects a row; a second one shows it on the timeline. */
static void click(void *view, struct pane_host *h, int y, UNUSED int x, bool twice)
{
	struct event_list *l = view;
	int row = y - l->y;
	if (row < 0 || row >= l->rows || l->first + row >= l->page.n || event_list_pending(l))
		return;
	event_list_move(l, h, l->first + row - l->page.cursor);
	if (twice)
		show_on_timeline(l, h);
}

/* On a canvas as wide as it takes, for y. */
static void copy(void *view, struct pane_host *h, struct canvas *c)
{
	struct event_list *l = view;
	struct line line = {.c = c, .end = c->cols, .bg = ST_PAGE};
	event_list_take(l, h, true);
	if (l->page.n == 0)
		return;
	const struct event_row *row = &l->page.rows[l->page.cursor];
	line_printf(&line, ST_TEXT, false, "#%s  %s s  ", as_count(row->number + 1), as_time(row->t));
	if (row->cap != EVL_NO_CAP)
		line_printf(&line, ST_TEXT, false, "cap %u  ", (unsigned)row->cap);
	line_printf(&line, ST_TEXT, false, "%s  ", row->name);
	line_text(
		&line, ST_TEXT, false, (struct evl_str){(const uint8_t *)l->page.detail.text, l->page.detail.text_len});
}

void events_ask_number(struct pane_host *h)
{
	if (pane_job(h))
		pane_ask(h, ASK_NUMBER, "", answer_number);
}

/* --- exporting ----------------------------------------------------------------------------------------------------- */

/* Events to export: those of the list. */
struct kept {
	struct event_rank order;
	struct event_filter filter;
	struct event_scan scan;
};

static bool keep(void *made, uint32_t chain, const struct frame *f)
{
	return event_page_passes(&((struct kept *)made)->scan, chain, f);
}

static void drop(void *made)
{
	struct kept *k = made;
	event_scan_free(&k->scan);
	event_filter_free(&k->filter);
	event_rank_free(&k->order);
	free(k);
}

/* The events of the list, of the selected range if there is one. */
static bool lists(const void *view, const struct pane_host *h, struct export_list *out)
{
	const struct event_list *l = view;
	const struct selection *s = &h->model.selection;
	struct time_expr when = moment_when(&h->model);
	struct evl_err err;
	struct kept *k = evl_progress(h->log).done ? calloc(1, sizeof *k) : NULL;
	if (!k)
		return false;
	k->scan = (struct event_scan){.log = h->log, .order = &k->order, .filter = &k->filter, .brief = !l->all};
	*out = (struct export_list){.keep = keep, .made = k, .drop = drop};
	if (event_rank_init(&k->order, &h->log->blocks, h->log->tiles) < 0
		|| event_filter_init(&k->filter, l->filter, &when, &err) < 0) {
		drop(k);
		return false;
	}
	out->range.from = s->on ? selection_from(s) : 0;
	out->range.to = s->on ? selection_to(s) : 0;
	return true;
}

static const char *offers(
	const void *view, UNUSED const struct pane_host *h, UNUSED uint64_t *from, UNUSED uint64_t *to)
{
	return ((const struct event_list *)view)->filter[0] ? "csv shown" : "eventlog";
}

/* --- the pane ------------------------------------------------------------------------------------------------------ */

static void *open_list(UNUSED struct pane_host *h) { return calloc(1, sizeof(struct event_list)); }

static void close_list(void *view)
{
	struct event_list *l = view;
	event_page_free(&l->page);
	free(l);
}

void events_news(struct pane_host *h)
{
	if (event_list_pending(list_of(h)))
		event_list_take(list_of(h), h, false);
}

static bool busy(const void *view) { return event_list_pending(view); }

/* Keys that need events, or something to repeat. */
static bool acts(const void *view, const struct pane_host *h, enum action action)
{
	const struct event_list *l = view;
	switch (action) {
	case ACT_REPEAT: return h->search[0] || h->jumper.last != ACT_NONE;
	case ACT_EXPAND:
	case ACT_DOWN:
	case ACT_PAGE_DOWN: return l->page.n > 0;
	default: return evl_progress(h->log).done;
	}
}

/* The colours of bar_style, and the sign of draw_selected. */
static const struct lane_colour *signs(UNUSED const void *view, UNUSED const struct pane_host *h)
{
	static const struct lane_colour threads[] = {{"RUN_THREAD", {ST_RUN, ST_RUN}, FULL, '#'},
		{"STOP_THREAD", {ST_BLOCKED, ST_BLOCKED}, FULL, '#'},
		{"REQUEST_PAR_GC", {ST_SYNC, ST_SYNC}, FULL, '#'}},
					others[] = {{"CAP_CREATE", {ST_OUTSIDE, ST_OUTSIDE}, FULL, '#'},
						{"not known", {ST_UNKNOWN, ST_UNKNOWN}, FULL, '#'},
						{"▹", {ST_KEY, ST_KEY}, 0x25b8, '>'},
						{"range", {ST_ACCENT, ST_ACCENT}, 0x2502, '|'}, {0}};
	static struct lane_colour all[countof(threads) + countof(groups) + countof(others)];
	struct lane_colour *to = all;
	memcpy(to, threads, sizeof threads);
	to += countof(threads);
	for (size_t i = 0; i < countof(groups); i++)
		if (groups[i].word)
			*to++ = (struct lane_colour){groups[i].word, {groups[i].style, groups[i].style}, FULL, '#'};
	memcpy(to, others, sizeof others);
	return all;
}

/* Opened by Enter on the timeline, it lies over it. */
static bool is_over(UNUSED const void *view, const struct pane_host *h) { return h->went_in; }

static void leave(UNUSED void *view, struct pane_host *h)
{
	events_back(h);
	h->went_in = false;
}

const struct pane_ops events_pane = {.name = "Events",
	.brief = "Evts",
	.key = ACT_PANE_EVENTS,
	.pane = KEYMAP_EVENTS,
	.open = open_list,
	.close = close_list,
	.body = draw_body,
	.offers = offers,
	.lists = lists,
	.act = act,
	.click = click,
	.copy = copy,
	.on_log_replaced = event_list_on_log_replaced,
	.busy = busy,
	.is_over = is_over,
	.leave = leave,
	.filter = filter,
	.set_filter = set_filter,
	.acts = acts,
	.signs = signs};
