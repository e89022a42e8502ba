#include "panes/timeline/lane_keys.h"

#include "lanes/lane_threads.h"
#include "query/thread_find.h"

#include <stdio.h>

/* --- what is done to the selected lane --- */

static const char *shift_down(struct lanes *l) { return lanes_shift(l, 1); }
static const char *shift_up(struct lanes *l) { return lanes_shift(l, -1); }
static const char *grow(struct lanes *l) { return lanes_grow(l, 1); }
static const char *shrink(struct lanes *l) { return lanes_grow(l, -1); }

static const struct {
	enum action action;
	const char *(*change)(struct lanes *l);
} changes[] = {
	{ACT_PIN, lanes_pin},
	{ACT_ONLY_PINNED, lanes_only_pinned},
	{ACT_HIDE, lanes_hide},
	{ACT_SHOW_ALL, lanes_show_all},
	{ACT_LANE_DOWN, shift_down},
	{ACT_LANE_UP, shift_up},
	{ACT_HIGHER, grow},
	{ACT_LOWER, shrink},
	{ACT_EXPAND, lanes_expand},
	{ACT_REGROUP, lanes_regroup},
};

/* The name of a lane, with the number of its thread. */
static void put_name(const struct lanes *l, const struct lane *lane, char *say, size_t size)
{
	char name[LIST_NAME];
	uint32_t thread = lanes_thread(lane);
	lanes_name(l, lane, name);
	if (thread)
		snprintf(say, size, "thread %u%s%s", thread, *name ? " " : "", name);
	else
		snprintf(say, size, "%s", name);
}

/* The effect of a change that may be out of sight, and the key that reverts it. */
static void tell_change(struct lanes *l, const struct lane *lane, enum action action, char *say)
{
	char name[LIST_NAME + 24];
	put_name(l, lane, name, sizeof name);
	if (action == ACT_PIN && lanes_is_pinned(l, lane))
		snprintf(say, LANE_SAY, "pinned at the top: %s (p: unpin, P: only pinned)", name);
	else if (action == ACT_PIN)
		snprintf(say, LANE_SAY, "unpinned: %s", name);
	else if (action == ACT_HIDE)
		snprintf(say, LANE_SAY, "hidden: %s (X: unhide)", name);
	else if (action == ACT_ONLY_PINNED)
		snprintf(say, LANE_SAY, "%s",
			l->only_pinned ? "only the pinned lanes (P: all)" : "all lanes are shown again");
	else if (action == ACT_SHOW_ALL)
		snprintf(say, LANE_SAY, "all hidden lanes are shown again");
}

static bool change_lane(struct timeline *t, enum action action, const char **why, char *say)
{
	const struct lane *selected = lanes_selected(&t->lanes), lane = selected ? *selected : (struct lane){0};
	for (size_t i = 0; i < countof(changes); i++) {
		if (changes[i].action != action)
			continue;
		*why = selected ? changes[i].change(&t->lanes) : "no lanes";
		if (!*why)
			tell_change(&t->lanes, &lane, action, say);
		return true;
	}
	return false;
}

/* --- along one thread --- */

/* The thread of the selected lane; of a capability the one that runs there at the cursor. */
static uint32_t thread_here(const struct timeline *t, const struct model *m)
{
	const struct lane *lane = timeline_lane(t);
	struct cap_moment now;
	if (!lane || lane->ops != &lane_cap)
		return lane ? lanes_thread(lane) : 0;
	uint32_t chain = m->log->cap_chains[lane->index];
	caps_at(&m->log->blocks, &m->log->tiles[chain], chain, m->at.cursor, &now);
	return now.known && now.state == CAP_RUN ? now.thread : 0;
}

static const char *to_run(const struct timeline *t, struct model *m, bool forward, int64_t now_ms)
{
	struct thread_budget budget = {.tiles = THREAD_JUMP_TILES};
	uint32_t thread = thread_here(t, m);
	struct thread_event run;
	if (!thread)
		return "select a thread, or a capability where one runs";
	if (forward ? thread_next(m->log, thread, m->at.cursor, true, &budget, &run)
		    : thread_prev_run(m->log, thread, m->at.cursor, &budget, &run)) {
		model_goto(m, run.t, now_ms);
		return NULL;
	}
	return budget.spent ? "no run of this thread within 32 MB of the log"
			    : "no more runs of this thread in that direction";
}

/* Select the lane of the thread's waker, or of the capability if no thread ran there. */
static void select_waker(struct timeline *t, const struct evl_log *log, const struct wake_up *wake, char *say)
{
	uint32_t cap = wake->event.cap, thread = wake->event.thread;
	char calls[40] = "";
	if (wake->foreign_calls)
		snprintf(calls, sizeof calls, ", %u foreign call%s since", wake->foreign_calls,
			wake->foreign_calls == 1 ? "" : "s");
	if (wake->waker && lanes_select(&t->lanes, &lane_thread, wake->waker)) {
		snprintf(say, LANE_SAY, "thread %u was woken here by thread %u%s", thread, wake->waker, calls);
		return;
	}
	if (cap_lane(log, wake->event.cap) < log->n_caps)
		lanes_select(&t->lanes, &lane_cap, cap_lane(log, wake->event.cap));
	int used = snprintf(say, LANE_SAY, "thread %u was woken here, on cap %u%s, ", thread, cap, calls);
	if (wake->waker)
		snprintf(say + used, LANE_SAY - (size_t)used, "by thread %u, which is filtered or hidden", wake->waker);
	else
		snprintf(say + used, LANE_SAY - (size_t)used, "while no other thread ran there");
}

static const char *to_waker(struct timeline *t, struct model *m, int64_t now_ms, char *say)
{
	uint32_t thread = thread_here(t, m);
	const struct moment_answer *told = &t->moment; /* by the inspector: the same wake-up */
	struct wake_up wake = {.event = told->now.wake, .waker = told->now.waker};
	bool known = told->made && told->now.woken && told->of.thread == thread && told->of.t == m->at.cursor;
	if (!thread)
		return "select a thread, or a capability where one runs";
	enum wake_result result =
		known ? WAKE_FOUND : thread_woken_by(m->log, thread, m->at.cursor, THREAD_JUMP_TILES, &wake);
	if (result == WAKE_GIVEN_UP)
		return "no wake-up of this thread within 32 MB of the log";
	if (result == WAKE_NONE)
		return "no wake-up of this thread is known before this";
	model_goto(m, wake.event.t, now_ms);
	select_waker(t, m->log, &wake, say);
	return NULL;
}

bool lane_keys_is_jump(enum action action)
{
	return action == ACT_NEXT_RUN || action == ACT_PREV_RUN || action == ACT_WAKER;
}

static const char *jump_along(struct timeline *t, struct model *m, enum action action, int64_t now_ms, char *say)
{
	if (!m->ranged || !evl_progress(m->log).done)
		return "this is shown when the whole log has been read";
	return action == ACT_WAKER ? to_waker(t, m, now_ms, say) : to_run(t, m, action == ACT_NEXT_RUN, now_ms);
}

bool lane_keys(struct timeline *t, struct model *m, enum action action, int64_t now_ms, char *say, bool *warning)
{
	const char *why = NULL;
	int64_t step = keymap_scroll(action, (int)t->lanes.shown_n, 0);
	*say = '\0';
	if (step) {
		lanes_move(&t->lanes, step);
	} else if (action == ACT_FIRST_LANE || action == ACT_LAST_LANE) {
		int64_t n = (int64_t)lanes_count(&t->lanes);
		lanes_move(&t->lanes, action == ACT_LAST_LANE ? n : -n);
	} else if (action == ACT_SORT) {
		lanes_sort(&t->lanes);
		snprintf(say, LANE_SAY, "threads are sorted by %s", thread_order_name(t->lanes.ask.order));
	} else if (action == ACT_HIGHLIGHT) {
		why = lanes_highlight(&t->lanes, thread_here(t, m));
	} else if (lane_keys_is_jump(action)) {
		why = jump_along(t, m, action, now_ms, say);
	} else if (!change_lane(t, action, &why, say)) {
		return false;
	}
	if (why)
		snprintf(say, LANE_SAY, "%s", why);
	*warning = why;
	return true;
}
