#include "panes/heap/heap_list.h"

#include "draw/style.h"
#include "heap/census_roots.h"
#include "heap/census_tree.h"
#include "panes/heap/heap_base.h"
#include "query/census_label.h"
#include "sys/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OTHERS = CENSUS_SLOTS - 1, LOOK_UP = 1024 };

/* --- the filter ---------------------------------------------------------------------------------------------------- */

static bool stops_at(const struct heap_scan *s, uint32_t i) { return i % LOOK_UP == 0 && is_cancelled(s->cancel); }

/* Bands have the numbers below it: those of the log, then those of the other log alone. */
static size_t numbers(const struct heap_scan *s) { return bands_count(&s->survey.bands) + s->base.n_only; }

static bool is_own(const struct heap_scan *s, uint32_t number) { return number < bands_count(&s->survey.bands); }

static bool is_opened(const struct heap_scan *s, uint32_t number)
{
	return is_own(s, number) && bands_at(&s->survey.bands, number)->opened;
}

static int test_bands(struct heap_scan *s)
{
	size_t n = numbers(s);
	s->hidden = calloc(n ? n : 1, sizeof *s->hidden);
	for (uint32_t i = 0; s->hidden && i < n; i++) {
		s->hidden[i] = !heap_filter_keeps(&s->filter, heap_scan_label(s, i));
		s->n_hidden += s->hidden[i];
		if (stops_at(s, i))
			return EVL_CANCELLED;
	}
	return s->hidden ? 0 : EVL_NOMEM;
}

/* A filter that cannot be understood is none: it was refused where it was typed. */
int heap_hide(struct heap_scan *s)
{
	if (strcmp(s->filter_text, s->ask.filter) == 0)
		return 0;
	filter_free(&s->filter);
	free(s->hidden);
	s->hidden = NULL;
	s->n_hidden = 0;
	s->listed = s->pictured = s->has_grown = false;
	s->filter_text[0] = 0;
	int result = 0;
	if (filter_parse(&s->filter, &heap_filter_fields, s->ask.filter, NULL) == 0 && s->filter.n)
		result = test_bands(s);
	if (result == 0) {
		memcpy(s->filter_text, s->ask.filter, sizeof s->filter_text);
		return 0;
	}
	free(s->hidden);
	s->hidden = NULL;
	s->n_hidden = 0;
	return result;
}

/* --- the order ----------------------------------------------------------------------------------------------------- */

/* Sort key of bands: larger first, of equals the larger in the whole run. Bands of the opened group are together, at the place of
 * all of them. */
struct sorting {
	const struct heap_scan *scan;
	double *keys, open_key;
	uint32_t open_rank;
	struct buf names; /* of HEAP_BY_NAME: all, NULs between */
	size_t *name_at;
};

/* Bytes at the other moment, or in the other log. */
static uint64_t other_bytes(const struct heap_scan *s, uint32_t number)
{
	return s->base.of ? heap_base_bytes(&s->base, number) : census_bytes(&s->reads[READ_OTHER].values, number);
}

static double key_of(const struct heap_scan *s, uint32_t number)
{
	static const struct band_course none;
	const struct band_course *course = is_own(s, number) ? &s->window.courses[number] : &none;
	uint64_t at = census_bytes(&s->reads[READ_AT].values, number);
	switch ((enum heap_sort)s->ask.sort) {
	case HEAP_BY_AT: return (double)at;
	case HEAP_BY_GROWTH: return census_growth(&s->window, course).slope;
	case HEAP_BY_CHANGE: return (double)at - (double)other_bytes(s, number);
	case HEAP_BY_MEAN: return course->x;
	default: return (double)course->peak;
	}
}

static uint32_t rank_of(const struct heap_scan *s, uint32_t number)
{
	return is_own(s, number) ? bands_at(&s->survey.bands, number)->rank : number;
}

static int by_key(const void *a, const void *b, void *ctx)
{
	const struct sorting *sorting = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	bool in_x = is_opened(sorting->scan, x), in_y = is_opened(sorting->scan, y), apart = in_x != in_y;
	double kx = apart && in_x ? sorting->open_key : sorting->keys[x],
	       ky = apart && in_y ? sorting->open_key : sorting->keys[y];
	if (kx < ky || kx > ky)
		return kx < ky ? 1 : -1;
	uint32_t of_x = apart && in_x ? sorting->open_rank : rank_of(sorting->scan, x),
		 of_y = apart && in_y ? sorting->open_rank : rank_of(sorting->scan, y);
	return ORDER(of_x, of_y);
}

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct sorting *sorting = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return strcmp(sorting->names.p + sorting->name_at[x], sorting->names.p + sorting->name_at[y]) ?: ORDER(x, y);
}

static int sort_by_key(struct heap_scan *s, struct sorting *sorting)
{
	size_t n = numbers(s);
	sorting->keys = malloc((n ? n : 1) * sizeof *sorting->keys);
	if (!sorting->keys)
		return EVL_NOMEM;
	sorting->open_rank = UINT32_MAX;
	bool of_changes = s->ask.sort == HEAP_BY_CHANGE; /* a fall counts as much as a rise */
	for (uint32_t i = 0; i < n; i++) {
		double key = key_of(s, i);
		sorting->keys[i] = of_changes ? fabs(key) : key;
		if (!is_opened(s, i))
			continue;
		sorting->open_key += key;
		sorting->open_rank = rank_of(s, i) < sorting->open_rank ? rank_of(s, i) : sorting->open_rank;
	}
	sorting->open_key = of_changes ? fabs(sorting->open_key) : sorting->open_key;
	sys_sort(s->order, s->n_order, sizeof *s->order, by_key, sorting);
	return 0;
}

static int sort_by_name(struct heap_scan *s, struct sorting *sorting)
{
	size_t n = numbers(s);
	sorting->name_at = malloc((n ? n : 1) * sizeof *sorting->name_at);
	for (uint32_t i = 0; sorting->name_at && i < n; i++) {
		sorting->name_at[i] = sorting->names.len;
		if (is_opened(s, i)) {
			buf_cstr(&sorting->names, s->ask.open);
			buf_char(&sorting->names, 1);
		}
		buf_str(&sorting->names, heap_scan_label(s, i));
		buf_char(&sorting->names, 0);
		if (stops_at(s, i))
			return EVL_CANCELLED;
	}
	if (!sorting->name_at || sorting->names.failed)
		return EVL_NOMEM;
	sys_sort(s->order, s->n_order, sizeof *s->order, by_name, sorting);
	return 0;
}

static int sort_bands(struct heap_scan *s)
{
	struct sorting sorting = {.scan = s};
	int result = s->ask.sort == HEAP_BY_NAME ? sort_by_name(s, &sorting) : sort_by_key(s, &sorting);
	free_all(sorting.keys, sorting.name_at);
	buf_free(&sorting.names);
	return result;
}

/* The row of the opened group goes above its first band. */
static void head_group(struct heap_scan *s)
{
	size_t at = 0;
	while (at < s->n_order && !is_opened(s, s->order[at]))
		at++;
	if (at == s->n_order)
		return;
	memmove(&s->order[at + 1], &s->order[at], (s->n_order - at) * sizeof *s->order);
	s->order[at] = BANDS_OPEN;
	s->n_order++;
}

static int list_bands(struct heap_scan *s)
{
	size_t n = numbers(s);
	if (s->listed && s->order_sort == s->ask.sort)
		return 0;
	free(s->order);
	s->n_order = 0;
	s->order = malloc((n + 1) * sizeof *s->order);
	for (uint32_t i = 0; s->order && i < n; i++)
		if (!s->hidden || !s->hidden[i])
			s->order[s->n_order++] = i;
	int result = s->order ? sort_bands(s) : EVL_NOMEM;
	if (result == 0)
		head_group(s);
	s->listed = result == 0;
	s->order_sort = s->ask.sort;
	return result;
}

/* --- the rows ------------------------------------------------------------------------------------------------------ */

static bool rows_fit(struct heap_answer *page, size_t n)
{
	if (n <= page->rows_room)
		return true;
	free(page->rows);
	page->rows = calloc(n, sizeof *page->rows);
	page->rows_room = page->rows ? n : 0;
	return page->rows_room;
}

/* Which rows of n are seen: from the top of before on, the cursor among them. */
static void place(const struct heap_ask *ask, size_t n, size_t cursor, struct heap_answer *page)
{
	size_t room = ask->room ? ask->room : 1, top = ask->top;
	if (cursor >= top + room)
		top = cursor + 1 - room;
	top = top > cursor ? cursor : top;
	if (top + room > n)
		top = n > room ? n - room : 0;
	page->top = top;
	page->all = n;
	page->n = n - top < room ? n - top : room;
	page->cursor = cursor - top;
}

/* Find the band of this label, or the first with this prefix: a finding's names may be cut. BANDS_REST: none. */
static uint32_t find_band(struct heap_scan *s, const char *label)
{
	size_t len = strlen(label);
	uint32_t best = BANDS_REST;
	for (uint32_t i = 0; len && i < bands_count(&s->survey.bands) && !stops_at(s, i); i++) {
		struct evl_str text = heap_scan_label(s, i);
		if (text.len < len || memcmp(text.p, label, len) != 0)
			continue;
		if (text.len == len)
			return i;
		best = best == BANDS_REST ? i : best;
	}
	return best;
}

/* Move a number of bands on or back from the selected one, or from the first if it is not listed. */
static size_t cursor_in_order(struct heap_scan *s)
{
	size_t at = 0;
	if (s->ask.find[0])
		s->ask.at = find_band(s, s->ask.find);
	for (size_t i = 0; i < s->n_order; i++)
		if (s->order[i] == s->ask.at)
			at = i;
	int64_t to = (int64_t)at + s->ask.move;
	int64_t last = s->n_order ? (int64_t)s->n_order - 1 : 0;
	return (size_t)(to < 0 ? 0 : to > last ? last : to);
}

/* The slot of the picture that draws the band. */
static int slot_of(const struct heap_answer *page, uint32_t number)
{
	for (int i = 0; i < page->slots.n; i++)
		if (page->slots.bands[i] == number)
			return i;
	return OTHERS;
}

/* Constructors without their package, which is told with the details. */
static struct evl_str brief(const struct heap_scan *s, struct evl_str label)
{
	bool constructors = s->announced.by == BY_CLOSURE_TYPE && !s->survey.bands.members;
	const uint8_t *colon = constructors && label.len ? memchr(label.p, ':', label.len) : NULL;
	size_t package = colon ? (size_t)(colon - label.p) + 1 : 0;
	return package > 1 && package < label.len ? (struct evl_str){label.p + package, label.len - package} : label;
}

/* All bands of the opened group, which are below. */
static void fill_head(struct heap_scan *s, struct heap_row *row)
{
	*row = (struct heap_row){.number = BANDS_OPEN, .style = ST_PAGE, .fold = FOLD_OPEN};
	heap_put_label(row->label, heap_scan_label(s, BANDS_OPEN));
	for (uint32_t i = 0; i < bands_count(&s->survey.bands); i++) {
		if (!is_opened(s, i))
			continue;
		row->bytes = add_or_max(row->bytes, census_bytes(&s->reads[READ_AT].values, i));
		row->other = add_or_max(row->other, other_bytes(s, i));
	}
}

/* A group of one band has nothing to open. */
static bool is_group(const struct heap_scan *s, uint32_t number)
{
	const struct bands *b = &s->survey.bands;
	size_t n = 0;
	for (uint32_t i = 0; b->members && !s->by_name && n < 2 && i < bands_count(b->members); i++)
		n += b->group_of[i] == number;
	return n > 1;
}

static void fill_row(struct heap_scan *s, const struct heap_answer *page, uint32_t number, struct heap_row *row)
{
	if (number == BANDS_OPEN) {
		fill_head(s, row);
		return;
	}
	if (!is_own(s, number)) {
		*row = (struct heap_row){.number = number, .style = ST_PAGE, .other = other_bytes(s, number)};
		heap_put_label(row->label, brief(s, heap_scan_label(s, number)));
		return;
	}
	const struct band_course *course = &s->window.courses[number];
	int slot = slot_of(page, number);
	*row = (struct heap_row){.number = number, .style = page->styles[slot], .is_drawn = slot != OTHERS};
	heap_put_label(row->label, brief(s, heap_scan_label(s, number)));
	row->bytes = census_bytes(&s->reads[READ_AT].values, number);
	row->other = other_bytes(s, number);
	row->depth = is_opened(s, number);
	row->fold = is_group(s, number) ? FOLD_CLOSED : FOLD_NONE;
	row->peak = course->peak;
	row->peak_t = course->peak ? census_axis_time(&s->axis, course->peak_at) : 0;
	row->growth = census_growth(&s->window, course);
	memcpy(row->spark, course->spark, sizeof row->spark);
}

/* Bytes outside of the rows of the table, and of those that the filter hides. */
static uint64_t rest_of(const struct heap_scan *s, const struct heap_answer *page, uint64_t total, bool other)
{
	const struct census_values *v = &s->reads[READ_AT].values;
	for (uint32_t i = 0; s->hidden && i < numbers(s); i++)
		if (s->hidden[i])
			total = sub_or_0(total, other ? other_bytes(s, i) : census_bytes(v, i));
	for (size_t i = 0; i < page->n; i++)
		if (page->rows[i].number != BANDS_OPEN)
			total = sub_or_0(total, other ? page->rows[i].other : page->rows[i].bytes);
	return total;
}

/* The others together: no course, no peak, which only bands have. */
static void fill_rest(struct heap_scan *s, struct heap_answer *page)
{
	struct heap_row *row = &page->rest;
	*row = (struct heap_row){.number = BANDS_REST, .style = page->styles[OTHERS]};
	row->bytes = rest_of(s, page, s->reads[READ_AT].values.total, false);
	row->other = rest_of(s, page, s->base.of ? s->base.total : s->reads[READ_OTHER].values.total, true);
	page->unlisted = page->all - page->n;
	for (size_t i = 0; i < s->n_order; i++) /* the row of a group is none of a band */
		if ((i < page->top || i >= page->top + page->n) && s->order[i] == BANDS_OPEN)
			page->unlisted--;
}

/* Info tables of one name have the ends of their addresses, too. */
static void tell_apart(struct heap_scan *s, struct heap_answer *page)
{
	enum { ENDS = 4 };
	bool same[UINT8_MAX] = {false};
	size_t n = s->announced.by == BY_INFO_TABLE && !s->survey.bands.members ? page->n : 0;
	n = n < countof(same) ? n : countof(same);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(page->rows[i].label, page->rows[k].label) == 0)
				same[i] = same[k] = true;
	for (size_t i = 0; i < n; i++) {
		struct heap_row *row = &page->rows[i];
		struct evl_str key = is_own(s, row->number) ? band_key(bands_at(&s->survey.bands, row->number))
							    : (struct evl_str){0};
		size_t len = strlen(row->label);
		size_t digits = key.len < ENDS ? key.len : ENDS;
		if (same[i] && key.len && len + sizeof " …" + ENDS < sizeof row->label)
			snprintf(row->label + len, sizeof row->label - len, " …%.*s", (int)digits,
				(const char *)key.p + (key.len - digits));
	}
}

int heap_rows(struct heap_scan *s, struct heap_answer *page)
{
	int result = list_bands(s);
	if (result < 0)
		return result;
	page->hidden = s->n_hidden;
	place(&s->ask, s->n_order, cursor_in_order(s), page);
	if (!rows_fit(page, page->n))
		return EVL_NOMEM;
	for (size_t i = 0; i < page->n; i++)
		fill_row(s, page, s->order[page->top + i], &page->rows[i]);
	tell_apart(s, page);
	fill_rest(s, page);
	return 0;
}

/* --- what changed most -------------------------------------------------------------------------------------------- */

struct heap_change_of {
	uint32_t number;
	int64_t by;
};

static int64_t change_of(const struct census_values *before, const struct census_values *after, uint32_t number)
{
	uint64_t from = census_bytes(before, number), to = census_bytes(after, number);
	uint64_t by = to > from ? to - from : from - to;
	int64_t most = by > INT64_MAX ? INT64_MAX : (int64_t)by;
	return to > from ? most : -most;
}

/* Insert a band with this change into the best n, which are in order of the change, up or down. */
static int place_change(struct heap_change_of *best, int n, struct heap_change_of change)
{
	int64_t by = llabs(change.by);
	if (by == 0 || (n == HEAP_GROWTH && by <= llabs(best[n - 1].by)))
		return n;
	int at = n < HEAP_GROWTH ? n++ : n - 1;
	for (; at > 0 && by > llabs(best[at - 1].by); at--)
		best[at] = best[at - 1];
	best[at] = change;
	return n;
}

static void find_changes(struct heap_scan *s, const struct census_values *before, const struct census_values *after)
{
	struct heap_change_of best[HEAP_GROWTH] = {0};
	int n = 0;
	for (uint32_t i = 0; i < bands_count(&s->survey.bands); i++)
		if (!s->hidden || !s->hidden[i])
			n = place_change(best, n, (struct heap_change_of){i, change_of(before, after, i)});
	s->grown.n = n;
	for (int i = 0; i < n; i++) {
		s->grown.items[i].by = best[i].by;
		heap_put_label(s->grown.items[i].label, brief(s, heap_scan_label(s, best[i].number)));
	}
}

/* The values of both ends are needed once: they do not stay. */
static int compare_ends(struct heap_scan *s, size_t from, size_t to)
{
	struct census_values before = {0}, after = {0};
	const struct evl_log *log = s->log;
	uint8_t profile = (uint8_t)s->profile;
	int result = census_values_read(
		&before, &s->survey.bands, &log->census, &log->blocks, s->survey.samples[from], profile, s->cancel);
	if (result == 0)
		result = census_values_read(&after, &s->survey.bands, &log->census, &log->blocks, s->survey.samples[to],
			profile, s->cancel);
	if (result == 0)
		find_changes(s, &before, &after);
	census_values_free(&before);
	census_values_free(&after);
	return result;
}

int heap_growth(struct heap_scan *s, struct heap_answer *page)
{
	size_t from = census_axis_at(&s->axis, s->ask.range_from),
	       to = census_axis_at(&s->axis, sub_or_0(s->ask.range_to, 1));
	int result = s->has_grown && s->grown_from == from && s->grown_to == to ? 0 : compare_ends(s, from, to);
	s->has_grown = result == 0;
	s->grown_from = from;
	s->grown_to = to;
	page->growth = s->grown;
	page->one_sample = from == to;
	return result;
}

/* The selection is the number of a row in the list. */
static size_t cursor_in_rows(const struct heap_ask *ask, size_t n)
{
	int64_t to = (ask->at == BANDS_REST ? 0 : (int64_t)ask->at) + ask->move;
	int64_t last = n ? (int64_t)n - 1 : 0;
	return (size_t)(to < 0 ? 0 : to > last ? last : to);
}

static void fill_node(struct heap_scan *s, const struct census_node *node, uint32_t number, struct heap_row *row)
{
	uint8_t id[4] = {(uint8_t)(node->centre >> 24), (uint8_t)(node->centre >> 16), (uint8_t)(node->centre >> 8),
		(uint8_t)node->centre};
	*row = (struct heap_row){.number = number,
		.depth = (int)node->depth,
		.bytes = node->inclusive,
		.self = node->self,
		.style = ST_PAGE};
	buf_clear(&s->text);
	const struct prof_naming names = evl_naming(s->log);
	census_stack_label(&names, (struct evl_str){id, node->depth ? sizeof id : 0}, &s->text);
	heap_put_label(row->label, (struct evl_str){(const uint8_t *)s->text.p, s->text.len});
}

/* The source of the selected node. */
static void locate(struct heap_scan *s, const struct census_node *node, struct heap_answer *page)
{
	struct cost_centre centre;
	page->location_len = 0;
	if (node->depth == 0 || !evl_cost_centre(s->log, node->centre, &centre)
		|| centre.location.len > sizeof page->location)
		return;
	memcpy(page->location, centre.location.p, centre.location.len);
	page->location_len = centre.location.len;
}

int heap_rows_of_tree(struct heap_scan *s, struct heap_answer *page)
{
	struct census_tree tree;
	int result = census_tree(&tree, &s->reads[READ_AT].values, &s->survey.bands);
	if (result < 0)
		return result;
	page->hidden = 0;
	place(&s->ask, tree.n, cursor_in_rows(&s->ask, tree.n), page);
	if (rows_fit(page, page->n)) {
		for (size_t i = 0; i < page->n; i++)
			fill_node(s, &tree.nodes[page->top + i], (uint32_t)(page->top + i), &page->rows[i]);
		locate(s, &tree.nodes[page->top + page->cursor], page);
	} else {
		result = EVL_NOMEM;
	}
	census_tree_free(&tree);
	return result;
}

int heap_rows_of_roots(struct heap_scan *s, struct heap_answer *page)
{
	struct census_roots roots;
	census_roots(&roots, &s->reads[READ_AT].values, &s->survey.bands, s->announced.join);
	page->hidden = 0;
	place(&s->ask, roots.n, cursor_in_rows(&s->ask, roots.n), page);
	if (!rows_fit(page, page->n))
		return EVL_NOMEM;
	for (size_t i = 0; i < page->n; i++) {
		const struct census_root *root = &roots.roots[page->top + i];
		page->rows[i] = (struct heap_row){.number = (uint32_t)(page->top + i),
			.self = root->own,
			.bytes = add_or_max(root->own, root->shared),
			.style = ST_PAGE};
		heap_put_label(page->rows[i].label, root->name);
	}
	return 0;
}
