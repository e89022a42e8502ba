#include "table/lists.h"

#include <stdlib.h>

/* --- what the scan tells ------------------------------------------------------------------------------------------ */

void thread_gathering_add(void *gathering, const struct thread_waits *w)
{
	struct thread_gathering *g = gathering;
	if (g->n == THREAD_TABLE_DEEP)
		g->others++;
	else if (GROW(g->items, g->n, g->room))
		g->items[g->n++] = *w;
	else
		g->failed = true;
}

ORDER_BY(by_thread, struct thread_waits, thread);

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

static void unmake(void *list)
{
	struct thread_table *t = list;
	free(t->deep);
	*t = (struct thread_table){.of = t->of};
}

static int make(void *list, bool deep, const struct progress *watch)
{
	struct thread_table *t = list;
	struct thread_gathering g = {0};
	uint64_t first, last;
	int result = 0;
	unmake(t);
	if (!evl_range(t->of.log, &first, &last))
		first = last = 0;
	t->is_deep = deep;
	t->from = min_u64(max_u64(t->of.from, first), last);
	t->to = max_u64(t->of.to > last ? last + (last < UINT64_MAX) : t->of.to, t->from);
	if (!deep)
		return 0;
	if (t->of.shared && t->of.shared->has_threads) {
		g = t->of.shared->threads;
		t->of.shared->threads = (struct thread_gathering){0};
		t->of.shared->has_threads = false;
	} else {
		struct waits *waits = calloc(1, sizeof *waits);
		result = waits ? thread_waits_run(
				 waits, t->of.log, t->from, t->to, UINT64_MAX, watch, thread_gathering_add, &g)
			       : EVL_NOMEM;
		if (waits)
			thread_waits_free(waits);
		free(waits);
	}
	t->deep = g.items;
	t->n_deep = g.n;
	t->others = g.others;
	put_in_order(t);
	return result == 0 && g.failed ? EVL_NOMEM : result;
}

/* Return the scan's report on a thread, or NULL. Most cells are of the thread of the cell before, or of the next one. */
static const struct thread_waits *waits_of(struct thread_table *t, uint32_t thread)
{
	struct thread_waits key = {.thread = thread};
	if (t->n_deep == 0 || load_relaxed(&t->absent) == thread)
		return NULL;
	size_t near = load_relaxed(&t->found);
	for (size_t i = near; i < t->n_deep && i < near + 2; i++)
		if (t->deep[i].thread == thread) {
			if (i > near)
				store_relaxed(&t->found, i);
			return &t->deep[i];
		}
	const struct thread_waits *w = bsearch(&key, t->deep, t->n_deep, sizeof *t->deep, by_thread);
	if (w)
		store_relaxed(&t->found, (size_t)(w - t->deep));
	else
		store_relaxed(&t->absent, thread);
	return w;
}

/* --- references --------------------------------------------------------------------------------------------------- */

struct list {
	const struct thread_table *table;
	uint64_t *refs;
	size_t n, room;
	bool failed;
};

static void add(void *ctx, uint32_t id, const struct thread_row *row)
{
	struct list *l = ctx;
	uint64_t died = load_relaxed(&row->died);
	if (load_relaxed(&row->born) >= l->table->to || (died && died < l->table->from))
		return;
	if (GROW(l->refs, l->n, l->room))
		l->refs[l->n++] = id;
	else
		l->failed = true;
}

static int refs_of(void *list, uint64_t **refs, size_t *n)
{
	const struct thread_table *t = list;
	struct list l = {.table = t};
	threads_all(&t->of.log->threads, add, &l);
	if (l.failed) {
		free(l.refs);
		return EVL_NOMEM;
	}
	*refs = l.refs;
	*n = l.n;
	return 0;
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

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
	uint64_t first, end = load_relaxed(&row->died);
	if (!end && !evl_range(t->of.log, &first, &end))
		end = 0;
	return sub_or_0(end, load_relaxed(&row->born));
}

/* The time it ran in the range; where that is not known, in the whole run. */
static struct datum run_of(const struct thread_table *t, const struct thread_waits *w, const struct thread_row *row)
{
	return w ? cell_count(w->run_ns) : cell_known(!t->is_deep, load_relaxed(&row->run_ns));
}

#define WAITS(is_known, member) (w && (is_known) ? cell_count(w->member) : CELL_NONE)

/* The thread is looked up once for all cells. */
static void cells(void *list, uint64_t ref, UNUSED struct buf *scratch, struct datum *out)
{
	struct thread_table *l = list;
	const uint32_t thread = (uint32_t)ref;
	const struct thread_row *row = threads_find(&l->of.log->threads, thread);
	const struct thread_waits *w = waits_of(l, thread);
	for (int i = 0; i < THREAD_COLUMNS && !row; i++)
		out[i] = CELL_NONE;
	if (!row)
		return;
#define LIST(ID, list, type, row)
#define COLUMN(ID, id, key, title, unit, deep, meaning, value) out[ID##_COLUMN_##id] = value;
#define END_LIST(ID, list, type, kind, ...)
#include "table/thread_columns.def"
}

#define LISTS "table/thread_columns.def"
#include "table/define_lists.def"
