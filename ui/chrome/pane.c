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

struct prof_job *pane_prof_job(struct pane_host *h, enum prof_source source)
{
	const struct evl_log *log = h->model.log;
	struct evl_progress p = evl_progress(log);
	if (!h->prof[source] && p.done && p.ready && prof_samples(&log->prof[source]))
		h->prof[source] = prof_job_new(log, source, h->wake, h->wake_ctx);
	return h->prof[source];
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
