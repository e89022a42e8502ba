#include "chrome/search.h"

#include "jobs/event_job.h"

#include <stdio.h>

/* Where the search continues: at the event of the last jump if the cursor is still there. */
static event_rank_key origin(const struct pane_host *h, bool forward)
{
	uint64_t t = h->model.at.cursor;
	if (event_rank_key_t(h->place) == t)
		return h->place;
	return event_rank_key_of(t, 0) - (forward && t ? 1 : 0);
}

void search_next(struct pane_host *h, bool forward)
{
	struct event_job *job = pane_job(h);
	if (!job)
		return;
	h->not_found = h->search_quiet = h->search_wraps = false;
	h->search_back = !forward;
	event_job_find(job, origin(h, forward), forward);
	pane_say(h, false, "searching …   Ctrl-C stops");
}

/* Hits are counted while the text is typed; Enter goes to the first from the cursor on, Esc forgets the search. */
static void answer(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct pattern pattern = {0};
	struct evl_err err = {0};
	struct event_job *job = pane_job(h);
	bool same = strcmp(text, h->search) == 0;
	if (!job || (same && result == PROMPT_EDITING))
		return;
	struct evl_str want = {(const uint8_t *)text, strlen(text)};
	bool bad = want.len && pattern_init(&pattern, want, &err) < 0;
	if (bad && result == PROMPT_EDITING)
		return; /* not typed to its end yet */
	snprintf(h->search, sizeof h->search, "%s", bad ? "" : text);
	h->search_last = h->search[0];
	if (bad)
		pane_say(h, true, "%s", err.text);
	if (same)
		pattern_free(&pattern);
	else
		event_job_search(job, &pattern);
	if (result == PROMPT_DONE && h->search[0])
		search_next(h, true);
}

void search_ask(struct pane_host *h)
{
	if (pane_job(h))
		pane_ask(h, ASK_SEARCH, "", answer);
}

void search_on_log_replaced(struct pane_host *h)
{
	struct pattern pattern;
	struct evl_err err;
	struct event_job *job = pane_job(h);
	struct evl_str want = {(const uint8_t *)h->search, strlen(h->search)};
	if (job && want.len && pattern_init(&pattern, want, &err) == 0)
		event_job_search(job, &pattern);
}

/* Hits are counted in the whole log, whichever way the search goes: until the first is counted, or all of the log has been
 * read, it is open whether there are any. */
static void say_not_found(struct pane_host *h)
{
	struct event_job_state s;
	event_job_state(h->job, &s);
	h->not_found = s.counting && !s.hits;
	if (h->not_found)
		return;
	if (!s.hits && !s.stopped)
		pane_say(h, true, "no match for \"%s\"", h->search);
	else
		pane_say(h, true, "no match %s this (%s %s)", h->search_back ? "before" : "after", as_count(s.hits),
			s.counting || s.stopped ? "so far" : "in all");
}

/* After the last match, or before the first, the search goes on at the other end of the log, if there are any. */
static bool wrap(struct pane_host *h)
{
	const struct model *m = &h->model;
	struct event_job_state s;
	event_job_state(h->job, &s);
	if (h->search_wraps || !s.hits)
		return false;
	h->search_wraps = true;
	event_job_find(h->job,
		h->search_back ? event_rank_key_of(m->last + 1, 0) : event_rank_key_of(m->first, 0) - (m->first != 0),
		!h->search_back);
	return true;
}

bool search_news(struct pane_host *h)
{
	event_rank_key hit;
	enum event_found found = h->job ? event_job_found(h->job, &hit) : FOUND_NOTHING_NEW;
	if (found == FOUND_NOWHERE && wrap(h))
		return false;
	if (found == FOUND_NOWHERE || (found == FOUND_NOTHING_NEW && h->not_found)) {
		say_not_found(h);
		return !h->not_found;
	}
	if (found == FOUND_NOTHING_NEW)
		return false;
	char text[PANE_MESSAGE];
	bool same = hit == h->place && event_rank_key_t(hit) == h->model.at.cursor;
	pane_say(h, false, "%s%s",
		!h->search_wraps         ? ""
			: same           ? "the only match: "
			: h->search_back ? "wrapped to the last: "
					 : "wrapped to the first: ",
		event_job_hit_text(h->job, text, sizeof text));
	model_goto(&h->model, event_rank_key_t(hit), h->now_ms);
	h->place = hit;
	h->placed = true;
	return true;
}

/* " 3 of 18+ in 40%", or how many there are, until a jump takes the place of the search; +: so far. */
void search_status(const struct pane_host *h, char *out, size_t room)
{
	struct event_job_state s;
	char number[TEXT_ROOM];
	*out = 0;
	bool of_events = h->shown == PANE_TIMELINE || h->shown == PANE_EVENTS;
	if (!h->job || !h->search[0] || h->search_quiet || !of_events)
		return;
	event_job_state(h->job, &s);
	const char *more = s.counting || s.stopped ? "+" : "";
	bool here = s.place && s.hit == h->place && event_rank_key_t(s.hit) == h->model.at.cursor;
	if (!here && !h->search_last && !s.counting) /* n and N repeat a jump by now */
		return;
	if (!s.hits && !s.counting && !s.stopped) /* that was said once */
		return;
	text_count(number, max_u64(s.hits, s.place));
	int n = here ? snprintf(out, room, " %s of %s%s", as_count(s.place), number, more)
		     : snprintf(out, room, " %s%s match%s", number, more, s.hits == 1 && !*more ? "" : "es");
	if ((s.counting || s.stopped) && n > 0 && (size_t)n < room)
		n += snprintf(out + n, room - (size_t)n, " in %.0f%%", 100 * s.share);
	if (s.counting && s.rate && n > 0 && (size_t)n < room)
		snprintf(out + n, room - (size_t)n, "  %s/s", as_bytes(s.rate));
}
