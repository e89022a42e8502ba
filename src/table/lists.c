#include "table/lists.h"

#include "base/idmap.h"
#include "query/path_span.h"
#include "sys/system.h"

#include <stdlib.h>

#define COLUMN(id, key, title, unit, deep, meaning, value) {key, title, UNIT_##unit, meaning, deep, false},
const struct table_column span_columns[SPAN_COLUMNS] = {
#include "table/span_columns.def"
};
const struct table_column phase_columns[PHASE_COLUMNS] = {
#include "table/phase_columns.def"
};
const struct table_column blocked_columns[BLOCKED_COLUMNS] = {
#include "table/blocked_columns.def"
};
static const struct table_column path_columns[] = {
#include "table/path_columns.def"
};
static const struct table_column ticky_columns[] = {
#include "table/ticky_columns.def"
};
#undef COLUMN

void table_shared_free(struct table_shared *s)
{
	if (s->waits)
		thread_waits_free(s->waits);
	free_all(s->waits, s->threads.items);
	span_budgets_free(&s->budgets);
	phases_free(&s->phases);
	*s = (struct table_shared){0};
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

static void unmake_spans(void *list) { span_budgets_free(&((struct span_list *)list)->budgets); }

static int make_spans(void *list, bool deep, const struct progress *watch)
{
	struct span_list *l = list;
	const struct table_range *of = &l->of;
	unmake_spans(l);
	l->table = spans_table(&of->log->spans);
	l->is_deep = deep;
	if (deep && of->shared && of->shared->budgets.items) {
		l->budgets = of->shared->budgets;
		of->shared->budgets = (struct span_budgets){0};
		return 0;
	}
	return deep && l->table ? span_budgets_make(&l->budgets, of->log, l->table, of->from, of->to, watch) : 0;
}

static bool is_wanted(const struct table_range *of, const struct span *s)
{
	return s->start >= of->from && s->start < of->to
		&& (!of->label || idmap_key(spans_label(&of->log->blocks, s)) == of->label);
}

static int by_start(const void *a, const void *b, void *ctx)
{
	const struct span_table *t = ctx;
	uint64_t i = *(const uint64_t *)a, k = *(const uint64_t *)b;
	const struct span *x = &t->items[i], *y = &t->items[k];
	int order = ORDER(x->start, y->start);
	return order ? order : ORDER(i, k);
}

static int span_refs(void *list, uint64_t **refs, size_t *n)
{
	const struct span_list *l = list;
	size_t all = l->table ? l->table->n : 0;
	*n = 0;
	*refs = calloc(all ? all : 1, sizeof **refs);
	if (!*refs)
		return EVL_NOMEM;
	for (size_t i = 0; i < all; i++)
		if (is_wanted(&l->of, &l->table->items[i]))
			(*refs)[(*n)++] = i;
	sys_sort(*refs, *n, sizeof **refs, by_start, (void *)(uintptr_t)l->table);
	return 0;
}

#define BUDGET(ns) (l->is_deep ? cell_count(ns) : CELL_NONE)

static struct datum span_cell(void *list, uint64_t ref, int column, struct buf *scratch)
{
	const struct span_list *l = list;
	const struct span *s = &l->table->items[ref];
	const struct span_budget *b = l->is_deep ? &l->budgets.items[ref] : NULL;
	(void)scratch;
	switch ((enum span_column)column) {
#define COLUMN(id, key, title, unit, deep, meaning, value)                                                             \
	case SPAN_COLUMN_##id:                                                                                         \
		return value;
#include "table/span_columns.def"
#undef COLUMN
	default: return CELL_NONE;
	}
}

const struct table_kind span_list_kind = {.name = "spans",
	.columns = span_columns,
	.n_columns = SPAN_COLUMNS,
	.cell = span_cell,
	.refs = span_refs,
	.size = sizeof(struct span_list),
	.make = make_spans,
	.unmake = unmake_spans};

/* --- phases ------------------------------------------------------------------------------------------------------- */

static void unmake_phases(void *list) { phases_free(&((struct phase_list *)list)->phases); }

static int make_phases(void *list, bool deep, const struct progress *watch)
{
	struct phase_list *l = list;
	(void)deep;
	unmake_phases(l);
	if (l->of.shared && l->of.shared->has_phases) {
		l->phases = l->of.shared->phases;
		l->of.shared->phases = (struct phases){0};
		l->of.shared->has_phases = false;
		return 0;
	}
	return phases_make(&l->phases, l->of.log, l->of.from, l->of.to, watch);
}

static size_t phase_count(const void *list) { return ((const struct phase_list *)list)->phases.n; }

static struct datum phase_word(const struct evl_log *log, const struct phase *p)
{
	struct evl_str name = phase_name(log, p);
	return name.p ? cell_text(name) : CELL_NONE;
}

static struct datum phase_cell(void *list, uint64_t ref, int column, struct buf *scratch)
{
	const struct phase_list *l = list;
	const struct phase *p = &l->phases.items[ref];
	const uint64_t *tags = l->of.log->event_counts.tags.n;
	bool sched = tags[EVL_RUN_THREAD] > 0, gc = tags[EVL_GC_START] > 0;
	(void)scratch;
	switch ((enum phase_column)column) {
#define COLUMN(id, key, title, unit, deep, meaning, value)                                                             \
	case PHASE_COLUMN_##id:                                                                                        \
		return value;
#include "table/phase_columns.def"
#undef COLUMN
	default: return CELL_NONE;
	}
}

const struct table_kind phase_list_kind = {.name = "phases",
	.columns = phase_columns,
	.n_columns = PHASE_COLUMNS,
	.cell = phase_cell,
	.count = phase_count,
	.size = sizeof(struct phase_list),
	.make = make_phases,
	.unmake = unmake_phases};

/* --- blocked time ------------------------------------------------------------------------------------------------- */

static void unmake_blocked(void *list)
{
	struct blocked_list *l = list;
	if (l->waits)
		thread_waits_free(l->waits);
	free(l->waits);
	l->waits = NULL;
}

static int make_blocked(void *list, bool deep, const struct progress *watch)
{
	struct blocked_list *l = list;
	uint64_t first, last;
	(void)deep;
	unmake_blocked(l);
	if (l->of.shared && l->of.shared->waits) {
		l->waits = l->of.shared->waits;
		l->of.shared->waits = NULL;
		return 0;
	}
	if (!evl_range(l->of.log, &first, &last))
		first = last = 0;
	uint64_t from = min_u64(max_u64(l->of.from, first), last),
		 to = max_u64(l->of.to > last ? last + (last < UINT64_MAX) : l->of.to, from);
	l->waits = calloc(1, sizeof *l->waits);
	return l->waits ? thread_waits_run(l->waits, l->of.log, from, to, UINT64_MAX, watch, NULL, NULL) : EVL_NOMEM;
}

static size_t blocked_count(const void *list) { return ((const struct blocked_list *)list)->waits->n_reasons; }

void wait_who_json(struct json *j, const struct evl_log *log, const struct wait_who *who, size_t n, bool unknown)
{
	json_open(j, '[');
	for (size_t i = 0; i < n; i++) {
		json_open(j, '{');
		json_put_known(j, "thread", who[i].thread || !unknown, who[i].thread);
		json_put_text(j, "label", who[i].thread ? evl_label(log, who[i].thread) : EVL_STR(""));
		json_put_u64(j, "n", who[i].n);
		json_put_u64(j, "total_ns", who[i].ns);
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* Threads as an array of JSON; unknown where there are none. */
static struct datum threads_of(
	const struct blocked_list *l, const struct wait_who *who, size_t n, bool unknown, struct buf *scratch)
{
	struct json j = {.out = scratch};
	size_t from = scratch->len;
	wait_who_json(&j, l->of.log, who, n, unknown);
	return n && !scratch->failed ? cell_text(buf_since(scratch, from)) : CELL_NONE;
}

static struct datum blocked_cell(void *list, uint64_t ref, int column, struct buf *scratch)
{
	const struct blocked_list *l = list;
	const struct wait_reason *r = &l->waits->reasons[ref];
	switch ((enum blocked_column)column) {
#define COLUMN(id, key, title, unit, deep, meaning, value)                                                             \
	case BLOCKED_COLUMN_##id:                                                                                      \
		return value;
#include "table/blocked_columns.def"
#undef COLUMN
	default: return CELL_NONE;
	}
}

const struct table_kind blocked_list_kind = {.name = "blocked",
	.columns = blocked_columns,
	.n_columns = BLOCKED_COLUMNS,
	.cell = blocked_cell,
	.count = blocked_count,
	.size = sizeof(struct blocked_list),
	.make = make_blocked,
	.unmake = unmake_blocked};

/* --- the critical path -------------------------------------------------------------------------------------------- */

static void unmake_path(void *list) { path_free(&((struct path_list *)list)->path); }

static int make_path(void *list, bool deep, const struct progress *watch)
{
	enum { FIRST_MS = 300, SEGMENTS = 1 << 14 };
	struct path_list *l = list;
	struct path_ask ask = {.from = l->of.from,
		.to = l->of.to,
		.thread = l->of.thread,
		.segments = SEGMENTS,
		.ms = deep ? 0 : FIRST_MS};
	struct path_window *windows = NULL;
	size_t n = 0;
	unmake_path(l);
	if (!l->of.label)
		return path_make(&l->path, l->of.log, &ask, watch);
	int result = path_windows_find(l->of.log, l->of.label, l->of.from, l->of.to, &windows, &n);
	result = result ? result : path_over(&l->path, l->of.log, &ask, windows, n, watch);
	free(windows);
	return result;
}

static size_t path_count(const void *list) { return ((const struct path_list *)list)->path.n_segments; }

static struct datum path_cell(void *list, uint64_t ref, int column, struct buf *scratch)
{
	const struct path_list *l = list;
	const struct path *p = &l->path;
	const struct path_segment *s = &p->segments[ref];
	(void)scratch;
	switch ((enum path_column)column) {
#define COLUMN(id, key, title, unit, deep, meaning, value)                                                             \
	case PATH_COLUMN_##id:                                                                                         \
		return value;
#include "table/path_columns.def"
#undef COLUMN
	default: return CELL_NONE;
	}
}

const struct table_kind path_list_kind = {.name = "path",
	.columns = path_columns,
	.n_columns = PATH_COLUMNS,
	.cell = path_cell,
	.count = path_count,
	.size = sizeof(struct path_list),
	.make = make_path,
	.unmake = unmake_path};

/* --- ticky counters ------------------------------------------------------------------------------------------------ */

static void unmake_ticky(void *list) { ticky_free(&((struct ticky_list *)list)->ticky); }

static int make_ticky(void *list, bool deep, const struct progress *watch)
{
	struct ticky_list *l = list;
	(void)deep;
	unmake_ticky(l);
	int result = ticky_make(&l->ticky, l->of.log, l->of.from, l->of.to, watch);
	return result ? result : ticky_find_sources(&l->ticky, l->of.log, watch);
}

static size_t ticky_count(const void *list) { return ((const struct ticky_list *)list)->ticky.n; }

static struct datum ticky_cell(void *list, uint64_t ref, int column, struct buf *scratch)
{
	const struct ticky_list *l = list;
	const struct ticky_row *r = &l->ticky.items[ref];
	struct ticky_name n;
	(void)scratch;
	ticky_name(l->of.log, r, &n);
	switch ((enum ticky_column)column) {
#define COLUMN(id, key, title, unit, deep, meaning, value)                                                             \
	case TICKY_COLUMN_##id:                                                                                        \
		return value;
#include "table/ticky_columns.def"
#undef COLUMN
	default: return CELL_NONE;
	}
}

const struct table_kind ticky_list_kind = {.name = "ticky",
	.columns = ticky_columns,
	.n_columns = TICKY_COLUMNS,
	.cell = ticky_cell,
	.count = ticky_count,
	.size = sizeof(struct ticky_list),
	.make = make_ticky,
	.unmake = unmake_ticky};
