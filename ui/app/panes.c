#include "app/panes.h"

#include "chrome/export_cmd.h"
#include "panes/events/goto.h"
#include "panes/timeline/selection_keys.h"
#include "panes/events/events_pane.h"
#include "panes/heap/heap_pane.h"
#include "panes/program/output_pane.h"
#include "panes/prof/prof_pane.h"
#include "chrome/search.h"
#include "panes/stats/stats_pane.h"
#include "panes/timeline/timeline.h"

#include <stdlib.h>

static const struct view_ops *const kinds[VIEW_KINDS] = {[VIEW_TIMELINE] = &view_timeline, [VIEW_HEAP] = &view_heap,
	[VIEW_PROF] = &view_prof, [VIEW_EVENTS] = &view_events, [VIEW_STATS] = &view_stats,
	[VIEW_OUTPUT] = &view_output};

bool panes_open(struct view_host *h)
{
	h->shown = h->log->source.rewritten ? VIEW_HEAP : VIEW_TIMELINE; /* a heap profile has nothing else */
	for (int i = 0; i < VIEW_KINDS; i++) {
		h->kinds[i] = kinds[i];
		if (!(h->views[i] = kinds[i]->open(h)))
			return false;
	}
	return true;
}

static void free_profiles(struct prof_job **jobs)
{
	for (int i = 0; i < PROF_SOURCES; i++) {
		prof_job_free(jobs[i]);
		jobs[i] = NULL;
	}
}

void panes_close(struct view_host *h)
{
	export_job_free(h->exporting);
	h->exporting = NULL;
	event_job_free(h->job);
	h->job = NULL;
	free_profiles(h->prof);
	for (int i = 0; i < VIEW_KINDS; i++)
		if (h->views[i])
			kinds[i]->close(h->views[i]);
}

bool panes_renew(struct view_host *h, struct evl_log *log, bool anew)
{
	struct prof_job *former[PROF_SOURCES]; /* panes look at their pictures as long as they renew */
	bool good = true;
	memcpy(former, h->prof, sizeof former);
	memset(h->prof, 0, sizeof h->prof);
	event_job_free(h->job);
	h->job = NULL;
	h->log = log;
	h->jumper.n_longest = 0;
	model_renew(&h->model, log, anew);
	for (int i = 0; i < VIEW_KINDS; i++) {
		if (kinds[i]->renew) {
			kinds[i]->renew(h->views[i], h);
			continue;
		}
		kinds[i]->close(h->views[i]);
		good = (h->views[i] = kinds[i]->open(h)) && good;
	}
	free_profiles(former);
	search_renew(h);
	return good;
}

void panes_follow(struct view_host *h)
{
	events_follow(h);
}

static void draw(enum view_kind kind, struct view_host *h, struct canvas *c)
{
	kinds[kind]->draw(h->views[kind], h, c);
}

/* The rows [from, to) of a canvas as a canvas. */
static struct canvas rows_of(const struct canvas *c, int from, int to)
{
	struct canvas part = *c;
	part.cells = c->cells + (size_t)from * (size_t)c->cols;
	part.rows = to - from;
	return part;
}

/* The timeline above the events: they share the row that is the hints of one and the title of the other; a rule comes
 * there. The events first: the time cursor goes where they do. */
static void draw_both(struct view_host *h, struct canvas *c)
{
	int middle = h->split_y = c->rows / 2;
	struct canvas above = rows_of(c, 0, middle + 1), below = rows_of(c, middle, c->rows);
	draw(VIEW_EVENTS, h, &below);
	draw(VIEW_TIMELINE, h, &above);
	c->cursor_y = h->shown == VIEW_EVENTS ? middle + below.cursor_y : above.cursor_y;
	c->cursor_x = 0;
	c->cursor_on = false;
	for (int x = 0; x < c->cols; x++)
		canvas_glyph(c, middle, x, PEN(h->shown == VIEW_EVENTS ? ST_ACCENT : ST_OUTSIDE), 0x2500, '-');
}

static bool is_split(const struct view_host *h)
{
	return h->split && (h->shown == VIEW_TIMELINE || h->shown == VIEW_EVENTS);
}

void panes_draw(struct view_host *h, struct canvas *c)
{
	h->rows = c->rows;
	h->cols = c->cols;
	h->split_y = 0;
	for (int i = 0; i < VIEW_KINDS; i++)
		h->badges[i] = kinds[i]->badge ? kinds[i]->badge(h->views[i], h) : 0;
	if (is_split(h) && c->rows >= PANES_SPLIT_ROWS)
		draw_both(h, c);
	else
		draw(h->shown, h, c);
}

static bool is_seen(const struct view_host *h, enum view_kind kind)
{
	return kind == h->shown || (is_split(h) && (kind == VIEW_TIMELINE || kind == VIEW_EVENTS));
}

bool panes_news(struct view_host *h)
{
	bool news = h->job && event_job_news(h->job), found = search_news(h);
	bool profile = false;
	for (int i = 0; i < PROF_SOURCES; i++)
		profile |= h->prof[i] && prof_job_news(h->prof[i]);
	events_news(h);
	news = export_cmd_news(h) || news;
	for (enum view_kind i = 0; i < VIEW_KINDS; i++)
		if (is_seen(h, i) || kinds[i]->badge)
			news = kinds[i]->news(h->views[i]) || news;
	return news || found || profile;
}

static bool profile_busy(const struct view_host *h)
{
	bool busy = false;
	for (int i = 0; i < PROF_SOURCES; i++)
		busy |= h->prof[i] && prof_job_busy(h->prof[i]);
	return busy;
}

bool panes_leave(struct view_host *h)
{
	const struct view_ops *ops = view_shown(h);
	return ops->leave && ops->leave(h->views[h->shown], h);
}

bool panes_stop(struct view_host *h)
{
	const struct view_ops *ops = view_shown(h);
	return ops->stop && ops->stop(h->views[h->shown]);
}

bool panes_busy(const struct view_host *h)
{
	bool busy = export_cmd_busy(h) || (h->job && event_job_busy(h->job)) || profile_busy(h);
	for (enum view_kind i = 0; i < VIEW_KINDS; i++)
		busy = busy || (is_seen(h, i) && kinds[i]->busy(h->views[i]));
	return busy;
}

/* --- what keys do in every pane ------------------------------------------------------------------------------------ */

static void undo(struct view_host *h, bool forward)
{
	if (!(forward ? model_redo(&h->model) : model_undo(&h->model)))
		view_say(h, true, forward ? "nothing to redo" : "nothing to undo");
}

static void split(struct view_host *h)
{
	h->split = !h->split;
	if (h->split && !is_split(h))
		h->shown = VIEW_TIMELINE;
	view_say(h, false, h->split ? "timeline above events, where there are %d rows (|: one of them; 1 and 4 choose)"
		: "one pane", PANES_SPLIT_ROWS);
}

static void go_on(struct view_host *h, int by)
{
	do
		h->shown = (enum view_kind)(((int)h->shown + by + VIEW_KINDS) % VIEW_KINDS);
	while (!view_there(h, h->shown));
}

/* A jump, or the repetition of what was last: a jump or a search. */
static bool jump_or_search(struct view_host *h, enum action action)
{
	bool again = action == ACT_REPEAT || action == ACT_REPEAT_BACK;
	if (!jump_is(action))
		return false;
	if (again && h->search_last) {
		search_next(h, action == ACT_REPEAT);
		return true;
	}
	h->search_last = false;
	const char *why = jump(&h->jumper, &h->model, action, h->now_ms);
	if (why)
		view_say(h, true, "%s", why);
	return true;
}

static bool act_anywhere(struct view_host *h, enum action action)
{
	switch (action) {
	case ACT_START: model_goto(&h->model, h->model.first, h->now_ms); return true;
	case ACT_END: model_goto(&h->model, h->model.last, h->now_ms); return true;
	case ACT_UNDO: undo(h, false); return true;
	case ACT_REDO: undo(h, true); return true;
	case ACT_FIT: timeline_fit(h); return true;
	case ACT_GOTO: go_to_ask(h); return true;
	case ACT_SEARCH: search_ask(h); return true;
	case ACT_NUMBER: events_ask_number(h); return true;
	case ACT_SAME_TIME: events_same_time(h); return true;
	case ACT_SPLIT: split(h); return true;
	case ACT_NEXT_PANE: go_on(h, 1); return true;
	case ACT_PREV_PANE: go_on(h, -1); return true;
	default: return jump_or_search(h, action);
	}
}

/* The range is the same in every pane. */
static bool select_range(struct view_host *h, enum action action)
{
	const char *why;
	if (!select_keys(timeline_of(h), &h->model, action, h->now_ms, &why))
		return false;
	if (why)
		view_say(h, true, "%s", why);
	return true;
}

bool panes_act(struct view_host *h, enum action action)
{
	for (int i = 0; i < VIEW_KINDS; i++) {
		if (kinds[i]->key != action || !view_there(h, (enum view_kind)i))
			continue;
		h->shown = (enum view_kind)i;
		return true;
	}
	return select_range(h, action) || view_shown(h)->act(h->views[h->shown], h, action) || act_anywhere(h, action);
}
