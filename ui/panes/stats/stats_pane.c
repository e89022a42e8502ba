#include "panes/stats/stats_pane.h"
#include "panes/heap/heap_pane.h"

#include "base/idmap.h"
#include "base/utf8.h"
#include "chrome/edit_source.h"
#include "chrome/pane.h"
#include "draw/text.h"
#include "export/export.h"
#include "export/export_list.h"
#include "lanes/lane_threads.h"
#include "panes/stats/diff_view.h"
#include "panes/stats/stats_boxes.h"
#include "panes/stats/stats_job.h"
#include "panes/stats/stats_tables.h"
#include "panes/timeline/selection_keys.h"
#include "sys/clock.h"
#include "table/gc_table.h"
#include "table/lists.h"
#include "tables/table_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The pane of metrics: boxes of sections, and the tables that open from them. */

enum { WAIT_MS = 12, STATUS_ROWS = 8, HEAT_MARGIN = 28 };

struct view_figures {
	struct resting asked;     /* the log that is asked */
	struct stats_ask wanted;  /* the range that was shown last */
	struct evl_log *answered; /* the log of the answer, held as well; NULL: none yet */
	bool deepens; /* of the state before this one more was known than the index knows: ask for that at once */
	struct answer_job *job, *heat_job;
	struct stats_answer answer;    /* the last that was taken */
	const struct stats_heat *heat; /* of the job; NULL: not known yet */
	struct stats_boxes boxes;
	int boxes_y;              /* their first row on the screen */
	struct table_range range; /* that tables open */
	struct table_view table;  /* source NULL: none is open */
	struct table_view under; /* the table of which `table` lists one row (spans of a name …); Esc goes back there */
	struct table_range under_range;
	enum pane_kind path_from; /* the pane from which the table of a critical path was opened; Esc goes back there */
	struct diff_view diff;
	struct diff_range marked;       /* D: a phase or span that is to be compared with another; to 0: none */
	struct diff_range now, earlier; /* the range that was compared last, and the one before; to 0: none */
	bool stopped;                   /* nothing more is asked of this range: */
	struct stats_ask stopped_at;
	bool whole;               /* the whole run though there is a selection: */
	struct selection beside;  /* this one; another one is shown */
	uint64_t label;           /* of what is looked at only the time that all spans of this label cover; 0: all */
	struct selection seen;    /* when this pane was drawn last: */
	bool shown;               /* in the last frame, too */
	bool looked;              /* the whole run has been examined with second readings, too */
	bool warned;              /* the whole run has been examined: */
	size_t warnings;          /* what was found in it */
	uint64_t found_until;     /* its end then */
	uint64_t census_ns;       /* time of pauses for heap censuses */
	double caps_busy, queued; /* of the whole run, if `looked` */
	char state[STATS_STATE];  /* stats_state of it */
	struct findings found;    /* all of it */
	size_t finding;           /* the number of that whose lanes are shown; 0: none */
	char sought[PROMPT_ROOM]; /* in the boxes; "": nothing */
	struct stats_boxes sought_from; /* the selection when the search began */
};

/* --- what is looked at --------------------------------------------------------------------------------------------- */

static bool is_ready(const struct pane_host *h)
{
	struct evl_progress p = evl_progress(h->log);
	return p.done && p.result == 0;
}

static const struct evl_log *log_of(const struct view_figures *v, const struct pane_host *h)
{
	return v->asked.log ? v->asked.log : h->log;
}

static bool is_selected(const struct view_figures *v, const struct pane_host *h)
{
	const struct selection *s = &h->model.selection;
	bool whole = v->whole && s->anchor == v->beside.anchor && s->end == v->beside.end;
	return s->on && s->anchor != s->end && !whole; /* v starts with an empty range */
}

/* The range that the pane shows. */
static struct stats_ask shown_range(const struct view_figures *v, const struct pane_host *h)
{
	const struct selection *s = &h->model.selection;
	if (!is_selected(v, h))
		return (struct stats_ask){.to = UINT64_MAX, .label = v->label};
	return (struct stats_ask){
		.from = selection_from(s), .to = max_u64(selection_to(s), selection_from(s) + 1), .label = v->label};
}

/* The next question: the badge comes first. */
static struct stats_ask target(const struct view_figures *v, const struct pane_host *h)
{
	return v->warned ? shown_range(v, h) : (struct stats_ask){.to = UINT64_MAX};
}

struct jump_range stats_range(const struct pane_host *h)
{
	const struct stats_ask ask = target(h->views[PANE_STATS], h);
	return ask.to < UINT64_MAX ? (struct jump_range){ask.from, ask.to}
				   : (struct jump_range){h->model.first, h->model.last + 1};
}

/* The answer is for this range. */
static bool is_answered(const struct view_figures *v, const struct stats_ask *ask)
{
	return v->answer.made && v->answer.from == ask->from && v->answer.to == ask->to
		&& v->answer.label == ask->label;
}

/* Note for the inspector how far copying explains the longest pauses, and whether collections waited for a processor. */
static void note_pauses(const struct view_figures *v, struct model *m)
{
	const struct figures *f = &v->answer.figures;
	m->n_copying = 0;
	m->oversubscribed = findings_of(&v->answer.findings, FINDING_OVERSUBSCRIBED);
	for (size_t i = 0; i < f->n_longest && m->n_copying < MODEL_LONGEST; i++)
		if (f->longest_copying[i].others)
			m->copying[m->n_copying++] = (struct model_copying){f->longest[i].start, f->longest_copying[i]};
}

/* Return the number of a finding in another list: the one with its text, or else, unless exactly that is wanted, the first of
 * its kind and thread; 0: none. */
static size_t number_in(const struct findings *all, const struct finding *f, bool exactly)
{
	size_t like = 0;
	for (size_t i = 0; f && i < all->n; i++) {
		const struct finding *at = &all->items[i];
		if (at->id != f->id || at->thread != f->thread || at->severity == FINDING_HINT)
			continue;
		if (strcmp(at->text, f->text) == 0)
			return findings_number_of(all, at);
		like = like ? like : findings_number_of(all, at);
	}
	return exactly ? 0 : like;
}

/* Places show the same findings in a newer list; those that it does not have, none. */
static void renumber(const struct view_figures *v, const struct findings *newer, struct model_place *places, int n)
{
	for (int i = 0; i < n; i++)
		places[i].finding = number_in(newer, findings_number(&v->found, places[i].finding), false);
}

/* A new answer, if there is one. */
static void take(struct view_figures *v, struct pane_host *h)
{
	struct model *m = &h->model;
	if (!job_take(v->job, &v->answer))
		return;
	if (v->answered != v->asked.log) {
		job_free(v->heat_job);
		v->heat_job = NULL;
		v->heat = NULL;
		evl_hold(&v->answered, v->asked.log);
	}
	resting_answered(&v->asked);
	bool shallow = v->looked && !v->answer.figures.deep; /* more was found before */
	if (v->answer.made && v->answer.to == UINT64_MAX && !v->answer.label && !shallow) {
		v->warned = true;
		v->looked = v->looked || v->answer.figures.deep;
		const struct findings *found = &v->answer.findings;
		v->warnings = found->warnings;
		renumber(v, found, &m->at, 1);
		renumber(v, found, m->undo, m->n_undo);
		renumber(v, found, m->redo, m->n_redo);
		renumber(v, found, &m->before, 1);
		renumber(v, found, &h->went_from, 1);
		v->finding = m->at.finding ? m->at.finding : v->finding;
		v->found = *found;
		v->found_until = v->answer.figures.to;
		v->census_ns = v->answer.figures.census.range_ns;
		note_pauses(v, m);
		if (v->answer.figures.deep) {
			v->caps_busy = v->answer.figures.values[METRIC_CONCURRENCY_BUSY];
			bool leads = stats_leads_with_queues(found, &v->answer.figures, &v->answer.summary);
			v->queued = leads ? stats_queued(&v->answer.figures, &v->answer.summary) : 0;
			stats_state(&v->answer.figures, &v->answer.summary, v->state);
		}
	}
}

static bool is_stopped(const struct view_figures *v, const struct stats_ask *ask)
{
	return v->stopped && v->stopped_at.from == ask->from && v->stopped_at.to == ask->to
		&& v->stopped_at.label == ask->label;
}

static void drop_answer(struct view_figures *v)
{
	job_free(v->job);
	job_free(v->heat_job);
	v->job = v->heat_job = NULL;
	v->heat = NULL;
	stats_answer_free(&v->answer);
	evl_hold(&v->answered, NULL);
}

/* Make the comparison and the tables again, of the log that is shown. */
static void replace_lists(struct view_figures *v, struct pane_host *h)
{
	diff_view_on_log_replaced(&v->diff, h->log);
	v->range.log = h->log;
	table_view_close(&v->under);
	table_view_on_log_replaced(&v->table, &v->range, h->wake, h->wake_ctx);
}

/* Ask about the log that is shown, after a rest, or at once about another range. The answers of before stay until there are others. A
 * pane that is not shown may have let go of its log: then it rests as well. */
static void renew(struct view_figures *v, struct pane_host *h)
{
	const bool shown = h->shown == PANE_STATS;
	const struct stats_ask ask = shown_range(v, h);
	bool other = shown && memcmp(&ask, &v->wanted, sizeof ask) != 0 && !is_answered(v, &ask);
	v->wanted = shown ? ask : v->wanted;
	if (!v->asked.log && v->answer.made && !shown && rest_left_ms(&h->rest, clock_ms()))
		return;
	if (!resting_renew(&v->asked, &h->rest, v->job, h->log, other))
		return;
	job_free(v->job);
	v->job = NULL;
	replace_lists(v, h);
	v->deepens = v->looked;
	v->warned = v->looked = false;
}

/* Ask for what the index knows, then for what takes another reading. */
static void update(struct view_figures *v, struct pane_host *h, bool deep)
{
	enum { STEPS = 3 }; /* the whole run, the range, in depth */
	renew(v, h);
	if (!v->asked.log || (!v->job && !(v->job = stats_job_new(v->asked.log, h->wake, h->wake_ctx))))
		return;
	for (int i = 0; i < STEPS; i++) {
		struct stats_ask ask = target(v, h);
		bool there = is_answered(v, &ask) && v->answered == v->asked.log;
		bool at_once = v->deepens && !v->warned && figures_is_small(v->asked.log, 0, UINT64_MAX);
		ask.deep = (there && deep) || (!there && at_once);
		if ((there && (!deep || v->answer.figures.deep)) || is_stopped(v, &ask))
			return;
		v->stopped = false;
		v->stopped_at = ask;
		job_ask(v->job, &ask);
		bool answered = job_wait(v->job, h->wait_for_jobs ? -1 : WAIT_MS);
		take(v, h);
		if (!answered)
			return; /* its news bring another frame */
	}
}

static void update_heat(struct view_figures *v, struct pane_host *h, int cols)
{
	const struct figures *f = &v->answer.figures;
	struct heat_ask ask = {f->from, f->to, (uint64_t)(cols > HEAT_MARGIN ? cols - HEAT_MARGIN : 1)};
	if (!v->heat_job)
		v->heat_job = heat_job_new(v->answered, h->wake, h->wake_ctx);
	v->heat = job_answer(v->heat_job, &ask, h->wait_for_jobs ? -1 : WAIT_MS);
	if (v->heat && memcmp(&v->heat->of, &ask, sizeof ask) != 0)
		v->heat = NULL; /* of another range */
}

static struct stats_data data_of(const struct view_figures *v, const struct pane_host *h)
{
	static const struct stats_heat unknown;
	return (struct stats_data){.log = v->answered ? v->answered : h->log,
		.answer = &v->answer,
		.f = &v->answer.figures,
		.heat = v->heat ? v->heat : &unknown};
}

/* --- drawing ------------------------------------------------------------------------------------------------------- */

/* "range: 360 spans of "request", 1.23 s" */
static void put_windows(const struct view_figures *v, const struct pane_host *h, struct line *l)
{
	const struct figures_windows *w = &v->answer.figures.windows;
	struct stats_ask ask = target(v, h);
	line_put(l, ST_ACCENT, true, "range: ");
	if (!is_answered(v, &ask)) {
		line_put(l, ST_DIM, false, "all spans of a name");
		return;
	}
	line_printf(l, ST_ACCENT, true, "%s span%s of \"", as_count(w->spans), w->spans == 1 ? "" : "s");
	l->x += canvas_name(l->c, l->y, l->x, line_room(l) < 30 ? line_room(l) : 30, PEN(ST_ACCENT), w->name);
	line_printf(l, ST_ACCENT, true, "\", %s", as_duration(w->covered));
	line_put(l, ST_DIM, false, is_selected(v, h) ? " of the range  ·  Z: all of it" : "  ·  Z: whole run");
}

static void put_range(const struct view_figures *v, const struct pane_host *h, struct line *l)
{
	const struct selection *s = &h->model.selection;
	if (v->label) {
		put_windows(v, h, l);
		return;
	}
	if (!is_selected(v, h)) {
		line_put(l, ST_TEXT, true, "whole run");
		line_put(l, ST_DIM, false,
			s->on                 ? "  ·  Z: the range again"
				: l->end > 60 ? "  ·  v on the timeline selects a range"
					      : "");
		return;
	}
	line_printf(l, ST_ACCENT, true, "range %s", as_duration(selection_to(s) - selection_from(s)));
	line_pair(l, " from ", ST_TEXT, as_time(selection_from(s)));
	line_pair(l, " to ", ST_TEXT, as_time(selection_to(s)));
	line_put(l, ST_DIM, false, "  ·  Z: whole run");
}

/* They are of an earlier state of a growing log. */
static void put_age(const struct view_figures *v, const struct pane_host *h, struct line *l)
{
	const uint64_t as_of = resting_as_of(&v->asked, h->log);
	if (v->answer.made && as_of)
		line_pair(l, "  ·  as of ", ST_TEXT, as_value(UNIT_MOMENT, (double)as_of - 1));
}

static void put_progress(const struct view_figures *v, const struct pane_host *h, struct line *l)
{
	struct stats_ask ask = target(v, h);
	if (v->stopped && is_stopped(v, &ask))
		line_put(l, ST_WARN, false, "  ·  stopped (Z: continue)");
	if (!job_busy(v->job))
		return;
	line_printf(l, ST_KEY, false, "  ·  %s … %.0f%%",
		is_answered(v, &ask) ? "reading how threads waited" : "counting", 100 * job_share(v->job));
}

static void draw_head(const struct view_figures *v, const struct pane_host *h, struct canvas *c, int y)
{
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols, .bg = ST_PAGE};
	put_range(v, h, &l);
	put_age(v, h, &l);
	put_progress(v, h, &l);
}

static void draw_boxes(struct view_figures *v, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	if (!v->answer.made) {
		canvas_str(c, y, 1, c->cols - 1, PEN(ST_DIM),
			v->answer.result == EVL_NOMEM ? "out of memory"
				: v->stopped          ? ""
						      : "counting …");
		return;
	}
	if (v->answer.label)
		v->heat = NULL; /* it is of all the time between them, too */
	else
		update_heat(v, h, c->cols);
	struct stats_data d = data_of(v, h);
	stats_boxes_layout(&v->boxes, &d, c->cols, bottom - y);
	v->boxes_y = y;
	stats_boxes_draw(&v->boxes, &d, c, y);
}

/* The time of the selected span by activity, in words as far as there is room and as a bar, after what the row says. */
static void draw_span_budget(const struct view_figures *v, struct canvas *c, int y)
{
	enum { FROM = 44, APART = 2, BAR = 24, WORD = 14 };
	static const struct {
		int column;
		enum style style;
		const char *word;
	} kinds[] = {{SPAN_COLUMN_RUN, ST_RUN, "ran"}, {SPAN_COLUMN_GC, ST_RUNNABLE_GC, "in GC"},
		{SPAN_COLUMN_RUNNABLE, ST_RUNNABLE, "waited"}, {SPAN_COLUMN_BLOCKED, ST_BLOCKED, "blocked"},
		{SPAN_COLUMN_FOREIGN, ST_FOREIGN, "foreign"}, {SPAN_COLUMN_UNKNOWN, ST_UNKNOWN, "unknown"}};
	struct section_part parts[countof(kinds)];
	int used = c->cols;
	while (used > 0 && canvas_at(c, y, used - 1)->ch == ' ')
		used--;
	struct line l = {.c = c, .y = y, .x = used + APART > FROM ? used + APART : FROM, .end = c->cols, .bg = ST_PAGE};
	double sum = 0;
	for (size_t i = 0; i < countof(kinds); i++) {
		parts[i].style = kinds[i].style;
		if (!table_view_number(&v->table, kinds[i].column, &parts[i].share))
			return;
		sum += parts[i].share;
	}
	if (line_room(&l) < BAR || !(sum > 0))
		return;
	for (size_t i = 0; i < countof(kinds); i++)
		parts[i].share /= sum;
	section_parts(&l, BAR, parts, countof(kinds));
	for (size_t i = 0; i < countof(kinds) && line_room(&l) >= WORD; i++)
		if (parts[i].share > 0)
			line_printf(&l, kinds[i].style == ST_BLOCKED ? ST_TEXT : kinds[i].style, false, "  %s %s",
				kinds[i].word, as_share(parts[i].share));
}

static void close_tables(struct view_figures *v)
{
	table_view_close(&v->table);
	table_view_close(&v->under);
}

/* A table goes when there is another range; that of a critical path, when the path is dropped or another is shown on the
 * timeline. */
static void drop_old_table(struct view_figures *v, struct pane_host *h)
{
	const struct timeline *t = timeline_of(h);
	const struct table_range *r = &v->range;
	struct stats_ask now = target(v, h);
	if (v->table.source == &stats_path ? !t->path.on || t->path.of.from != r->from || t->path.of.to != r->to
				|| t->path.of.thread != r->thread || t->path.of.label != r->label
					   : v->table.source && (now.from != r->from || now.to != r->to))
		close_tables(v);
}

static void draw_pane(struct view_figures *v, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	drop_old_table(v, h);
	v->seen = h->model.selection;
	if (v->diff.other && !pane_compares(h, v->diff.other))
		diff_view_close(&v->diff); /* :diff replaced it */
	if (v->diff.open) {
		diff_view_draw(&v->diff, c, y, bottom, h->wait_for_jobs ? -1 : WAIT_MS);
		return;
	}
	update(v, h, true);
	if (c->rows >= STATUS_ROWS)
		draw_head(v, h, c, y++);
	if (v->table.source)
		table_view_draw(&v->table, c, y, bottom, h->wait_for_jobs ? -1 : WAIT_MS);
	if (v->table.source == &stats_spans)
		draw_span_budget(v, c, y);
	if (!v->table.source)
		draw_boxes(v, h, c, y, bottom);
}

static const char *why_not(const struct pane_host *h)
{
	return evl_progress(h->log).done ? "not read to the end: no metrics of the whole run"
					 : "reading …  metrics are shown when the whole log has been read";
}

static void draw_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	if (is_ready(h))
		draw_pane(view, h, c, y, bottom);
	else
		canvas_str(c, y, 1, c->cols - 1, PEN(ST_DIM), why_not(h));
}

/* Ask for the findings of second readings while another pane is shown, where these take a moment. */
static void look_deeper(struct view_figures *v, struct pane_host *h)
{
	const struct stats_ask ask = {.to = UINT64_MAX, .deep = 1};
	if (v->looked || !v->job || h->shown == PANE_STATS || !figures_is_small(v->asked.log, 0, UINT64_MAX)
		|| is_stopped(v, &ask))
		return;
	v->stopped = false;
	v->stopped_at = ask;
	job_ask(v->job, &ask);
	if (h->wait_for_jobs)
		job_wait(v->job, -1);
	take(v, h);
}

/* A range that was made in another pane is shown from its summary on. */
static void start_new_range(struct view_figures *v, const struct pane_host *h)
{
	const struct selection *s = &h->model.selection;
	bool here = h->shown == PANE_STATS, stayed = here && v->shown;
	v->shown = here;
	if (stayed || !s->on || s->anchor == s->end
		|| (v->seen.on && s->anchor == v->seen.anchor && s->end == v->seen.end))
		return;
	v->seen = *s;
	if (v->diff.open)
		diff_view_close(&v->diff);
	v->boxes.section = v->boxes.row = v->boxes.top = 0;
}

/* Show the number of findings, once the whole run has been examined; again from time to time if the log grows. */
static size_t badge(void *view, struct pane_host *h)
{
	struct view_figures *v = view;
	bool ready = is_ready(h); /* asked once: it may become true at any moment */
	start_new_range(v, h);
	if (ready)
		renew(v, h);
	if (!v->warned && ready)
		update(v, h, false);
	if (v->warned && ready)
		look_deeper(v, h);
	h->worst = findings_number(&v->found, 1);
	h->warnings = v->warnings;
	h->census_ns = v->census_ns;
	h->queued = v->looked ? v->queued : 0;
	h->state = v->looked ? v->state : "";
	h->caps_busy = v->looked ? v->caps_busy : (double)NAN;
	h->findings = findings_numbered(&v->found);
	stats_update_finding(h);
	h->found_until = (v->asked.log != h->log || !v->warned) && h->model.growing ? v->found_until : 0;
	return h->findings;
}

/* --- where Enter leads --------------------------------------------------------------------------------------------- */

static void open_table(struct view_figures *v, struct pane_host *h, const struct table_source *source, uint64_t label,
	const char *filter)
{
	struct stats_ask ask = target(v, h);
	close_tables(v);
	v->range = (struct table_range){
		.log = log_of(v, h), .from = ask.from, .to = ask.to, .label = label, .list = source->list};
	if (!table_view_open(&v->table, source, &v->range, filter, h->wake, h->wake_ctx))
		pane_say(h, true, "out of memory");
}

/* [from, to) becomes the range, and its metrics are shown. */
static void take_range(struct view_figures *v, struct pane_host *h, uint64_t from, uint64_t to)
{
	const struct model *m = &h->model;
	selection_set(&h->model.selection, max_u64(from, m->first), min_u64(max_u64(to, from + 1), m->last + 1));
	close_tables(v);
	v->whole = false;
	v->label = 0;
}

static void show_finding(struct pane_host *h, const struct finding *f, size_t number);

static bool go(struct pane_host *h, const struct stats_place *place);

static void go_to_place(struct view_figures *v, struct pane_host *h, const struct stats_place *place)
{
	if (place->kind == PLACE_SELECTION)
		take_range(v, h, place->t, place->end);
	else if (place->kind == PLACE_LIST)
		open_table(v, h, place->list, place->label, place->filter);
	else if (!go(h, place))
		pane_say(h, true, "this row has no place on the timeline");
}

/* Return the selected span in a table of spans, or NULL. */
static const struct span *span_here(const struct view_figures *v, const struct pane_host *h)
{
	const struct span_table *t = spans_table(&log_of(v, h)->spans);
	uint64_t ref;
	bool any = v->table.source == &stats_spans && table_view_row(&v->table, &ref) && t && ref < t->n;
	return any ? &t->items[ref] : NULL;
}

static void go_to_span(struct pane_host *h, const struct span *s)
{
	go(h,
		&(struct stats_place){.kind = PLACE_SPAN,
			.t = s->start,
			.end = max_u64(s->end, s->start + 1),
			.id = s->row,
			.thread = s->thread});
}

/* The span becomes the range. */
static bool take_span(struct view_figures *v, struct pane_host *h)
{
	const struct span *s = span_here(v, h);
	if (s)
		take_range(v, h, s->start, s->end);
	return s;
}

static bool take_phase(struct view_figures *v, struct pane_host *h)
{
	double from, to;
	bool any = v->table.source == &stats_phases && table_view_number(&v->table, PHASE_COLUMN_FROM, &from)
		&& table_view_number(&v->table, PHASE_COLUMN_TO, &to);
	if (any)
		take_range(v, h, (uint64_t)from, (uint64_t)to);
	return any;
}

/* All of the segment is seen, on the lane of the capability that it ran on, else of its thread. */
static bool go_to_segment(struct view_figures *v, struct pane_host *h)
{
	double from, to, thread, cap;
	bool ran = table_view_number(&v->table, PATH_COLUMN_CAP, &cap);
	if (!table_view_number(&v->table, PATH_COLUMN_FROM, &from) || !table_view_number(&v->table, PATH_COLUMN_TO, &to)
		|| !table_view_number(&v->table, PATH_COLUMN_THREAD, &thread))
		return false;
	go(h,
		&(struct stats_place){.kind = PLACE_SEGMENT,
			.t = (uint64_t)from,
			.end = max_u64((uint64_t)to, (uint64_t)from + 1),
			.id = ran ? (uint32_t)cap : EVL_NO_CAP,
			.thread = (uint32_t)thread});
	return true;
}

/* To the finding of the answer with the text of the row. */
static void go_to_finding_row(struct view_figures *v, struct pane_host *h)
{
	const struct stats_data d = data_of(v, h);
	const struct findings *all = &v->answer.findings;
	struct evl_str text = table_view_text(&v->table, findings_ROW_TEXT);
	struct stats_place place = {0};
	for (size_t i = 0; i < all->n && v->answer.made; i++)
		if (str_is(text, all->items[i].text))
			section_place_finding(&d, &all->items[i], &place);
	if (!go(h, &place))
		pane_say(h, true, "this row has no place on the timeline");
}

/* The label of the spans whose name is selected in the box or the table of their names; 0: none is. */
static uint64_t label_here(const struct view_figures *v, const struct pane_host *h)
{
	const struct stats_data d = data_of(v, h);
	struct stats_place place = {0};
	uint64_t ref;
	if (v->table.source == &stats_span_names && table_view_row(&v->table, &ref))
		return idmap_key(table_view_text(&v->table, spans_ROW_NAME));
	if (!v->table.source)
		place = stats_boxes_place(&v->boxes, &d);
	return place.kind == PLACE_LIST ? place.label : 0;
}

/* Open a table of what one row of the open one sums up, which stays as it is. */
static void open_over(struct view_figures *v, struct pane_host *h, const struct table_source *source, uint64_t label,
	const char *filter, const char *subject)
{
	struct table_view under = v->table;
	struct table_range range = v->range;
	v->table = (struct table_view){0};
	open_table(v, h, source, label, filter);
	if (!v->table.source) {
		v->table = under;
		v->range = range;
		return;
	}
	snprintf(v->table.subject, sizeof v->table.subject, "%s", subject);
	v->under = under;
	v->under_range = range;
}

static void list_spans_of_name(struct view_figures *v, struct pane_host *h)
{
	enum { NAME = 20 };
	char subject[NAME + 8];
	uint64_t label = label_here(v, h);
	struct evl_str name = utf8_cut(table_view_text(&v->table, spans_ROW_NAME), NAME);
	snprintf(subject, sizeof subject, " of \"%.*s\"", (int)name.len, (const char *)name.p);
	if (label)
		open_over(v, h, &stats_spans, label, "", subject);
}

/* List a reason by its wakers, or the threads of one label of those. */
static bool list_wakers(struct view_figures *v, struct pane_host *h)
{
	bool of_reason = v->table.source == &stats_blocked;
	char filter[TABLE_FILTER];
	struct evl_str name =
		table_view_text(&v->table, of_reason ? (int)BLOCKED_COLUMN_REASON : (int)WAKERS_COLUMN_LABEL);
	if (name.len == 0 || name.len + 10 > sizeof filter || memchr(name.p, '"', name.len))
		return false;
	snprintf(filter, sizeof filter, "%s=\"%.*s\"", of_reason ? "reason" : "label", (int)name.len,
		(const char *)name.p);
	if (of_reason)
		open_over(v, h, &stats_wakers, 0, filter, "");
	else
		open_over(v, h, &stats_threads, 0, filter, "");
	return true;
}

/* All spans of the name become the range. */
static bool take_label(struct view_figures *v, struct pane_host *h)
{
	uint64_t label = label_here(v, h);
	if (label) {
		v->label = label;
		close_tables(v);
	}
	return label;
}

static void go_to_row(struct view_figures *v, struct pane_host *h)
{
	const struct span *span = span_here(v, h);
	if (span)
		go_to_span(h, span);
	if (span || take_phase(v, h))
		return;
	if (v->table.source == &stats_path && go_to_segment(v, h))
		return;
	if (v->table.source == &stats_findings) {
		go_to_finding_row(v, h);
		return;
	}
	if (v->table.source == &stats_span_names) {
		list_spans_of_name(v, h);
		return;
	}
	if ((v->table.source == &stats_blocked || v->table.source == &stats_wakers) && list_wakers(v, h))
		return;
	const struct table_source *source = v->table.source;
	struct stats_place place = {.kind = source == &stats_threads ? PLACE_THREAD
			: source->kind == &gc_table_kind             ? PLACE_PAUSE
			: source == &stats_caps                      ? PLACE_CAP
								     : PLACE_MOMENT};
	uint64_t ref;
	double id;
	if (!table_view_row(&v->table, &ref))
		return;
	if (source != &stats_caps && !table_view_moment(&v->table, &place.t)) {
		pane_say(h, true,
			source->at < 0 ? "this row has no place on the timeline" : "the time of this row is not known");
		return;
	}
	place.id = (uint32_t)ref; /* of a thread */
	if (source == &stats_caps && table_view_number(&v->table, caps_ROW_CAP, &id))
		place.id = (uint32_t)id;
	go(h, &place);
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static const char *open_diff(struct pane_host *h, const struct diff_ask *ask);

static struct view_figures *figures_of(struct pane_host *h) { return h->views[PANE_STATS]; }

/* Filter a comparison while typing; errors are reported at the end. */
static void filter_diff(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct evl_err err = {0};
	struct view_figures *v = figures_of(h);
	if (v->diff.open && diff_view_filter(&v->diff, text, &err) < 0 && result == PROMPT_DONE)
		pane_filter_again(h, err.text);
}

/* The critical path of the span that is selected in the table of spans, or of all spans of a name that are the range. */
static bool take_span_path(struct view_figures *v, struct pane_host *h)
{
	const struct span *span = span_here(v, h);
	struct stats_ask ask = target(v, h);
	struct path_subject of = {.from = ask.from, .to = ask.to, .label = v->label};
	const char *why = span ? stats_span_path(span, &of) : NULL;
	if (!span && !v->label)
		return false;
	pane_refuse(h, why ? why : stats_show_path(h, &of));
	return true;
}

/* "phase "load""; a long name is cut between its characters. */
static void name_range(struct diff_range *r, const char *kind, struct evl_str name)
{
	struct evl_str cut = utf8_cut(name, sizeof r->name - 20);
	snprintf(r->name, sizeof r->name, "%s \"%.*s\"", kind, (int)cut.len, cut.p ? (const char *)cut.p : "");
}

/* The phase that is selected in the box of phases, or the phase or span in a table. */
static bool range_here(const struct view_figures *v, const struct pane_host *h, struct diff_range *out)
{
	const struct stats_data d = data_of(v, h);
	const struct span *span = span_here(v, h);
	const struct phases *phases = &v->answer.figures.phases;
	uint64_t from = UINT64_MAX, ref;
	double at;
	if (span) {
		*out = (struct diff_range){.from = span->start, .to = max_u64(span->end, span->start + 1)};
		name_range(out, "span", spans_name(&log_of(v, h)->blocks, span));
		return true;
	}
	if (v->table.source == &stats_phases && table_view_row(&v->table, &ref)
		&& table_view_number(&v->table, PHASE_COLUMN_FROM, &at))
		from = (uint64_t)at;
	struct stats_place place = {0};
	if (!v->table.source)
		place = stats_boxes_place(&v->boxes, &d);
	if (place.kind == PLACE_SELECTION)
		from = place.t;
	for (size_t i = 0; i < phases->n; i++) {
		const struct phase *p = &phases->items[i];
		if (p->from != from)
			continue;
		*out = (struct diff_range){.from = p->from, .to = p->to};
		name_range(out, "phase", p->marker ? phase_name(d.log, p) : EVL_STR("before the first"));
		return true;
	}
	return false;
}

/* Compare all spans of the name that is selected in the box of spans, or that is the range, with the run or the range that is
 * looked at. */
static bool compare_windows(struct view_figures *v, struct pane_host *h)
{
	const struct figures *f = &v->answer.figures;
	const struct span_stats *spans = f->span_labels.n ? &f->span_labels : &f->spans;
	uint64_t here = label_here(v, h), label = here ? here : v->label;
	struct stats_ask of = target(v, h);
	struct diff_ask ask = {.ranges = {{0}}};
	if (!label)
		return false;
	ask.ranges[0] = (struct diff_range){.from = of.from, .to = of.to, .label = label};
	ask.ranges[1] = (struct diff_range){.from = of.from, .to = of.to, .name = "the run, A included"};
	if (is_selected(v, h))
		snprintf(ask.ranges[1].name, sizeof ask.ranges[1].name, "the range, A included");
	for (size_t i = 0; i < spans->n; i++)
		if (idmap_key(spans->items[i].name) == label)
			name_range(&ask.ranges[0], "all spans", spans->items[i].name);
	pane_refuse(h, open_diff(h, &ask));
	return true;
}

static bool is_same_range(const struct diff_range *a, const struct diff_range *b)
{
	return a->from == b->from && a->to == b->to && a->other == b->other && a->label == b->label;
}

/* List the partners of a range: the run (which contains it), the parts of the run before and after it, the other log, the
 * range before, those with names. Return their number. */
enum { PARTNERS = RANGES + 5 };
static size_t partners(
	const struct view_figures *v, const struct pane_host *h, const struct diff_range *a, struct diff_range *out)
{
	const struct bookmarks *marks = &h->model.marks;
	struct diff_range all[PARTNERS] = {{.to = UINT64_MAX, .name = "the run"},
		{.from = h->model.first, .to = a->from, .name = "the run before A"},
		{.from = a->to, .to = h->model.last + 1, .name = "the run after A"},
		{.to = UINT64_MAX, .other = true, .name = "the other log"}, v->earlier};
	size_t n = 5, kept = 0;
	bool is_part = a->to != UINT64_MAX && !a->label && !a->other;
	if (is_part)
		snprintf(all[0].name, sizeof all[0].name, "the run, A included");
	for (int i = 1; i <= 2; i++)
		if (!is_part || all[i].from >= all[i].to)
			all[i].to = 0;
	snprintf(all[4].name, sizeof all[4].name, "the range before");
	for (int i = 0; i < marks->n_ranges; i++) {
		all[n] = (struct diff_range){.from = marks->ranges[i].from, .to = marks->ranges[i].to};
		name_range(&all[n++], "range", str_of(marks->ranges[i].name));
	}
	for (size_t i = 0; i < n; i++) {
		bool there = all[i].to && (!all[i].other || h->other) && !is_same_range(&all[i], a);
		for (size_t k = 0; k < kept && there; k++)
			there = !is_same_range(&all[i], &out[k]);
		if (there)
			out[kept++] = all[i];
	}
	return kept;
}

/* The range on the timeline, else the run. */
static struct diff_range looked_at(const struct pane_host *h)
{
	const struct selection *s = &h->model.selection;
	if (!s->on)
		return (struct diff_range){.to = UINT64_MAX, .name = "the run"};
	return (struct diff_range){.from = selection_from(s), .to = selection_to(s), .name = "the range"};
}

/* The comparison that is shown, with the next partner of its first range. */
static void compare_with_next(struct view_figures *v, struct pane_host *h)
{
	struct diff_ask ask = v->diff.ask;
	struct diff_range all[PARTNERS];
	size_t n = partners(v, h, &ask.ranges[0], all), at = 0;
	while (at < n && !is_same_range(&all[at], &ask.ranges[1]))
		at++;
	bool no_other = n == 0 || (n == 1 && at == 0), is_run = ask.ranges[0].to == UINT64_MAX && !ask.ranges[0].other;
	if (no_other && is_run && h->model.selection.on) {
		ask.ranges[0] = looked_at(h); /* the range with the same other one */
		ask.ranges[1] = n ? all[at] : ask.ranges[1];
		n = 1, at = 0, all[0] = ask.ranges[1], no_other = false;
	}
	if (ask.ranges[0].label || no_other) {
		pane_say(h, true, "nothing else to compare with: :diff FILE opens a log, :range NAME names a range");
		return;
	}
	ask.ranges[1] = all[at + 1 < n ? at + 1 : 0];
	pane_refuse(h, open_diff(h, &ask));
}

/* D on a phase or a span, then on another or with a range: compare both; twice on the same one: compare it with the run.
 * Elsewhere: compare the range with the run, the run with the other log. */
static void compare_ranges(struct view_figures *v, struct pane_host *h)
{
	struct diff_ask ask = {.ranges = {{0}}};
	struct diff_range here, all[PARTNERS];
	if (compare_windows(v, h))
		return;
	bool named = range_here(v, h, &here);
	if (named && !v->marked.to) {
		v->marked = here;
		pane_say(h, false, "%s: D on another compares them, on the same: with the run", here.name);
		return;
	}
	here = named ? here : looked_at(h);
	ask.ranges[0] = v->marked.to ? v->marked : here;
	bool other = v->marked.to && !is_same_range(&here, &v->marked);
	v->marked.to = 0;
	if (other)
		all[0] = here;
	else if (!partners(v, h, &ask.ranges[0], all)) {
		pane_say(h, true,
			"nothing to compare with: select a range (v on the timeline) or a phase, or :diff FILE");
		return;
	}
	ask.ranges[1] = all[0];
	pane_refuse(h, open_diff(h, &ask));
}

/* Has the row, the range or the run a partner, or is there a comparison, which goes on to the next one? */
static bool can_compare(const struct view_figures *v, const struct pane_host *h)
{
	struct diff_range here = looked_at(h), all[PARTNERS];
	return v->diff.open || label_here(v, h) || v->label || v->marked.to || range_here(v, h, &here)
		|| partners(v, h, &here, all);
}

/* Of a ticky counter's closure. */
static bool open_source(const struct view_figures *v, struct pane_host *h)
{
	if (v->table.source != &stats_ticky)
		return false;
	edit_source(h, table_view_text(&v->table, TICKY_COLUMN_SOURCE));
	return true;
}

static bool act_in_table(struct view_figures *v, struct pane_host *h, enum action action)
{
	switch (action) {
	case ACT_FILTER:
	case ACT_SEARCH: table_view_ask(&v->table, h); return true;
	case ACT_EXPAND: go_to_row(v, h); return true;
	case ACT_EDIT: return open_source(v, h);
	case ACT_PATH: return take_span_path(v, h);
	case ACT_SELECT_SPAN: return take_span(v, h) || take_phase(v, h) || take_label(v, h);
	default: return table_view_act(&v->table, action);
	}
}

/* To a finding that the run has, too; Enter on another row of a comparison has nowhere to go. */
static void go_to_line(struct view_figures *v, struct pane_host *h)
{
	const struct difference_item *l = diff_view_line(&v->diff);
	const struct finding *f = l && l->kind == DIFF_FINDING && l->only != DIFF_ONLY_B && !v->diff.ask.ranges[0].other
			&& v->diff.ask.ranges[0].to == UINT64_MAX
		? findings_of(&v->found, l->finding)
		: NULL;
	if (f)
		show_finding(h, f, findings_number_of(&v->found, f));
	else
		pane_say(h, true, "this row has no place on the timeline");
}

static bool act_in_diff(struct view_figures *v, struct pane_host *h, enum action action)
{
	switch (action) {
	case ACT_FILTER:
	case ACT_SEARCH:
		pane_ask(h, ASK_ROWS, v->diff.filter, filter_diff);
		h->fields = diff_view_fields();
		return true;
	case ACT_EXPAND: go_to_line(v, h); return true;
	case ACT_DIFFERENCE: compare_with_next(v, h); return true;
	default: return diff_view_act(&v->diff, action);
	}
}

static void toggle_whole(struct view_figures *v, struct pane_host *h)
{
	if (v->label) {
		v->label = 0;
		v->stopped = false;
		return;
	}
	v->whole = is_selected(v, h);
	v->beside = h->model.selection;
	if (v->stopped)
		v->stopped = false;
	else if (!h->model.selection.on)
		pane_say(h, true, "no range selected (v on the timeline starts one)");
	if (v->table.source == &stats_path && h->model.selection.on) {
		struct stats_ask ask = target(v, h);
		stats_show_path(h, &(struct path_subject){ask.from, ask.to, v->range.thread, v->range.label});
	} else if (v->table.source && h->model.selection.on) {
		char filter[sizeof v->table.ask.filter];
		snprintf(filter, sizeof filter, "%s", v->table.ask.filter);
		open_table(v, h, v->table.source, v->range.label, filter);
	}
}

/* --- searching in boxes --- */

/* "3 of 18 rows have "gc": n, N" */
static void find_row(struct view_figures *v, struct pane_host *h, int by)
{
	struct stats_data d = data_of(v, h);
	struct pattern pattern;
	struct evl_err err = {0};
	size_t n;
	if (pattern_init(&pattern, str_of(v->sought), &err) < 0) {
		pane_say(h, true, "%s", err.text);
		return;
	}
	size_t at = stats_boxes_find(&v->boxes, &d, &pattern, by, &n);
	pattern_free(&pattern);
	if (at)
		pane_say(h, false, "%zu of %zu rows with \"%s\"  (n next, N previous)", at, n, v->sought);
	else
		pane_say(h, true, "no row of this pane has \"%s\"; 4 and / search the events", v->sought);
}

/* Select the first hit from where the search began while typing; Esc goes back there and forgets the search. */
static void search_boxes(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct view_figures *v = figures_of(h);
	const struct stats_boxes *from = &v->sought_from;
	bool same = strcmp(text, v->sought) == 0 && result != PROMPT_CANCELLED;
	if (!same && from->row < v->boxes.items[from->section].rows) {
		v->boxes.section = from->section;
		v->boxes.row = from->row;
		v->boxes.top = from->top;
	}
	snprintf(v->sought, sizeof v->sought, "%s", text);
	if (v->sought[0] && (!same || result == PROMPT_DONE))
		find_row(v, h, 0);
}

/* A box shows the first rows of a list in one order: its table is filtered and sorted. */
static void open_box(struct view_figures *v, struct pane_host *h, enum action action)
{
	const struct stats_data d = data_of(v, h);
	const struct table_source *source = stats_boxes_table(&v->boxes, &d);
	if (!source) {
		pane_say(h, true, "the rows of this box are not a list that could be filtered or sorted");
		return;
	}
	open_table(v, h, source, 0, "");
	if (action == ACT_FILTER && v->table.source)
		act_in_table(v, h, action);
}

static bool act_in_boxes(struct view_figures *v, struct pane_host *h, enum action action)
{
	int section = v->boxes.section, row = v->boxes.row;
	bool folded = v->boxes.items[section].folded;
	if (!stats_boxes_act(&v->boxes, action))
		return false;
	if (section == v->boxes.section && row == v->boxes.row && folded == v->boxes.items[section].folded)
		pane_say(h, true,
			action == ACT_HIGHER          ? "this box is not folded (< folds it)"
				: action == ACT_LOWER ? "this box is folded (> unfolds it)"
						      : "no more rows in that direction");
	return true;
}

/* Keys may come before the first frame. */
static void prepare(struct view_figures *v, struct pane_host *h)
{
	enum { OTHER_ROWS = 4 };
	struct stats_data d = data_of(v, h);
	if (!v->answer.made)
		update(v, h, true);
	if (v->answer.made && v->boxes.height == 0)
		stats_boxes_layout(&v->boxes, &d, h->cols, h->rows - OTHER_ROWS);
}

static bool act(void *view, struct pane_host *h, enum action action)
{
	struct view_figures *v = view;
	if (!is_ready(h))
		return false;
	if (action == ACT_WHOLE) {
		toggle_whole(v, h);
		return true;
	}
	if (v->diff.open)
		return act_in_diff(v, h, action);
	if (action == ACT_DIFFERENCE) {
		prepare(v, h);
		compare_ranges(v, h);
		return true;
	}
	drop_old_table(v, h);
	if (v->table.source)
		return act_in_table(v, h, action);
	prepare(v, h);
	struct diff_range here;
	if (action == ACT_PATH)
		return take_span_path(v, h);
	if (action == ACT_SEARCH && v->answer.made) {
		v->sought_from = v->boxes;
		pane_ask(h, ASK_BOXES, "", search_boxes);
		return true;
	}
	if ((action == ACT_REPEAT || action == ACT_REPEAT_BACK) && v->sought[0] && v->answer.made) {
		find_row(v, h, action == ACT_REPEAT ? 1 : -1);
		return true;
	}
	if (jump_is(action))
		v->sought[0] = '\0'; /* n and N repeat the jump */
	if (action == ACT_SELECT_SPAN && v->answer.made) {
		if (take_label(v, h))
			return true;
		if (range_here(v, h, &here)) {
			take_range(v, h, here.from, here.to);
			return true;
		}
	}
	if (!v->answer.made)
		return false;
	if (action == ACT_EXPAND) {
		struct stats_data d = data_of(v, h);
		if (v->boxes.items[v->boxes.section].folded)
			return act_in_boxes(v, h, ACT_HIGHER);
		struct stats_place place = stats_boxes_place(&v->boxes, &d);
		go_to_place(v, h, &place);
		return true;
	}
	if (action == ACT_FILTER || action == ACT_SORT) {
		open_box(v, h, action);
		return true;
	}
	return act_in_boxes(v, h, action);
}

/* Esc and q lead back from the other log and from tables. */
static bool is_over(const void *view, UNUSED const struct pane_host *h)
{
	const struct view_figures *v = view;
	return v->diff.open || v->table.source;
}

static void leave(void *view, struct pane_host *h)
{
	struct view_figures *v = view;
	if (v->diff.open) {
		diff_view_close(&v->diff);
	} else {
		if (v->table.source == &stats_path)
			h->shown = v->path_from;
		table_view_close(&v->table);
		v->range = v->under.source ? v->under_range : v->range;
		v->table = v->under;
		v->under = (struct table_view){0};
	}
}

void stats_to_summary(struct pane_host *h, bool back)
{
	struct view_figures *v = h->views[PANE_STATS];
	if (back && !is_over(v, h))
		return;
	while (is_over(v, h))
		leave(v, h);
	h->shown = PANE_STATS;
	stats_boxes_act(&v->boxes, ACT_START);
	if (v->boxes.row < 0)
		stats_boxes_act(&v->boxes, ACT_DOWN);
}

/* Rows that are not a whole table of the range are written as shown, all others by the name of their table; in the boxes
 * the table that the selected one is about. */
static const char *offers(const void *view, const struct pane_host *h, uint64_t *from, uint64_t *to)
{
	const struct view_figures *v = view;
	const struct table_source *source = v->table.source;
	struct stats_ask ask = target(v, h);
	*from = ask.from;
	*to = ask.to;
	if (v->diff.open) { /* the range of the boxes is not that of the rows */
		*from = 0;
		*to = UINT64_MAX;
		return v->diff.answer.made ? "csv shown" : NULL;
	}
	if (source)
		return source->exported && !v->table.ask.filter[0] && !v->range.label ? source->exported : "csv shown";
	return stats_boxes_exported(&v->boxes);
}

static bool lists(const void *view, UNUSED const struct pane_host *h, struct export_list *out)
{
	const struct view_figures *v = view;
	if (v->diff.open)
		return diff_view_list(&v->diff, out);
	if (v->table.source)
		table_view_list(&v->table, &v->range, out);
	return v->table.source;
}

/* Return the selected row. */
static void copy(void *view, struct pane_host *h, struct canvas *c)
{
	struct view_figures *v = view;
	struct stats_data d = data_of(v, h);
	if (v->diff.open)
		diff_view_copy(&v->diff, c);
	else if (v->table.source)
		table_view_copy(&v->table, c);
	else if (v->answer.made)
		stats_boxes_copy(&v->boxes, &d, c);
}

/* A click puts one on a row, a second one does what Enter does. */
static void click(void *view, struct pane_host *h, int y, int x, bool twice)
{
	struct view_figures *v = view;
	bool hit = v->diff.open   ? diff_view_click(&v->diff, y, x)
		: v->table.source ? table_view_click(&v->table, y, x)
				  : stats_boxes_click(&v->boxes, y - v->boxes_y, x);
	if (hit && twice)
		act(v, h, ACT_EXPAND);
}

static bool stop(void *view)
{
	struct view_figures *v = view;
	bool diff = diff_view_stop(&v->diff), table = v->table.source && table_view_stop(&v->table);
	if (!v->job || !job_stop(v->job))
		return diff || table;
	v->stopped = true;
	return true;
}

static const struct table_kind *open_kind(const void *view)
{
	const struct view_figures *v = view;
	return v->table.source && !v->diff.open ? v->table.source->kind : NULL;
}

/* Keys of tables, of boxes and of comparisons. */
static bool acts(const void *view, const struct pane_host *h, enum action action)
{
	const struct view_figures *v = view;
	const struct stats_data d = data_of(v, h);
	bool table = v->table.source && !v->diff.open;
	switch (action) {
	case ACT_SORT:
	case ACT_FILTER: return v->diff.open || table || (v->answer.made && stats_boxes_table(&v->boxes, &d));
	case ACT_SEARCH: return !v->diff.open;
	case ACT_NEXT_BOX: return !table;
	case ACT_WHOLE: return h->model.selection.on && !v->diff.open;
	case ACT_DIFFERENCE: return can_compare(v, h);
	default: return true;
	}
}

static const char *open_diff(struct pane_host *h, const struct diff_ask *ask)
{
	struct view_figures *v = figures_of(h);
	const struct diff_range *a = &ask->ranges[0];
	const struct diff_view was = v->diff; /* of which the order and the filter stay */
	diff_view_close(&v->diff);
	if (!is_ready(h))
		return "possible when this log has been read";
	if (a->to != UINT64_MAX && !a->other && !a->label && !is_same_range(a, &v->now))
		v->earlier = v->now;
	if (a->to != UINT64_MAX && !a->other && !a->label)
		v->now = *a;
	diff_view_open(&v->diff, log_of(v, h), ask->ranges[0].other || ask->ranges[1].other ? h->other : NULL, ask,
		h->wake, h->wake_ctx);
	v->diff.order = was.order;
	v->diff.rising = was.rising;
	memcpy(v->diff.filter, was.filter, sizeof v->diff.filter);
	h->shown = PANE_STATS;
	return NULL;
}

const char *stats_diff(struct pane_host *h)
{
	struct diff_ask ask = {.ranges = {{.to = UINT64_MAX, .name = "the run"},
				       {.to = UINT64_MAX, .other = true, .name = "the other log"}}};
	return open_diff(h, &ask);
}

/* The span that the path is of: from its start to its end. */
static const struct span *span_of(const struct evl_log *log, const struct path_subject *of)
{
	const struct span_table *t = spans_table(&log->spans);
	for (int row = 0; t && row < SPAN_ROWS; row++) {
		const struct span *s = spans_at(t, row, of->from);
		if (s && s->start == of->from && s->end == of->to)
			return s;
	}
	return NULL;
}

/* Name the subject of a path: " of span "reload"", " of thread 7 "worker" from 1 s to 2 s". */
static void name_subject(
	char *out, size_t room, const struct evl_log *log, const struct figures *f, const struct path_subject *of)
{
	enum { NAME = 32 };
	const struct span *span = of->thread && !of->label ? span_of(log, of) : NULL;
	struct evl_str name = of->label ? f->windows.name
		: span                  ? spans_name(&log->blocks, span)
					: evl_label(log, (uint32_t)of->thread);
	name = utf8_cut(name.p ? name : (struct evl_str){(const uint8_t *)"", 0}, NAME);
	const char *text = (const char *)name.p;
	size_t used = 0;
	*out = 0;
	if (of->label || span)
		snprintf(out, room, " of %s \"%.*s\"", span ? "span" : "all spans", (int)name.len, text);
	else if (of->thread && name.len)
		used = (size_t)snprintf(out, room, " of thread %u \"%.*s\"", (unsigned)of->thread, (int)name.len, text);
	else if (of->thread)
		used = (size_t)snprintf(out, room, " of thread %u", (unsigned)of->thread);
	if (of->label || span || used >= room)
		return;
	if (of->to < UINT64_MAX)
		snprintf(out + used, room - used, " from %s to %s", as_value(UNIT_MOMENT, (double)of->from),
			as_value(UNIT_MOMENT, (double)of->to));
	else if (!of->thread)
		snprintf(out, room, " of the run");
}

const char *stats_show_path(struct pane_host *h, const struct path_subject *of)
{
	struct view_figures *v = figures_of(h);
	if (!is_ready(h))
		return "the path is shown when the whole log has been read";
	if (v->table.source != &stats_path || h->shown != PANE_STATS)
		v->path_from = h->shown;
	diff_view_close(&v->diff);
	close_tables(v);
	v->range = (struct table_range){.log = log_of(v, h),
		.from = of->from,
		.to = of->to,
		.label = of->label,
		.thread = (uint32_t)of->thread};
	if (!table_view_open(&v->table, &stats_path, &v->range, "", h->wake, h->wake_ctx))
		return "out of memory";
	name_subject(v->table.subject, sizeof v->table.subject, log_of(v, h), &v->answer.figures, of);
	timeline_show_path(timeline_of(h), of);
	h->shown = PANE_STATS;
	return NULL;
}

const char *stats_span_path(const struct span *span, struct path_subject *of)
{
	uint32_t thread = span->ended_by ? span->ended_by : span->thread;
	*of = (struct path_subject){.from = span->start, .to = span->end, .thread = thread};
	return thread ? NULL : "no thread of the program ran when the span began and ended";
}

/* --- the pane ------------------------------------------------------------------------------------------------------ */

static void *open_figures(UNUSED struct pane_host *h)
{
	struct view_figures *v = calloc(1, sizeof *v);
	if (v)
		v->boxes.goal_x = 1;
	return v;
}

static void close_figures(void *view)
{
	struct view_figures *v = view;
	diff_view_close(&v->diff);
	close_tables(v);
	drop_answer(v);
	resting_drop(&v->asked, false);
	free(v);
}

/* Is all found, and nothing of it shown but findings? */
static bool is_done(const struct view_figures *v, const struct pane_host *h)
{
	bool works = v->job && (job_busy(v->job) || job_has_news(v->job));
	bool deep = v->looked || !v->asked.log || !figures_is_small(v->asked.log, 0, UINT64_MAX);
	return h->shown != PANE_STATS && v->warned && deep && !works && !v->table.source && !v->diff.open;
}

/* Let go of the log that jobs read while nothing is shown. That of the answer stays: names in it are of its bytes. */
static void let_go(struct view_figures *v)
{
	job_free(v->job);
	job_free(v->heat_job);
	v->job = v->heat_job = NULL;
	v->heat = NULL;
	resting_drop(&v->asked, true);
}

/* The view stays the same; a comparison is made again. When a log has grown, this waits for renew. */
static void on_log_replaced(void *view, struct pane_host *h)
{
	struct view_figures *v = view;
	if (h->goes_on && h->rest.grows && is_done(v, h))
		let_go(v);
	if (h->goes_on)
		return;
	v->marked.to = v->now.to = v->earlier.to = 0;
	drop_answer(v);
	replace_lists(v, h);
	if (v->asked.log != h->log)
		resting_drop(&v->asked, false);
}

static bool news(void *view)
{
	struct view_figures *v = view;
	bool table = table_view_news(&v->table), heat = job_news(v->heat_job);
	bool diff = diff_view_news(&v->diff);
	return job_news(v->job) || table || heat || diff;
}

static bool busy(const void *view)
{
	const struct view_figures *v = view;
	bool any = job_busy(v->job) || job_busy(v->heat_job) || diff_view_busy(&v->diff) || table_view_busy(&v->table);
	return any;
}

/* In the order of the boxes: the states of bars, what the nonmoving collector did, the heap, and the signs of findings. */
static const struct lane_colour *signs(UNUSED const void *view, UNUSED const struct pane_host *h)
{
	enum { FULL = 0x2588 };
	static const struct lane_colour all[] = {{"run", {ST_RUN, ST_RUN}, FULL, '#'},
		{"minor GC", {ST_MINOR, ST_MINOR}, FULL, '#'}, {"major GC", {ST_MAJOR, ST_MAJOR}, FULL, '#'},
		{"GC wait", {ST_GC_WAIT, ST_GC_WAIT}, FULL, '#'}, {"GC sync", {ST_SYNC, ST_SYNC}, FULL, '#'},
		{"stopped", {ST_STOPPED, ST_STOPPED}, FULL, '#'}, {"idle", {ST_IDLE, ST_IDLE}, FULL, '#'},
		{"all idle", {ST_DIM, ST_DIM}, FULL, '#'}, {"held by GC", {ST_RUNNABLE_GC, ST_RUNNABLE_GC}, FULL, '#'},
		{"runnable", {ST_RUNNABLE, ST_RUNNABLE}, FULL, '#'}, {"blocked", {ST_BLOCKED, ST_BLOCKED}, FULL, '#'},
		{"foreign call", {ST_FOREIGN, ST_FOREIGN}, FULL, '#'}, {"unknown", {ST_UNKNOWN, ST_UNKNOWN}, FULL, '#'},
		{"sparks", {ST_SPARKS, ST_SPARKS}, FULL, '#'}, {"nm mark", {ST_NM_MARK, ST_NM_MARK}, FULL, '#'},
		{"nm sync", {ST_NM_SYNC, ST_NM_SYNC}, FULL, '#'}, {"live", {ST_LIVE, ST_LIVE}, FULL, '#'},
		{"!", {ST_WARN, ST_WARN}, '!', '!'}, {"▹", {ST_KEY, ST_KEY}, 0x25b8, '>'}, {0}};
	return all;
}

const struct pane_ops stats_pane = {.name = "Stats",
	.key = ACT_PANE_STATS,
	.pane = KEYMAP_STATS,
	.open = open_figures,
	.close = close_figures,
	.body = draw_body,
	.act = act,
	.on_log_replaced = on_log_replaced,
	.offers = offers,
	.lists = lists,
	.copy = copy,
	.click = click,
	.news = news,
	.busy = busy,
	.is_over = is_over,
	.leave = leave,
	.acts = acts,
	.table = open_kind,
	.stop = stop,
	.signs = signs,
	.badge = badge};

/* Undo selects the lane again that is selected now. */
static void keep_lane(struct pane_host *h)
{
	if (timeline_of(h))
		lanes_note(&timeline_of(h)->lanes, &h->model.at);
}

/* As model_show. */
static void show_place(struct pane_host *h, uint64_t from, uint64_t to, uint64_t at)
{
	keep_lane(h);
	model_show(&h->model, from, to, at, h->now_ms);
	h->model.at.lane = NULL;
}

/* As the key z, with the cursor at the start. */
static void fit_place(struct pane_host *h, uint64_t from, uint64_t to)
{
	struct model_place *now = &h->model.at;
	keep_lane(h);
	select_fit(&h->model, from, to, h->now_ms);
	now->lane = NULL;
	now->cursor = min_u64(max_u64(from, now->t0), now->t1 - 1);
}

static void show_lane(struct pane_host *h, const struct lane_ops *ops, uint32_t index)
{
	lanes_select(&timeline_of(h)->lanes, ops, index);
}

static void show_cap(struct pane_host *h, uint16_t cap)
{
	uint32_t lane = cap_lane(h->log, cap);
	if (lane < h->log->n_caps)
		show_lane(h, &lane_cap, lane);
}

/* The span is fitted, as by z; its lane is selected, or that of its thread, which is seen everywhere in any case. */
static void show_span(struct pane_host *h, const struct stats_place *place)
{
	struct lanes *lanes = &timeline_of(h)->lanes;
	fit_place(h, place->t, place->end);
	if (place->thread) {
		lanes_select(lanes, &lane_thread, place->thread);
		lanes->highlight = place->thread;
	}
	if (!lanes_select(lanes, &lane_spans, place->id)) {
		selection_set(&h->model.selection, place->t, place->end);
		pane_say(h, false, "this span's row is not shown: the span is the range");
	}
}

/* All of the pause is seen, with the cursor at a moment in it, or else at its start: the request. ]l continues with the next
 * longest of the range. */
static void show_pause(struct pane_host *h, uint64_t start, uint64_t at, struct jump_range range)
{
	const struct gc_row *gc = gcs_at(&h->log->gcs, start);
	uint64_t from = gc ? gc_requested(gc) : start;
	show_place(h, from, gc ? gc_end(gc) : start, max_u64(from, at));
	if (gc)
		jump_go_on_from(&h->jumper, &h->model, gc, &range);
	show_lane(h, &lane_gc, 0);
}

/* Show a finding of the answer; of the whole run, as ]f does. */
static void go_to_finding(struct pane_host *h, const struct finding *f)
{
	show_finding(h, f, number_in(&figures_of(h)->found, f, true));
}

/* The moment next to the middle of a stretch at which the capability is idle: collections may interrupt it. */
static uint64_t idle_moment(const struct pane_host *h, const struct stats_place *place)
{
	enum { TRIES = 64 };
	const struct lane lane = {.ops = &lane_cap, .index = cap_lane(h->log, (uint16_t)place->id)};
	const uint64_t ns = place->end - place->t, middle = place->t + ns / 2;
	for (uint64_t i = 0; i < TRIES; i++) {
		uint64_t by = (i + 1) / 2 * (ns / TRIES), t = i % 2 ? middle - by : middle + by;
		if (cap_is_idle(&lane, h->log, t))
			return t;
	}
	return middle;
}

static bool go(struct pane_host *h, const struct stats_place *place)
{
	struct model *m = &h->model;
	struct cap_absence life;
	if (place->kind != PLACE_FINDING)
		stats_drop_finding(h); /* it is about another place */
	switch (place->kind) {
	case PLACE_BAND:
		model_goto(m, place->t, h->now_ms);
		heap_pane_find(h, place->filter);
		return true;
	case PLACE_FINDING: go_to_finding(h, &figures_of(h)->answer.findings.items[place->id]); break;
	case PLACE_CAP:
		life = cap_life_at(&h->log->cap_life, (uint16_t)place->id, m->at.cursor);
		if (life.state == CAP_NOT_YET && life.to != UINT64_MAX)
			model_goto(m, life.to, h->now_ms);
		show_cap(h, (uint16_t)place->id);
		break;
	case PLACE_PAUSE: show_pause(h, place->t, 0, stats_range(h)); break;
	case PLACE_RANGE: show_place(h, place->t, place->end, place->t); break;
	case PLACE_SPAN: show_span(h, place); break;
	case PLACE_SEGMENT:
		show_place(h, place->t, place->end, place->t);
		show_lane(h, &lane_thread, place->thread);
		show_cap(h, (uint16_t)place->id);
		break;
	case PLACE_COLOURS: timeline_show_colours(h); break;
	case PLACE_IDLE:
		show_place(h, place->t, place->end, idle_moment(h, place));
		show_cap(h, (uint16_t)place->id);
		break;
	case PLACE_THREAD:
		show_place(h, place->t, max_u64(place->end, place->t), place->t);
		show_lane(h, &lane_thread, place->id);
		break;
	case PLACE_MOMENT: show_place(h, place->t, max_u64(place->end, place->t), place->t); break;
	default: return false;
	}
	h->shown = PANE_TIMELINE;
	return true;
}

static bool is_about(const struct finding *f, const char *group)
{
	return f->metric < METRICS && strncmp(metric_info(f->metric)->name, group, strlen(group)) == 0;
}

/* The lane that shows a finding about no thread; the heap is shown by bands where the screen has that lane. */
static void show_finding_lane(struct pane_host *h, const struct finding *f)
{
	if (is_about(f, "heap.") && !(f->band[0] && lanes_select(&timeline_of(h)->lanes, &lane_bands, 0)))
		show_lane(h, &lane_heap, 0);
	else if (is_about(f, "sparks."))
		show_lane(h, &lane_sparks, 0);
	else if (is_about(f, "gc.") || is_about(f, "time.gc"))
		show_lane(h, &lane_gc, 0);
}

/* Of a thread in the log. */
static uint64_t first_moment(const struct pane_host *h, uint32_t thread)
{
	const struct thread_row *row = threads_find(&h->log->threads, thread);
	return row ? max_u64(atomic_load(&row->born), h->model.first) : h->model.first;
}

/* Select the lane of the capability on which a thread runs at the cursor. Return false if it has none. */
static bool show_cap_of(struct pane_host *h, uint32_t thread)
{
	const struct evl_log *log = h->log;
	for (uint32_t i = 0; thread && i < log->n_caps; i++) {
		uint32_t chain = log->cap_chains[i];
		struct cap_moment now;
		caps_at(&log->blocks, &log->tiles[chain], chain, h->model.at.cursor, &now);
		if (now.known && now.state == CAP_RUN && now.thread == thread)
			return lanes_select(&timeline_of(h)->lanes, &lane_cap, i);
	}
	return false;
}

/* The lanes of the threads that the finding is about, at the top, or of what it is about. A thread that runs is shown on
 * its capability, which names it. */
static void show_culprit(struct pane_host *h, const struct finding *f)
{
	enum { FEW = 4 };
	struct lanes *lanes = &timeline_of(h)->lanes;
	lanes_bring(lanes, NULL, 0);
	if (f->n_threads)
		lanes_bring(lanes, f->threads, h->rows < LANE_LOW ? min_u64(f->n_threads, FEW) : f->n_threads);
	else if (f->has_cap)
		show_cap(h, f->cap);
	else if (f->thread && !show_cap_of(h, f->thread))
		lanes_bring(lanes, &f->thread, 1);
	else if (!f->thread)
		show_finding_lane(h, f);
}

/* A stretch with a margin, from its start on. */
static void show_stretch(struct pane_host *h, uint64_t from, uint64_t to)
{
	enum { MARGIN = 8 };
	uint64_t margin = (to - from) / MARGIN;
	keep_lane(h);
	model_fit_at(&h->model, sub_or_0(from, margin), to + margin, from, h->now_ms);
	h->model.at.lane = NULL;
}

/* A pause and a stretch are fitted, and growth from its start to the end of the run; around any other moment a part of the
 * run is shown. A finding without a place is seen in the whole run. */
static void show_finding(struct pane_host *h, const struct finding *f, size_t number)
{
	struct model *m = &h->model;
	keep_lane(h);
	const struct model_place was = m->at;
	bool of_pause = is_about(f, "gc.") || is_about(f, "time.gc");
	const struct gc_row *gc = f->has_place && of_pause ? gcs_at(&h->log->gcs, f->t) : NULL;
	if (f->has_place && f->until > f->t)
		show_stretch(h, f->t, f->until);
	else if (gc)
		show_pause(h, gc->start, f->t, (struct jump_range){0});
	else if (f->has_place)
		show_place(h, f->t, is_about(f, "heap.") ? m->last : f->t, f->t);
	else
		show_place(h, m->first, m->last, f->thread && !f->has_cap ? first_moment(h, f->thread) : m->first);
	m->at.lane = NULL;
	model_set_finding(m, was, number);
	figures_of(h)->finding = 0; /* its lanes are shown again */
	stats_update_finding(h);
	if (number == 0) /* of a range */
		show_culprit(h, f);
	h->shown = PANE_TIMELINE;
}

const char *stats_to_finding(struct pane_host *h, bool forward)
{
	struct view_figures *v = figures_of(h);
	if (!is_ready(h))
		return "findings are shown when the whole log has been read";
	update(v, h, true);
	size_t n = findings_numbered(&v->found);
	if (n == 0 && job_busy(v->job))
		return v->warned ? "reading how threads waited; press again" : "counting; press again";
	if (n == 0)
		return "no findings; 5 tells what was looked for";
	const size_t was = min_u64(h->model.at.finding, n);
	const size_t number = forward ? min_u64(was + 1, n) : was ? max_u64(was - 1, 1) : n;
	const struct finding *f = findings_number(&v->found, number);
	show_finding(h, f, number);
	if (h->rows < TIMELINE_FINDING_ROWS)
		pane_say(h, f->severity == FINDING_WARN, "finding %zu of %zu: %s", number, n, f->text);
	if (number != was)
		return NULL;
	return n == 1     ? "this is the only finding (Esc: back)"
		: forward ? "this is the last finding ([f goes back)"
			  : "this is the first finding (]f goes on)";
}

void stats_update_finding(struct pane_host *h)
{
	struct view_figures *v = figures_of(h);
	if (!v || !timeline_of(h)) /* memory was out */
		return;
	const size_t was = v->finding, number = v->finding = h->model.at.finding;
	h->finding_number = number;
	h->finding = number ? findings_number(&v->found, number) : NULL;
	if (number != was && h->finding)
		show_culprit(h, h->finding);
	else if (number != was)
		lanes_bring(&timeline_of(h)->lanes, NULL, 0);
}

void stats_leave_finding(struct pane_host *h)
{
	const struct model_place to = model_drop_finding(&h->model, h->now_ms);
	stats_update_finding(h);
	if (timeline_of(h))
		lanes_restore(&timeline_of(h)->lanes, &to);
}

void stats_drop_finding(struct pane_host *h)
{
	h->model.at.finding = 0;
	h->model.at.of_finding = false;
	stats_update_finding(h);
	if (timeline_of(h))
		lanes_bring(&timeline_of(h)->lanes, NULL, 0);
}
