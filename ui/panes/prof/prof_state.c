#include "panes/prof/prof_state.h"

#include "base/text_match.h"
#include "jobs/prof_job.h"

#include <stdio.h>
#include <stdlib.h>

enum { WAIT_MS = 12 };

static const struct {
	const char *name;
	enum prof_shape shape;
	bool closed; /* only the first level is seen at first */
	enum prof_order order;
} modes[PROF_MODES] = {
	[MODE_ICICLE] = {"icicle", PROF_TREE, false, PROF_BY_INCL},
	[MODE_TREE] = {"tree", PROF_TREE, false, PROF_BY_INCL},
	[MODE_BOTTOM_UP] = {"bottom-up", PROF_BOTTOM_UP, true, PROF_BY_INCL},
	[MODE_FLAT] = {"flat", PROF_FLAT, true, PROF_BY_SELF},
	[MODE_SANDWICH] = {"sandwich", PROF_FLAT, true, PROF_BY_SELF},
	[MODE_TIME] = {"time order", PROF_TREE, false, PROF_BY_INCL},
	[MODE_LEFT_HEAVY] = {"left-heavy", PROF_TREE, false, PROF_BY_INCL},
	[MODE_WHOLE] = {"whole time", PROF_TREE, false, PROF_BY_INCL},
};

const char *prof_mode_name(enum prof_mode mode) { return modes[mode].name; }

enum prof_order prof_state_order(const struct prof_pane *v)
{
	bool own = !v->ordered || v->mode == MODE_LEFT_HEAVY || v->mode == MODE_TIME;
	if (own && v->compares && v->mode != MODE_TIME)
		return PROF_BY_CHANGE;
	return own ? modes[v->mode].order : v->order;
}

const char *prof_order_name(const struct prof_pane *v)
{
	static const char *const names[PROF_ORDERS + 1] = {"inclusive", "self", "name", "module", "change"};
	enum prof_order order = prof_state_order(v);
	return order == PROF_BY_INCL && modes[v->mode].shape == PROF_BOTTOM_UP ? "via" : names[order];
}

void prof_state_range(const struct prof_pane *v, const struct pane_host *h, uint64_t *from, uint64_t *to)
{
	const struct selection *s = &h->model.selection;
	uint64_t first = h->model.first, last = h->model.last;
	evl_range(prof_state_log(v, h), &first, &last);
	*from = s->on ? selection_from(s) : first;
	*to = s->on ? selection_to(s) : last + 1;
}

uint32_t prof_state_name(const struct prof_pane *v, const struct pane_host *h)
{
	const struct model *m = &h->model;
	const struct prof_axis *axis =
		prof_state_job(v, h) ? prof_job_axis(prof_state_job(v, h), m->at.t0, m->at.t1, m->cols) : NULL;
	const struct prof_names *names = prof_state_job(v, h) ? prof_job_names(prof_state_job(v, h)) : NULL;
	if (v->mode == MODE_TIME)
		return axis && names ? time_name(m, axis, &prof_state_prof(v, h)->stacks, names, &v->spot)
				     : PROF_NO_NAME;
	return v->rows.tree && v->rows.tree->n ? prof_rows_item(&v->rows, v->rows.selected)->name : PROF_NO_NAME;
}

static struct prof_ask ask_of(const struct prof_pane *v, const struct pane_host *h)
{
	bool whole = v->mode == MODE_WHOLE;
	struct prof_ask ask = {.cap = v->cap,
		.hide_rts = v->hide_rts,
		.whole = whole,
		.compares = v->compares,
		.other = v->compares ? v->other : NULL,
		.base_from = v->base_from,
		.base_to = v->base_to,
		.fold = v->fold && modes[v->mode].shape == PROF_TREE,
		.shape = modes[v->mode].shape,
		.order = prof_state_order(v),
		.centre = whole ? PROF_NO_NAME : prof_state_name(v, h)};
	memcpy(ask.only, v->only, strlen(v->only));
	prof_state_range(v, h, &ask.from, &ask.to);
	return ask;
}

/* Samples with a match in their stack: those of matching items that are in no other. Parents come first. */
static void sum_found(struct prof_pane *v)
{
	const struct prof_tree *t = v->rows.tree;
	bool *within = t ? calloc(t->n + 1, sizeof *within) : NULL;
	v->in_found = 0;
	for (uint32_t i = 0; v->found && within && i < t->n; i++) {
		bool found = v->found[t->items[i].name], outer = i && within[t->items[i].parent];
		v->in_found += found && !outer ? t->items[i].incl : 0;
		within[i] = found || outer;
	}
	free(within);
}

/* Are the items of two trees the same, but for their order? */
static bool same_items(const struct prof_ask *a, const struct prof_ask *b)
{
	return a->from == b->from && a->to == b->to && a->cap == b->cap && a->hide_rts == b->hide_rts
		&& a->fold == b->fold && a->shape == b->shape && a->compares == b->compares
		&& a->base_from == b->base_from && a->base_to == b->base_to && a->whole == b->whole
		&& a->other == b->other && strcmp(a->only, b->only) == 0;
}

/* Samples with an item's centre innermost. */
static uint64_t own_of(const struct prof_pane *v, const struct prof_names *names, uint32_t item)
{
	const struct prof_item *i = prof_rows_item(&v->rows, item);
	return i->name == PROF_MAIN || names->items[i->name].is_rts ? 0 : i->self;
}

/* At first the hottest centre of the program's own is selected: by self, and of its items the one with most of it. */
static void select_first(struct prof_pane *v, const struct prof_names *names)
{
	const struct prof_tree *t = v->rows.tree;
	uint64_t *own = calloc(names->n + 1, sizeof *own);
	uint32_t hottest = PROF_MAIN, best = 0;
	for (uint32_t i = 0; own && i < t->n; i++)
		own[t->items[i].name] += own_of(v, names, i);
	for (uint32_t name = 0; own && name < names->n; name++)
		hottest = own[name] > own[hottest] ? name : hottest;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->items[i].name == hottest && (!best || own_of(v, names, i) > own_of(v, names, best)))
			best = i;
	free(own);
	prof_rows_select(&v->rows, best);
}

/* Select the item that was selected in a tree of another shape, on the first level of this one; or else the
 * heaviest. */
static void select_same(struct prof_pane *v, const struct prof_names *names, const struct prof_path *selected)
{
	uint32_t wanted = selected->n ? selected->names[selected->n - 1] : PROF_NO_NAME;
	uint32_t item = v->rows.tree->items[0].child;
	while (item && prof_rows_item(&v->rows, item)->name != wanted)
		item = prof_rows_item(&v->rows, item)->next;
	if (item)
		prof_rows_select(&v->rows, item);
	else
		select_first(v, names);
}

/* Another tree: what was selected and focused on, or what stands nearest to it. */
static void take_tree(struct prof_pane *v, const struct prof_picture *p, const struct prof_names *names,
	const struct prof_path *selected, const struct prof_path *focus)
{
	bool known = v->serial && v->shown.shape == p->ask.shape && v->shown.whole == p->ask.whole;
	if (!prof_rows_take(&v->rows, &p->tree, modes[v->mode].closed) || p->tree.n == 0)
		return;
	if (!known) {
		select_same(v, names, selected);
		return;
	}
	prof_rows_select(&v->rows, prof_rows_find(&v->rows, focus));
	if (v->rows.selected)
		prof_rows_focus(&v->rows);
	prof_rows_select(&v->rows, prof_rows_find(&v->rows, selected));
}

/* The rows are of the newest picture. Paths: of the former rows, whose tree no longer exists. */
static void take(struct prof_pane *v, const struct prof_picture *p, const struct prof_names *names,
	const struct prof_path *selected, const struct prof_path *focus)
{
	bool same = v->serial && same_items(&v->shown, &p->ask) && v->rows.items;
	bool same_order = v->shown.order == p->ask.order;
	if (v->n_found != names->n) { /* they are others: searched for once more */
		free(v->found);
		v->found = NULL;
	}
	if (same)
		v->rows.tree = &p->tree;
	else
		take_tree(v, p, names, selected, focus);
	if (same && !same_order)
		prof_rows_list(&v->rows);
	v->serial = p->serial;
	v->shown = p->ask;
	if (!same)
		sum_found(v);
}

void prof_state_source(struct prof_pane *v, enum prof_source source)
{
	prof_rows_free(&v->rows);
	free(v->found);
	v->found = NULL;
	v->search[0] = '\0';
	v->serial = 0;
	v->source = source;
}

bool prof_state_choose(struct prof_pane *v, struct pane_host *h)
{
	enum prof_source there = (enum prof_source)(evl_profile(h->log) - h->log->prof);
	if (prof_samples(prof_state_prof(v, h)) == 0 && there != v->source)
		prof_state_source(v, there);
	return pane_prof_job(h, v->source);
}

void prof_state_on_log_replaced(struct prof_pane *v)
{
	if (!v->renewed) {
		prof_rows_path(&v->rows, v->rows.selected, &v->selected);
		prof_rows_path(&v->rows, v->rows.focus, &v->focus);
	}
	v->renewed = v->serial > 0;
	v->serial = v->serial ? UINT64_MAX : 0; /* none that is to come */
	prof_rows_free(&v->rows);
	free(v->found);
	v->found = NULL;
}

/* Names have other numbers in another log. */
static void search_again(struct prof_pane *v, struct pane_host *h)
{
	char text[sizeof v->search];
	memcpy(text, v->search, sizeof text);
	prof_state_search(v, h, text);
}

const struct prof_picture *prof_state_update(struct prof_pane *v, struct pane_host *h)
{
	const struct prof_picture *p = NULL;
	struct prof_job *job = prof_state_job(v, h);
	if (v->other && !pane_compares(h, v->other)) { /* :diff closed it */
		v->other = NULL;
		v->compares = false;
	}
	pane_ask_axis(h, v->source);
	for (int turn = 0; turn < 2; turn++) { /* what is selected in a new tree is asked for next */
		struct prof_path selected, focus;
		struct prof_ask ask = ask_of(v, h);
		prof_rows_path(&v->rows, v->rows.selected, &selected);
		prof_rows_path(&v->rows, v->rows.focus, &focus);
		if (v->renewed) {
			selected = v->selected;
			focus = v->focus;
		}
		prof_job_ask(job, &ask);
		prof_job_take(job, h->wait_for_jobs ? -1 : WAIT_MS);
		p = prof_job_picture(job);
		if (p && p->serial != v->serial)
			take(v, p, prof_job_names(job), &selected, &focus);
		v->renewed = v->renewed && v->serial == UINT64_MAX;
	}
	if (p && v->search[0] && !v->found)
		search_again(v, h);
	return p;
}

int prof_state_only(struct prof_pane *v, const char *text, struct evl_err *err)
{
	struct whole_only only;
	if (strlen(text) >= sizeof v->only)
		return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "filter is longer than %zu bytes", sizeof v->only - 1);
	int result = whole_only_parse(&only, text, err);
	whole_only_free(&only);
	if (result < 0)
		return result;
	snprintf(v->only, sizeof v->only, "%s", text);
	v->cap = PROF_ALL_CAPS;
	return 0;
}

/* --- searching ----------------------------------------------------------------------------------------------------- */

bool prof_state_search(struct prof_pane *v, struct pane_host *h, const char *text)
{
	const struct prof_names *names = prof_state_job(v, h) ? prof_job_names(prof_state_job(v, h)) : NULL;
	struct pattern pattern;
	struct evl_err err = {0};
	free(v->found);
	v->found = NULL;
	v->search[0] = '\0';
	if (!names || !*text)
		return true;
	if (pattern_init(&pattern, str_of(text), &err) < 0) {
		pane_say(h, true, "%s", err.text);
		return false;
	}
	struct buf name = {0};
	v->n_found = names->n;
	v->found = calloc(names->n, sizeof *v->found);
	for (uint32_t i = 0; v->found && i < names->n; i++) {
		buf_clear(&name);
		prof_full_name(names, i, &name);
		buf_char(&name, '\0'); /* some regexec insist on that */
		v->found[i] =
			!name.failed && pattern_in(&pattern, (struct evl_str){(const uint8_t *)name.p, name.len - 1});
	}
	buf_free(&name);
	pattern_free(&pattern);
	snprintf(v->search, sizeof v->search, "%s", text);
	sum_found(v);
	return true;
}
