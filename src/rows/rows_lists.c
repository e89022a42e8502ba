/* rows_lists.c - the lists of src/table as tables of rows: collections, threads, spans, phases, blocked, wakers, damage, the
 * critical path. */
#include "base/gallop.h"
#include "rows/rows_private.h"
#include "table/gc_table.h"
#include "table/lists.h"
#include "table/thread_table.h"

#include <stdlib.h>

struct list {
	const struct table_kind *kind;
	void *of; /* of the kind's cells */
	uint64_t *refs;
	size_t n;
	bool is_own; /* of one scan */
	/* of a page: */
	struct gc_pages *pages;
	uint64_t from, to;
	size_t uses;
};

static void unmake_list(void *state)
{
	struct list *l = state;
	if (l->of)
		table_list_free(l->kind, l->of);
	free_all(l->refs, l);
}

int rows_make_list(const struct table_kind *kind, struct rows_source *s, bool deep, void **state)
{
	struct list *l = *state = calloc(1, sizeof *l);
	struct progress watch = {.cancel = s->cancel};
	struct table_range range = {.log = s->log, .from = s->from, .to = s->to};
	if (!l)
		return EVL_NOMEM;
	int result = rows_shared(s, &range.shared);
	*l = (struct list){.kind = kind, .of = table_list_new(kind, &range)};
	result = result ? result : !l->of ? EVL_NOMEM : kind->make ? kind->make(l->of, deep, &watch) : 0;
	result = result < 0 ? result : table_refs(kind, l->of, &l->refs, &l->n);
	if (result < 0) {
		l->refs = NULL;
		unmake_list(l);
	}
	return result;
}

/* The first row whose key is at least `least`. */
static size_t first_at(struct rows_scan *s, const struct list *l, uint64_t least)
{
	struct datum key;
	BISECT(low, l->n,
		(key = l->kind->cell(l->of, l->refs[mid], s->table->key, &s->scratch),
			cell_double(&key) < (double)least));
	return low;
}

/* Go before the first row of the list that is asked for. */
static void begin_list(struct rows_scan *s, struct list *l)
{
	const uint64_t exact = 1ull << 53; /* above it, numbers of cells are rounded */
	uint64_t low = s->ask.low > exact ? exact : s->ask.low;
	s->own = l;
	s->at = 0;
	s->end = l->n;
	if (s->table->key < 0)
		return;
	s->at = low ? first_at(s, l, low) : 0;
	s->end = s->ask.high < exact ? first_at(s, l, s->ask.high + 1) : l->n;
}

static int open_list(struct rows_scan *s, void *state)
{
	begin_list(s, state);
	return 0;
}

static struct datum list_cell(struct rows_scan *s, int column)
{
	const struct list *l = s->own;
	return l->kind->cell(l->of, l->refs[s->at - 1], column, &s->scratch);
}

static void list_row(struct rows_scan *s, struct datum *out)
{
	const struct list *l = s->own;
	l->kind->row(l->of, l->refs[s->at - 1], &s->scratch, out);
	for (int i = 0; i < s->table->n_columns; i++)
		if (out[i].kind == CELL_TEXT && out[i].text.len == 0)
			out[i] = CELL_NONE;
}

/* Collections are looked up one by one; the budgets of spans are read from the first to the last. */
static int open_few(struct rows_scan *s)
{
	enum { FEW = 256 };
	const struct rows_source *of = s->source;
	const bool gcs = s->table->list == &gc_table_kind;
	const uint64_t from = max_u64(s->ask.low, of->from),
		       to = max_u64(from, s->ask.high < UINT64_MAX ? min_u64(s->ask.high + 1, of->to) : of->to);
	if (s->ask.low == 0 || s->ask.high == UINT64_MAX || (gcs && gc_table_count(of->log, from, to) > FEW))
		return 0;
	struct rows_source part = {.log = of->log, .from = from, .to = to, .cancel = of->cancel};
	bool deep = false;
	void *state;
	for (int i = 0; i < s->table->n_columns && !gcs; i++)
		deep = deep || (s->table->columns[i].deep && rows_wants(s, i));
	int result = rows_make_list(s->table->list, &part, deep, &state);
	if (result < 0)
		return result;
	struct list *l = s->own = state;
	l->is_own = true;
	s->end = l->n;
	return 1;
}

static void close_list(struct rows_scan *s)
{
	struct list *l = s->own;
	if (l && l->is_own)
		unmake_list(l);
	else if (l && l->pages)
		l->uses--;
}

/* --- collections, page by page ------------------------------------------------------------------------------------ */

/* A list of all rows may take more memory than the index of the log. Pages are halves of halves of the
 * time, so that a later scan finds those that were made. */
enum { PAGES = 2, PAGE_ROWS = 1 << 15 };
struct gc_pages {
	bool deep;
	struct list *kept[PAGES];
	size_t oldest;        /* of them */
	uint64_t last_lookup; /* of rows that none of them has */
};

static int make_pages(UNUSED struct rows_source *s, bool deep, void **state)
{
	struct gc_pages *p = *state = calloc(1, sizeof *p);
	if (p)
		p->deep = deep;
	return p ? 0 : EVL_NOMEM;
}

static void unmake_pages(void *state)
{
	struct gc_pages *p = state;
	for (size_t i = 0; i < PAGES; i++)
		if (p->kept[i])
			unmake_list(p->kept[i]);
	free(p);
}

/* Keep a new page in place of one that no scan is in; else it belongs to its scan. */
static void keep_page(struct gc_pages *p, struct list *l)
{
	for (size_t i = 0; i < PAGES; i++, p->oldest = (p->oldest + 1) % PAGES) {
		struct list **slot = &p->kept[p->oldest];
		if (*slot && (*slot)->uses)
			continue;
		if (*slot)
			unmake_list(*slot);
		*slot = l;
		l->uses = 1;
		p->oldest = (p->oldest + 1) % PAGES;
		return;
	}
	l->is_own = true;
}

/* Return the kept page that t is in, or NULL. */
static struct list *kept_at(const struct gc_pages *p, uint64_t t)
{
	for (size_t i = 0; i < PAGES; i++)
		if (p->kept[i] && p->kept[i]->from <= t && t < p->kept[i]->to)
			return p->kept[i];
	return NULL;
}

/* Go to the page that t is in. */
static int go_to_page(struct rows_scan *s, struct gc_pages *p, uint64_t t)
{
	const struct rows_source *of = s->source;
	const size_t most = max_u64(PAGE_ROWS, 4 * of->log->gcs.n);
	uint64_t from = of->from, to = max_u64(of->from, of->to);
	struct list *kept = kept_at(p, t);
	void *state;
	if (kept) {
		kept->uses++;
		begin_list(s, kept);
		return 0;
	}
	while (to - from > 1 && gc_table_count(of->log, from, to) > most) {
		uint64_t half = from + (to - from) / 2;
		*(t < half ? &to : &from) = half;
	}
	struct rows_source part = {.log = of->log, .from = from, .to = to, .cancel = of->cancel};
	int result = rows_make_list(s->table->list, &part, p->deep, &state);
	if (result < 0)
		return result;
	struct list *l = state;
	l->pages = p;
	l->from = from;
	l->to = to;
	keep_page(p, l);
	begin_list(s, l);
	return 0;
}

/* Return whether few rows are looked up that no kept page has, and that are far from the last ones. */
static bool is_stray(const struct rows_source *of, struct gc_pages *p, uint64_t t)
{
	enum { NEAR = 1024 };
	uint64_t last = p->last_lookup;
	if (kept_at(p, t))
		return false;
	p->last_lookup = t;
	return gc_table_count(of->log, min_u64(last, t), max_u64(last, t)) > NEAR;
}

static int open_pages(struct rows_scan *s, void *state)
{
	const struct rows_source *of = s->source;
	uint64_t t = max_u64(min_u64(s->ask.low, sub_or_0(of->to, 1)), of->from);
	int few = is_stray(of, state, t) ? open_few(s) : 0;
	return few > 0 ? 0 : few < 0 ? few : go_to_page(s, state, t);
}

static int next_of_pages(struct rows_scan *s)
{
	struct list *l = s->own;
	while (!rows_count_up(s)) {
		struct gc_pages *p = l->pages;
		uint64_t next = l->to;
		if (!p || next > s->ask.high || next >= s->source->to)
			return 0;
		close_list(s);
		s->own = NULL;
		int result = go_to_page(s, p, next);
		if (result < 0)
			return result;
		l = s->own;
	}
	return 1;
}

/* A list that is not deep may end before the start of the range. */
static int make_whole_path(struct rows_source *s, UNUSED bool deep, void **state)
{
	return rows_make_list(&path_list_kind, s, true, state);
}

#define LIST(name_, kind, columns_, n, key_, ...)                                                                      \
	const struct rows_table rows_##name_ = {.name = #name_,                                                        \
		.help = name_##_help,                                                                                  \
		.list = &kind,                                                                                         \
		.columns = columns_,                                                                                   \
		.n_columns = n,                                                                                        \
		.key = key_,                                                                                           \
		.cell = list_cell,                                                                                     \
		.row = list_row,                                                                                       \
		.close = close_list,                                                                                   \
		__VA_ARGS__}
#define ALL_AT_ONCE .unmake = unmake_list, .open = open_list, .next = rows_count_up

LIST(gc, gc_table_kind, gc_columns, GC_COLUMNS, GC_COLUMN_START, .make = make_pages, .unmake = unmake_pages,
	.open = open_pages, .next = next_of_pages, .open_few = open_few);
LIST(threads, thread_table_kind, thread_columns, THREAD_COLUMNS, THREAD_COLUMN_ID, ALL_AT_ONCE);
LIST(spans, span_list_kind, span_columns, SPAN_COLUMNS, SPAN_COLUMN_START, ALL_AT_ONCE, .open_few = open_few);
LIST(phases, phase_list_kind, phase_columns, PHASE_COLUMNS, PHASE_COLUMN_FROM, ALL_AT_ONCE);
LIST(blocked, blocked_list_kind, blocked_columns, BLOCKED_COLUMNS, -1, ALL_AT_ONCE);
LIST(wakers, wakers_list_kind, wakers_columns, WAKERS_COLUMNS, -1, ALL_AT_ONCE);
LIST(damage, damage_list_kind, damage_columns, DAMAGE_COLUMNS, -1, ALL_AT_ONCE);
LIST(path, path_list_kind, path_columns, PATH_COLUMNS, PATH_COLUMN_FROM, .make = make_whole_path, ALL_AT_ONCE);
