#include "panes/events/goto.h"

#include "panes/events/events_pane.h"
#include "state/moment.h"

/* Clamp times outside of the run to its nearest end. */
static void to_time(struct pane_host *h, uint64_t t, const char *text)
{
	const struct model *m = &h->model;
	model_goto(&h->model, t, h->now_ms);
	if (t > m->last)
		pane_say(h, true, "%s is past the end of the run (%s); moved to the end", as_duration(t),
			as_duration(m->last));
	else if (t < m->first)
		pane_say(h, true, "%s is before the start of the run (%s); moved to the start",
			*text == '-' ? text : as_duration(t), as_duration(m->first));
}

int go_to_moment(struct pane_host *h, const char *text, struct evl_err *err)
{
	struct moment moment;
	int result = moment_parse(&h->model, text, &moment, err);
	if (result < 0)
		return result;
	switch (moment.kind) {
	case MOMENT_TIME: to_time(h, moment.t, text); break;
	case MOMENT_EVENT: events_go_number(h, moment.event); break;
	case MOMENT_MARKER: events_go_marker(h, moment.name); break;
	}
	return 0;
}

static void answer(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct evl_err err;
	if (result == PROMPT_DONE && *text && go_to_moment(h, text, &err) < 0)
		pane_say(h, true, "%s", err.text);
}

void go_to_ask(struct pane_host *h) { pane_ask(h, ASK_TIME, "", answer); }
