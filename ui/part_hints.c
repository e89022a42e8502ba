#include "keymap.h"
#include "text.h"
#include "view_search.h"

#include <stdio.h>

static bool has_caps(const struct evl_log *log) { return log->n_lanes > 0; }
static bool has_gcs(const struct evl_log *log) { return gcs_after(&log->gcs, 0, GC_ALL); }
static bool has_sync(const struct evl_log *log) { return has_gcs(log) && gcs_after(&log->gcs, 0, GC_ALL)->sync; }
static bool has_others(const struct evl_log *log) { return has_gcs(log) && log->n_lanes > 1; }
static bool is_read(const struct evl_log *log) { return evl_progress(log).done && evl_progress(log).result == 0; }
static bool has_threads(const struct evl_log *log) { return is_read(log) && log->threads.created > 0; }
static bool is_unread(const struct evl_log *log) { return !is_read(log); }
static bool has_nonmoving(const struct evl_log *log) { return nonmoving_any(&log->nonmoving); }
static bool has_live(const struct evl_log *log) { return log->heap.has_live; }
static bool has_size(const struct evl_log *log) { return log->heap.has_size; }

static void put_sign(struct canvas *c, int y, int x, enum style style)
{
	if (style == ST_UNKNOWN) {
		lane_unknown(c, y, x);
		lane_unknown(c, y, x + 1);
	} else if (c->mono) {
		canvas_printf(c, y, x + 1, 1, PEN(ST_TEXT), "%c", style_info(style)->letter);
	} else {
		canvas_fill(c, y, x, 1, 2, (uint8_t)style);
	}
}

void part_legend(const struct model *m, struct canvas *c, int y)
{
	static const struct {
		enum style style;
		bool (*occurs)(const struct evl_log *log);
	} states[] = {{ST_RUN, has_caps}, {ST_MINOR, has_gcs}, {ST_MAJOR, has_gcs}, {ST_GC_WAIT, has_gcs},
		{ST_SYNC, has_sync}, {ST_STOPPED, has_others}, {ST_IDLE, has_caps},
		{ST_BLOCKED, has_threads}, {ST_RUNNABLE, has_threads}, {ST_FOREIGN, has_threads},
		{ST_UNKNOWN, is_unread}, {ST_NM_MARK, has_nonmoving}, {ST_NM_SYNC, has_nonmoving},
		{ST_NM_SWEEP, has_nonmoving}, {ST_LIVE, has_live}, {ST_STALE, has_live}, {ST_SIZE, has_size}};
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	bool ready = evl_progress(m->log).ready; /* before that there are no tables to ask */
	for (size_t i = 0; i < countof(states); i++) {
		const struct style_info *info = style_info(states[i].style);
		if (!(ready ? states[i].occurs(m->log) : states[i].style == ST_UNKNOWN) || (c->mono && info->letter == ' '))
			continue;
		if (line_room(&l) < (int)strlen(info->text) + 5)
			return;
		put_sign(c, y, l.x, states[i].style);
		line_skip(&l, 3);
		line_put(&l, ST_DIM, false, info->text);
		line_skip(&l, 2);
	}
}

/* "hjkl move": the keys bright, the words dim. False when there is no room for all of it. */
static bool put_hint(struct line *l, const char *hint)
{
	size_t keys = strcspn(hint, " ");
	if (line_room(l) < (int)strlen(hint))
		return false;
	line_text(l, ST_KEY, true, (struct evl_str){(const uint8_t *)hint, keys});
	line_put(l, ST_TEXT, false, hint + keys);
	line_skip(l, 2);
	return true;
}

/* While a chord is pending: what may follow. */
static void put_followers(struct line *l, const char *pending)
{
	size_t n, len = strlen(pending);
	const struct keymap_row *rows = keymap_rows(&n);
	line_put(l, ST_KEY, true, pending);
	line_put(l, ST_TEXT, false, " …  ");
	for (size_t i = 0; i < n; i++) {
		if (strncmp(rows[i].keys, pending, len) != 0 || strlen(rows[i].keys) == len)
			continue;
		if (line_room(l) < (int)strlen(rows[i].keys + len) + (int)strlen(rows[i].help) + 1)
			return;
		line_put(l, ST_KEY, true, rows[i].keys + len);
		line_put(l, ST_TEXT, false, " ");
		line_put(l, ST_TEXT, false, rows[i].help);
		line_skip(l, 2);
	}
}

static const char *const last[] = {"? help", "q quit"};

static void put_hints_of_timeline(struct line *l)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	for (size_t i = 0; i < n; i++)
		if (rows[i].hint && strcmp(rows[i].hint, last[0]) != 0 && strcmp(rows[i].hint, last[1]) != 0
			&& !put_hint(l, rows[i].hint))
			break;
}

static void put_hints_of(struct line *l, enum keymap_pane pane)
{
	size_t n;
	const struct keymap_note *notes = keymap_notes(&n);
	for (size_t i = 0; i < n; i++)
		if (notes[i].pane == pane && notes[i].hint && !put_hint(l, notes[i].hint))
			break;
}

/* Hints as many as fit; `? help` and `q quit` always do. */
static void put_hints(struct line *l, enum keymap_pane pane)
{
	int end = l->end;
	l->end -= 16;
	if (pane == KEYMAP_TIMELINE)
		put_hints_of_timeline(l);
	else
		put_hints_of(l, pane);
	l->end = end;
	for (size_t i = 0; i < countof(last); i++)
		put_hint(l, last[i]);
}

/* "34%  1.4 M events" while the log is being read; the width it took. */
static int put_progress(const struct model *m, struct canvas *c, int y)
{
	struct evl_progress p = evl_progress(m->log);
	char text[TEXT_ROOM + 32], number[TEXT_ROOM];
	if (p.done && p.result == 0)
		return 0;
	double share = p.total ? (double)p.bytes / (double)p.total : 0;
	snprintf(text, sizeof text, " %s %.0f%%  %s events ", p.done ? "stopped at" : "reading", 100 * share,
		text_count(number, p.events));
	int width = (int)strlen(text);
	if (width + 1 > c->cols)
		return 0;
	canvas_str(c, y, c->cols - width, width, (struct pen){ST_KEY, ST_BAR, 0}, text);
	return width;
}

/* How far the search is, left of that. */
static int put_search(struct view_host *h, struct canvas *c, int y, int taken)
{
	char text[TEXT_ROOM + 32];
	search_status(h, text, sizeof text);
	int width = (int)strlen(text);
	if (width == 0 || taken + width + 1 > c->cols)
		return taken;
	canvas_str(c, y, c->cols - taken - width - 1, width, (struct pen){ST_KEY, ST_BAR, 0}, text);
	return taken + width + 1;
}

void part_hints(struct view_host *h, struct canvas *c, int y)
{
	canvas_fill(c, y, 0, 1, c->cols, ST_BAR);
	int taken = put_search(h, c, y, put_progress(&h->model, c, y));
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols - taken, .bg = ST_BAR};
	if (h->message[0])
		line_put(&l, h->warning ? ST_WARN : ST_EM, h->warning, h->message);
	else if (h->pending && *h->pending)
		put_followers(&l, h->pending);
	else
		put_hints(&l, view_shown(h)->pane);
}
