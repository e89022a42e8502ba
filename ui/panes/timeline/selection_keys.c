#include "panes/timeline/selection_keys.h"

#include "lanes/lane_threads.h"
#include "query/thread_find.h"

bool select_span_at(const struct timeline *t, const struct model *m, uint64_t at, uint64_t *from, uint64_t *to)
{
	const struct lane *lane = timeline_lane(t);
	return lane && m->ranged && lanes_span(&t->lanes, lane, m->log, at, from, to) && *to > *from;
}

bool select_pause_at(const struct model *m, uint64_t at, uint64_t *from, uint64_t *to)
{
	const struct gc_row *gc = m->ranged ? gcs_at(&m->log->gcs, at) : NULL;
	if (!gc)
		return false;
	*from = gc_requested(gc);
	*to = gc_end(gc);
	return *to > *from;
}

/* Lanes of what goes on in a pause, too. A thread that runs or could run is held up by the pause; one that waits is not. */
static bool goes_on(const struct lane *lane, const struct model *m, uint64_t at)
{
	static const struct lane_ops *const others[] = {
		&lane_spans, &lane_path, &lane_nonmoving, &lane_tasks, &lane_gaps, &lane_markers, &lane_messages};
	uint32_t thread = lanes_thread(lane);
	struct thread_moment now = {0};
	for (size_t i = 0; i < countof(others); i++)
		if (lane->ops == others[i])
			return true;
	if (thread)
		thread_at(m->log, thread, at, THREAD_JUMP_TILES, &now);
	return now.known && (now.pos.state == THREAD_BLOCKED || now.pos.state == THREAD_FOREIGN);
}

bool select_here(const struct timeline *t, const struct model *m, uint64_t *from, uint64_t *to)
{
	const struct lane *lane = timeline_lane(t);
	if (lane && !goes_on(lane, m, m->at.cursor) && select_pause_at(m, m->at.cursor, from, to))
		return true;
	return select_span_at(t, m, m->at.cursor, from, to);
}

void select_fit(struct model *m, uint64_t from, uint64_t to, int64_t now_ms)
{
	enum { MARGIN = 16 };
	uint64_t margin = (to - from) / MARGIN;
	model_fit(m, sub_or_0(from, margin), to + margin, now_ms);
}

static const char *keep(struct selection *s)
{
	return selection_keep(s) ? NULL : "the range is empty: move the cursor first (Esc drops the range)";
}

static const char *take_span(const struct timeline *t, struct model *m)
{
	uint64_t from, to;
	if (!select_span_at(t, m, m->at.cursor, &from, &to) && !select_pause_at(m, m->at.cursor, &from, &to))
		return "no interval under the cursor in this lane";
	selection_set(&m->selection, max_u64(from, m->first), min_u64(to, m->last + 1));
	return NULL;
}

/* While it is being made the ends change over; else the cursor goes to the end where it is not. */
static const char *to_other_end(struct model *m, int64_t now_ms)
{
	struct selection *s = &m->selection;
	if (!s->on)
		return "no range selected (v starts one)";
	bool at_end = m->at.cursor == min_u64(s->end, m->last);
	model_goto(m, s->moving || at_end ? selection_turn(s) : s->end, now_ms);
	return NULL;
}

static const char *select_or_keep(struct model *m)
{
	if (!m->ranged)
		return "there are no events";
	if (m->selection.moving)
		return keep(&m->selection);
	selection_begin(&m->selection, m->at.cursor);
	return NULL;
}

bool select_keys(const struct timeline *t, struct model *m, enum action action, int64_t now_ms, const char **why)
{
	*why = NULL;
	switch (action) {
	case ACT_SELECT: *why = select_or_keep(m); return true;
	case ACT_SELECT_SPAN: *why = take_span(t, m); return true;
	case ACT_OTHER_END: *why = to_other_end(m, now_ms); return true;
	case ACT_EXPAND: *why = keep(&m->selection); return true;
	default: return false;
	}
}

bool select_drop(struct model *m)
{
	bool was = m->selection.on;
	selection_drop(&m->selection);
	return was;
}
