/* heap_keys.c - keys of the Heap pane. */
#include "chrome/edit_source.h"
#include "chrome/pane.h"
#include "jobs/other_log.h"
#include "panes/heap/heap_filter.h"
#include "panes/heap/heap_pane.h"
#include "panes/heap/heap_private.h"

#include <stdio.h>

/* --- what it is compared with -------------------------------------------------------------------------------------- */

/* The other end of the range, or else the nearest mark, or else the start of the window. */
static void choose_other(struct heap_pane *v, const struct model *m)
{
	const struct selection *s = &m->selection;
	char letter = bookmarks_nearest(&m->marks, m->at.cursor);
	v->from_window = false;
	if (s->on) {
		uint64_t from = selection_from(s), to = selection_to(s);
		v->compared = m->at.cursor == from ? to : from;
		snprintf(v->compared_with, sizeof v->compared_with, "the range's end");
	} else if (bookmarks_get(&m->marks, letter, &v->compared) && v->compared != m->at.cursor) {
		snprintf(v->compared_with, sizeof v->compared_with, "mark %c", letter);
	} else {
		v->from_window = true;
		snprintf(v->compared_with, sizeof v->compared_with, "the window's start");
	}
}

void heap_pane_compare(struct heap_pane *v, struct pane_host *h, enum heap_compare with)
{
	if (!v->compares)
		v->before = (enum heap_sort)v->sort;
	v->compares = with != COMPARE_NONE;
	v->other = with == COMPARE_LOG ? h->other : NULL;
	v->mode = HEAP_BANDS;
	v->at = v->only = BANDS_REST;
	v->top = 0;
	v->sort = v->compares ? HEAP_BY_CHANGE : v->before;
	if (with == COMPARE_MOMENT)
		choose_other(v, &h->model);
}

/* With the other log, if there is one; then with a moment; then no more. */
static void compare(struct heap_pane *v, struct pane_host *h)
{
	bool log = h->other && !v->compares;
	const struct evl_log *opened = log ? other_log_get(h->other, 0) : NULL;
	if (log && !opened) {
		bool busy = other_log_busy(h->other);
		pane_say(h, true, busy ? "%s is still being read" : "%s",
			busy ? other_log_path(h->other) : other_log_error(h->other));
		return;
	}
	if (opened && census_count(&opened->census) == 0) {
		pane_say(h, true, "no heap census in %s: compared with a moment", other_log_path(h->other));
		log = false;
	}
	heap_pane_compare(v, h, log ? COMPARE_LOG : !v->compares || v->other ? COMPARE_MOMENT : COMPARE_NONE);
	if (log)
		pane_say(h, false, "with the largest sample of %s; D: with a moment", other_log_path(h->other));
}

/* --- the table ----------------------------------------------------------------------------------------------------- */

static void sort_next(struct heap_pane *v)
{
	do
		v->sort = (v->sort + 1) % HEAP_SORT_COUNT;
	while (v->sort == HEAP_BY_CHANGE && !v->compares);
}

static void show_curves(struct heap_pane *v, struct pane_host *h)
{
	v->look.curves = !v->look.curves;
	if (v->look.curves)
		pane_say(h, v->look.share,
			v->look.share ? "curves are not drawn over shares (%%: bytes)"
				      : "right axis: live bytes, heap size and blocks (r: without them)");
}

/* Bands stacked, as lines, and what the breakdown has besides. */
static void mode_next(struct heap_pane *v)
{
	bool grouped = v->page.grouped > 0, stacks = v->page.stacks;
	bool roots = !grouped && v->page.announced.by == BY_ROOTS;
	if (v->mode == HEAP_BANDS && !v->look.lines) {
		v->look.lines = true;
		return;
	}
	v->look.lines = false;
	v->mode = v->mode != HEAP_BANDS || (!stacks && !roots) ? HEAP_BANDS : stacks ? HEAP_TREE : HEAP_ROOTS;
	v->at = BANDS_REST;
	v->top = 0;
	v->compares = false;
	v->other = NULL;
	v->sort = v->sort == HEAP_BY_CHANGE ? HEAP_BY_PEAK : v->sort;
}

static void isolate(struct heap_pane *v, struct pane_host *h)
{
	if (v->mode == HEAP_BANDS && v->at == BANDS_OPEN)
		pane_say(h, true, "close the group first (Enter)");
	else if (v->mode != HEAP_BANDS)
		pane_say(h, true, "only bands can be shown alone (M: bands)");
	else
		v->only = v->only == BANDS_REST ? v->at : BANDS_REST;
}

/* A group is opened into its bands, and closed again. */
static bool fold(struct heap_pane *v)
{
	const struct heap_row *row = v->there && v->page.n ? &v->page.rows[v->page.cursor] : NULL;
	if (v->mode != HEAP_BANDS || v->only != BANDS_REST || !row || row->fold == FOLD_NONE)
		return false;
	if (row->fold == FOLD_OPEN) {
		snprintf(v->find, sizeof v->find, "%.*s", HEAP_LABEL - 1, v->open);
		v->open[0] = '\0';
	} else {
		snprintf(v->open, sizeof v->open, "%s", row->label);
		v->at = BANDS_OPEN;
	}
	return true;
}

static void next_profile(struct heap_pane *v, struct pane_host *h)
{
	if (v->page.profiles < 2) {
		pane_say(h, true, "there is one profile in this log");
		return;
	}
	v->profile = (v->profile + 1) % v->page.profiles;
	v->at = v->only = BANDS_REST;
	v->top = 0;
	v->mode = HEAP_BANDS;
}

/* "Map Set", which once meant either of them. */
static bool words_in_a_row(const struct filter *f)
{
	for (size_t i = 0; i < f->n_nodes; i++) {
		const struct filter_node *n = &f->nodes[i], *a = &f->nodes[n->a], *b = &f->nodes[n->b];
		if (n->kind == FILTER_AND && a->kind == FILTER_TERM && b->kind == FILTER_TERM)
			return true;
	}
	return false;
}

/* It is taken at the end; one that cannot be understood leaves the former. */
void heap_set_filter(struct pane_host *h, const char *text, enum prompt_result result)
{
	struct heap_pane *v = h->views[PANE_HEAP];
	struct filter filter;
	struct evl_err err = {0};
	if (result == PROMPT_EDITING)
		return;
	int wrong = filter_parse(&filter, &heap_filter_fields, text, &err);
	bool both = words_in_a_row(&filter);
	filter_free(&filter);
	if (wrong < 0) {
		pane_filter_again(h, err.text);
		return;
	}
	if (both)
		pane_say(h, false, "all words must be in the label (use or between them for any)");
	snprintf(v->filter, sizeof v->filter, "%s", text);
	v->top = 0;
}

/* --- groups -------------------------------------------------------------------------------------------------------- */

static void group_by(struct heap_pane *v, const char *how)
{
	snprintf(v->group, sizeof v->group, "%s", how);
	v->open[0] = '\0';
	v->at = v->only = BANDS_REST;
	v->top = 0;
	v->mode = HEAP_BANDS;
}

static void group_next(struct heap_pane *v, struct pane_host *h)
{
	static const char *const ways[] = {"", "package", "module", "prefix"};
	size_t i = 0;
	while (i < countof(ways) && strcmp(v->group, ways[i]) != 0)
		i++;
	group_by(v, ways[i < countof(ways) ? (i + 1) % countof(ways) : 0]);
	if (v->group[0])
		pane_say(h, false, "bands grouped by %s (P: next; :group /REGEX/REPLACEMENT/)", v->group);
	else
		pane_say(h, false, "bands are not grouped");
}

int heap_pane_group(struct pane_host *h, const char *how, struct evl_err *err)
{
	struct census_grouping grouping;
	struct heap_pane *v = h->views[PANE_HEAP];
	int result = census_grouping_parse(&grouping, how, err);
	if (result < 0)
		return result;
	if (v)
		group_by(v, grouping.by == GROUP_BY_NONE ? "" : how);
	census_grouping_free(&grouping);
	h->shown = PANE_HEAP;
	return 0;
}

/* --- samples ------------------------------------------------------------------------------------------------------- */

/* To the next or previous sample: at its time on the axis. */
static void to_sample(struct heap_pane *v, struct pane_host *h, bool forward)
{
	const struct heap_answer *p = &v->page;
	if (p->samples == 0 || !(forward ? p->has_after : p->has_before))
		pane_say(h, true, forward ? "no later sample" : "no earlier sample");
	else
		model_goto(&h->model, forward ? p->after_t : p->before_t, h->now_ms);
}

static void open_source(struct heap_pane *v, struct pane_host *h)
{
	edit_source(h, source_view_place(h, (struct evl_str){(const uint8_t *)v->page.location, v->page.location_len}));
}

bool heap_is_over(const void *view, const struct pane_host *h)
{
	const struct heap_pane *v = view;
	return v->only != BANDS_REST || h->source.open || v->compares;
}

void heap_leave(void *view, struct pane_host *h)
{
	struct heap_pane *v = view;
	if (v->only != BANDS_REST)
		v->only = BANDS_REST;
	else if (!source_view_close(h))
		heap_pane_compare(v, h, COMPARE_NONE);
}

bool heap_keys(void *view, struct pane_host *h, enum action action)
{
	struct heap_pane *v = view;
	if (census_count(&h->log->census) == 0 || !evl_progress(h->log).done)
		return window_keys(h, action);
	int by = (int)keymap_scroll(action, v->room, 0);
	v->move += by;
	switch (action) {
	case ACT_NEXT_CHANGE: to_sample(v, h, true); return true;
	case ACT_PREV_CHANGE: to_sample(v, h, false); return true;
	case ACT_EXPAND:
		if (!fold(v))
			isolate(v, h);
		return true;
	case ACT_HIDE: isolate(v, h); return true;
	case ACT_UNDO:
		if (v->only == BANDS_REST)
			return false;
		v->only = BANDS_REST;
		return true;
	case ACT_SHARE: v->look.share = !v->look.share; return true;
	case ACT_INVERT: v->look.inverted = !v->look.inverted; return true;
	case ACT_CURVES: show_curves(v, h); return true;
	case ACT_DIFFERENCE: compare(v, h); return true;
	case ACT_SORT: sort_next(v); return true;
	case ACT_MODE: mode_next(v); return true;
	case ACT_AXIS: v->axis = !v->axis; return true;
	case ACT_PIN: next_profile(v, h); return true;
	case ACT_ONLY_PINNED: group_next(v, h); return true;
	case ACT_FILTER:
		pane_ask(h, ASK_HEAP, v->filter, heap_set_filter);
		h->fields = &heap_filter_fields;
		return true;
	case ACT_EDIT: open_source(v, h); return true;
	default: return by || source_view_act(h, action) || window_keys(h, action);
	}
}
