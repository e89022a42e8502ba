#include "lanes.h"

#include "lane_threads.h"

#include <stdlib.h>

void lanes_init(struct lanes *l, const struct evl_log *log, const struct lane_ops *const *kinds)
{
	*l = (struct lanes){.log = log, .kinds = kinds};
}

void lanes_free(struct lanes *l)
{
	thread_job_free(l->job);
	thread_list_free(&l->threads);
	free(l->fixed);
	free(l->top);
	free(l->rest);
	*l = (struct lanes){0};
}

void lanes_renew(struct lanes *l, const struct evl_log *log)
{
	thread_list_free(&l->threads); /* it may borrow from the job */
	l->threads = (struct thread_list){0};
	thread_job_free(l->job);
	l->job = NULL;
	l->log = log;
}

static bool same(const struct lane *a, const struct lane *b)
{
	return a->ops == b->ops && a->index == b->index;
}

uint32_t lanes_thread(const struct lane *lane)
{
	return lane->ops == &lane_thread ? lane->index : 0;
}

/* --- lanes of the registry --- */

static size_t count_kind(const struct lanes *l, const struct lane_ops *kind)
{
	return kind->hidden_by_default && !l->show_hidden ? 0 : kind->count(l->log);
}

static size_t count_fixed(const struct lanes *l)
{
	size_t n = 0;
	for (const struct lane_ops *const *kind = l->kinds; *kind; kind++)
		n += count_kind(l, *kind);
	return n;
}

static struct fixed_lane *find_fixed(const struct lanes *l, const struct lane *lane)
{
	for (size_t i = 0; i < l->n_fixed; i++)
		if (same(&l->fixed[i].lane, lane))
			return &l->fixed[i];
	return NULL;
}

/* What the registry lists before the capabilities stands at the top. The walk may find more at any time: no more than
 * room for n. */
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

bool lanes_refresh(struct lanes *l)
{
	size_t n = count_fixed(l);
	if (l->fixed && n == l->n_fixed)
		return true;
	struct fixed_lane *fixed = calloc(n ? n : 1, sizeof *fixed);
	struct lane *top = calloc(n + LANES_PINNED + 1, sizeof *top), *rest = calloc(n + HEAT_ROWS + 1, sizeof *rest);
	if (!fixed || !top || !rest) {
		free(fixed);
		free(top);
		free(rest);
		return false;
	}
	list_fixed(l, fixed, n);
	for (size_t i = 0; i < n && l->n_fixed; i++) {
		const struct fixed_lane *was = find_fixed(l, &fixed[i].lane);
		if (was)
			fixed[i] = *was;
	}
	free(l->fixed);
	free(l->top);
	free(l->rest);
	l->fixed = fixed;
	l->n_fixed = n;
	l->top = top;
	l->rest = rest;
	l->n_top = l->n_rest = 0;
	return true;
}

/* --- what is shown --- */

static int clamp_rows(int rows)
{
	return rows < 1 ? 1 : rows > LANE_MAX_ROWS ? LANE_MAX_ROWS : rows;
}

static int thread_rows(const struct lanes *l, uint32_t thread)
{
	for (size_t i = 0; i < l->n_grown; i++)
		if (l->grown[i].thread == thread)
			return l->grown[i].rows;
	return 1;
}

static struct lane thread_lane(const struct lanes *l, uint32_t thread)
{
	return (struct lane){.ops = &lane_thread, .index = thread, .rows = thread_rows(l, thread)};
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

/* Capabilities under their heat rows: those of an open row are lanes of their own. */
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

bool lanes_compose(struct lanes *l, const struct lane_place *at, bool markers, lanes_keep *keep, void *ctx)
{
	size_t heat = 0;
	if (!lanes_refresh(l))
		return false;
	l->n_top = l->n_rest = 0;
	for (size_t i = 0; i < l->n_fixed; i++) {
		struct fixed_lane *f = &l->fixed[i];
		int rows = f->lane.ops ? f->lane.ops->rows(at) : 0;
		rows = rows == 0 && l->show_hidden ? 1 : rows;
		f->lane.rows = f->grown ? clamp_rows(rows + f->grown) : rows;
		if (rows == 0 || is_too_much(f, at) || (f->hidden && !f->pinned) || (f->lane.ops == &lane_markers && !markers))
			continue;
		if (f->lane.ops != &lane_cap)
			show_fixed(l, f, f->top);
		else if (keep(ctx, &f->lane))
			show_cap(l, f, &heat);
	}
	for (size_t i = 0; i < l->n_pinned; i++)
		l->top[l->n_top++] = thread_lane(l, l->pinned[i]);
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
static bool has_threads(const struct lanes *l)
{
	return !l->only_pinned;
}

size_t lanes_count(const struct lanes *l)
{
	size_t n = l->n_top + l->n_rest;
	if (!has_threads(l))
		return n;
	return n + 1 + (l->threads_closed ? 0 : l->ask.n_folds + l->threads.n);
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
	if (position < l->ask.n_folds)
		return (struct lane){.ops = &lane_group, .index = (uint32_t)position, .rows = 1};
	return thread_lane(l, thread_list_at(&l->threads, position - l->ask.n_folds));
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
	if (lane->ops == &lane_group && n + 1 + lane->index < count && lane->index < l->ask.n_folds)
		return n + 1 + lane->index;
	if (lane->ops == &lane_thread && n < count && !l->threads_closed)
		return n + 1 + l->ask.n_folds + thread_list_find(&l->threads, lane->index);
	return count;
}

static void select_at(struct lanes *l, size_t position)
{
	size_t n = lanes_count(l);
	l->position = position < n ? position : n ? n - 1 : 0;
	l->selected = lanes_at(l, l->position);
}

void lanes_relist(struct lanes *l)
{
	struct lane at = lanes_at(l, l->position), cap = {.ops = &lane_cap};
	if (l->selected.ops && at.ops && same(&at, &l->selected)) {
		l->selected = at;
		return;
	}
	size_t found = position_of(l, l->selected.ops ? &l->selected : &cap);
	select_at(l, found < lanes_count(l) ? found : l->selected.ops ? l->position : l->n_top);
}

const struct lane *lanes_selected(const struct lanes *l)
{
	return l->selected.ops ? &l->selected : NULL;
}

void lanes_move(struct lanes *l, int64_t by)
{
	int64_t to = (int64_t)l->position + by, last = (int64_t)lanes_count(l) - 1;
	select_at(l, (size_t)(to < 0 ? 0 : to > last ? (last < 0 ? 0 : last) : to));
}

bool lanes_select(struct lanes *l, const struct lane_ops *ops, uint32_t index)
{
	struct lane lane = {.ops = ops, .index = index};
	size_t found = position_of(l, &lane);
	if (found >= lanes_count(l))
		return false;
	select_at(l, found);
	return true;
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
	l->shown_threads = 0;
	for (size_t i = l->first; i < lanes_count(l) && y < end && n < room; i++) {
		struct lane lane = lanes_at(l, i);
		n = place(out, n, lane, i, y, end);
		y += lane.rows;
		l->shown_threads += lane.ops == &lane_thread;
	}
	l->shown_n = n - top;
	return n;
}

/* --- what the user does --- */

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
	struct fixed_lane *f = find_fixed(l, &l->selected);
	if (f && f->top)
		return "this lane is always at the top";
	if (f) {
		f->pinned = !f->pinned;
	} else if (!thread) {
		return "only single lanes can be pinned";
	} else if (find_id(l->pinned, l->n_pinned, thread) < l->n_pinned) {
		remove_id(l->pinned, &l->n_pinned, thread);
	} else if (l->n_pinned == LANES_PINNED) {
		return "no more lanes can be pinned";
	} else {
		l->pinned[l->n_pinned++] = thread;
		thread_list_drop(&l->threads, thread);
	}
	return NULL;
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
	struct fixed_lane *f = find_fixed(l, &l->selected);
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
	thread_list_drop(&l->threads, thread);
	l->hidden[l->n_hidden++] = thread;
	select_at(l, l->position);
	return NULL;
}

const char *lanes_show_all(struct lanes *l)
{
	bool any = l->n_hidden || l->only_pinned;
	for (size_t i = 0; i < l->n_fixed; i++) {
		any = any || l->fixed[i].hidden;
		l->fixed[i].hidden = false;
	}
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
	struct fixed_lane *f = find_fixed(l, &l->selected);
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
	int rows = clamp_rows(thread_rows(l, thread) + by);
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

const char *lanes_grow(struct lanes *l, int by)
{
	struct fixed_lane *f = find_fixed(l, &l->selected);
	uint32_t thread = lanes_thread(&l->selected);
	if (f && f->lane.rows + by >= 1 && f->lane.rows + by <= LANE_MAX_ROWS)
		f->grown += by;
	else if (f)
		return by > 0 ? "this lane is as high as it gets" : "this lane has one row";
	return f ? NULL : thread ? grow_thread(l, thread, by) : "this lane has one row";
}

static const char *unfold(struct lanes *l, uint32_t fold)
{
	size_t behind = --l->ask.n_folds - fold;
	memmove(l->ask.folds[fold], l->ask.folds[fold + 1], behind * sizeof *l->ask.folds);
	memset(l->ask.folds[l->ask.n_folds], 0, sizeof *l->ask.folds);
	memmove(l->threads.in_fold + fold, l->threads.in_fold + fold + 1, behind * sizeof *l->threads.in_fold);
	return NULL;
}

static const char *fold(struct lanes *l, uint32_t thread)
{
	if (l->ask.n_folds == LIST_FOLDS)
		return "no more groups can be folded; Enter on one unfolds it";
	memset(l->ask.folds[l->ask.n_folds], 0, sizeof *l->ask.folds);
	thread_fold(l->ask.folds[l->ask.n_folds], evl_label(l->log, thread));
	l->threads.in_fold[l->ask.n_folds] = 0;
	l->selected = (struct lane){.ops = &lane_group, .index = l->ask.n_folds, .rows = 1};
	l->ask.n_folds++;
	return NULL;
}

const char *lanes_expand(struct lanes *l)
{
	const struct lane *lane = &l->selected;
	if (lane->ops == &lane_threads)
		l->threads_closed = !l->threads_closed;
	else if (lane->ops == &lane_heat)
		l->heat_open[lane->index] = !l->heat_open[lane->index];
	else if (lane->ops == &lane_group)
		return unfold(l, lane->index);
	else if (lane->ops == &lane_thread && find_id(l->pinned, l->n_pinned, lane->index) == l->n_pinned)
		return fold(l, lane->index);
	else
		return "there is nothing to open or to fold in this lane";
	return NULL;
}

const char *lanes_highlight(struct lanes *l, uint32_t thread)
{
	if (!thread && !l->highlight)
		return "select a thread, or a capability where one runs, to see it everywhere";
	l->highlight = thread == l->highlight ? 0 : thread;
	return NULL;
}

void lanes_sort(struct lanes *l)
{
	l->ask.order = (enum thread_order)((l->ask.order + 1) % ORDERS);
}

static int by_id(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

void lanes_fill_ask(const struct lanes *l, struct thread_list_ask *ask)
{
	*ask = l->ask;
	memcpy(ask->hidden, l->hidden, l->n_hidden * sizeof *l->hidden);
	memcpy(ask->hidden + l->n_hidden, l->pinned, l->n_pinned * sizeof *l->pinned);
	ask->n_hidden = (uint32_t)(l->n_hidden + l->n_pinned);
	qsort(ask->hidden, ask->n_hidden, sizeof *ask->hidden, by_id);
}
