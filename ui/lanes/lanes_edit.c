#include "lanes/lanes_edit.h"

#include "base/idmap.h"
#include "lanes/lane_threads.h"
#include "lanes/lanes_private.h"
#include "threads/thread_choice.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1024 };

const char *lanes_name(const struct lanes *l, const struct lane *lane, char name[LIST_NAME])
{
	uint32_t thread = lanes_thread(lane);
	struct evl_str label = thread ? evl_label(l->log, thread) : (struct evl_str){0};
	if (thread)
		snprintf(name, LIST_NAME, "%.*s", (int)min_u64(label.len, LIST_NAME - 1), (const char *)label.p);
	else if (lane->ops == &lane_cap)
		snprintf(name, LIST_NAME, "cap %u",
			(unsigned)l->log->blocks.chains[l->log->cap_chains[lane->index]].cap);
	else
		snprintf(name, LIST_NAME, "%s", lane->ops->name);
	return name;
}

static bool fits(const struct lanes *l, const struct lane *lane, const char *glob)
{
	char name[LIST_NAME], id[16];
	uint32_t thread = lanes_thread(lane);
	snprintf(id, sizeof id, "%u", thread);
	return (thread && fnmatch(glob, id, 0) == 0) || fnmatch(glob, lanes_name(l, lane, name), 0) == 0;
}

/* The threads of closed groups, which have no lanes. */
static size_t find_closed(const struct lanes *l, const char *glob, struct lane *found, size_t n)
{
	for (uint32_t k = 0; k < l->ask.n_folds; k++) {
		size_t part = l->folds[k].part;
		bool closed = part != PART_REST && !l->threads_closed && !lanes_group_is_open(l, k);
		for (size_t i = 0; closed && i < l->threads.parts[part].n && n < MOST; i++) {
			struct lane lane = {.ops = &lane_thread, .index = thread_list_at(&l->threads, part, i)};
			if (fits(l, &lane, glob))
				found[n++] = lane;
		}
	}
	return n;
}

size_t lanes_glob(struct lanes *l, const char *glob, const char *(*change)(struct lanes *), const char **why)
{
	struct lane *found = calloc(MOST, sizeof *found), selected = l->selected;
	size_t n = 0, done = 0;
	*why = found ? NULL : "out of memory";
	for (size_t i = l->n_top; found && i < lanes_count(l) && n < MOST; i++) {
		struct lane lane = lanes_at(l, i);
		if (lane.ops && fits(l, &lane, glob))
			found[n++] = lane;
	}
	if (found)
		n = find_closed(l, glob, found, n);
	for (size_t i = 0; i < n && !*why; i++) {
		l->selected = found[i]; /* without lanes_select, which brings a thread of a closed group to the top */
		done += !(*why = change(l));
	}
	l->selected = selected;
	free(found);
	return done;
}

static size_t find_id(const uint32_t *ids, size_t n, uint32_t id)
{
	size_t i = 0;
	while (i < n && ids[i] != id)
		i++;
	return i;
}

static void remove_id(uint32_t *ids, size_t *n, uint32_t id)
{
	size_t i = find_id(ids, *n, id);
	if (i < *n)
		memmove(ids + i, ids + i + 1, (--*n - i) * sizeof *ids);
}

const char *lanes_pin(struct lanes *l)
{
	uint32_t thread = lanes_thread(&l->selected);
	struct fixed_lane *f = lanes_find_fixed(l, &l->selected);
	if (f && f->top)
		return "this lane is always at the top";
	if (f) {
		f->pinned = !f->pinned;
	} else if (!thread) {
		return "only single lanes can be pinned";
	} else if (find_id(l->pinned, l->n_pinned, thread) < l->n_pinned) {
		remove_id(l->pinned, &l->n_pinned, thread);
		l->back = thread;
	} else if (l->n_pinned == LANES_PINNED) {
		return "no more lanes can be pinned";
	} else {
		l->pinned[l->n_pinned++] = thread;
		remove_id(l->brought, &l->n_brought, thread);
		thread_list_drop(&l->threads, thread);
	}
	return NULL;
}

bool lanes_is_pinned(struct lanes *l, const struct lane *lane)
{
	const struct fixed_lane *f = lanes_find_fixed(l, lane);
	return f ? f->pinned : find_id(l->pinned, l->n_pinned, lanes_thread(lane)) < l->n_pinned;
}

static bool any_pinned(const struct lanes *l)
{
	for (size_t i = 0; i < l->n_fixed; i++)
		if (l->fixed[i].pinned)
			return true;
	return l->n_pinned > 0;
}

const char *lanes_only_pinned(struct lanes *l)
{
	if (!l->only_pinned && !any_pinned(l))
		return "nothing is pinned yet (p pins the selected lane)";
	l->only_pinned = !l->only_pinned;
	return NULL;
}

const char *lanes_hide(struct lanes *l)
{
	uint32_t thread = lanes_thread(&l->selected);
	struct fixed_lane *f = lanes_find_fixed(l, &l->selected);
	if (f) {
		f->hidden = true;
		f->pinned = false;
		return NULL;
	}
	if (!thread)
		return "only single lanes can be hidden; Enter closes this one";
	if (l->n_hidden == countof(l->hidden))
		return "no more threads can be hidden; f filters them";
	remove_id(l->pinned, &l->n_pinned, thread);
	remove_id(l->brought, &l->n_brought, thread);
	thread_list_drop(&l->threads, thread);
	l->hidden[l->n_hidden++] = thread;
	lanes_select_at(l, l->position);
	return NULL;
}

bool lanes_any_hidden(const struct lanes *l)
{
	bool any = l->n_hidden || l->only_pinned;
	for (size_t i = 0; i < l->n_fixed; i++)
		any = any || l->fixed[i].hidden;
	return any;
}

const char *lanes_show_all(struct lanes *l)
{
	bool any = lanes_any_hidden(l);
	for (size_t i = 0; i < l->n_fixed; i++)
		l->fixed[i].hidden = false;
	l->n_hidden = 0;
	l->only_pinned = false;
	return any ? NULL : "no lane is hidden (x hides one; T shows those for larger screens)";
}

/* Swap with the next lane that is shown in the same part. */
static const char *shift_fixed(struct lanes *l, struct fixed_lane *f, int by)
{
	bool top = f->top || f->pinned;
	for (struct fixed_lane *g = f + by; g >= l->fixed && g < l->fixed + l->n_fixed; g += by) {
		if ((g->top || g->pinned) != top || g->hidden || g->lane.rows == 0)
			continue;
		struct fixed_lane kept = *g;
		*g = *f;
		*f = kept;
		return NULL;
	}
	return "there is no place to move this lane to";
}

const char *lanes_shift(struct lanes *l, int by)
{
	uint32_t thread = lanes_thread(&l->selected);
	struct fixed_lane *f = lanes_find_fixed(l, &l->selected);
	size_t i = find_id(l->pinned, l->n_pinned, thread), to = by < 0 ? i - 1 : i + 1;
	if (f && f->lane.ops == &lane_cap && heat_caps(l->log) && !f->pinned)
		return "folded capabilities keep their order";
	if (f)
		return shift_fixed(l, f, by);
	if (i >= l->n_pinned)
		return "threads are sorted (O): pin one (p) to move it";
	if (to >= l->n_pinned)
		return "there is no place to move this lane to";
	l->pinned[i] = l->pinned[to];
	l->pinned[to] = thread;
	return NULL;
}

static const char *grow_thread(struct lanes *l, uint32_t thread, int by)
{
	size_t i = 0;
	int rows = lanes_clamp_rows(lanes_thread_rows(l, thread) + by);
	while (i < l->n_grown && l->grown[i].thread != thread)
		i++;
	if (i == countof(l->grown))
		return "no more lanes can be made higher";
	l->n_grown += i == l->n_grown;
	l->grown[i].thread = thread;
	l->grown[i].rows = rows;
	if (rows == 1)
		l->grown[i] = l->grown[--l->n_grown];
	return NULL;
}

static const char *grow_group(struct lane_fold *fold, int by)
{
	int rows = lanes_clamp_rows(1 + fold->grown + by);
	bool changes = rows != 1 + fold->grown;
	fold->grown = rows - 1;
	return changes ? NULL : by > 0 ? "this lane has its maximum height" : "this lane has one row";
}

const char *lanes_grow(struct lanes *l, int by)
{
	if (l->selected.ops == &lane_group)
		return grow_group(&l->folds[l->selected.index], by);
	struct fixed_lane *f = lanes_find_fixed(l, &l->selected);
	uint32_t thread = lanes_thread(&l->selected);
	if (f && f->lane.rows + by >= 1 && f->lane.rows + by <= LANE_MAX_ROWS)
		f->grown += by;
	else if (f)
		return by > 0 ? "this lane has its maximum height" : "this lane has one row";
	return f ? NULL : thread ? grow_thread(l, thread, by) : "this lane has one row";
}

/* --- groups --- */

static uint64_t pattern_key(const char *pattern) { return idmap_key(str_of(pattern)); }

static uint32_t find_group(const struct lanes *l, const char *pattern)
{
	uint32_t i = 0;
	while (i < l->ask.n_folds && strcmp(l->ask.folds[i], pattern) != 0)
		i++;
	return i;
}

void lanes_add_group(struct lanes *l, const char *pattern)
{
	uint64_t key = pattern_key(pattern);
	for (size_t i = 0; i < l->n_dissolved; i++)
		if (l->dissolved[i] == key)
			return;
	if (l->ask.n_folds == LIST_FOLDS || find_group(l, pattern) < l->ask.n_folds)
		return;
	uint32_t fold = l->ask.n_folds++;
	memset(l->ask.folds[fold], 0, sizeof *l->ask.folds);
	snprintf(l->ask.folds[fold], LIST_NAME, "%s", pattern);
	l->folds[fold] = (struct lane_fold){.part = PART_REST};
	lanes_map_groups(l);
}

/* Its threads are among all others again. */
static const char *dissolve(struct lanes *l, uint32_t fold)
{
	size_t after = --l->ask.n_folds - fold;
	if (l->n_dissolved < countof(l->dissolved))
		l->dissolved[l->n_dissolved++] = pattern_key(l->ask.folds[fold]);
	memmove(l->ask.folds[fold], l->ask.folds[fold + 1], after * sizeof *l->ask.folds);
	memset(l->ask.folds[l->ask.n_folds], 0, sizeof *l->ask.folds);
	memmove(&l->folds[fold], &l->folds[fold + 1], after * sizeof *l->folds);
	lanes_map_groups(l);
	lanes_select_at(l, l->position);
	return NULL;
}

static void select_group(struct lanes *l, uint32_t fold)
{
	l->selected = (struct lane){.ops = &lane_group, .index = fold, .rows = 1};
	lanes_relist(l);
}

static const char *toggle(struct lanes *l, uint32_t fold)
{
	bool open = lanes_group_is_open(l, fold);
	l->folds[fold].state = !open ? FOLD_OPEN : *l->ask.filter ? FOLD_CLOSED : FOLD_PLAIN;
	select_group(l, fold);
	return NULL;
}

/* A group of the thread's label: made, or closed if there is one. */
static const char *fold(struct lanes *l, uint32_t thread)
{
	char pattern[LIST_NAME];
	thread_fold(pattern, evl_label(l->log, thread));
	uint32_t fold = find_group(l, pattern);
	if (fold < l->ask.n_folds)
		return toggle(l, fold);
	if (fold == LIST_FOLDS)
		return "no more groups can be made; R ungroups one";
	for (size_t i = 0; i < l->n_dissolved; i++)
		if (l->dissolved[i] == pattern_key(pattern))
			l->dissolved[i] = l->dissolved[--l->n_dissolved];
	lanes_add_group(l, pattern);
	select_group(l, fold);
	return NULL;
}

const char *lanes_regroup(struct lanes *l)
{
	const struct lane *lane = &l->selected;
	if (lane->ops == &lane_group)
		return dissolve(l, lane->index);
	if (lane->ops == &lane_thread && find_id(l->pinned, l->n_pinned, lane->index) == l->n_pinned)
		return fold(l, lane->index);
	return "select a thread to group all of its label, or a group to ungroup it";
}

const char *lanes_expand(struct lanes *l)
{
	const struct lane *lane = &l->selected;
	if (lane->ops == &lane_threads)
		l->threads_closed = !l->threads_closed;
	else if (lane->ops == &lane_heat)
		l->heat_open[lane->index] = !l->heat_open[lane->index];
	else if (lane->ops == &lane_group)
		return toggle(l, lane->index);
	else
		return "this lane cannot be opened";
	return NULL;
}

const char *lanes_highlight(struct lanes *l, uint32_t thread)
{
	if (!thread && !l->highlight)
		return "select a thread, or a capability where one runs, to see it everywhere";
	l->highlight = thread == l->highlight ? 0 : thread;
	return NULL;
}

void lanes_sort(struct lanes *l) { l->ask.order = (enum thread_order)((l->ask.order + 1) % ORDERS); }

void lanes_fill_ask(const struct lanes *l, struct thread_list_ask *ask)
{
	*ask = l->ask;
	memcpy(ask->hidden, l->hidden, l->n_hidden * sizeof *l->hidden);
	memcpy(ask->hidden + l->n_hidden, l->pinned, l->n_pinned * sizeof *l->pinned);
	ask->n_hidden = (uint32_t)(l->n_hidden + l->n_pinned);
	qsort(ask->hidden, ask->n_hidden, sizeof *ask->hidden, thread_by_id);
}
