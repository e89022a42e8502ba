#include "panes/events/event_list.h"

#include "jobs/event_job.h"
#include "state/moment.h"

#include <stdio.h>

enum { WAIT_MS = 12 };

static event_rank_key row_key(const struct event_row *row) { return event_rank_key_of(row->t, row->off); }

bool event_list_pending(const struct event_list *l) { return l->asked && l->page.serial != l->serial; }

static void ask(struct event_list *l, struct pane_host *h, enum list_goes goes)
{
	struct event_job *job = pane_job(h);
	if (!job)
		return;
	l->ask.above = l->ask.below = l->rows > 0 ? l->rows : 1;
	l->ask.serial = ++l->serial;
	l->asked = true;
	l->goes = goes;
	event_job_ask(job, &l->ask);
}

void event_list_go(struct event_list *l, struct pane_host *h, event_rank_key at, enum list_goes goes)
{
	l->ask = (struct event_ask){.at = at};
	ask(l, h, goes);
}

void event_list_go_number(struct event_list *l, struct pane_host *h, uint64_t number, enum list_goes goes)
{
	l->synced = h->model.at.cursor;
	l->ask = (struct event_ask){.by = EVENT_BY_NUMBER, .number = number, .at = event_list_here(h)};
	ask(l, h, goes);
}

void event_list_go_marker(struct event_list *l, struct pane_host *h, const char *name)
{
	l->synced = h->model.at.cursor;
	l->ask = (struct event_ask){.by = EVENT_BY_MARKER, .at = event_list_here(h)};
	snprintf(l->ask.marker, sizeof l->ask.marker, "%s", name);
	ask(l, h, LIST_JUMPS);
}

void event_list_move(struct event_list *l, struct pane_host *h, int by)
{
	enum { MOST = 10000 };
	if (event_list_pending(l))
		by += l->ask.move;
	else if (l->page.n)
		l->ask = (struct event_ask){.at = row_key(&l->page.rows[l->page.cursor])};
	l->ask.move = by > MOST ? MOST : by < -MOST ? -MOST : by;
	ask(l, h, LIST_ALONG);
}

void event_list_end(struct event_list *l, struct pane_host *h, bool last)
{
	l->to_top = !last;
	l->to_bottom = last;
	event_list_go(l, h, last ? ORDER_END : 0, LIST_ALONG);
}

event_rank_key event_list_here(const struct pane_host *h)
{
	uint64_t t = h->model.at.cursor;
	return event_rank_key_t(h->place) == t ? h->place : event_rank_key_of(t, 0);
}

void event_list_show_all(struct event_list *l, struct pane_host *h, bool all)
{
	struct event_job *job = pane_job(h);
	if (!job)
		return;
	l->all = all;
	event_job_brief(job, !all);
	ask(l, h, LIST_STAYS);
}

static void renew_filter(const struct event_list *l, struct pane_host *h)
{
	struct time_expr when = moment_when(&h->model);
	struct event_filter filter;
	struct evl_err err;
	struct event_job *job = l->filter[0] || l->all ? pane_job(h) : NULL;
	if (job && l->all)
		event_job_brief(job, false);
	if (job && l->filter[0] && event_filter_init(&filter, l->filter, &when, &err) == 0)
		event_job_filter(job, &filter);
}

void event_list_on_log_replaced(void *view, struct pane_host *h)
{
	struct event_list *l = view;
	renew_filter(l, h);
	if (!l->asked)
		return;
	if (h->model.follow)
		event_list_end(l, h, true);
	else if (l->page.n)
		event_list_go(l, h, row_key(&l->page.rows[l->page.cursor]), LIST_STAYS);
	else
		ask(l, h, l->goes);
}

/* Go to a match of the search unless the cursor has left it since, or to the time cursor if it was moved elsewhere. */
static void sync_with_cursor(struct event_list *l, struct pane_host *h)
{
	uint64_t cursor = h->model.at.cursor;
	bool placed = h->placed && event_rank_key_t(h->place) == cursor;
	h->placed = false;
	if (placed) {
		l->synced = cursor;
		event_list_go(l, h, h->place, LIST_STAYS);
	} else if (!l->asked || (l->synced != cursor && !h->own_times)) {
		l->synced = cursor;
		l->to_top = l->asked; /* the list begins there */
		event_list_go(l, h, event_rank_key_of(cursor, 0), LIST_STAYS);
	}
}

/* Report a request that has no result. */
static bool say_missing(const struct event_list *l, struct pane_host *h)
{
	if (!l->page.missing)
		return false;
	if (l->ask.by == EVENT_BY_MARKER)
		pane_say(h, true,
			"no marker or time \"%.100s\" (use 3.2s, 40ms, 50%%, @14:03:22, +40ms, #5, 'a or a marker's "
			"name)",
			l->ask.marker);
	else
		pane_say(h, true, "no event %s (the last is %s)", as_count(add_or_max(l->ask.number, 1)),
			as_count(l->page.total));
	return true;
}

/* The event of the number is one that is left out: then all are shown. */
static bool is_left_out(const struct event_list *l)
{
	const struct event_page *page = &l->page;
	return l->ask.by == EVENT_BY_NUMBER && !l->all && !l->filter[0] && l->ask.move == 0 && !page->missing && page->n
		&& page->rows[page->cursor].number != l->ask.number;
}

/* The page for the last request is there: the time cursor follows. */
static void follow(struct event_list *l, struct pane_host *h)
{
	if (event_list_pending(l))
		return;
	if (is_left_out(l)) {
		enum list_goes was = l->goes;
		event_list_show_all(l, h, true);
		l->goes = was;
		pane_say(h, false, "this event was hidden; all events are shown now (x hides them)");
		return;
	}
	enum list_goes goes = say_missing(l, h) ? LIST_STAYS : l->goes;
	l->goes = LIST_STAYS;
	if (l->page.n == 0)
		return;
	const struct event_row *row = &l->page.rows[l->page.cursor];
	if (goes == LIST_JUMPS && l->ask.by == EVENT_BY_NUMBER && l->ask.move == 0 && row->number != l->ask.number)
		pane_say(h, true, "event %s does not match the filter; this is event %s",
			as_count(add_or_max(l->ask.number, 1)), as_count(row->number + 1));
	if (goes == LIST_JUMPS)
		model_goto(&h->model, row->t, h->now_ms);
	else if (goes == LIST_ALONG && !h->own_times)
		model_follow(&h->model, row->t);
	selection_move(&h->model.selection, h->model.at.cursor);
	if ((goes != LIST_STAYS && !h->own_times) || row->t == h->model.at.cursor)
		h->place = row_key(row);
	l->synced = h->model.at.cursor;
}

void event_list_take(struct event_list *l, struct pane_host *h, bool wait)
{
	if (!h->job)
		return;
	if (wait)
		event_job_wait(h->job, h->wait_for_jobs ? -1 : WAIT_MS);
	if (event_job_take(h->job, &l->page))
		follow(l, h);
}

void event_list_update(struct event_list *l, struct pane_host *h, int rows)
{
	l->rows = rows;
	sync_with_cursor(l, h);
	if (l->ask.above < rows) /* the screen has grown, or was not known yet */
		ask(l, h, l->goes);
	event_list_take(l, h, true);
	if (h->job)
		event_job_news(h->job); /* what came until now is drawn in this frame */
}

/* Return the row of the page at the top of the screen: the same as before if the cursor is then visible. */
int event_list_top(struct event_list *l)
{
	const struct event_page *page = &l->page;
	int top = page->cursor;
	for (int i = 0; i < page->n; i++)
		if (row_key(&page->rows[i]) <= l->top)
			top = i;
	if (l->top == 0 || l->top < row_key(&page->rows[0]) || top > page->cursor || l->to_top)
		top = page->cursor;
	if (page->cursor >= top + l->rows || l->to_bottom)
		top = page->cursor - l->rows + 1;
	if (top > page->n - l->rows)
		top = page->n - l->rows;
	top = top < 0 ? 0 : top;
	l->top = row_key(&page->rows[top]);
	if (!event_list_pending(l))
		l->to_top = l->to_bottom = false;
	return top;
}
