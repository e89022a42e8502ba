#include "lanes/lanes_private.h"

#include "lanes/lane_threads.h"

#include <stdlib.h>
#include <string.h>

void lanes_init(struct lanes *l, const struct evl_log *log, const struct lane_ops *const *kinds)
{
	*l = (struct lanes){.log = log, .kinds = kinds, .ask.patterns = true};
}

void lanes_free(struct lanes *l)
{
	thread_job_free(l->job);
	thread_list_free(&l->threads);
	free_all(l->fixed, l->top, l->rest);
	*l = (struct lanes){0};
}

void lanes_on_log_replaced(struct lanes *l, const struct evl_log *log)
{
	thread_list_free(&l->threads); /* it may borrow from the job */
	l->threads = (struct thread_list){0};
	thread_job_free(l->job);
	l->job = NULL;
	l->log = log;
	l->ask.patterns = true; /* there may be more groups */
	lanes_map_groups(l);
}

static bool same(const struct lane *a, const struct lane *b) { return a->ops == b->ops && a->index == b->index; }

uint32_t lanes_thread(const struct lane *lane) { return lane->ops == &lane_thread ? lane->index : 0; }

/* --- lanes of the registry --- */

static size_t count_kind(const struct lanes *l, const struct lane_ops *kind)
{
	return !kind->count || (kind->hidden_by_default && !l->show_hidden) ? 0 : kind->count(l->log);
}

static size_t count_fixed(const struct lanes *l)
{
	size_t n = 0;
	for (const struct lane_ops *const *kind = l->kinds; *kind; kind++)
		n += count_kind(l, *kind);
	return n;
}

struct fixed_lane *lanes_find_fixed(const struct lanes *l, const struct lane *lane)
{
	for (size_t i = 0; i < l->n_fixed; i++)
		if (same(&l->fixed[i].lane, lane))
			return &l->fixed[i];
	return NULL;
}

/* Kinds listed before the capabilities are at the top. The walk may find more at any time: write at most n. */
static void list_fixed(const struct lanes *l, struct fixed_lane *out, size_t n)
{
	bool top = true;
	size_t at = 0;
	for (const struct lane_ops *const *kind = l->kinds; *kind; kind++) {
		top = top && *kind != &lane_cap;
		size_t count = count_kind(l, *kind);
		for (size_t i = 0; i < count && at < n; i++)
			out[at++] = (struct fixed_lane){.lane = {.ops = *kind, .index = (uint32_t)i}, .top = top};
	}
}

/* The registry may have other lanes than last time: take them, keep what the user did. False when memory is out. */
static bool refresh(struct lanes *l)
{
	size_t n = count_fixed(l);
	if (l->fixed && n == l->n_fixed)
		return true;
	struct fixed_lane *fixed = calloc(n ? n : 1, sizeof *fixed);
	struct lane *top = calloc(n + LANES_PINNED + LANES_BROUGHT + 1, sizeof *top),
		    *rest = calloc(n + HEAT_ROWS + 1, sizeof *rest);
	if (!fixed || !top || !rest) {
		free_all(fixed, top, rest);
		return false;
	}
	list_fixed(l, fixed, n);
	for (size_t i = 0; i < n && l->fixed; i++) {
		const struct fixed_lane *was = lanes_find_fixed(l, &fixed[i].lane);
		if (was)
			fixed[i] = *was;
	}
	free_all(l->fixed, l->top, l->rest);
	l->fixed = fixed;
	l->n_fixed = n;
	l->top = top;
	l->rest = rest;
	l->n_top = l->n_rest = 0;
	return true;
}

/* --- what is shown --- */

int lanes_clamp_rows(int rows) { return rows < 1 ? 1 : rows > LANE_MAX_ROWS ? LANE_MAX_ROWS : rows; }

int lanes_thread_rows(const struct lanes *l, uint32_t thread)
{
	for (size_t i = 0; i < l->n_grown; i++)
		if (l->grown[i].thread == thread)
			return l->grown[i].rows;
	return 1;
}

static struct lane thread_lane(const struct lanes *l, uint32_t thread)
{
	return (struct lane){.ops = &lane_thread, .index = thread, .rows = lanes_thread_rows(l, thread)};
}

static void show_fixed(struct lanes *l, struct fixed_lane *f, bool top)
{
	if (top || f->pinned)
		l->top[l->n_top++] = f->lane;
	else if (!l->only_pinned)
		l->rest[l->n_rest++] = f->lane;
}

/* On a low screen the threads need the room more than the last lanes of some kinds. */
static bool is_too_much(const struct fixed_lane *f, const struct lane_place *at)
{
	uint32_t most = f->lane.ops ? f->lane.ops->most_when_low : 0;
	return most && at->rows < LANE_LOW && f->lane.index >= most && !f->pinned && !f->grown;
}

/* Capabilities under their heat rows: those of an open row have separate lanes. */
static void show_cap(struct lanes *l, struct fixed_lane *f, size_t *heat)
{
	size_t a_row = heat_caps(l->log), row = a_row ? f->lane.index / a_row : 0;
	if (a_row && !f->pinned) {
		if (row + 1 > *heat && !l->only_pinned)
			l->rest[l->n_rest++] = (struct lane){.ops = &lane_heat, .index = (uint32_t)row, .rows = 1};
		*heat = row + 1;
	}
	if (!a_row || f->pinned || l->heat_open[row])
		show_fixed(l, f, false);
}

static void show_brought(struct lanes *l)
{
	for (size_t i = 0; i < l->n_brought; i++)
		l->top[l->n_top++] = thread_lane(l, l->brought[i]);
	l->n_lent = l->n_brought;
}

bool lanes_compose(struct lanes *l, const struct lane_place *at, bool markers, lanes_keep *keep, void *ctx)
{
	size_t heat = 0;
	if (!refresh(l))
		return false;
	l->n_top = l->n_rest = 0;
	for (size_t i = 0; i < l->n_fixed; i++) {
		struct fixed_lane *f = &l->fixed[i];
		int rows = !f->lane.ops ? 0 : f->lane.ops->rows ? f->lane.ops->rows(at) : 1;
		rows = rows == 0 && l->show_hidden ? 1 : rows;
		f->lane.rows = f->grown && rows > 0 ? lanes_clamp_rows(rows + f->grown) : rows;
		if (rows <= 0 || is_too_much(f, at) || (f->hidden && !f->pinned)
			|| (f->lane.ops == &lane_markers && !markers))
			continue;
		if (f->lane.ops != &lane_cap)
			show_fixed(l, f, f->top);
		else if (keep(ctx, &f->lane))
			show_cap(l, f, &heat);
	}
	for (size_t i = 0; i < l->n_pinned; i++)
		l->top[l->n_top++] = thread_lane(l, l->pinned[i]);
	show_brought(l);
	lanes_relist(l);
	return true;
}

int lanes_fixed_rows(const struct lanes *l)
{
	int rows = 0;
	for (size_t i = 0; i < l->n_top; i++)
		rows += l->top[i].rows;
	for (size_t i = 0; i < l->n_rest; i++)
		rows += l->rest[i].rows;
	return rows;
}

/* --- positions --- */

/* The header is always there: it says why there are no threads, if there are none. */
static bool has_threads(const struct lanes *l) { return !l->only_pinned; }

size_t lanes_group_size(const struct lanes *l, uint32_t fold, size_t *all)
{
	const struct thread_list *list = &l->threads;
	size_t part = l->folds[fold].part;
	*all = part == PART_REST ? 0 : list->base->members[part];
	return part == PART_REST ? 0 : list->parts[part].n + list->base->parts[part].more;
}

bool lanes_group_is_open(const struct lanes *l, uint32_t fold)
{
	if (fold >= l->ask.n_folds || l->folds[fold].part == PART_REST)
		return false;
	size_t all, kept = lanes_group_size(l, fold, &all);
	return l->folds[fold].state == FOLD_OPEN
		|| (l->folds[fold].state == FOLD_PLAIN && *l->ask.filter && kept < all);
}

/* Lanes of a group: its own, and those of its threads while it is open. */
static size_t group_lanes(const struct lanes *l, uint32_t fold)
{
	size_t all, kept = lanes_group_size(l, fold, &all);
	if (kept == 0 && *l->ask.filter)
		return 0;
	return 1 + (lanes_group_is_open(l, fold) ? l->threads.parts[l->folds[fold].part].n : 0);
}

/* How many of the rest come before a group. */
static size_t rest_before(const struct lanes *l, uint32_t fold)
{
	size_t part = l->folds[fold].part;
	return part == PART_REST ? 0 : l->threads.parts[part].at;
}

/* Lanes of groups before place `rest` of the rest, and before a group that comes there (n_folds: all of these). */
static size_t groups_before(const struct lanes *l, size_t rest, uint32_t fold)
{
	size_t n = 0;
	for (uint32_t i = 0; i < l->ask.n_folds; i++) {
		uint32_t k = l->fold_order[i];
		if (k == fold || rest_before(l, k) > rest)
			break;
		n += group_lanes(l, k);
	}
	return n;
}

/* After the header. */
static size_t position_of_group(const struct lanes *l, uint32_t fold)
{
	return rest_before(l, fold) + groups_before(l, rest_before(l, fold), fold);
}

/* n_folds: none. */
static uint32_t fold_of_part(const struct lanes *l, size_t part)
{
	uint32_t fold = 0;
	while (fold < l->ask.n_folds && (part == PART_REST || l->folds[fold].part != part))
		fold++;
	return fold;
}

void lanes_map_groups(struct lanes *l)
{
	const struct thread_list_ask *made = l->threads.base ? &l->threads.base->ask : NULL;
	for (uint32_t i = 0; i < l->ask.n_folds; i++) {
		l->folds[i].part = PART_REST;
		for (uint32_t k = 0; made && k < made->n_folds; k++)
			if (strcmp(made->folds[k], l->ask.folds[i]) == 0)
				l->folds[i].part = k;
	}
	for (uint32_t i = 0; i < l->ask.n_folds; i++) { /* sorted: they are few */
		uint32_t k = i;
		for (; k > 0 && rest_before(l, l->fold_order[k - 1]) > rest_before(l, i); k--)
			l->fold_order[k] = l->fold_order[k - 1];
		l->fold_order[k] = i;
	}
}

/* Instead of a list there are patterns of labels: those that are new become groups. */
static void take_patterns(struct lanes *l)
{
	const struct thread_patterns *p = l->threads.patterns;
	l->ask.patterns = false;
	for (size_t i = 0; i < p->n; i++) {
		uint32_t before = l->ask.n_folds;
		lanes_add_group(l, p->names[i]);
		if (l->ask.n_folds > before && !p->names[i][0] && p->few_unlabelled)
			l->folds[before].state = FOLD_OPEN; /* what the program does is in it */
	}
	l->threads.patterns = NULL;
}

void lanes_refilter(struct lanes *l)
{
	for (uint32_t i = 0; i < l->ask.n_folds; i++)
		l->folds[i].state = l->folds[i].state == FOLD_CLOSED ? FOLD_PLAIN : l->folds[i].state;
}

size_t lanes_count(const struct lanes *l)
{
	size_t n = l->n_top + l->n_rest;
	if (!has_threads(l))
		return n;
	n++;
	for (uint32_t i = 0; i < l->ask.n_folds && !l->threads_closed; i++)
		n += group_lanes(l, i);
	return n + (l->threads_closed ? 0 : l->threads.parts[PART_REST].n);
}

struct lane lanes_at(const struct lanes *l, size_t position)
{
	if (position >= lanes_count(l))
		return (struct lane){0};
	if (position < l->n_top)
		return l->top[position];
	position -= l->n_top;
	if (position < l->n_rest)
		return l->rest[position];
	position -= l->n_rest;
	if (position == 0)
		return (struct lane){.ops = &lane_threads, .rows = 1};
	position--;
	size_t passed = 0; /* lanes of groups */
	for (uint32_t i = 0; i < l->ask.n_folds; i++) {
		uint32_t k = l->fold_order[i];
		size_t n = group_lanes(l, k), at = rest_before(l, k) + passed;
		if (position < at)
			break;
		if (n && position == at)
			return (struct lane){.ops = &lane_group, .index = k, .rows = 1 + l->folds[k].grown};
		if (position < at + n)
			return thread_lane(l, thread_list_at(&l->threads, l->folds[k].part, position - at - 1));
		passed += n;
	}
	return thread_lane(l, thread_list_at(&l->threads, PART_REST, position - passed));
}

/* Where a lane is; lanes_count where it is not. */
static size_t position_of(const struct lanes *l, const struct lane *lane)
{
	size_t n = l->n_top + l->n_rest, count = lanes_count(l), i = 0;
	for (; i < n; i++) {
		const struct lane *at = i < l->n_top ? &l->top[i] : &l->rest[i - l->n_top];
		if (same(at, lane))
			return i;
	}
	if (lane->ops == &lane_threads && n < count)
		return n;
	size_t part, place;
	if (n++ >= count || l->threads_closed)
		return count;
	if (lane->ops == &lane_group && lane->index < l->ask.n_folds && group_lanes(l, lane->index))
		return n + position_of_group(l, lane->index);
	if (lane->ops != &lane_thread || !thread_list_find(&l->threads, lane->index, &part, &place))
		return count;
	if (part == PART_REST)
		return n + place + groups_before(l, place, l->ask.n_folds);
	uint32_t fold = fold_of_part(l, part);
	if (fold == l->ask.n_folds || !lanes_group_is_open(l, fold))
		return count;
	return n + position_of_group(l, fold) + 1 + place;
}

void lanes_select_at(struct lanes *l, size_t position)
{
	size_t n = lanes_count(l);
	l->position = position < n ? position : n ? n - 1 : 0;
	l->selected = lanes_at(l, l->position);
}

void lanes_relist(struct lanes *l)
{
	if (l->threads.patterns)
		take_patterns(l);
	lanes_map_groups(l);
	l->back = l->back == lanes_thread(&l->selected) ? l->back : 0;
	if (l->back) {
		l->back = lanes_select(l, &lane_thread, l->back) ? 0 : l->back;
		return;
	}
	struct lane at = lanes_at(l, l->position), cap = {.ops = &lane_cap};
	if (l->selected.ops && at.ops && same(&at, &l->selected)) {
		l->selected = at;
		return;
	}
	if (!l->selected.ops && l->log->n_caps == 0 && !evl_progress(l->log).done)
		return; /* the lane to begin with is not there yet */
	size_t found = position_of(l, l->selected.ops ? &l->selected : &cap);
	lanes_select_at(l, found < lanes_count(l) ? found : l->selected.ops ? l->position : l->n_top);
}

const struct lane *lanes_selected(const struct lanes *l) { return l->selected.ops ? &l->selected : NULL; }

void lanes_move(struct lanes *l, int64_t by)
{
	int64_t to = (int64_t)l->position + by, last = (int64_t)lanes_count(l) - 1;
	lanes_select_at(l, (size_t)(to < 0 ? 0 : to > last ? (last < 0 ? 0 : last) : to));
	if (l->position < l->n_top) /* up there: no lane above is left scrolled away */
		l->first = 0;
}

void lanes_page(struct lanes *l, int by)
{
	const size_t last = l->shown_first + l->shown_n, top = l->n_top;
	if (by > 0)
		lanes_select_at(l, last + l->shown_n - 1);
	else
		lanes_select_at(l, l->shown_first > top + l->shown_n ? l->shown_first - l->shown_n : top);
}

bool lanes_select(struct lanes *l, const struct lane_ops *ops, uint32_t index)
{
	struct lane lane = {.ops = ops, .index = index};
	size_t part, place, found = position_of(l, &lane);
	if (found < lanes_count(l))
		lanes_select_at(l, found);
	else if (ops == &lane_thread && thread_list_find(&l->threads, index, &part, &place))
		lanes_bring(l, &index, 1);
	else
		return false;
	return true;
}

void lanes_bring(struct lanes *l, const uint32_t *threads, size_t n)
{
	size_t part, place;
	bool top = l->position < l->n_top;
	const size_t lent = l->n_lent;
	l->n_brought = 0;
	for (size_t i = 0; i < n && l->n_brought < LANES_BROUGHT; i++)
		if (!lanes_is_pinned(l, &(struct lane){.ops = &lane_thread, .index = threads[i]}))
			l->brought[l->n_brought++] = threads[i];
	l->n_top -= l->n_lent;
	l->n_lent = 0;
	if (l->top)
		show_brought(l);
	if (n) {
		l->first = 0;
		l->selected = thread_lane(l, threads[0]);
	} else if (top && thread_list_find(&l->threads, lanes_thread(&l->selected), &part, &place)
		&& position_of(l, &l->selected) >= lanes_count(l)) {
		l->selected = (struct lane){.ops = &lane_group, .index = fold_of_part(l, part)};
	}
	l->first = l->first > lent && n == 0 ? l->first - lent : l->first;
	lanes_relist(l);
	size_t first = l->first > l->n_top ? l->first : l->n_top;
	bool seen = l->position < l->n_top || l->shown_n == 0
		|| (l->position >= first && l->position < first + l->shown_n + lent);
	if (n == 0 && top && !seen) /* it left the top for a place off the screen: the capabilities stay in view */
		lanes_select_at(l, first);
}

void lanes_note(const struct lanes *l, struct model_place *at)
{
	at->lane = l->selected.ops;
	at->lane_index = l->selected.index;
	at->lane_first = l->first;
}

void lanes_restore(struct lanes *l, const struct model_place *at)
{
	if (!at->lane)
		return;
	lanes_select(l, at->lane, at->lane_index);
	l->first = at->lane_first;
}

void lanes_show_first(struct lanes *l)
{
	lanes_bring(l, NULL, 0);
	l->first = 0;
}

/* --- rows of the screen --- */

enum { SCROLLED_SHARE = 3 }; /* of the rows are kept for what scrolls */

/* The selected lane into view, no empty room at the end: choose l->first among positions from `begin` on. */
static void scroll(struct lanes *l, size_t begin, int room)
{
	size_t n = lanes_count(l), least = n;
	int rows = 0;
	l->first = l->first < begin ? begin : l->first;
	if (l->position >= begin) {
		size_t from = l->position + 1;
		for (rows = 0; from > begin && rows + lanes_at(l, from - 1).rows <= room; from--)
			rows += lanes_at(l, from - 1).rows;
		from = from > l->position ? l->position : from;
		l->first = l->first < from ? from : l->first > l->position ? l->position : l->first;
	}
	for (rows = 0; least > begin && rows + lanes_at(l, least - 1).rows <= room; least--)
		rows += lanes_at(l, least - 1).rows;
	l->first = l->first > least ? least : l->first;
}

static size_t place(struct placed_lane *out, size_t n, struct lane lane, size_t position, int y, int end)
{
	lane.rows = lane.rows < end - y ? lane.rows : end - y;
	out[n] = (struct placed_lane){lane, position, y};
	return n + 1;
}

size_t lanes_layout(struct lanes *l, int y, int end, struct placed_lane *out, size_t room)
{
	size_t n = 0, top = 0;
	int kept = (end - y) / SCROLLED_SHARE;
	bool more = lanes_count(l) > l->n_top;
	for (; top < l->n_top && n < room && y + l->top[top].rows <= end - (more ? (kept > 1 ? kept : 1) : 0); top++) {
		n = place(out, n, l->top[top], top, y, end);
		y += l->top[top].rows;
	}
	scroll(l, top, end - y);
	l->shown_first = l->first;
	for (size_t i = l->first; i < lanes_count(l) && y < end && n < room; i++) {
		struct lane lane = lanes_at(l, i);
		n = place(out, n, lane, i, y, end);
		y += lane.rows;
	}
	l->shown_n = n - top;
	return n;
}

/* --- changes and stretches: the critical path is known to its job alone --- */

bool lanes_change(const struct lanes *l, const struct lane *lane, const struct evl_log *log, uint64_t t, bool forward,
	uint64_t *out)
{
	if (lane->ops == &lane_path)
		return l->path && path_cols_edge(l->path, t, forward, out);
	return lane->ops->change && lane->ops->change(lane, log, t, forward, out);
}

bool lanes_span(const struct lanes *l, const struct lane *lane, const struct evl_log *log, uint64_t t, uint64_t *from,
	uint64_t *to)
{
	const struct path_segment *s = lane->ops == &lane_path && l->path ? path_cols_at(l->path, t) : NULL;
	if (s) {
		*from = s->from;
		*to = s->to;
	}
	return s || (lane->ops->span && lane->ops->span(lane, log, t, from, to));
}
