#include "app/panes.h"

#include "app/names.h"
#include "chrome/export_cmd.h"
#include "chrome/search.h"
#include "jobs/event_job.h"
#include "jobs/export_job.h"
#include "jobs/files_job.h"
#include "jobs/other_log.h"
#include "jobs/prof_job.h"
#include "panes/events/events_pane.h"
#include "panes/events/goto.h"
#include "panes/heap/heap_pane.h"
#include "panes/marks/marks_pane.h"
#include "panes/prof/prof_pane.h"
#include "panes/program/output_pane.h"
#include "panes/query/query_pane.h"
#include "panes/stats/stats_pane.h"
#include "panes/timeline/selection_keys.h"
#include "panes/timeline/timeline.h"
#include "report/abilities.h"

#include <stdio.h>
#include <stdlib.h>

static const struct pane_ops *const kinds[PANE_KINDS] = {[PANE_TIMELINE] = &timeline_pane,
	[PANE_HEAP] = &heap_pane,
	[PANE_PROF] = &prof_pane,
	[PANE_EVENTS] = &events_pane,
	[PANE_STATS] = &stats_pane,
	[PANE_OUTPUT] = &output_pane,
	[PANE_QUERY] = &query_pane,
	[PANE_MARKS] = &marks_pane};

bool panes_open(struct pane_host *h)
{
	h->shown = h->log->source.rewritten ? PANE_HEAP : PANE_TIMELINE; /* a heap profile has nothing else */
	for (int i = 0; i < PANE_KINDS; i++) {
		h->kinds[i] = kinds[i];
		if (!(h->views[i] = kinds[i]->open(h)))
			return false;
	}
	return true;
}

void panes_close(struct pane_host *h)
{
	export_job_free(h->exporting);
	h->exporting = NULL;
	names_stop(h);
	files_job_leave(h->files);
	h->files = NULL;
	source_view_forget(h);
	event_job_free(h->job);
	h->job = NULL;
	pane_drop_profiles(h, false);
	for (int i = 0; i < PANE_KINDS; i++)
		if (h->views[i])
			kinds[i]->close(h->views[i]);
	pane_compare(h, "");
	for (int i = 0; i < ASK_USES; i++)
		history_free(&h->history[i]);
}

static bool is_split(const struct pane_host *h)
{
	return h->split && (h->shown == PANE_TIMELINE || h->shown == PANE_EVENTS);
}

static bool is_seen(const struct pane_host *h, enum pane_kind kind)
{
	return kind == h->shown || (is_split(h) && (kind == PANE_TIMELINE || kind == PANE_EVENTS));
}

bool panes_on_log_replaced(struct pane_host *h, struct evl_log *log, bool reset)
{
	const bool profiles = h->shown == PANE_PROF || is_seen(h, PANE_TIMELINE);
	bool good = true;
	names_stop(h);
	source_view_forget(h);
	event_job_free(h->job);
	h->job = NULL;
	h->log = log;
	h->jumper.n_longest = 0;
	if (reset)
		stats_drop_finding(h);
	model_on_log_replaced(&h->model, log, reset);
	for (int i = 0; i < PANE_KINDS; i++) {
		if (kinds[i]->on_log_replaced) {
			kinds[i]->on_log_replaced(h->views[i], h);
			continue;
		}
		kinds[i]->close(h->views[i]);
		good = (h->views[i] = kinds[i]->open(h)) && good;
	}
	pane_drop_profiles(h, profiles); /* panes looked at their pictures until here */
	search_on_log_replaced(h);
	return good;
}

static void draw(enum pane_kind kind, struct pane_host *h, struct canvas *c)
{
	if (kinds[kind]->body)
		part_frame(h->views[kind], h, c, kinds[kind]->body);
	else
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
static void draw_both(struct pane_host *h, struct canvas *c)
{
	int middle = h->split_y = c->rows / 2;
	struct canvas above = rows_of(c, 0, middle + 1), below = rows_of(c, middle, c->rows);
	draw(PANE_EVENTS, h, &below);
	char said = h->message[0]; /* once: the lower part has the bar */
	const char *pending = h->pending;
	h->message[0] = '\0';
	h->pending = "";
	draw(PANE_TIMELINE, h, &above);
	h->message[0] = h->message[0] ? h->message[0] : said;
	h->pending = pending;
	c->cursor_y = h->shown == PANE_EVENTS ? middle + below.cursor_y : above.cursor_y;
	c->cursor_x = 0;
	c->cursor_on = false;
	for (int x = 0; x < c->cols; x++)
		canvas_glyph(c, middle, x, PEN(h->shown == PANE_EVENTS ? ST_ACCENT : ST_OUTSIDE), 0x2500, '-');
}

void panes_draw(struct pane_host *h, struct canvas *c)
{
	h->rows = c->rows;
	h->cols = c->cols;
	h->split_y = 0;
	h->draw_again = false;
	h->rest.grows = h->model.growing && !h->wait_for_jobs;
	h->rest.awaited = false;
	for (int i = 0; i < PANE_KINDS; i++)
		h->badges[i] = kinds[i]->badge ? kinds[i]->badge(h->views[i], h) : 0;
	if (!is_seen(h, PANE_EVENTS))
		events_restore(h);
	if (is_split(h) && c->rows >= PANES_SPLIT_ROWS)
		draw_both(h, c);
	else
		draw(h->shown, h, c);
}

bool panes_news(struct pane_host *h)
{
	bool news = h->job && event_job_news(h->job), found = search_news(h);
	bool profile = false;
	for (int i = 0; i < PROF_SOURCES; i++)
		profile |= (h->profiles[i].job && prof_job_news(h->profiles[i].job))
			|| (h->profiles[i].next && !prof_job_busy(h->profiles[i].next)
				&& (is_seen(h, PANE_PROF) || is_seen(h, PANE_TIMELINE))); /* which take it */
	events_news(h);
	news = export_cmd_news(h) || news;
	news = source_view_news(h) || news;
	news = other_log_news(h->other) || news;
	if (pane_settle_other(h)) {
		news = true;
		if (h->other && h->shown == PANE_STATS)
			pane_refuse(h, stats_diff(h));
	}
	for (enum pane_kind i = 0; i < PANE_KINDS; i++)
		if (kinds[i]->news && (is_seen(h, i) || kinds[i]->badge))
			news = kinds[i]->news(h->views[i]) || news;
	return news || found || profile;
}

static bool profile_busy(const struct pane_host *h)
{
	bool busy = false;
	for (int i = 0; i < PROF_SOURCES; i++)
		busy |= h->profiles[i].job && prof_job_busy(h->profiles[i].job);
	return busy;
}

static void undo(struct pane_host *h, bool forward)
{
	struct model *m = &h->model;
	enum pane_kind from = h->shown;
	if (forward && m->n_redo)
		lanes_note(&timeline_of(h)->lanes, &m->at);
	if (!(forward ? model_redo(m) : model_undo(m))) {
		pane_say(h, true, forward ? "nothing to redo" : "nothing to undo");
	} else if (m->at.pane) {
		(forward ? &m->undo[m->n_undo - 1] : &m->redo[m->n_redo - 1])->pane = (uint8_t)(h->shown + 1);
		h->shown = (enum pane_kind)(m->at.pane - 1);
		h->list = forward && h->shown == PANE_TIMELINE ? (uint8_t)(from + 1) : 0;
		h->list_undone = true;
	}
	m->at.pane = 0;
	stats_update_finding(h);
	if (m->at.lane && !m->at.finding)
		lanes_bring(&timeline_of(h)->lanes, NULL, 0);
	lanes_restore(&timeline_of(h)->lanes, &m->at); /* the jump that was undone had left that lane */
	m->at.lane = NULL;
}

/* From the timeline to the list that Enter came from, with the window of then. */
static void go_to_list(struct pane_host *h)
{
	enum pane_kind list = (enum pane_kind)(h->list - 1);
	while (h->list && h->list_undone && h->model.n_undo)
		undo(h, false);
	h->shown = list;
	h->list = 0;
}

bool panes_leave(struct pane_host *h)
{
	bool over = pane_is_over(h), from_list = is_from_list(h), finding = pane_finding(h);
	if (over)
		pane_shown(h)->leave(h->views[h->shown], h);
	else if (from_list)
		go_to_list(h);
	else if (finding)
		stats_leave_finding(h);
	return over || from_list || finding;
}

void panes_escape(struct pane_host *h)
{
	switch (pane_esc(h)) {
	case ESC_NOTHING:
		if (h->shown == PANE_TIMELINE)
			stats_drop_finding(h); /* its lanes may still be at the top, or one that a jump went to */
		return;
	case ESC_BACK:
	case ESC_FINDING:
	case ESC_LIST: panes_leave(h); return;
	case ESC_SEARCH:
		h->search_quiet = true;
		pane_say(h, false, "marks of the search cleared");
		return;
	case ESC_FILTER:
		pane_shown(h)->set_filter(h, "", PROMPT_DONE);
		pane_say(h, false, "filter cleared");
		return;
	case ESC_RANGE:
		selection_drop(&h->model.selection);
		pane_say(h, false, "range dropped");
		return;
	}
}

bool panes_stop(struct pane_host *h)
{
	const struct pane_ops *ops = pane_shown(h);
	bool reading = other_log_stop(h->other);
	return (ops->stop && ops->stop(h->views[h->shown])) || reading;
}

bool panes_busy(const struct pane_host *h)
{
	bool busy = export_cmd_busy(h) || other_log_busy(h->other) || names_busy(h) || source_view_busy(h)
		|| (h->job && event_job_busy(h->job)) || (profile_busy(h) && !h->rest.grows);
	for (enum pane_kind i = 0; i < PANE_KINDS && !h->rest.grows; i++)
		busy = busy || (is_seen(h, i) && kinds[i]->busy && kinds[i]->busy(h->views[i]));
	return busy;
}

/* --- what keys do in every pane ------------------------------------------------------------------------------------ */

/* After Enter on a row of a list: u comes back to the list, too. was: the place before. */
static void note_list(struct pane_host *h, enum pane_kind from, const struct model_place *was)
{
	struct model *m = &h->model;
	if (h->shown != PANE_TIMELINE || from == PANE_TIMELINE)
		return;
	h->list = (uint8_t)(from + 1);
	h->list_undone = m->n_undo && !model_is_at(m, was);
	if (h->list_undone)
		m->undo[m->n_undo - 1].pane = h->list;
}

void panes_click(struct pane_host *h, int y, int x, bool twice)
{
	const struct pane_ops *ops = pane_shown(h);
	const struct model_place was = h->model.at;
	const enum pane_kind from = h->shown;
	if (ops->click)
		ops->click(h->views[h->shown], h, y, x, twice);
	note_list(h, from, &was);
}

static void split(struct pane_host *h)
{
	h->split = !h->split;
	if (h->split && !is_split(h))
		h->shown = PANE_TIMELINE;
	if (h->split && h->rows < PANES_SPLIT_ROWS)
		pane_say(h, true, "timeline above events only on screens of at least %d rows", PANES_SPLIT_ROWS);
	else
		pane_say(h, false, h->split ? "timeline above events; 1, 4: select; |: one pane" : "one pane");
}

static void go_on(struct pane_host *h, int by)
{
	bool tabs[PANE_KINDS];
	for (enum pane_kind i = 0; i < PANE_KINDS; i++)
		tabs[i] = pane_has_tab(h, i);
	h->list = 0;
	do
		h->shown = (enum pane_kind)(((int)h->shown + by + PANE_KINDS) % PANE_KINDS);
	while (!tabs[h->shown]);
}

static bool is_finding(enum action action) { return action == ACT_NEXT_FINDING || action == ACT_PREV_FINDING; }

/* "the longest of 220 pauses of the run", "the 2nd longest of 12 pauses in the former window of 300 ms". */
static void say_rank(struct pane_host *h)
{
	const struct jumper *j = &h->jumper;
	const struct model *m = &h->model;
	static const char *const ends[] = {"th", "st", "nd", "rd"};
	bool whole = j->t0 <= m->first && j->t1 > m->last, teen = j->rank / 10 % 10 == 1;
	char place[TEXT_ROOM + 8] = "", of[TEXT_ROOM + 24] = "of the run";
	if (j->rank > 1)
		snprintf(place, sizeof place, "%zu%s ", j->rank, ends[teen || j->rank % 10 > 3 ? 0 : j->rank % 10]);
	if (!whole)
		snprintf(of, sizeof of, "in the %s of %s", j->taken.to ? "range" : "former window",
			as_duration(j->t1 - j->t0));
	const char *none = !j->widened ? "" : j->taken.to ? "none in that range: " : "none in that window: ";
	if (j->ranks == 1)
		pane_say(h, false, "%sthe only pause %s", none, of);
	else
		pane_say(h, false, "%sthe %slongest of %s pauses %s", none, place, as_count(j->ranks), of);
}

/* The lane that tells about the target of a jump, if another one is left for it, and u comes back to that; NULL: none. Those of
 * capabilities tell about pauses, too. */
static const struct lane_ops *lane_of_target(const struct jumper *j, const struct lane *lane, enum action action)
{
	bool again = action == ACT_REPEAT || action == ACT_REPEAT_BACK;
	const struct lane_ops *to = NULL;
	switch (again ? j->last : action) {
	case ACT_NEXT_LONGEST:
	case ACT_PREV_LONGEST:
	case ACT_NEXT_GC:
	case ACT_PREV_GC:
	case ACT_NEXT_MAJOR:
	case ACT_PREV_MAJOR: to = &lane_gc; break;
	case ACT_NEXT_PHASE:
	case ACT_PREV_PHASE: to = &lane_nonmoving; break;
	case ACT_NEXT_IDLE:
	case ACT_PREV_IDLE: to = &lane_cap; break;
	default: break;
	}
	bool tells = !lane || lane->ops == to || (to == &lane_gc && lane->ops == &lane_cap);
	return tells ? NULL : to;
}

static const char *jump_from_lane(struct pane_host *h, enum action action)
{
	struct lanes *lanes = &timeline_of(h)->lanes;
	const struct lane *lane = lanes_selected(lanes);
	const struct lane_ops *to = lane_of_target(&h->jumper, lane, action);
	if (to)
		lanes_note(lanes, &h->model.at);
	h->jumper.range = h->shown == PANE_STATS ? stats_range(h) : (struct jump_range){0};
	const char *why = jump(&h->jumper, &h->model, action, h->now_ms);
	h->model.at.lane = NULL;
	if (to && !why)
		lanes_select(lanes, to, 0);
	return why;
}

/* Say that the log has no targets of a jump at all, or does not record them, if so: "idle periods: not recorded (+RTS -ls)". */
static bool say_not_recorded(struct pane_host *h, enum action action)
{
	static const struct {
		enum action forth, back;
		enum absence of;
		const char *what;
	} needs[] = {
		{ACT_NEXT_GC, ACT_PREV_GC, ABSENCE_GCS, "GCs"},
		{ACT_NEXT_MAJOR, ACT_PREV_MAJOR, ABSENCE_GCS, "major GCs"},
		{ACT_NEXT_LONGEST, ACT_PREV_LONGEST, ABSENCE_GCS, "pauses"},
		{ACT_NEXT_IDLE, ACT_PREV_IDLE, ABSENCE_RUNS, "idle periods"},
		{ACT_NEXT_MARKER, ACT_PREV_MARKER, ABSENCE_PHASES, "markers of phases"},
		{ACT_NEXT_PHASE, ACT_PREV_PHASE, ABSENCE_NONMOVING, "nonmoving collector"},
		{ACT_NEXT_SPARKS, ACT_PREV_SPARKS, ABSENCE_SPARKS, "sparks"},
	};
	for (size_t i = 0; i < countof(needs); i++) {
		if (action != needs[i].forth && action != needs[i].back)
			continue;
		if (!absence_is_sure(h->log, needs[i].of))
			return false;
		pane_say(h, true, "%s: %s", needs[i].what, absence_text(h->log, needs[i].of));
		return true;
	}
	return false;
}

/* A jump, or the repetition of what was last: a jump or a search. */
static bool jump_or_search(struct pane_host *h, enum action action)
{
	bool again = action == ACT_REPEAT || action == ACT_REPEAT_BACK;
	if (!jump_is(action))
		return false;
	if (again && h->search_last) {
		search_next(h, action == ACT_REPEAT);
		return true;
	}
	h->search_last = false;
	if (again && is_finding(h->jumper.last)) {
		pane_refuse(h, stats_to_finding(h, (h->jumper.last == ACT_NEXT_FINDING) == (action == ACT_REPEAT)));
		return true;
	}
	if (say_not_recorded(h, action))
		return true;
	const char *why = jump_from_lane(h, action);
	if (why)
		pane_say(h, true, "%s", why);
	else if (h->jumper.idle_ns)
		pane_say(h, false, "%s for %s",
			absence_is_sure(h->log, ABSENCE_GCS) ? "no capability runs a thread"
							     : "all capabilities are idle",
			as_duration(h->jumper.idle_ns));
	else if (h->jumper.at_rank)
		say_rank(h);
	return true;
}

/* The path of the span at the cursor, or else of the range, or else of the run; of the thread that ended the span,
 * or of the selected lane. */
static const char *path_here(struct pane_host *h, struct path_subject *of)
{
	const struct selection *s = &h->model.selection;
	const struct lane *lane = timeline_lane(timeline_of(h));
	const struct span *span = h->shown == PANE_TIMELINE ? timeline_span(timeline_of(h), &h->model) : NULL;
	*of = (struct path_subject){.to = UINT64_MAX, .thread = lane ? lanes_thread(lane) : 0};
	if (span)
		return stats_span_path(span, of);
	if (s->on) {
		of->from = selection_from(s);
		of->to = selection_to(s);
	}
	return NULL;
}

/* On the timeline; a second time, and in other panes: as a list. */
static void show_path(struct pane_host *h)
{
	struct timeline *t = timeline_of(h);
	struct path_subject of;
	const char *why = path_here(h, &of);
	const struct lane *lane = timeline_lane(t);
	bool again = t->path.on && (memcmp(&t->path.of, &of, sizeof of) == 0 || (lane && lane->ops == &lane_path));
	if (!why && (h->shown != PANE_TIMELINE || again)) {
		why = stats_show_path(h, again ? &t->path.of : &of);
	} else if (!why) {
		timeline_show_path(t, &of);
		pane_say(h, false, "critical path of %s (W: list, Esc: clear)",
			timeline_span(t, &h->model)               ? "the span"
				: of.thread && of.to < UINT64_MAX ? "the thread in the range"
				: of.thread                       ? "the thread"
				: of.to < UINT64_MAX              ? "the range"
								  : "the run");
	}
	pane_refuse(h, why);
}

static bool act_anywhere(struct pane_host *h, enum action action)
{
	switch (action) {
	case ACT_START: model_goto(&h->model, h->model.first, h->now_ms); return true;
	case ACT_END: model_goto(&h->model, h->model.last, h->now_ms); return true;
	case ACT_UNDO:
		if (h->went_in && h->shown == PANE_EVENTS) {
			events_back(h);
			h->model.at = h->went_from;
		} else {
			undo(h, false);
		}
		h->went_in = false;
		return true;
	case ACT_REDO: undo(h, true); return true;
	case ACT_FIT: timeline_fit(h); return true;
	case ACT_GOTO: go_to_ask(h); return true;
	case ACT_SEARCH: search_ask(h); return true;
	case ACT_PATH: show_path(h); return true;
	case ACT_NEXT_FINDING:
	case ACT_PREV_FINDING:
		h->jumper.last = action;
		h->search_last = false;
		pane_refuse(h, stats_to_finding(h, action == ACT_NEXT_FINDING));
		return true;
	case ACT_NUMBER: events_ask_number(h); return true;
	case ACT_SAME_TIME: events_same_time(h); return true;
	case ACT_SPLIT: split(h); return true;
	case ACT_NEXT_PANE: go_on(h, 1); return true;
	case ACT_PREV_PANE: go_on(h, -1); return true;
	default: return jump_or_search(h, action);
	}
}

/* The range is the same in every pane; but a row of a table can become the range, and Enter keeps only one that is
 * being made. */
static bool select_range(struct pane_host *h, enum action action)
{
	const char *why = NULL;
	bool done = select_keys(timeline_of(h), &h->model, action, h->now_ms, &why);
	pane_refuse(h, why);
	if (action == ACT_SELECT && !why && h->shown != PANE_TIMELINE && h->model.selection.moving)
		pane_say(h, false, "a range starts at the cursor: move in time, then v");
	return done;
}

static bool show(struct pane_host *h, enum action action)
{
	enum pane_kind i = 0;
	while (i < PANE_KINDS && kinds[i]->key != action)
		i++;
	bool there = i < PANE_KINDS && pane_there(h, i);
	h->before = there && i != h->shown ? h->shown : h->before;
	h->list = there && i != h->shown ? 0 : h->list;
	h->shown = there ? i : h->shown;
	return there;
}

bool panes_act(struct pane_host *h, enum action action)
{
	enum keymap_owner owner = keymap_owner(action);
	struct selection *s = &h->model.selection;
	h->went_in = h->went_in && h->shown == PANE_EVENTS;
	selection_move(s, h->model.at.cursor);
	bool keeps = action == ACT_EXPAND && s->moving && (s->anchor != s->end || h->shown == PANE_TIMELINE);
	if (owner == OWNER_SHOWS) {
		bool back = h->list == PANE_STATS + 1, there = show(h, action);
		if (action == ACT_PANE_STATS && h->views[PANE_STATS])
			stats_to_summary(h, back);
		return there;
	}
	if (action == ACT_COLOURS && pane_shown(h)->signs) {
		h->colours_from = h->shown;
		h->colours = true;
		return true;
	}
	if (owner == OWNER_RANGE || keeps)
		return select_range(h, action);
	const struct model_place was = h->model.at;
	const enum pane_kind from = h->shown;
	if (pane_shown(h)->act(h->views[h->shown], h, action)) {
		note_list(h, from, &was);
		return true;
	}
	return action == ACT_SELECT_SPAN ? select_range(h, action) : act_anywhere(h, action);
}
