#include "table/lists.h"

#include "base/idmap.h"
#include "base/order.h"
#include "base/units.h"
#include "query/path.h"
#include "sys/system.h"

#include <stdlib.h>

void table_shared_free(struct table_shared *s)
{
	if (s->waits)
		thread_waits_free(s->waits);
	free_all(s->waits, s->threads.items);
	span_budgets_free(&s->budgets);
	phases_free(&s->phases);
	path_free(&s->path);
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
	return ORDER(x->start, y->start) ?: ORDER(i, k);
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

/* --- phases ------------------------------------------------------------------------------------------------------- */

static void unmake_phases(void *list) { phases_free(&((struct phase_list *)list)->phases); }

static int make_phases(void *list, UNUSED bool deep, const struct progress *watch)
{
	struct phase_list *l = list;
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

/* --- blocked time ------------------------------------------------------------------------------------------------- */

static void unmake_blocked(void *list)
{
	struct blocked_list *l = list;
	if (l->waits && !l->is_shared) {
		thread_waits_free(l->waits);
		free(l->waits);
	}
	l->waits = NULL;
}

static int make_blocked(void *list, UNUSED bool deep, const struct progress *watch)
{
	struct blocked_list *l = list;
	uint64_t first, last;
	unmake_blocked(l);
	l->is_shared = l->of.shared && l->of.shared->waits;
	if (l->is_shared) {
		l->waits = l->of.shared->waits;
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

static size_t wakers_count(const void *list) { return ((const struct blocked_list *)list)->waits->n_by_label; }

static double share_of_reason(const struct waits *w, const struct wait_label *of)
{
	for (size_t i = 0; i < w->n_reasons; i++)
		if (w->reasons[i].reason == of->reason && w->reasons[i].ns)
			return (double)of->ns / (double)w->reasons[i].ns;
	return 0;
}

/* --- the critical path -------------------------------------------------------------------------------------------- */

static void unmake_path(void *list) { path_free(&((struct path_list *)list)->path); }

static int make_path(void *list, bool deep, const struct progress *watch)
{
	enum { FIRST_MS = 300 };
	struct path_list *l = list;
	struct path_ask ask = {.from = l->of.from,
		.to = l->of.to,
		.thread = l->of.thread,
		.segments = PATH_LISTED,
		.ms = deep ? 0 : FIRST_MS};
	struct path_window *windows = NULL;
	size_t n = 0;
	unmake_path(l);
	if (l->of.shared && l->of.shared->has_path) {
		l->path = l->of.shared->path;
		l->of.shared->path = (struct path){0};
		l->of.shared->has_path = false;
		return 0;
	}
	if (!l->of.label)
		return path_make(&l->path, l->of.log, &ask, watch);
	int result = path_windows_find(l->of.log, l->of.label, l->of.from, l->of.to, &windows, &n);
	result = result ? result : path_over(&l->path, l->of.log, &ask, windows, n, watch);
	free(windows);
	return result;
}

static size_t path_count(const void *list) { return ((const struct path_list *)list)->path.n_segments; }

struct what_sum {
	uint64_t ns;
	enum path_what what;
};

COMPARE_BY(by_sum, struct what_sum, FALLING(ns) ?: RISING(what));

/* " (74.2% of the run)": of a path that is shorter than its range. */
static void put_path_share(const struct path_list *l, struct buf *out)
{
	uint64_t first, last;
	if (l->path.windows || !evl_range(l->of.log, &first, &last))
		return;
	uint64_t from = max_u64(first, l->of.from), to = min_u64(last, l->of.to), total = path_total(&l->path);
	bool whole = from == first && to == last;
	if (total < sub_or_0(to, from))
		buf_printf(
			out, " (%s of the %s)", as_share((double)total / (double)(to - from)), whole ? "run" : "range");
}

/* "52.6 ms: io 52.2% (blocked until I/O), runnable 30.1%, …": the total, and the sums of all segments by their kind, which is
 * explained where the legend of the timeline has another word for it; then where the path ends, if the reader would not expect
 * it. */
static void path_remark(const void *list, struct buf *out)
{
	static const char *const means[PATH_WHAT_COUNT] = {[PATH_GC] = "in the GC of a pause",
		[PATH_SYNC] = "GC sync",
		[PATH_FOREIGN] = "foreign call",
		[PATH_TIMER] = "blocked until a timer",
		[PATH_READ] = "blocked until it could read",
		[PATH_WRITE] = "blocked until it could write",
		[PATH_IO] = "blocked until I/O",
		[PATH_EXTERNAL] = "blocked; no known thread woke it in this time",
		[PATH_UNKNOWN] = "the log does not say, as before the thread was created"};
	const struct path_list *l = list;
	struct what_sum sums[PATH_WHAT_COUNT];
	struct buf end = {0};
	if (!l->path.found)
		return;
	for (size_t i = 0; i < PATH_WHAT_COUNT; i++)
		sums[i] = (struct what_sum){l->path.by_what[i], (enum path_what)i};
	qsort(sums, PATH_WHAT_COUNT, sizeof *sums, by_sum);
	buf_cstr(out, as_duration(path_total(&l->path)));
	put_path_share(l, out);
	buf_cstr(out, sums[0].ns ? ": " : "");
	for (size_t i = 0; i < PATH_WHAT_COUNT && sums[i].ns; i++) {
		const char *meaning = means[sums[i].what];
		buf_printf(out, "%s%s %s", i ? ", " : "", path_what_name(sums[i].what),
			as_share((double)sums[i].ns / (double)path_total(&l->path)));
		if (sums[i].what == PATH_FOREIGN && l->path.paused_ns)
			buf_printf(out, " (foreign call; %s in GC pauses)",
				as_share((double)l->path.paused_ns / (double)path_total(&l->path)));
		else if (meaning)
			buf_printf(out, " (%s)", meaning);
	}
	if (path_end_text(&end, l->of.log, &l->path)) {
		buf_cstr(out, out->len ? "; " : "");
		buf_str(out, buf_slice(&end, 0, end.len));
	}
	buf_free(&end);
}

static size_t path_thread_count(const void *list) { return ((const struct path_list *)list)->path.n_threads; }

/* --- ticky counters ------------------------------------------------------------------------------------------------ */

static void unmake_ticky(void *list) { ticky_free(&((struct ticky_list *)list)->ticky); }

static int make_ticky(void *list, UNUSED bool deep, const struct progress *watch)
{
	struct ticky_list *l = list;
	unmake_ticky(l);
	int result = ticky_make(&l->ticky, l->of.log, l->of.from, l->of.to, watch);
	return result ? result : ticky_find_sources(&l->ticky, l->of.log, watch);
}

static size_t ticky_count(const void *list) { return ((const struct ticky_list *)list)->ticky.n; }

/* --- damage ------------------------------------------------------------------------------------------------------- */

static struct evl_str reason_of(const struct damage *d, struct buf *scratch)
{
	char text[96];
	size_t at = scratch->len;
	buf_cstr(scratch, damage_text(d, text, sizeof text));
	return buf_since(scratch, at);
}

static size_t damage_count(const void *list) { return ((const struct damage_places *)list)->of.log->damage.n; }

/* --- the tables ---------------------------------------------------------------------------------------------------- */

/* All cells of a row at once; hidden columns are not among them. */
#define LIST(ID, list, type, row)                                                                                      \
	static void list##_row(void *ctx, uint64_t i, UNUSED struct buf *scratch, struct datum *out)                   \
	{                                                                                                              \
		type *l = ctx;                                                                                         \
		row;
#define COLUMN(ID, id, key, title, unit, deep, meaning, value) out[ID##_COLUMN_##id] = value;
#define HIDDEN_COLUMNS(ID)                                     return;
#define END_HIDDEN                                             END_LIST
#define END_LIST(ID, list, type, kind, ...)                    }
#include "table/lists.def"
#undef HIDDEN_COLUMNS
#undef END_HIDDEN

#define LISTS "table/lists.def"
#include "table/define_lists.def"
