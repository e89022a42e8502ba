/* rows_lists.c - tables of references (src/table): collections, threads, spans, phases, blocked. */
#include "base/gallop.h"
#include "rows/rows_private.h"
#include "table/blocked_list.h"
#include "table/gc_table.h"
#include "table/phase_list.h"
#include "table/span_list.h"
#include "table/thread_table.h"

#include <stdlib.h>

struct list {
	const struct table_kind *kind;
	void *ctx; /* of the kind's cells */
	uint64_t *refs;
	size_t n;
	struct gc_batch batch; /* of deep collections */
	union {
		struct gc_list gc;
		struct thread_table threads;
		struct span_list spans;
		struct phase_list phases;
		struct blocked_list blocked;
	} of;
};

static struct list *list_new(const struct table_kind *kind)
{
	struct list *l = calloc(1, sizeof *l);
	if (l) {
		l->kind = kind;
		l->ctx = &l->of;
	}
	return l;
}

static void list_free(struct list *l)
{
	if (l)
		free(l->refs);
	free(l);
}

/* --- the scan ------------------------------------------------------------------------------------------------------ */

/* The first row whose key is at least `least`. */
static size_t first_at(struct rows_scan *s, const struct list *l, uint64_t least)
{
	BISECT(low, l->n, l->kind->cell(l->ctx, l->refs[mid], s->table->key, &s->scratch).number < (double)least);
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
	enum unit unit = l->kind->columns[column].unit;
	struct table_cell c = l->kind->cell(l->ctx, l->refs[s->at - 1], column, &s->scratch);
	if (!c.known)
		return (struct datum){0};
	if (unit == UNIT_TEXT)
		return cell_name(c.text);
	if (!unit_is_whole(unit))
		return cell_real(c.number);
	if (c.number <= -0.5)
		return cell_signed((int64_t)(c.number - 0.5));
	const double most = 18446744073709549568.0; /* the largest double that is a u64 */
	return cell_count(c.number >= most ? UINT64_MAX : c.number > 0 ? (uint64_t)(c.number + 0.5) : 0);
}

#define LIST_ROWS(table, n)                                                                                            \
	.name = #table, .help = table##_help, .n_columns = n, .open = open_list, .next = rows_count_up,                \
	.cell = list_cell

/* --- collections ---------------------------------------------------------------------------------------------------- */

static int make_gc(struct rows_source *s, bool deep, void **state)
{
	struct list *l = *state = list_new(&gc_table_kind);
	struct progress watch = {.cancel = s->cancel};
	if (!l)
		return EVL_NOMEM;
	int result = gc_table_refs(s->log, s->from, s->to, &l->refs, &l->n);
	if (result < 0)
		l->refs = NULL;
	else if (deep)
		result = gc_batch_make(&l->batch, s->log, l->refs, l->n, &watch);
	l->of.gc = (struct gc_list){.log = s->log, .refs = l->refs, .n = l->n, .batch = deep ? &l->batch : NULL};
	if (result < 0)
		list_free(l);
	return result;
}

static void unmake_gc(void *state)
{
	gc_batch_free(&((struct list *)state)->batch);
	list_free(state);
}

const struct rows_table rows_gc = {LIST_ROWS(gc, GC_COLUMNS), .columns = gc_columns, .key = GC_COLUMN_START,
	.deep = 1ull << GC_COLUMN_ALLOCATED | 1ull << GC_COLUMN_WORKERS, .make = make_gc, .unmake = unmake_gc};

/* --- threads -------------------------------------------------------------------------------------------------------- */

static void unmake_threads(void *state)
{
	thread_table_free(&((struct list *)state)->of.threads);
	list_free(state);
}

static int make_threads(struct rows_source *s, bool deep, void **state)
{
	struct list *l = *state = list_new(&thread_table_kind);
	struct progress watch = {.cancel = s->cancel};
	if (!l)
		return EVL_NOMEM;
	int result = thread_table_make(&l->of.threads, s->log, s->from, s->to, deep, &watch);
	if (result < 0) {
		list_free(l);
		return result;
	}
	result = thread_table_refs(&l->of.threads, &l->refs, &l->n);
	if (result < 0) {
		l->refs = NULL;
		unmake_threads(l);
	}
	return result;
}

enum { SHALLOW, DEEP };

const struct rows_table rows_threads = {LIST_ROWS(threads, THREAD_COLUMNS), .columns = thread_columns,
	.key = THREAD_COLUMN_ID,
#define COLUMN(id, key, title, unit, deep, meaning) | (uint64_t)deep << THREAD_COLUMN_##id
	.deep = 1ull << THREAD_COLUMN_RUN /* of the range */
#include "table/thread_columns.def"
	,
#undef COLUMN
	.make = make_threads, .unmake = unmake_threads};

/* --- spans ---------------------------------------------------------------------------------------------------------- */

static void unmake_spans(void *state)
{
	span_list_free(&((struct list *)state)->of.spans);
	list_free(state);
}

static int make_spans(struct rows_source *s, bool deep, void **state)
{
	struct list *l = *state = list_new(&span_list_kind);
	struct progress watch = {.cancel = s->cancel};
	if (!l)
		return EVL_NOMEM;
	int result = span_list_make(&l->of.spans, s->log, s->from, s->to, 0, deep, &watch);
	if (result < 0) {
		list_free(l);
		return result;
	}
	result = span_list_refs(&l->of.spans, &l->refs, &l->n);
	if (result < 0) {
		l->refs = NULL;
		unmake_spans(l);
	}
	return result;
}

const struct rows_table rows_spans = {LIST_ROWS(spans, SPAN_COLUMNS), .columns = span_columns, .key = SPAN_COLUMN_START,
#define COLUMN(id, key, title, unit, deep, meaning) | (uint64_t)deep << SPAN_COLUMN_##id
	.deep = 0
#include "table/span_columns.def"
	,
#undef COLUMN
	.make = make_spans, .unmake = unmake_spans};

/* --- phases --------------------------------------------------------------------------------------------------------- */

static void unmake_phases(void *state)
{
	phases_free(&((struct list *)state)->of.phases.phases);
	list_free(state);
}

static int make_phases(struct rows_source *s, bool deep, void **state)
{
	struct list *l = *state = list_new(&phase_list_kind);
	struct progress watch = {.cancel = s->cancel};
	(void)deep;
	if (!l)
		return EVL_NOMEM;
	l->of.phases.log = s->log;
	int result = phases_make(&l->of.phases.phases, s->log, s->from, s->to, &watch);
	result = result < 0 ? result : phase_list_refs(&l->of.phases, &l->refs, &l->n);
	if (result < 0)
		unmake_phases(l);
	return result;
}

const struct rows_table rows_phases = {LIST_ROWS(phases, PHASE_COLUMNS), .columns = phase_columns,
	.key = PHASE_COLUMN_FROM, .make = make_phases, .unmake = unmake_phases};

/* --- blocked -------------------------------------------------------------------------------------------------------- */

static void unmake_blocked(void *state)
{
	blocked_list_free(&((struct list *)state)->of.blocked);
	list_free(state);
}

static int make_blocked(struct rows_source *s, bool deep, void **state)
{
	struct list *l = *state = list_new(&blocked_list_kind);
	struct progress watch = {.cancel = s->cancel};
	(void)deep;
	if (!l)
		return EVL_NOMEM;
	int result = blocked_list_make(&l->of.blocked, s->log, s->from, s->to, &watch);
	result = result < 0 ? result : blocked_list_refs(&l->of.blocked, &l->refs, &l->n);
	if (result < 0)
		unmake_blocked(l);
	return result;
}

const struct rows_table rows_blocked = {LIST_ROWS(blocked, BLOCKED_COLUMNS), .columns = blocked_columns, .key = -1,
	.make = make_blocked, .unmake = unmake_blocked};
