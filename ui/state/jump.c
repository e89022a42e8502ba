#include "state/jump.h"

/* Where a jump from the moment t lands: at *out, if anywhere. One that would have to wait for the disk is answered later. */
enum landing { LAND_NOWHERE, LAND_THERE, LAND_LATER };
typedef enum landing target_fn(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out);

static enum landing to_gc(const struct evl_log *log, uint64_t t, enum gc_kind kind, bool forward, uint64_t *out)
{
	const struct gc_row *row = forward ? gcs_after(&log->gcs, t, kind) : gcs_before(&log->gcs, t, kind);
	if (row)
		*out = row->start;
	return row ? LAND_THERE : LAND_NOWHERE;
}

static enum landing to_any_gc(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	return to_gc(log, t, GC_ALL, forward, out);
}

static enum landing to_major(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	return to_gc(log, t, GC_MAJOR, forward, out);
}

static enum landing to_marker(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct point row;
	if (!(forward ? points_after(&log->markers, t, &row) : points_before(&log->markers, t, &row)))
		return LAND_NOWHERE;
	*out = row.t;
	return LAND_THERE;
}

static enum landing to_message(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct found found = {0};
	if (!(forward ? find_after : find_before)(&log->blocks, log->tiles, EVL_USER_MSG, t, &found))
		return found.missing ? LAND_LATER : LAND_NOWHERE;
	*out = found.t;
	return LAND_THERE;
}

static enum landing to_phase(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	struct nm_phase phase = {0};
	if (!(forward ? nonmoving_after : nonmoving_before)(&log->nonmoving, t, &phase))
		return LAND_NOWHERE;
	*out = phase.start;
	return LAND_THERE;
}

static enum landing to_sparks(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	bool missing;
	if (!sparks_near(&log->sparks, t, forward, out, &missing))
		return missing ? LAND_LATER : LAND_NOWHERE;
	return LAND_THERE;
}

/* Idle periods are of at least 1 ms, in a short window of a thousandth of it: zoomed in, shorter ones are found, too. */
static uint64_t idle_least(const struct model *m)
{
	enum { LEAST_NS = 1000001, PART = 1000 };
	return min_u64((model_width(m) - 1) / PART + 1, LEAST_NS);
}

/* The next or previous idle period; its length is j->idle_ns. */
static enum landing to_idle(struct jumper *j, const struct model *m, uint64_t t, bool forward, uint64_t *out)
{
	const struct evl_log *log = m->log;
	struct idle_gap gap;
	enum idle_result result =
		idle_near(&log->blocks, log->tiles, &log->gcs, &log->busy, t, idle_least(m), forward, &gap);
	if (result != IDLE_FOUND)
		return result == IDLE_MISSING ? LAND_LATER : LAND_NOWHERE;
	*out = gap.from;
	j->idle_ns = min_u64(gap.to, cap_life_all_until(&log->cap_life, &log->blocks, gap.from)) - gap.from;
	return LAND_THERE;
}

static enum landing to_block(const struct evl_log *log, uint64_t t, bool forward, uint64_t *out)
{
	return blocks_near(&log->blocks, t, forward, out) ? LAND_THERE : LAND_NOWHERE;
}

static const struct {
	enum action forth, back;
	target_fn *target;        /* NULL: idle periods, and the longest pauses, which are in order of length */
	const char *none, *never; /* never: the log has none at all; NULL: as none */
} kinds[] = {
	{ACT_NEXT_GC, ACT_PREV_GC, to_any_gc, "no more GCs in that direction", "no GCs in this log"},
	{ACT_NEXT_MAJOR, ACT_PREV_MAJOR, to_major, "no more major GCs in that direction", "no major GCs in this log"},
	{ACT_NEXT_MARKER, ACT_PREV_MARKER, to_marker, "no more markers in that direction (traceMarker writes them)",
		"no markers in this log (traceMarker writes them)"},
	{ACT_NEXT_MESSAGE, ACT_PREV_MESSAGE, to_message,
		"no more user messages in that direction (traceEvent writes them)",
		"no user messages in this log (traceEvent writes them)"},
	{ACT_NEXT_PHASE, ACT_PREV_PHASE, to_phase, "no more phases of the nonmoving collector in that direction",
		"no phases of the nonmoving collector in this log"},
	{ACT_NEXT_SPARKS, ACT_PREV_SPARKS, to_sparks, "no more sparks in that direction", "no sparks in this log"},
	{ACT_NEXT_IDLE, ACT_PREV_IDLE, NULL,
		"no more idle periods (all capabilities, over 1 ms or 0.1% of the window) in that direction; zoom in "
		"for "
		"shorter ones",
		NULL},
	{ACT_NEXT_BLOCK, ACT_PREV_BLOCK, to_block, "no more blocks of the log in that direction", NULL},
	{ACT_NEXT_LONGEST, ACT_PREV_LONGEST, NULL, "no more pauses (g, then ]l starts over with the longest)", NULL},
};

/* Take the pauses that overlap [t0, t1). Return their number. */
static size_t take_pauses(struct jumper *j, const struct model *m, uint64_t t0, uint64_t t1)
{
	j->from = j->t0 = t0;
	j->to = j->t1 = t1;
	return gcs_widen(&m->log->gcs, &j->from, &j->to);
}

/* The pauses of the range or window, or of the run if that has none. */
static void take_window(struct jumper *j, const struct model *m)
{
	j->taken = j->range;
	j->ranks = take_pauses(j, m, j->range.to ? j->range.from : m->at.t0, j->range.to ? j->range.to : m->at.t1);
	j->widened = j->ranks == 0;
	if (j->widened)
		j->ranks = take_pauses(j, m, m->first, m->last + 1);
}

/* The list of longest pauses starts over when the range or window or the cursor was moved since the last one. */
static bool to_longest(struct jumper *j, const struct model *m, bool forward, uint64_t *out)
{
	bool other = j->fitted0 != m->at.t0 || j->fitted1 != m->at.t1
		|| (j->range.to && (j->range.from != j->taken.from || j->range.to != j->taken.to));
	if (other)
		take_window(j, m);
	if (other || j->fitted_cursor != m->at.cursor) {
		j->n_longest = 0;
		j->rank = 0;
	}
	if (!forward) {
		if (j->n_longest < 2)
			return false;
		j->rank--;
		*out = gc_requested(j->longest[--j->n_longest - 1]);
		return true;
	}
	const struct gc_row *than = j->n_longest ? j->longest[j->n_longest - 1] : NULL;
	const struct gc_row *row = gcs_longest(&m->log->gcs, j->from, j->to, than);
	if (!row)
		return false;
	if (j->n_longest == JUMP_LONGEST)
		memmove(j->longest, j->longest + 1, sizeof j->longest - sizeof *j->longest), j->n_longest--;
	j->longest[j->n_longest++] = row;
	j->rank++;
	*out = gc_requested(row);
	return true;
}

/* Fit the whole pause, request to end, with a margin; the cursor is at the request. */
static void fit_pause(struct jumper *j, struct model *m, int64_t now_ms)
{
	enum { MARGIN = 16 };
	const struct gc_row *gc = j->longest[j->n_longest - 1];
	uint64_t margin = gc_pause(gc) / MARGIN;
	model_fit_at(m, sub_or_0(gc_requested(gc), margin), gc_end(gc) + margin, gc_requested(gc), now_ms);
	j->fitted0 = m->at.t0;
	j->fitted1 = m->at.t1;
	j->fitted_cursor = m->at.cursor;
}

void jump_go_on_from(struct jumper *j, const struct model *m, const struct gc_row *gc, const struct jump_range *range)
{
	const struct gc_row *row = NULL;
	j->taken = *range;
	j->widened = false;
	j->ranks = take_pauses(j, m, range->to ? range->from : m->first, range->to ? range->to : m->last + 1);
	for (j->n_longest = 0; row != gc && j->n_longest < JUMP_LONGEST; j->longest[j->n_longest++] = row)
		if (!(row = gcs_longest(&m->log->gcs, j->from, j->to, row)))
			break;
	j->n_longest = row == gc ? j->n_longest : 0;
	j->rank = (size_t)j->n_longest;
	j->fitted0 = m->at.t0;
	j->fitted1 = m->at.t1;
	j->fitted_cursor = m->at.cursor;
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

bool jump_is(enum action action)
{
	for (size_t i = 0; i < countof(kinds); i++)
		if (action == kinds[i].forth || action == kinds[i].back)
			return true;
	return action == ACT_REPEAT || action == ACT_REPEAT_BACK;
}

/* Has a log that is read to its end nothing to jump to, from its start on and back from its end? */
static bool has_none(const struct model *m, target_fn *target)
{
	uint64_t t;
	return target && !m->live && evl_progress(m->log).done && target(m->log, 0, true, &t) == LAND_NOWHERE
		&& target(m->log, m->last + 1, false, &t) == LAND_NOWHERE;
}

const char *jump(struct jumper *j, struct model *m, enum action action, int64_t now_ms)
{
	enum action resolved = resolve(j, action);
	if (action == resolved)
		j->last = action;
	j->idle_ns = 0;
	j->at_rank = false;
	if (!m->ranged)
		return "no events";
	for (size_t i = 0; i < countof(kinds); i++) {
		bool forward = resolved == kinds[i].forth;
		uint64_t t;
		if (!forward && resolved != kinds[i].back)
			continue;
		bool idle = kinds[i].forth == ACT_NEXT_IDLE, longest = kinds[i].forth == ACT_NEXT_LONGEST;
		enum landing landing = kinds[i].target  ? kinds[i].target(m->log, m->at.cursor, forward, &t)
			: idle                          ? to_idle(j, m, m->at.cursor, forward, &t)
			: to_longest(j, m, forward, &t) ? LAND_THERE
							: LAND_NOWHERE;
		if (landing == LAND_NOWHERE)
			return kinds[i].never && has_none(m, kinds[i].target) ? kinds[i].never : kinds[i].none;
		if (landing == LAND_LATER)
			return "this part of the log is being read; press again";
		if (longest)
			fit_pause(j, m, now_ms);
		else
			model_goto(m, t, now_ms);
		j->at_rank = longest;
		return NULL;
	}
	return "no jump to repeat";
}
