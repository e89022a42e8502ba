/* timeline_pane.c - the Timeline pane and its keys. */
#include "chrome/pane.h"
#include "lanes/lane_threads.h"
#include "panes/events/events_pane.h"
#include "panes/timeline/lane_keys.h"
#include "panes/timeline/selection_keys.h"
#include "panes/timeline/timeline.h"
#include "query/thread_find.h"
#include "report/abilities.h"

#include <stdio.h>
#include <stdlib.h>

static void to_change(struct timeline *t, struct pane_host *h, bool forward)
{
	const struct lane *lane = timeline_lane(t);
	uint64_t to;
	if (lane && h->model.ranged && lanes_change(&t->lanes, lane, h->log, h->model.at.cursor, forward, &to))
		model_goto(&h->model, to, h->now_ms);
	else if (lane && !lane->ops->change && lane->ops != &lane_path)
		pane_say(h, true,
			"this lane shows sums of its columns, no single changes (a lane of a capability or thread "
			"does)");
	else
		pane_say(h, true, forward ? "no later change in this lane" : "no earlier change in this lane");
}

static void note_fitted(struct timeline *t, const struct model *m)
{
	t->fitted = m->at;
	lanes_note(&t->lanes, &t->fitted);
}

/* The selection, else the span under the cursor; a second time: back to where one was. */
static void fit(struct timeline *t, struct pane_host *h)
{
	struct model *m = &h->model;
	uint64_t from = selection_from(&m->selection), to = selection_to(&m->selection);
	if (t->fitted.t1 && t->fitted.t0 == m->at.t0 && t->fitted.t1 == m->at.t1 && model_undo(m))
		return;
	if (from == to && !select_here(t, m, &from, &to) && !select_pause_at(m, m->at.cursor, &from, &to)) {
		pane_say(h, true, "no interval under the cursor in this lane");
		return;
	}
	struct model_place was = m->at;
	select_fit(m, from, to, h->now_ms);
	if (was.t0 != m->at.t0 || was.t1 != m->at.t1)
		note_fitted(t, m);
	else
		pane_say(h, false, "this fills the window already (u: back, Z: the whole run, Enter: its events)");
}

void timeline_show_colours(struct pane_host *h)
{
	h->colours_from = h->shown;
	h->shown = PANE_TIMELINE;
	h->colours = true;
}

static bool is_opened(const struct lane *lane)
{
	return lane->ops == &lane_threads || lane->ops == &lane_group || lane->ops == &lane_heat;
}

/* The life of the lane's thread, if it is not alive at the cursor or if that is too far from its last run to say. */
static bool other_life(const struct lane *lane, const struct model *m, uint64_t *from, uint64_t *to)
{
	uint32_t thread = lanes_thread(lane);
	const struct thread_row *row = thread ? threads_find(&m->log->threads, thread) : NULL;
	struct thread_moment now;
	if (!row)
		return false;
	thread_at(m->log, thread, m->at.cursor, THREAD_JUMP_TILES, &now);
	if (now.known && now.pos.state != THREAD_ABSENT)
		return false;
	uint64_t born = atomic_load(&row->born), died = atomic_load(&row->died);
	*from = max_u64(born, m->first);
	*to = died > *from ? died : m->last + 1;
	return true;
}

/* The span at the cursor; where there is none the time between two changes or moments, in a lane of shares its column. */
static bool under_cursor(const struct timeline *t, const struct model *m, uint64_t *from, uint64_t *to)
{
	const struct lane *lane = timeline_lane(t);
	int col = model_col(m, m->at.cursor);
	if (select_here(t, m, from, to) || other_life(lane, m, from, to))
		return true;
	if (!lane->ops->change) {
		*from = model_edge(m, col);
		*to = model_edge(m, col + 1);
		return col >= 0 && *to > *from + 1;
	}
	if (!lane->ops->change(lane, m->log, m->at.cursor + 1, false, from))
		*from = m->first;
	if (!lane->ops->change(lane, m->log, m->at.cursor, true, to))
		*to = m->last + 1;
	return *from < *to;
}

/* List the events of the lane's thread or capability, or all of a pause or span. */
static void list_events(struct pane_host *h, const struct lane *lane)
{
	const struct evl_log *log = h->log;
	uint32_t thread = lanes_thread(lane);
	char filter[32] = "";
	if (thread)
		snprintf(filter, sizeof filter, "thread:%u", thread);
	else if (lane->ops == &lane_cap && !gcs_at(&log->gcs, h->model.at.cursor))
		snprintf(filter, sizeof filter, "cap:%u", log->blocks.chains[log->cap_chains[lane->index]].cap);
	events_only(h, filter);
	h->went_in = true;
	pane_say(h, false,
		*filter ? "events of %s from the cursor on; q or u goes back to the timeline"
			: "its events%s; q or u goes back to the timeline",
		filter);
}

/* When the capability of the lane is created, if it does not exist yet at the cursor, as at the start of most logs; else 0. */
static uint64_t creation_after(const struct lane *lane, const struct model *m)
{
	const struct evl_log *log = m->log;
	if (lane->ops != &lane_cap || gcs_at(&log->gcs, m->at.cursor))
		return 0;
	const struct cap_absence life =
		cap_life_at(&log->cap_life, log->blocks.chains[log->cap_chains[lane->index]].cap, m->at.cursor);
	return life.state == CAP_NOT_YET && life.to != UINT64_MAX ? life.to : 0;
}

/* Enter: fit what is at the cursor; a second time in the same lane: list its events. False: the lane is opened or closed by it. */
static bool go_in(struct timeline *t, struct pane_host *h)
{
	struct model *m = &h->model;
	const struct lane *lane = timeline_lane(t);
	uint64_t from, to;
	if (!lane || !m->ranged || is_opened(lane))
		return false;
	struct model_place was = m->at;
	const uint64_t created = creation_after(lane, m);
	h->went_from = was;
	m->at.cursor = created ? created : was.cursor;
	bool any = under_cursor(t, m, &from, &to),
	     fits = t->fitted.t1 && t->fitted.t0 == was.t0 && t->fitted.t1 == was.t1 && t->fitted.lane == lane->ops
		&& t->fitted.lane_index == lane->index;
	m->at.cursor = was.cursor;
	if (!any && !fits) {
		pane_say(h, true, "nothing to zoom to at the cursor in this lane");
		return true;
	}
	uint64_t life_from, life_to;
	bool life = any && other_life(lane, m, &life_from, &life_to) && life_from == from && life_to == to;
	if (!fits) {
		select_fit(m, from, to, h->now_ms);
		m->at.cursor = created ? created : m->at.cursor;
		note_fitted(t, m);
		fits = was.t0 == m->at.t0 && was.t1 == m->at.t1; /* it filled the window, as after ]l */
	}
	if (!fits && life)
		pane_say(h, false, "thread %u was not alive at the cursor: this is its life (u: back)",
			lanes_thread(lane));
	if (!fits && created)
		pane_say(h, false, "the capability is created here, %s after the cursor (u: back)",
			as_duration(created - was.cursor));
	if (!fits)
		return true;
	if (any)
		m->at.cursor = max_u64(from, m->first);
	list_events(h, lane);
	return true;
}

void timeline_fit(struct pane_host *h) { fit(h->views[PANE_TIMELINE], h); }

static void show_tasks(struct timeline *t, struct pane_host *h)
{
	t->show_hidden = !t->show_hidden;
	if (tasks_count(&h->log->tasks) == 0)
		pane_say(h, true, "OS threads: %s",
			evl_progress(h->log).done ? absence_text(h->log, ABSENCE_TASKS) : "none yet");
}

struct timeline *timeline_of(const struct pane_host *h) { return h->views[PANE_TIMELINE]; }

/* The filter works while it is typed; one that cannot be understood leaves the former. */
static void filter_lanes(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct evl_err err = {0};
	int wrong = timeline_filter(timeline_of(h), text, &err);
	timeline_of(h)->tell_filter = wrong == 0 && result == PROMPT_DONE && *text;
	if (wrong < 0 && result == PROMPT_DONE)
		pane_filter_again(h, err.text);
}

static const char *filter(const void *view, UNUSED const struct pane_host *h)
{
	return ((const struct timeline *)view)->lanes.ask.filter;
}

/* Keys of lanes, and the repetition of a jump along a thread. */
static bool act_on_lanes(struct timeline *t, struct pane_host *h, enum action action)
{
	char text[LANE_SAY];
	bool warning, repeats = lane_keys_is_jump(h->jumper.last) && !h->search_last;
	if (repeats && action == ACT_REPEAT)
		action = h->jumper.last;
	else if (repeats && action == ACT_REPEAT_BACK)
		action = h->jumper.last == ACT_NEXT_RUN ? ACT_PREV_RUN : ACT_NEXT_RUN;
	else if (lane_keys_is_jump(action))
		h->jumper.last = action;
	if (!lane_keys(t, &h->model, action, h->now_ms, text, &warning))
		return false;
	if (lane_keys_is_jump(action))
		h->search_last = false;
	pane_say(h, warning, "%s", text);
	return true;
}

static bool act(void *view, struct pane_host *h, enum action action)
{
	struct timeline *t = view;
	t->names_before = t->names;
	switch (action) {
	case ACT_PREV_CHANGE: to_change(t, h, false); return true;
	case ACT_NEXT_CHANGE: to_change(t, h, true); return true;
	case ACT_COLOURS: timeline_show_colours(h); return true;
	case ACT_WHOLE: lanes_show_first(&t->lanes); return window_keys(h, action);
	case ACT_TASKS: show_tasks(t, h); return true;
	case ACT_EXPAND: return go_in(t, h) || act_on_lanes(t, h, action);
	case ACT_FILTER:
		pane_ask(h, ASK_LANES, t->lanes.ask.filter, filter_lanes);
		h->fields = &lane_filter_fields;
		return true;
	default: return window_keys(h, action) || act_on_lanes(t, h, action);
	}
}

static void *open_lanes(struct pane_host *h)
{
	struct timeline *t = calloc(1, sizeof *t);
	if (t)
		timeline_init(t, h->log, h->wake, h->wake_ctx, h->wait_for_jobs);
	return t;
}

static void close_lanes(void *view)
{
	timeline_free(view);
	free(view);
}

/* Is a thread, a span or a range selected, or a path shown, which W lists? The path of the run is rarely asked for. */
static bool has_path(const struct timeline *t, const struct pane_host *h)
{
	const struct lane *lane = timeline_lane(t);
	return h->log->threads.created > 0
		&& (t->path.on || h->model.selection.on || timeline_span(t, &h->model) || (lane && lanes_thread(lane)));
}

/* Keys that need something in the log, or something to undo. */
static bool acts(const void *view, const struct pane_host *h, enum action action)
{
	struct point marker;
	const struct evl_log *log = h->log;
	bool ready = log && evl_progress(log).ready;
	switch (action) {
	case ACT_WHOLE: return !model_is_whole(&h->model);
	case ACT_UNDO: return h->model.n_undo > 0;
	case ACT_SHOW_ALL: return view && lanes_any_hidden(&((const struct timeline *)view)->lanes);
	case ACT_NEXT_GC:
	case ACT_NEXT_LONGEST: return ready && gcs_after(&log->gcs, 0, GC_ALL);
	case ACT_NEXT_MARKER: return ready && points_in(&log->markers, 0, UINT64_MAX, &marker) > 0;
	case ACT_NEXT_FINDING: return h->findings > h->model.at.finding;
	case ACT_PATH: return view && ready && has_path(view, h);
	case ACT_FILTER: return ready && (log->n_caps > 1 || log->threads.created > 0);
	default: return true;
	}
}

/* Esc and q: no path any more. */
static bool is_over(const void *view, UNUSED const struct pane_host *h)
{
	return ((const struct timeline *)view)->path.on;
}

static void leave(void *view, UNUSED struct pane_host *h) { timeline_show_path(view, NULL); }

const struct pane_ops timeline_pane = {.name = "Timeline",
	.key = ACT_PANE_TIMELINE,
	.pane = KEYMAP_TIMELINE,
	.open = open_lanes,
	.close = close_lanes,
	.draw = timeline_draw,
	.act = act,
	.copy = timeline_copy,
	.on_log_replaced = timeline_on_log_replaced,
	.news = timeline_news,
	.busy = timeline_busy,
	.is_over = is_over,
	.leave = leave,
	.filter = filter,
	.set_filter = filter_lanes,
	.acts = acts};
