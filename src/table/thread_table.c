#include "table/thread_table.h"

#include <math.h>
#include <stdlib.h>

const struct table_column thread_columns[THREAD_COLUMNS] = {
#define COLUMN(id, key, title, unit, deep, meaning) [THREAD_COLUMN_##id] = {key, title, UNIT_##unit, meaning},
#include "table/thread_columns.def"
#undef COLUMN
};

/* --- what the scan tells ------------------------------------------------------------------------------------------ */

struct gather {
	struct thread_table *table;
	size_t room;
	bool failed;
};

static void keep(void *ctx, const struct thread_waits *w)
{
	struct gather *g = ctx;
	struct thread_table *t = g->table;
	if (t->n_deep == THREAD_TABLE_DEEP)
		t->others++;
	else if (GROW(t->deep, t->n_deep, g->room))
		t->deep[t->n_deep++] = *w;
	else
		g->failed = true;
}

static int by_thread(const void *a, const void *b)
{
	const struct thread_waits *x = a, *y = b;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* A thread that is reported twice (it ran again after its end) keeps the first report. */
static void put_in_order(struct thread_table *t)
{
	size_t kept = 0;
	if (t->n_deep)
		qsort(t->deep, t->n_deep, sizeof *t->deep, by_thread);
	for (size_t i = 0; i < t->n_deep; i++)
		if (i == 0 || t->deep[i].thread != t->deep[kept - 1].thread)
			t->deep[kept++] = t->deep[i];
	t->n_deep = kept;
}

int thread_table_make(struct thread_table *t, const struct evl_log *log, uint64_t from, uint64_t to, bool deep,
	const struct progress *watch)
{
	struct gather g = {.table = t};
	uint64_t first, last;
	*t = (struct thread_table){.log = log, .is_deep = deep};
	if (!evl_range(log, &first, &last))
		first = last = 0;
	t->from = min_u64(max_u64(from, first), last);
	t->to = max_u64(to > last ? last + (last < UINT64_MAX) : to, t->from);
	if (!deep)
		return 0;
	struct waits *waits = calloc(1, sizeof *waits);
	int result = waits ? thread_waits_run(waits, log, t->from, t->to, UINT64_MAX, watch, keep, &g) : EVL_NOMEM;
	if (waits)
		thread_waits_free(waits);
	free(waits);
	result = result == 0 && g.failed ? EVL_NOMEM : result;
	if (result < 0)
		thread_table_free(t);
	else
		put_in_order(t);
	return result;
}

void thread_table_free(struct thread_table *t)
{
	free(t->deep);
	*t = (struct thread_table){0};
}

/* Return the scan's report on a thread, or NULL. */
static const struct thread_waits *waits_of(const struct thread_table *t, uint32_t thread)
{
	struct thread_waits key = {.thread = thread};
	return t->n_deep ? bsearch(&key, t->deep, t->n_deep, sizeof *t->deep, by_thread) : NULL;
}

/* --- references --------------------------------------------------------------------------------------------------- */

static uint64_t load(const _Atomic uint64_t *v)
{
	return atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)v, memory_order_relaxed);
}

static uint32_t runs_of(const struct thread_row *row)
{
	return atomic_load_explicit(&((struct thread_row *)(uintptr_t)row)->runs, memory_order_relaxed);
}

struct list {
	const struct thread_table *table;
	uint64_t *refs;
	size_t n, room;
	bool failed;
};

static void add(void *ctx, uint32_t id, const struct thread_row *row)
{
	struct list *l = ctx;
	uint64_t died = load(&row->died);
	if (load(&row->born) >= l->table->to || (died && died < l->table->from))
		return;
	if (GROW(l->refs, l->n, l->room))
		l->refs[l->n++] = id;
	else
		l->failed = true;
}

int thread_table_refs(const struct thread_table *t, uint64_t **refs, size_t *n)
{
	struct list l = {.table = t};
	threads_all(&t->log->threads, add, &l);
	if (l.failed) {
		free(l.refs);
		return EVL_NOMEM;
	}
	*refs = l.refs;
	*n = l.n;
	return 0;
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

static struct table_cell known(bool is_known, uint64_t value)
{
	return (struct table_cell){.known = is_known, .number = (double)value};
}

static struct table_cell text(struct evl_str s) { return (struct table_cell){.known = s.len > 0, .text = s}; }

static struct table_cell words(const char *s) { return text((struct evl_str){(const uint8_t *)s, strlen(s)}); }

static const char *state_name(uint8_t state)
{
	static const char *const names[THREAD_STATES] = {[THREAD_ABSENT] = "finished",
		[THREAD_UNKNOWN] = "unknown",
		[THREAD_RUNNING] = "running",
		[THREAD_RUNNABLE] = "runnable",
		[THREAD_BLOCKED] = "blocked",
		[THREAD_FOREIGN] = "foreign call"};
	return state < THREAD_STATES ? names[state] : "";
}

static uint64_t life_of(const struct thread_table *t, const struct thread_row *row)
{
	uint64_t first, last, died = load(&row->died);
	bool any = evl_range(t->log, &first, &last);
	return sub_or_0(died ? died : any ? last : 0, load(&row->born));
}

/* The time it ran in the range; where that is not known, in the whole run. */
static struct table_cell run_of(const struct thread_table *t, uint32_t id, const struct thread_row *row)
{
	const struct thread_waits *w = waits_of(t, id);
	return w ? known(true, w->run_ns) : known(!t->is_deep, load(&row->run_ns));
}

static struct table_cell deep_cell(const struct thread_waits *w, int column)
{
	switch (column) {
	case THREAD_COLUMN_STATE: return words(state_name(w->state));
	case THREAD_COLUMN_CAP: return known(w->cap != EVL_NO_CAP, w->cap);
	case THREAD_COLUMN_RUNNABLE: return known(true, w->runnable_ns);
	case THREAD_COLUMN_RUNNABLE_GC: return known(true, w->runnable_gc_ns);
	case THREAD_COLUMN_RUNNABLE_WAIT: return known(true, w->runnable_ns - w->runnable_gc_ns);
	case THREAD_COLUMN_BLOCKED: return known(true, w->blocked_ns);
	case THREAD_COLUMN_FOREIGN: return known(true, w->foreign_ns);
	case THREAD_COLUMN_LATENCY: return known(w->latencies > 0, w->longest_latency);
	case THREAD_COLUMN_LATENCY_AT: return known(w->longest_latency > 0, w->latency_at);
	case THREAD_COLUMN_LATENCY_WAIT: return known(w->latencies > 0, w->longest_wait);
	case THREAD_COLUMN_WAIT: return known(true, w->longest_blocked);
	case THREAD_COLUMN_WAIT_AT: return known(w->longest_blocked > 0, w->blocked_at);
	case THREAD_COLUMN_REASON: return w->longest_blocked ? words(thread_stop_word(w->stop)) : words("");
	case THREAD_COLUMN_WAKEUPS: return known(true, w->wakeups);
	case THREAD_COLUMN_MIGRATIONS: return known(true, w->migrations);
	default: return known(false, 0);
	}
}

static struct table_cell cell(void *ctx, uint64_t ref, int column, struct buf *scratch)
{
	const struct thread_table *t = ctx;
	const struct thread_row *row = threads_find(&t->log->threads, (uint32_t)ref);
	const struct thread_waits *w;
	(void)scratch;
	if (!row)
		return known(false, 0);
	switch (column) {
	case THREAD_COLUMN_ID: return known(true, ref);
	case THREAD_COLUMN_LABEL: return text(evl_label(t->log, (uint32_t)ref));
	case THREAD_COLUMN_RUN: return run_of(t, (uint32_t)ref, row);
	case THREAD_COLUMN_RUNS: return known(true, runs_of(row));
	case THREAD_COLUMN_MEAN: return known(runs_of(row) > 0, runs_of(row) ? load(&row->run_ns) / runs_of(row) : 0);
	case THREAD_COLUMN_BORN: return known(load(&row->born) > 0, load(&row->born));
	case THREAD_COLUMN_DIED: return known(load(&row->died) > 0, load(&row->died));
	case THREAD_COLUMN_LIFE: return known(load(&row->born) > 0, life_of(t, row));
	default: w = waits_of(t, (uint32_t)ref); return w ? deep_cell(w, column) : known(false, 0);
	}
}

const struct table_kind thread_table_kind = {"threads", thread_columns, THREAD_COLUMNS, cell};
