/* rows_lists.c - the lists of src/table as tables of rows: collections, threads, spans, phases, blocked. */
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
	result = result ? result : l->of ? kind->make(l->of, deep, &watch) : EVL_NOMEM;
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

static int open_list(struct rows_scan *s, void *state)
{
	struct list *l = s->own = state;
	const uint64_t exact = 1ull << 53; /* above it, numbers of cells are rounded */
	uint64_t low = s->ask.low > exact ? exact : s->ask.low;
	s->end = l->n;
	if (s->table->key < 0)
		return 0;
	s->at = low ? first_at(s, l, low) : 0;
	s->end = s->ask.high < exact ? first_at(s, l, s->ask.high + 1) : l->n;
	return 0;
}

static struct datum list_cell(struct rows_scan *s, int column)
{
	const struct list *l = s->own;
	return l->kind->cell(l->of, l->refs[s->at - 1], column, &s->scratch);
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
}

#define LIST(name_, kind, columns_, n, key_, few)                                                                      \
	const struct rows_table rows_##name_ = {.name = #name_,                                                        \
		.help = name_##_help,                                                                                  \
		.list = &kind,                                                                                         \
		.columns = columns_,                                                                                   \
		.n_columns = n,                                                                                        \
		.key = key_,                                                                                           \
		.unmake = unmake_list,                                                                                 \
		.open = open_list,                                                                                     \
		.next = rows_count_up,                                                                                 \
		.cell = list_cell,                                                                                     \
		.open_few = few,                                                                                       \
		.close = close_list}

LIST(gc, gc_table_kind, gc_columns, GC_COLUMNS, GC_COLUMN_START, open_few);
LIST(threads, thread_table_kind, thread_columns, THREAD_COLUMNS, THREAD_COLUMN_ID, NULL);
LIST(spans, span_list_kind, span_columns, SPAN_COLUMNS, SPAN_COLUMN_START, open_few);
LIST(phases, phase_list_kind, phase_columns, PHASE_COLUMNS, PHASE_COLUMN_FROM, NULL);
LIST(blocked, blocked_list_kind, blocked_columns, BLOCKED_COLUMNS, -1, NULL);
