#include "chrome/view.h"

#include <stdarg.h>
#include <stdio.h>

const struct view_ops *view_shown(const struct view_host *h)
{
	return h->kinds[h->shown];
}

bool view_there(const struct view_host *h, enum view_kind kind)
{
	return h->kinds[kind] && (!h->kinds[kind]->there || h->kinds[kind]->there(h));
}

void view_say(struct view_host *h, bool warning, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(h->message, sizeof h->message, format, args);
	va_end(args);
	h->warning = warning;
}

void view_ask(struct view_host *h, enum view_prompt asks, const char *text, view_answer *answer)
{
	static const struct {
		const char *title, *name;
	} prompts[] = {[ASK_TIME] = {"go to time: ", "time"}, [ASK_LANES] = {"filter lanes: ", "filter"},
		[ASK_COMMAND] = {":", "command"}, [ASK_EVENTS] = {"filter events: ", "events"},
		[ASK_NUMBER] = {"go to event number: ", "number"}, [ASK_SEARCH] = {"search: ", "search"},
		[ASK_HEAP] = {"filter bands: ", "bands"}, [ASK_PROFILE] = {"find centres: ", "centres"},
		[ASK_ROWS] = {"filter rows: ", "rows"}};
	prompt_open_with(&h->prompt, prompts[asks].title, text);
	history_open(&h->history[asks], prompts[asks].name);
	h->asks = asks;
	h->answer = answer;
}

void view_prompt_key(struct view_host *h, const struct key *key)
{
	enum view_prompt asks = h->asks;
	enum prompt_result result = PROMPT_EDITING;
	if (!history_key(&h->history[asks], &h->prompt, key))
		result = prompt_key(&h->prompt, key);
	if (result == PROMPT_DONE)
		history_add(&h->history[asks], h->prompt.text);
	h->answer(h, h->prompt.text, result);
}

struct event_job *view_job(struct view_host *h)
{
	if (!h->job && !(h->job = event_job_new(h->log, h->wake, h->wake_ctx)))
		view_say(h, true, "out of memory");
	return h->job;
}

struct prof_job *view_prof_job(struct view_host *h, enum prof_source source)
{
	const struct evl_log *log = h->model.log;
	struct evl_progress p = evl_progress(log);
	if (!h->prof[source] && p.done && p.ready && prof_samples(&log->prof[source]))
		h->prof[source] = prof_job_new(log, source, h->wake, h->wake_ctx);
	return h->prof[source];
}
