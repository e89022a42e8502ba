#include "panes/prof/prof_rows.h"

#include <stdlib.h>

enum fold { FOLD_UNTOUCHED, FOLD_OPEN, FOLD_CLOSED };
enum { OPEN_SHARE = 50 };

void prof_rows_free(struct prof_rows *r)
{
	free_all(r->open, r->items);
	*r = (struct prof_rows){0};
}

bool prof_rows_take(struct prof_rows *r, const struct prof_tree *tree, bool closed)
{
	prof_rows_free(r);
	*r = (struct prof_rows){.tree = tree,
		.closed = closed,
		.open = calloc(tree->n + 1, sizeof *r->open),
		.items = malloc((tree->n + 1) * sizeof *r->items)};
	if (!r->open || !r->items) {
		prof_rows_free(r);
		return false;
	}
	return prof_rows_list(r);
}

bool prof_rows_is_open(const struct prof_rows *r, uint32_t item)
{
	const struct prof_item *i = prof_rows_item(r, item);
	if (item == r->focus || r->open[item] == FOLD_OPEN)
		return true;
	return r->open[item] == FOLD_UNTOUCHED && !r->closed && i->incl * OPEN_SHARE >= r->tree->items[0].incl;
}

/* Return the item after another one in the order of the tree, within the focus; down: into its children too. 0:
 * none. */
static uint32_t step(const struct prof_rows *r, uint32_t item, bool down)
{
	if (down && prof_rows_item(r, item)->child)
		return prof_rows_item(r, item)->child;
	for (; item != r->focus && item != 0; item = prof_rows_item(r, item)->parent)
		if (prof_rows_item(r, item)->next)
			return prof_rows_item(r, item)->next;
	return 0;
}

static void find_row(struct prof_rows *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (r->items[i] == r->selected)
			r->at = i;
}

bool prof_rows_list(struct prof_rows *r)
{
	r->n = 0;
	r->at = 0;
	if (!r->tree || r->tree->n == 0)
		return true;
	for (uint32_t item = r->focus, first = 1; (item || first) && r->n < r->tree->n; first = 0) {
		r->items[r->n++] = item;
		item = step(r, item, prof_rows_is_open(r, item));
	}
	find_row(r);
	return true;
}

void prof_rows_path(const struct prof_rows *r, uint32_t item, struct prof_path *out)
{
	out->n = 0;
	if (!r->tree || r->tree->n == 0)
		return;
	for (uint32_t i = item; i && out->n < PROF_PATH; i = prof_rows_item(r, i)->parent)
		out->names[out->n++] = prof_rows_item(r, i)->name;
	for (size_t i = 0; i < out->n / 2; i++) {
		uint32_t name = out->names[i];
		out->names[i] = out->names[out->n - 1 - i];
		out->names[out->n - 1 - i] = name;
	}
}

uint32_t prof_rows_find(const struct prof_rows *r, const struct prof_path *path)
{
	uint32_t item = 0;
	for (size_t i = 0; i < path->n; i++) {
		uint32_t child = prof_rows_item(r, item)->child;
		while (child && prof_rows_item(r, child)->name != path->names[i])
			child = prof_rows_item(r, child)->next;
		if (!child)
			break;
		item = child;
	}
	return item;
}

static bool is_within(const struct prof_rows *r, uint32_t item, uint32_t top)
{
	while (item && item != top)
		item = prof_rows_item(r, item)->parent;
	return item == top;
}

void prof_rows_select(struct prof_rows *r, uint32_t item)
{
	bool changed = !is_within(r, item, r->focus);
	while (!is_within(r, item, r->focus))
		r->focus = prof_rows_item(r, r->focus)->parent;
	for (uint32_t i = item; i != r->focus;) {
		i = prof_rows_item(r, i)->parent;
		changed |= !prof_rows_is_open(r, i);
		if (!prof_rows_is_open(r, i))
			r->open[i] = FOLD_OPEN;
	}
	r->selected = item;
	if (changed)
		prof_rows_list(r);
	else
		find_row(r);
}

void prof_rows_move(struct prof_rows *r, int64_t by)
{
	int64_t to = (int64_t)r->at + by;
	if (r->n == 0)
		return;
	r->at = to < 0 ? 0 : to >= (int64_t)r->n ? r->n - 1 : (uint32_t)to;
	r->selected = r->items[r->at];
}

bool prof_rows_parent(struct prof_rows *r)
{
	if (r->selected == r->focus)
		return false;
	prof_rows_select(r, prof_rows_item(r, r->selected)->parent);
	return true;
}

bool prof_rows_child(struct prof_rows *r)
{
	uint32_t child = prof_rows_item(r, r->selected)->child;
	if (child)
		prof_rows_select(r, child);
	return child;
}

bool prof_rows_sibling(struct prof_rows *r, bool forward)
{
	uint32_t parent = prof_rows_item(r, r->selected)->parent, other = 0;
	if (r->selected == r->focus)
		return false;
	if (forward)
		other = prof_rows_item(r, r->selected)->next;
	for (uint32_t i = prof_rows_item(r, parent)->child; !forward && i != r->selected;
		i = prof_rows_item(r, i)->next)
		other = i;
	if (other)
		prof_rows_select(r, other);
	return other;
}

/* 0: it has none. */
static uint32_t heaviest_child(const struct prof_rows *r, uint32_t item)
{
	uint32_t best = 0;
	for (uint32_t i = prof_rows_item(r, item)->child; i; i = prof_rows_item(r, i)->next)
		if (!best || prof_rows_item(r, i)->incl > prof_rows_item(r, best)->incl)
			best = i;
	return best;
}

void prof_rows_heaviest(struct prof_rows *r)
{
	uint32_t item = r->selected, best;
	while ((best = heaviest_child(r, item)))
		item = best;
	prof_rows_select(r, item);
}

bool prof_rows_fold(struct prof_rows *r, bool open)
{
	uint32_t item = r->selected;
	if (!prof_rows_item(r, item)->child || item == r->focus || prof_rows_is_open(r, item) == open)
		return false;
	r->open[item] = open ? FOLD_OPEN : FOLD_CLOSED;
	return prof_rows_list(r);
}

bool prof_rows_focus(struct prof_rows *r)
{
	if (r->selected == r->focus)
		return false;
	r->focus = r->selected;
	r->first = 0;
	return prof_rows_list(r);
}

bool prof_rows_unfocus(struct prof_rows *r)
{
	if (r->focus == 0)
		return false;
	r->focus = 0;
	prof_rows_select(r, r->selected);
	return prof_rows_list(r);
}

enum prof_found prof_rows_next(struct prof_rows *r, const bool *passes, bool forward)
{
	const uint32_t from = r->selected;
	uint32_t first = 0, last = 0, before = 0, after = 0;
	bool passed = false;
	for (uint32_t item = r->focus, begins = 1; item || begins; begins = 0, item = step(r, item, true)) {
		bool hit = item && passes[prof_rows_item(r, item)->name];
		first = hit && !first ? item : first;
		last = hit ? item : last;
		after = hit && passed && !after ? item : after;
		passed |= item == from;
		before = hit && !passed ? item : before;
	}
	uint32_t found = forward ? after : before, other = forward ? first : last;
	if (found || other)
		prof_rows_select(r, found ? found : other);
	return found ? PROF_FOUND : !other ? PROF_FOUND_NONE : other == from ? PROF_FOUND_ONLY : PROF_FOUND_WRAPPED;
}

void prof_rows_scroll(struct prof_rows *r, uint32_t rows)
{
	if (r->at < r->first)
		r->first = r->at;
	if (rows && r->at >= r->first + rows)
		r->first = r->at - rows + 1;
	if (r->n <= rows)
		r->first = 0;
	else if (r->first + rows > r->n)
		r->first = r->n - rows;
}
