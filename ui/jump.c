#include "jump.h"

/* Where a jump lands from the moment t; false where there is nothing. */
typedef bool target_fn(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out);

static bool to_gc(const struct evl_log *log, uint64_t t, enum gc_kind kind, bool forward, uint64_t *out)
{
	const struct gc_row *row = forward ? gcs_after(&log->gcs, t, kind) : gcs_before(&log->gcs, t, kind);
	if (row)
		*out = row->start;
	return row != NULL;
}

static bool to_any_gc(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	return to_gc(log, t, GC_ALL, forward, out);
}

static bool to_major(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	return to_gc(log, t, GC_MAJOR, forward, out);
}

static bool to_marker(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct marker_row row;
	if (!(forward ? markers_after(&log->markers, t, &row) : markers_before(&log->markers, t, &row)))
		return false;
	*out = row.t;
	return true;
}

static bool to_message(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct found found;
	if (!(forward ? find_after : find_before)(&log->blocks, log->tiles, EVL_USER_MSG, t, &found))
		return false;
	*out = found.t;
	return true;
}

static const struct {
	enum action forth, back;
	target_fn *target; /* NULL: the longest pauses, which have an order of their own */
	const char *none;
} kinds[] = {
	{ACT_NEXT_GC, ACT_PREV_GC, to_any_gc, "no further GC there (a program logs them with +RTS -l or -lg)"},
	{ACT_NEXT_MAJOR, ACT_PREV_MAJOR, to_major, "no further major GC there"},
	{ACT_NEXT_MARKER, ACT_PREV_MARKER, to_marker, "no further marker there (traceMarker writes them)"},
	{ACT_NEXT_MESSAGE, ACT_PREV_MESSAGE, to_message, "no further user message there (traceEvent writes them)"},
	{ACT_NEXT_LONGEST, ACT_PREV_LONGEST, NULL, "no further pause in this window"},
};

bool jump_is(enum action action)
{
	for (size_t i = 0; i < countof(kinds); i++)
		if (action == kinds[i].forth || action == kinds[i].back)
			return true;
	return action == ACT_REPEAT || action == ACT_REPEAT_BACK;
}

/* The list of longest pauses begins anew in another window. */
static bool to_longest(struct jumper *j, const struct model *m, bool forward, uint64_t *out)
{
	if (j->t0 != m->at.t0 || j->t1 != m->at.t1)
		j->n_longest = 0;
	j->t0 = m->at.t0;
	j->t1 = m->at.t1;
	if (!forward) {
		if (j->n_longest < 2)
			return false;
		*out = j->longest[--j->n_longest - 1]->start;
		return true;
	}
	const struct gc_row *than = j->n_longest ? j->longest[j->n_longest - 1] : NULL;
	const struct gc_row *row = gcs_longest(&m->log->gcs, m->at.t0, m->at.t1, than);
	if (!row)
		return false;
	if (j->n_longest == JUMP_LONGEST)
		memmove(j->longest, j->longest + 1, sizeof j->longest - sizeof *j->longest), j->n_longest--;
	j->longest[j->n_longest++] = row;
	*out = row->start;
	return true;
}

/* n and N: the last jump, the same way or the other. */
static enum action resolve(const struct jumper *j, enum action action)
{
	if (action != ACT_REPEAT && action != ACT_REPEAT_BACK)
		return action;
	for (size_t i = 0; i < countof(kinds); i++)
		if (j->last == kinds[i].forth || j->last == kinds[i].back)
			return (j->last == kinds[i].forth) == (action == ACT_REPEAT) ? kinds[i].forth : kinds[i].back;
	return ACT_NONE;
}

const char *jump(struct jumper *j, struct model *m, enum action action, int64_t now_ms)
{
	enum action resolved = resolve(j, action);
	if (action == resolved)
		j->last = action;
	if (!m->ranged)
		return "there are no events";
	for (size_t i = 0; i < countof(kinds); i++) {
		bool forward = resolved == kinds[i].forth;
		uint64_t t;
		if (!forward && resolved != kinds[i].back)
			continue;
		if (!(kinds[i].target ? kinds[i].target(m->log, m->at.cursor, forward, &t) : to_longest(j, m, forward, &t)))
			return kinds[i].none;
		model_goto(m, t, now_ms);
		return NULL;
	}
	return "no jump yet to repeat";
}
