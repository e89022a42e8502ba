#include "chrome/pane.h"

#include "base/filter.h"
#include "jobs/event_job.h"
#include "jobs/other_log.h"
#include "jobs/prof_job.h"
#include "lanes/parts.h"
#include "report/findings.h"
#include "sys/clock.h"

#include <stdarg.h>
#include <stdio.h>

const struct pane_ops *pane_shown(const struct pane_host *h) { return h->kinds[h->shown]; }

bool pane_there(const struct pane_host *h, enum pane_kind kind)
{
	return h->kinds[kind] && (!h->kinds[kind]->there || h->kinds[kind]->there(h));
}

bool pane_has_tab(const struct pane_host *h, enum pane_kind kind)
{
	const struct pane_ops *ops = h->kinds[kind];
	return pane_there(h, kind) && (kind == h->shown || !ops->has_tab || ops->has_tab(h));
}

bool pane_is_over(const struct pane_host *h)
{
	const struct pane_ops *ops = pane_shown(h);
	return h->views[h->shown] && ops->is_over && ops->is_over(h->views[h->shown], h);
}

const struct finding *pane_finding(const struct pane_host *h)
{
	const struct finding *f = h->finding;
	const struct model_place *at = &h->model.at;
	if (h->shown != PANE_TIMELINE || !f || !f->has_place)
		return h->shown == PANE_TIMELINE ? f : NULL;
	uint64_t until = max_u64(f->t + 1, f->until);
	bool left = f->t >= at->t1 || until <= at->t0
		|| (model_is_whole(&h->model) && (!at->in_whole || at->cursor < f->t || at->cursor >= until));
	return left ? NULL : f;
}

enum pane_esc pane_esc(const struct pane_host *h)
{
	const struct pane_ops *ops = pane_shown(h);
	const void *view = h->views[h->shown];
	const struct selection *s = &h->model.selection;
	if (!view) /* memory was out */
		return ESC_NOTHING;
	if (s->on && s->moving)
		return ESC_RANGE;
	if (pane_is_over(h))
		return ESC_BACK;
	if (h->search[0] && !h->search_quiet && (h->shown == PANE_TIMELINE || h->shown == PANE_EVENTS))
		return ESC_SEARCH;
	if (pane_finding(h) && !is_from_list(h))
		return ESC_FINDING;
	if (ops->filter && *ops->filter(view, h))
		return ESC_FILTER;
	if (is_from_list(h))
		return ESC_LIST;
	return s->on ? ESC_RANGE : ESC_NOTHING;
}

void pane_say(struct pane_host *h, bool warning, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(h->message, sizeof h->message, format, args);
	va_end(args);
	h->warning = warning;
	h->said_ms = clock_ms();
}

void pane_refuse(struct pane_host *h, const char *why)
{
	if (why)
		pane_say(h, true, "%s", why);
}

void pane_ask(struct pane_host *h, enum pane_prompt asks, const char *text, pane_answer *answer)
{
	static const struct {
		const char *title, *name;
		bool replaced; /* what is typed replaces the text, as long as that is not edited */
	} prompts[] = {[ASK_TIME] = {"go to time: ", "time", false},
		[ASK_LANES] = {"filter lanes: ", "filter", true},
		[ASK_COMMAND] = {":", "command", false},
		[ASK_EVENTS] = {"filter events: ", "events", true},
		[ASK_NUMBER] = {"go to event number: ", "number", false},
		[ASK_SEARCH] = {"search: ", "search", false},
		[ASK_HEAP] = {"filter bands: ", "bands", true},
		[ASK_PROFILE] = {"find centres: ", "centres", false},
		[ASK_THREADS] = {"filter the list, or thread:9, label~worker, span:req: ", "threads", true},
		[ASK_ROWS] = {"filter rows: ", "rows", true},
		[ASK_BOXES] = {"search the rows of this pane: ", "boxes", false},
		[ASK_SQL] = {"sql: ", "sql", false}};
	prompt_open_with(&h->prompt, prompts[asks].title, text);
	snprintf(h->former, sizeof h->former, "%s", text);
	h->prompt.selected = prompts[asks].replaced && *text;
	history_open(&h->history[asks], prompts[asks].name);
	h->asks = asks;
	h->answer = answer;
	h->fields = NULL;
}

void pane_ask_again(struct pane_host *h, const char *why)
{
	h->prompt.open = true;
	pane_refuse(h, why);
}

void pane_filter_again(struct pane_host *h, const char *why)
{
	h->prompt.open = true;
	pane_say(h, true, "invalid filter: %s", why);
}

void pane_prompt_key(struct pane_host *h, const struct key *key)
{
	enum pane_prompt asks = h->asks;
	enum prompt_result result = PROMPT_EDITING;
	bool completes = h->fields && key->kind == KEY_NAME && strcmp(key->name, "<Tab>") == 0;
	if (completes && h->prompt.at == h->prompt.len) {
		char text[PROMPT_ROOM], say[FILTER_SAY];
		struct filter_fields fields = *h->fields;
		fields.ctx = h->log;
		filter_complete(&fields, h->prompt.text, text, sizeof text, say);
		pane_say(h, false, "%s", say);
		prompt_set(&h->prompt, text);
	} else if (!history_key(&h->history[asks], &h->prompt, key))
		result = prompt_key(&h->prompt, key);
	if (result == PROMPT_DONE)
		history_add(&h->history[asks], h->prompt.text);
	h->answer(h, result == PROMPT_CANCELLED ? h->former : h->prompt.text, result);
	if (result == PROMPT_DONE && h->prompt.open
		&& h->asks == asks) /* it is invalid; a part of it may have been applied */
		h->answer(h, h->former, PROMPT_EDITING);
}

struct event_job *pane_job(struct pane_host *h)
{
	if (!h->job && !(h->job = event_job_new(h->log, h->wake, h->wake_ctx)))
		pane_say(h, true, "out of memory");
	return h->job;
}

/* Show the next profile, after the pane has dropped all that belongs to the former. */
static void show_next(struct pane_host *h, struct pane_profile *p)
{
	if (p->job)
		h->kinds[PANE_PROF]->on_log_replaced(h->views[PANE_PROF], h);
	prof_job_free(p->job);
	p->job = p->next;
	p->next = NULL;
	evl_hold(&p->log, p->resting.log);
	resting_answered(&p->resting);
}

/* Begin with a longer state of the log, unless the profile rests or its window is of later times. */
static void renew_profile(struct pane_host *h, struct pane_profile *p, enum prof_source source)
{
	const struct model *m = &h->model;
	struct prof_job *now = p->next ? p->next : p->job;
	uint64_t first, end = 0, new_end = 0;
	const uint64_t to = m->selection.on ? selection_to(&m->selection) : 0;
	bool moved = p->t0 != m->at.t0 || p->t1 != m->at.t1,
	     other = now
		&& ((moved && !resting_answers(&p->resting, m->follow, m->at.t1))
			|| (to != p->to && !resting_answers(&p->resting, false, to)));
	p->t0 = m->at.t0;
	p->t1 = m->at.t1;
	p->to = to;
	if (!resting_renew(&p->resting, &h->rest, now ? prof_job_answers(now) : NULL, h->log, other) && now)
		return;
	prof_job_free(p->next);
	p->next = prof_job_new(p->resting.log, source, h->wake, h->wake_ctx);
	if (p->next && p->job && evl_range(p->log, &first, &end) && evl_range(h->log, &first, &new_end))
		prof_job_repeat(p->next, p->job, end + 1, new_end + 1);
}

struct prof_job *pane_prof_job(struct pane_host *h, enum prof_source source)
{
	const struct evl_log *log = h->model.log;
	struct pane_profile *p = &h->profiles[source];
	struct evl_progress progress = evl_progress(log);
	if (!progress.done || !progress.ready || !prof_samples(&log->prof[source]))
		return p->job;
	renew_profile(h, p, source);
	if (p->next && (!p->job || !h->rest.grows || !prof_job_busy(p->next)))
		show_next(h, p);
	return p->job;
}

void pane_ask_axis(struct pane_host *h, enum prof_source source)
{
	const struct model *m = &h->model;
	struct pane_profile *p = &h->profiles[source];
	if (p->log != h->log && m->follow && p->resting.follows)
		prof_job_move_axis(p->job, m->at.t0, m->at.t1, m->cols);
	else
		prof_job_ask_axis(p->job, m->at.t0, m->at.t1, m->cols);
	p->resting.follows = m->follow;
}

uint64_t pane_prof_as_of(const struct pane_host *h, enum prof_source source)
{
	const struct pane_profile *p = &h->profiles[source];
	return p->log && p->log != h->log ? resting_as_of(&p->resting, h->log) : 0;
}

void pane_drop_profiles(struct pane_host *h, bool stays)
{
	for (int i = 0; i < PROF_SOURCES; i++) {
		struct pane_profile *p = &h->profiles[i];
		if (stays && resting_stays(&p->resting, &h->rest, h->goes_on))
			continue;
		prof_job_free(p->job);
		prof_job_free(p->next);
		p->job = p->next = NULL;
		evl_hold(&p->log, NULL);
		resting_drop(&p->resting, false);
	}
}

const char *pane_compare(struct pane_host *h, const char *path)
{
	struct other_log *opened = *path ? other_log_open(path, h->wake, h->wake_ctx) : NULL;
	if (*path && !opened)
		return "out of memory";
	if (opened && !(h->other && other_log_get(h->other, 0))) {
		other_log_drop(h->other); /* it has not been read; the one before stays */
	} else {
		other_log_drop(h->other_before);
		h->other_before = h->other;
	}
	h->other = opened;
	if (!opened) {
		other_log_drop(h->other_before);
		h->other_before = NULL;
	}
	return NULL;
}

bool pane_settle_other(struct pane_host *h)
{
	struct other_log *asked = h->other, *before = h->other_before;
	bool read = asked && other_log_get(asked, 0), failed = asked && !read && *other_log_error(asked);
	if (!read && !failed)
		return false;
	h->other_before = NULL;
	if (read) {
		other_log_drop(before);
		return false;
	}
	const char *path = before ? other_log_path(before) : "", *slash = strrchr(path, '/');
	pane_say(h, true, "%s%s%s", other_log_error(asked), before ? "; still compared with " : "",
		slash ? slash + 1 : path);
	other_log_drop(asked);
	h->other = before;
	return true;
}

bool pane_compares(const struct pane_host *h, const struct other_log *other)
{
	return other == h->other || other == h->other_before;
}

enum { LEAST_ROWS = 5, LEAST_COLS = 20, INSPECTOR_ROWS = 12 };

void part_frame(void *view, struct pane_host *h, struct canvas *c, part_body *body)
{
	int inspector = c->rows >= INSPECTOR_ROWS, bottom = c->rows - 1 - inspector;
	canvas_clear(c);
	if (c->rows < LEAST_ROWS || c->cols < LEAST_COLS) {
		canvas_str(c, 0, 0, c->cols, PEN(ST_TEXT), "evtui: too small");
		return;
	}
	part_title(h, c, 0);
	body(view, h, c, 1, bottom);
	if (inspector)
		part_inspector(&h->model, NULL, NULL, false, c, bottom, bottom);
	part_hints(h, c, c->rows - 1);
}

static void pan(struct pane_host *h, int num, int den)
{
	uint64_t was = h->model.at.t0;
	model_pan(&h->model, num, den, h->now_ms);
	if (h->model.ranged && h->model.at.t0 == was)
		pane_say(h, true, "%s",
			model_is_whole(&h->model) ? "the window shows the whole run (+ zooms in)"
				: num < 0         ? "this is the start of the run"
						  : "this is the end of the run");
}

bool window_keys(struct pane_host *h, enum action action)
{
	struct model *m = &h->model;
	switch (action) {
	case ACT_LEFT: model_step(m, -1); return true;
	case ACT_RIGHT: model_step(m, 1); return true;
	case ACT_LEFT_HALF: pan(h, -1, 2); return true;
	case ACT_RIGHT_HALF: pan(h, 1, 2); return true;
	case ACT_HOME: model_home(m); return true;
	case ACT_WINDOW_END: model_end(m); return true;
	case ACT_CENTRE: model_centre(m, h->now_ms); return true;
	case ACT_ZOOM_IN: model_zoom(m, 1, 2, h->now_ms); return true;
	case ACT_ZOOM_OUT: model_zoom(m, 2, 1, h->now_ms); return true;
	case ACT_PAN_LEFT: pan(h, -1, 4); return true;
	case ACT_PAN_RIGHT: pan(h, 1, 4); return true;
	case ACT_WHOLE: model_whole(m, h->now_ms); return true;
	default: return false;
	}
}
