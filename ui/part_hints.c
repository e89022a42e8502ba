#include "keymap.h"
#include "parts.h"
#include "text.h"

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
static bool put_hint(struct line *l, const struct keymap_row *row, struct hint_spots *spots)
{
	const char *hint = row->hint;
	size_t keys = strcspn(hint, " ");
	if (line_room(l) < (int)strlen(hint))
		return false;
	if (spots->n < (int)countof(spots->items)) {
		spots->items[spots->n].x = l->x;
		spots->items[spots->n].end = l->x + (int)strlen(hint);
		spots->items[spots->n++].action = row->action;
	}
	line_text(l, ST_KEY, true, (struct evl_str){(const uint8_t *)hint, keys});
	line_put(l, ST_TEXT, false, hint + keys);
	line_skip(l, 2);
	return true;
}

/* The row's keys behind those that are pending; NULL: it does not follow. */
static const char *follower(const struct keymap_row *row, const char *pending)
{
	size_t len = strlen(pending);
	return strncmp(row->keys, pending, len) == 0 && row->keys[len] ? row->keys + len : NULL;
}

/* "next GC": which way the chord goes was typed already. */
static const char *in_brief(const char *help)
{
	bool way = strncmp(help, "next ", 5) == 0 || strncmp(help, "previous ", 9) == 0;
	return way ? strchr(help, ' ') + 1 : help;
}

/* "g next GC", in so many columns. */
static void put_follower(struct line *l, const char *keys, const char *help, int width)
{
	struct line part = *l;
	part.end = l->x + width < l->end ? l->x + width : l->end;
	line_put(&part, ST_KEY, true, keys);
	line_put(&part, ST_TEXT, false, " ");
	line_put(&part, ST_TEXT, false, help);
	l->x = part.x;
	line_skip(l, 2);
}

/* While a chord is pending: all that may follow, each in full or all in equal parts of the room. */
static void put_followers(struct line *l, const char *pending)
{
	size_t n;
	int wide = 0, followers = 0;
	const struct keymap_row *rows = keymap_rows(&n);
	line_put(l, ST_KEY, true, pending);
	line_put(l, ST_TEXT, false, " …  ");
	for (size_t i = 0; i < n; i++) {
		const char *keys = follower(&rows[i], pending);
		wide += keys ? (int)(strlen(keys) + strlen(rows[i].help)) + 3 : 0;
		followers += keys != NULL;
	}
	bool brief = followers && wide > line_room(l);
	int part = brief ? (line_room(l) + 2) / followers - 2 : line_room(l);
	for (size_t i = 0; i < n; i++) {
		const char *keys = follower(&rows[i], pending);
		if (keys)
			put_follower(l, keys, brief ? in_brief(rows[i].help) : rows[i].help, part);
	}
}

/* Hints as many as fit; `? help` and `q quit` always do. */
static void put_hints(struct line *l, struct hint_spots *spots)
{
	static const enum action last[] = {ACT_HELP, ACT_QUIT};
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	int end = l->end;
	l->end -= 16;
	for (size_t i = 0; i < n; i++)
		if (rows[i].hint && rows[i].action != last[0] && rows[i].action != last[1] && !put_hint(l, &rows[i], spots))
			break;
	l->end = end;
	for (size_t i = 0; i < n; i++)
		if (rows[i].action == last[0] || rows[i].action == last[1])
			put_hint(l, &rows[i], spots);
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

void part_hints(const struct model *m, const char *message, bool warning, const char *pending, struct canvas *c, int y,
	struct hint_spots *spots)
{
	spots->n = 0;
	canvas_fill(c, y, 0, 1, c->cols, ST_BAR);
	int taken = put_progress(m, c, y);
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols - taken, .bg = ST_BAR};
	if (message && *message)
		line_put(&l, warning ? ST_WARN : ST_EM, warning, message);
	else if (pending && *pending)
		put_followers(&l, pending);
	else
		put_hints(&l, spots);
}
