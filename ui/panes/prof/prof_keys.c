#include "panes/prof/prof_keys.h"

#include "chrome/edit_source.h"
#include "chrome/pane.h"
#include "jobs/other_log.h"
#include "jobs/prof_job.h"
#include "panes/prof/prof_state.h"
#include "panes/prof/prof_table.h"
#include "panes/prof/prof_whose.h"
#include "report/abilities.h"

#include <stdio.h>

static void no_more(struct pane_host *h, bool done, const char *what)
{
	if (!done)
		pane_say(h, true, "%s", what);
}

/* --- choices ------------------------------------------------------------------------------------------------------- */

static void next_order(struct prof_pane *v, struct pane_host *h)
{
	v->order = (enum prof_order)((prof_state_order(v) + 1) % PROF_ORDERS);
	v->ordered = true;
	if (v->mode == MODE_LEFT_HEAVY || v->mode == MODE_TIME)
		pane_say(h, true, "%s has a fixed order", prof_mode_name(v->mode));
}

/* All capabilities, then each that has samples, then all again. */
static void next_cap(struct prof_pane *v, struct pane_host *h)
{
	const struct prof *p = prof_state_prof(v, h);
	if (v->only[0] || v->mode == MODE_WHOLE) {
		pane_say(h, true, "not available in this view (it covers all capabilities)");
		return;
	}
	unsigned cap = v->cap == PROF_ALL_CAPS ? 0 : (unsigned)v->cap + 1;
	while (p->by_cap && cap < PROF_CAPS && p->by_cap[cap] == 0)
		cap++;
	v->cap = p->by_cap && cap < PROF_CAPS ? (int)cap : PROF_ALL_CAPS;
	if (v->cap == PROF_ALL_CAPS)
		pane_say(h, false, "all capabilities");
	else
		pane_say(h, false, "capability %d alone", v->cap);
}

/* Cost centres, or the calls that the program sampled by itself. */
static void next_source(struct prof_pane *v, struct pane_host *h)
{
	enum prof_source other = v->source == PROF_CENTRES ? PROF_CALLS : PROF_CENTRES;
	if (prof_samples(&h->log->prof[other]) == 0) {
		pane_say(h, true, "%s",
			other == PROF_CALLS ? "no call stacks in this log (ghc-stack-profiler writes them)"
					    : absence_of_samples(h->log));
		return;
	}
	prof_state_source(v, other);
}

static void hide_rts(struct prof_pane *v, struct pane_host *h)
{
	v->hide_rts = !v->hide_rts;
	pane_say(h, false,
		v->hide_rts ? "without GC, IDLE, SYSTEM, OVERHEAD_of and DONT_CARE, as in GHC's .prof"
			    : "with the samples in the run-time system");
}

/* With the other log, if there is one; then with the range that is shown now; then no more. */
static void compare(struct prof_pane *v, struct pane_host *h)
{
	bool log = h->other && !v->compares, range = v->other || (!v->compares && !h->other);
	if (log && !other_log_get(h->other, 0)) {
		bool busy = other_log_busy(h->other);
		pane_say(h, true, busy ? "%s is still being read" : "%s",
			busy ? other_log_path(h->other) : other_log_error(h->other));
		return;
	}
	v->other = log ? h->other : NULL;
	v->compares = log || range;
	v->base_from = v->base_to = 0;
	if (range)
		prof_state_range(v, h, &v->base_from, &v->base_to);
	if (log)
		pane_say(h, false, "compared with all of %s; D: with this range", other_log_path(h->other));
	else
		pane_say(h, false,
			!range ? "no longer compared"
				: h->model.selection.on
				? "this range is the base: select another (v) to see what changed; D: stop"
				: "the whole run is the base: select a range (v) to compare with it; D: stop");
}

static void fold(struct prof_pane *v, struct pane_host *h)
{
	v->fold = !v->fold;
	if (v->mode != MODE_ICICLE && v->mode != MODE_TREE && v->mode != MODE_LEFT_HEAVY)
		pane_say(h, true, "recursion is folded in icicle, tree and left-heavy only (M)");
	else
		pane_say(h, false, v->fold ? "direct recursion as one frame" : "each call of a recursion as a frame");
}

static void colour(struct prof_pane *v, struct pane_host *h)
{
	v->by_module = !v->by_module;
	pane_say(h, false, v->by_module ? "a colour per module" : "a colour per cost centre");
}

/* --- searching ----------------------------------------------------------------------------------------------------- */

static void answer(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct prof_pane *v = h->views[PANE_PROF];
	prof_state_search(v, h, text);
	if (result == PROMPT_DONE && v->found && v->rows.tree && v->rows.tree->n
		&& !v->found[prof_rows_item(&v->rows, v->rows.selected)->name]
		&& prof_rows_next(&v->rows, v->found, true) == PROF_FOUND_NONE)
		pane_say(h, true, "no cost centre matches");
}

/* --- whose samples ------------------------------------------------------------------------------------------------- */

void prof_set_only(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct prof_pane *v = h->views[PANE_PROF];
	struct evl_err err = {0};
	if (result == PROMPT_EDITING)
		return;
	if (prof_state_only(v, text, &err) < 0)
		pane_say(h, true, "%s", err.text);
	table_view_close(&v->whose);
}

/* The list of threads, labels and spans of the range. */
static void open_whose(struct prof_pane *v, struct pane_host *h)
{
	v->whose_of = (struct table_range){.log = prof_state_log(v, h)};
	prof_state_range(v, h, &v->whose_of.from, &v->whose_of.to);
	v->picks = false;
	if (!table_view_open(&v->whose, &prof_whose, &v->whose_of, "", h->wake, h->wake_ctx))
		pane_say(h, true, "out of memory");
}

bool prof_pick(void *view, struct pane_host *h)
{
	struct prof_pane *v = view;
	uint64_t ref;
	char text[WHOLE_ONLY_TEXT];
	struct evl_str only = table_view_text(&v->whose, WHOSE_ONLY);
	if (!v->picks || !v->whose.asked || v->whose.pending)
		return false;
	v->picks = false;
	if (!table_view_row(&v->whose, &ref))
		return false;
	if (only.len >= sizeof text || memchr(only.p, 0, only.len)) {
		pane_say(h, true, "this name cannot be a filter: type a part of it (f, then label~PART)");
		return false;
	}
	snprintf(text, sizeof text, "%.*s", (int)only.len, (const char *)only.p);
	prof_set_only(h, ref == 0 ? "" : text, PROMPT_DONE);
	return true;
}

/* "thread:9" and the like are taken as typed; anything else filters the list. */
static void filter(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct prof_pane *v = h->views[PANE_PROF];
	struct evl_err err = {0};
	if (!v->whose.source)
		return;
	if (result == PROMPT_DONE && whole_only_is_meant(text)) {
		if (prof_state_only(v, text, &err) < 0)
			pane_filter_again(h, err.text);
		else
			table_view_close(&v->whose);
	} else if (table_view_filter(&v->whose, text, &err) < 0 && result == PROMPT_DONE) {
		pane_filter_again(h, err.text);
	}
}

static bool act_in_list(struct prof_pane *v, struct pane_host *h, enum action action)
{
	switch (action) {
	case ACT_FILTER:
	case ACT_SEARCH:
		pane_ask(h, ASK_THREADS, v->whose.ask.filter, filter);
		v->whose.fields = table_filter_fields(v->whose.source->kind, v->whose.items);
		h->fields = &v->whose.fields;
		return true;
	case ACT_EXPAND: v->picks = true; return true;
	default: return table_view_act(&v->whose, action);
	}
}

/* --- over time ----------------------------------------------------------------------------------------------------- */

static void move_frame(struct prof_pane *v, struct pane_host *h, int by)
{
	const struct model *m = &h->model;
	const struct prof_axis *axis = prof_job_axis(prof_state_job(v, h), m->at.t0, m->at.t1, m->cols);
	if (axis)
		time_move(m, axis, &prof_state_prof(v, h)->stacks, &v->spot, by);
}

/* Where the selected centre begins or ends to be sampled. */
static void to_change(const struct prof_pane *v, struct pane_host *h, bool forward)
{
	const struct prof_picture *p = prof_job_picture(prof_state_job(v, h));
	uint64_t t;
	if (p && time_change(p, h->model.at.cursor, forward, &t))
		model_goto(&h->model, t, h->now_ms);
	else
		pane_say(h, true, forward ? "no later change in this window" : "no earlier change in this window");
}

static bool act_over_time(struct prof_pane *v, struct pane_host *h, enum action action)
{
	switch (action) {
	case ACT_DOWN: move_frame(v, h, 1); return true;
	case ACT_UP: move_frame(v, h, -1); return true;
	case ACT_RIGHT_HALF: v->spot.depth = STACK_DEPTH; return true; /* the innermost */
	case ACT_EXPAND: h->shown = PANE_TIMELINE; return true;
	default: return window_keys(h, action);
	}
}

/* --- in the tree --------------------------------------------------------------------------------------------------- */

static bool walk_icicle(struct prof_pane *v, enum action action)
{
	switch (action) {
	case ACT_DOWN: return prof_rows_child(&v->rows);
	case ACT_UP: return prof_rows_parent(&v->rows);
	case ACT_LEFT: return prof_rows_sibling(&v->rows, false);
	default: return prof_rows_sibling(&v->rows, true);
	}
}

static void walk_rows(struct prof_pane *v, enum action action)
{
	switch (action) {
	case ACT_LEFT:
		if (!prof_rows_fold(&v->rows, false))
			prof_rows_parent(&v->rows);
		break;
	case ACT_RIGHT:
		if (!prof_rows_fold(&v->rows, true))
			prof_rows_child(&v->rows);
		break;
	default: prof_rows_move(&v->rows, action == ACT_DOWN ? 1 : -1); break;
	}
}

static void walk(struct prof_pane *v, struct pane_host *h, enum action action)
{
	if (!prof_is_icicle(v->mode))
		walk_rows(v, action);
	else
		no_more(h, walk_icicle(v, action), "no frame there");
}

/* In a list there is nothing to focus on: callers and callees of the row are shown, or no more. */
static void focus(struct prof_pane *v, struct pane_host *h)
{
	if (v->mode == MODE_FLAT || v->mode == MODE_SANDWICH)
		v->mode = v->mode == MODE_FLAT ? MODE_SANDWICH : MODE_FLAT;
	else
		no_more(h, prof_rows_focus(&v->rows), "already shown alone; Backspace shows all again");
}

static bool act_in_tree(struct prof_pane *v, struct pane_host *h, enum action action)
{
	int64_t by = keymap_scroll(action, (int)v->page, INT32_MAX);
	switch (action) {
	case ACT_DOWN:
	case ACT_UP:
	case ACT_LEFT:
	case ACT_RIGHT: walk(v, h, action); return true;
	case ACT_RIGHT_HALF: prof_rows_heaviest(&v->rows); return true;
	case ACT_EXPAND: focus(v, h); return true;
	case ACT_UNDO: return prof_rows_unfocus(&v->rows);
	case ACT_PREV_CHANGE: to_change(v, h, false); return true;
	case ACT_NEXT_CHANGE: to_change(v, h, true); return true;
	default: prof_rows_move(&v->rows, by); return by || window_keys(h, action); /* of the curve below */
	}
}

static void edit(const struct prof_pane *v, struct pane_host *h)
{
	uint32_t name = prof_state_name(v, h);
	struct evl_str location = {0};
	if (name != PROF_NO_NAME)
		location = prof_location(prof_job_names(prof_state_job(v, h)), name);
	location = source_view_place(h, location);
	if (name == PROF_NO_NAME && location.len == 0)
		pane_say(h, true, "nothing is selected");
	else
		edit_source(h, location);
}

static bool choose(struct prof_pane *v, struct pane_host *h, enum action action)
{
	bool again = action == ACT_REPEAT || action == ACT_REPEAT_BACK;
	if (again && v->found && v->mode != MODE_TIME) {
		bool forward = action == ACT_REPEAT;
		switch (prof_rows_next(&v->rows, v->found, forward)) {
		case PROF_FOUND: break;
		case PROF_FOUND_NONE: pane_say(h, true, "no match"); break;
		case PROF_FOUND_ONLY: pane_say(h, false, "the only match"); break;
		case PROF_FOUND_WRAPPED: pane_say(h, false, "wrapped to the %s", forward ? "first" : "last"); break;
		}
		return true;
	}
	switch (action) {
	case ACT_MODE: v->mode = (enum prof_mode)((v->mode + 1) % PROF_MODES); return true;
	case ACT_TASKS: next_source(v, h); return true;
	case ACT_SORT: next_order(v, h); return true;
	case ACT_HIDE: hide_rts(v, h); return true;
	case ACT_REGROUP: fold(v, h); return true;
	case ACT_DIFFERENCE: compare(v, h); return true;
	case ACT_CURVES: colour(v, h); return true;
	case ACT_CENTRE: next_cap(v, h); return true;
	case ACT_FILTER: open_whose(v, h); return true;
	case ACT_SEARCH: pane_ask(h, ASK_PROFILE, "", answer); return true;
	case ACT_EDIT: edit(v, h); return true;
	default: return source_view_act(h, action);
	}
}

bool prof_keys(void *view, struct pane_host *h, enum action action)
{
	struct prof_pane *v = view;
	prof_state_choose(v, h);
	if (!pane_prof_job(h, v->source))
		return false;
	if (v->whose.source)
		return act_in_list(v, h, action);
	if (!prof_job_picture(prof_state_job(v, h))) /* no frame has been drawn yet */
		prof_state_update(v, h);
	if (choose(v, h, action))
		return true;
	if (v->mode == MODE_TIME)
		return act_over_time(v, h, action);
	return v->rows.tree && v->rows.tree->n && act_in_tree(v, h, action);
}

/* --- the mouse ----------------------------------------------------------------------------------------------------- */

static bool click_icicle(struct prof_pane *v, int y, int x, bool twice)
{
	for (size_t i = 0; i < v->spots.n; i++) {
		if (v->spots.items[i].y != y || x < v->spots.items[i].x || x >= v->spots.items[i].end)
			continue;
		prof_rows_select(&v->rows, v->spots.items[i].item);
		if (twice)
			prof_rows_focus(&v->rows);
		return true;
	}
	return false;
}

static bool click_table(struct prof_pane *v, int y, int x, bool twice)
{
	int row = y - v->table_y - 1;
	enum prof_order order;
	if (row == -1 && v->table_y >= 0 && table_order_at(v->table_x, v->table_end - v->table_x, x, &order)) {
		v->order = order;
		v->ordered = true;
		return true;
	}
	if (v->table_y < 0 || row < 0 || row >= (int)v->page || x >= v->table_end
		|| v->rows.first + (uint32_t)row >= v->rows.n)
		return false;
	prof_rows_select(&v->rows, v->rows.items[v->rows.first + (uint32_t)row]);
	if (twice)
		prof_rows_focus(&v->rows);
	return true;
}

/* Where there is a picture over time, the time cursor goes there; twice: on the timeline. */
static void click_time(const struct prof_pane *v, struct pane_host *h, int y, int x, bool twice)
{
	int col = x - v->plot_x;
	if (v->time_y < 0 || y < v->time_y || col < 0 || col >= h->model.cols)
		return;
	model_goto(&h->model, model_edge(&h->model, col), h->now_ms);
	h->shown = twice ? PANE_TIMELINE : h->shown;
}

void prof_click(void *view, struct pane_host *h, int y, int x, bool twice)
{
	struct prof_pane *v = view;
	if (v->whose.source) {
		v->picks = table_view_click(&v->whose, y, x) && twice;
		return;
	}
	if (v->mode != MODE_TIME && v->rows.tree && (click_icicle(v, y, x, twice) || click_table(v, y, x, twice)))
		return;
	click_time(v, h, y, x, twice);
}
