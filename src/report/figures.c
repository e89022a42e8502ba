#include "report/figures.h"

#include "report/figures_private.h"

#include "base/gallop.h"
#include "log/rts_flags.h"
#include "sched/cap_shares.h"
#include "sys/worker.h"

#include <math.h>
#include <stdlib.h>

/* --- time --------------------------------------------------------------------------------------------------------- */

/* +RTS -s counts the heap censuses of a profiled program apart from GC. They are done within collections, and the log does
 * not tell when they begin. */
double figures_productivity_rts(const struct evl_log *log, const struct time_split *t)
{
	bool apart = rts_is_profiled(log) && log->event_counts.heap.count > 0;
	return apart ? (double)NAN : time_productivity_rts(t);
}

static int put_time(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	const struct time_split *t = &f->stats.time;
	double *v = f->values;
	if (f->windows.label)
		return figures_windows_make(f, log, watch);
	int result = f->whole ? 0 : evl_stats(log, f->from, f->until, watch ? watch->cancel : NULL, &f->stats);
	if (f->whole)
		f->stats = log->run_stats;
	v[METRIC_TIME_TOTAL] = (double)(f->to - f->from);
	if (f->has_sched) {
		v[METRIC_TIME_MUTATOR] = (double)t->mutator;
		v[METRIC_TIME_RUN] = (double)t->run;
	}
	if (f->has_gc) {
		v[METRIC_TIME_GC] = (double)t->gc;
		if (log->gcs.has_stats) { /* which alone tell generations */
			v[METRIC_TIME_GC_MINOR] = (double)t->minor_gc;
			v[METRIC_TIME_GC_MAJOR] = (double)t->major_gc;
		}
		v[METRIC_TIME_GC_SYNC] = (double)t->sync;
		v[METRIC_TIME_PRODUCTIVITY_RTS] = figures_productivity_rts(log, t);
	}
	if (f->has_sched && f->has_gc) {
		v[METRIC_TIME_IDLE] = (double)t->idle;
		v[METRIC_TIME_PRODUCTIVITY] = time_productivity(t);
	}
	return result;
}

/* --- capabilities ------------------------------------------------------------------------------------------------- */

/* Where its time is looked up. */
struct cap_lookup {
	const struct evl_log *log;
	/* of all capabilities: the windows of spans, or the range, if it is decoded; NULL: each has up to n separate ones */
	const struct time_window *windows;
	struct time_window all;
	size_t n;
	struct gc_time *times; /* of these: the collections before each edge */
	size_t n_times;
	struct cap_shares_gcs gcs;
	struct figures *figures;
	const struct progress *watch;
	size_t pieces;               /* of the windows of each capability */
	struct cap_shares_sum *sums; /* of each piece of each capability */
	_Atomic size_t next;         /* piece to look up, of figures->n_caps * pieces */
	_Atomic int result;
};

/* List the collections that touch the range in order of time, unless there are too many. Return false if memory ran out. */
static bool list_gcs(struct cap_lookup *l, const struct figures *f)
{
	const struct gcs *g = &l->log->gcs;
	const size_t most = f->deep ? 1 << 20 : 1 << 16;
	struct gc_sum sum;
	gcs_sum(g, f->from, f->to, &sum);
	if (sum.n + g->n > most) /* on each chain one may start before the range */
		return true;
	l->gcs.rows = gcs_list(g, f->from, f->to, &l->gcs.n);
	return l->gcs.rows;
}

/* Cut the range at tiles of the capability. */
static size_t cut(const struct cap_lookup *l, size_t cap, struct time_window *out)
{
	const struct tile_table *table = &l->log->tiles[l->log->cap_chains[cap]];
	return cap_shares_cut(table, l->figures->from, l->figures->to, (int)l->n, out);
}

ORDER_BY(by_time, struct gc_time, t);

/* Add up the collections before each edge of the windows of each capability. */
static bool sum_gcs(struct cap_lookup *l)
{
	struct time_window *windows = calloc(l->n, sizeof *windows);
	l->times = calloc(l->figures->n_caps * l->n + 1, sizeof *l->times);
	for (size_t cap = 0; windows && l->times && cap < l->figures->n_caps; cap++)
		for (size_t i = 0, n = cut(l, cap, windows); i < n; i++)
			l->times[++l->n_times].t = windows[i].to;
	if (l->times) {
		l->times[0].t = l->figures->from;
		qsort(l->times, ++l->n_times, sizeof *l->times, by_time);
		gcs_until(&l->log->gcs, l->times, l->n_times);
	}
	free(windows);
	return windows && l->times;
}

/* If there are many capabilities, each has fewer windows. */
static bool cap_windows(struct cap_lookup *l, const struct figures *f)
{
	enum { COLUMNS = 1024, ALL = 1 << 15 };
	if (f->windows.label) {
		l->windows = f->windows.items;
		l->n = f->windows.n;
	} else if (f->deep && l->gcs.rows) {
		l->all = (struct time_window){f->from, f->to};
		l->windows = &l->all;
		l->n = 1;
	} else {
		l->n = min_u64(COLUMNS, ALL / max_u64(1, f->n_caps)); /* 0: memory ran out */
	}
	return l->windows || sum_gcs(l);
}

/* Working memory of a worker. */
struct cap_scratch {
	struct cap_absence *absent;
	struct time_window *windows;
	struct gc_sum *columns;
};

static const struct gc_time *time_at(const struct cap_lookup *l, uint64_t t)
{
	BISECT(low, l->n_times, l->times[mid].t < t);
	return &l->times[low];
}

static size_t cut_and_sum(const struct cap_lookup *l, size_t cap, const struct cap_scratch *scratch)
{
	size_t n = cut(l, cap, scratch->windows);
	const struct gc_time *to, *from = &l->times[0];
	for (size_t i = 0; i < n; i++, from = to) {
		to = time_at(l, scratch->windows[i].to);
		scratch->columns[i] = (struct gc_sum){
			.minor_ns = to->minor_ns - from->minor_ns, .major_ns = to->major_ns - from->major_ns};
	}
	return n;
}

/* Look up a piece of the windows of a capability. */
static int look_up(struct cap_lookup *l, size_t i, const struct cap_scratch *scratch, size_t room)
{
	const struct evl_log *log = l->log;
	const struct figures *f = l->figures;
	uint32_t chain = log->cap_chains[i / l->pieces];
	uint16_t cap = log->blocks.chains[chain].cap;
	size_t n = l->windows ? l->n : cut_and_sum(l, i / l->pieces, scratch);
	size_t from = n * (i % l->pieces) / l->pieces, to = n * (i % l->pieces + 1) / l->pieces;
	const struct cap_shares_gcs gcs = {
		l->gcs.gcs, l->gcs.rows, l->gcs.n, l->windows ? NULL : scratch->columns + from};
	const struct cap_shares_ask ask = {.windows = (l->windows ? l->windows : scratch->windows) + from,
		.n = to - from,
		.absent = scratch->absent,
		.n_absent = cap_life_absent(&log->cap_life, cap, f->from, f->to, scratch->absent, room),
		.all = f->deep || f->windows.label,
		.watch = l->watch};
	return cap_shares_over(&log->blocks, &log->tiles[chain], chain, &gcs, &ask, &l->sums[i]);
}

static void *look_up_some(void *lookup)
{
	struct cap_lookup *l = lookup;
	size_t room = rows_count(&l->log->cap_life.rows) + 1;
	const struct cap_scratch scratch = {.absent = calloc(room, sizeof *scratch.absent),
		.windows = calloc(l->n, sizeof *scratch.windows),
		.columns = calloc(l->n, sizeof *scratch.columns)};
	int result = scratch.absent && scratch.windows && scratch.columns ? 0 : EVL_NOMEM;
	for (size_t i; result == 0 && (i = atomic_fetch_add(&l->next, 1)) < l->figures->n_caps * l->pieces;)
		result = look_up(l, i, &scratch, room);
	if (result)
		atomic_store(&l->result, result);
	free_all(scratch.absent, scratch.windows, scratch.columns);
	return NULL;
}

/* Look up all capabilities on all cores: where there are few, each in pieces. */
static int look_up_all(struct cap_lookup *l)
{
	enum { PIECES = 4 };
	const uint64_t workers = (uint64_t)workers_for(l->log->workers), n = l->figures->n_caps;
	l->pieces = n < PIECES * workers && l->n >= PIECES ? PIECES : 1;
	l->sums = calloc(n * l->pieces, sizeof *l->sums);
	if (!l->sums)
		return EVL_NOMEM;
	workers_share((int)min_u64(workers, n * l->pieces), look_up_some, l);
	return l->result;
}

static void put_cap(const struct cap_lookup *l, size_t i)
{
	struct cap_figures *out = &l->figures->caps[i];
	*out = (struct cap_figures){.cap = l->log->blocks.chains[l->log->cap_chains[i]].cap, .exact = true};
	for (size_t k = 0; k < l->pieces; k++) {
		const struct cap_shares_sum *sum = &l->sums[i * l->pieces + k];
		out->exact = out->exact && sum->exact;
		out->run += sum->ns[SHARE_RUN];
		out->gc += sum->ns[SHARE_MINOR] + sum->ns[SHARE_MAJOR] + sum->ns[SHARE_WAIT];
		out->gc_wait += sum->ns[SHARE_WAIT];
		out->sync += sum->ns[SHARE_SYNC];
		out->stopped += sum->ns[SHARE_STOPPED];
		out->idle += sum->ns[SHARE_IDLE];
		out->off += sum->off_ns;
		out->absent += sum->absent_ns;
		out->switches += sum->switches;
	}
}

static void put_cap_metrics(struct figures *f, const struct evl_log *log)
{
	double total = (double)figures_total(f);
	uint64_t most = 0, least = UINT64_MAX;
	for (size_t i = 0; i < f->n_caps; i++) {
		most = max_u64(most, f->caps[i].run);
		least = min_u64(least, f->caps[i].run);
	}
	f->values[METRIC_CAP_UTILISATION] = f->values[METRIC_TIME_RUN] / ((double)log->n_caps * total);
	f->values[METRIC_CAP_MOST] = (double)most / total;
	f->values[METRIC_CAP_LEAST] = (double)least / total;
}

size_t figures_caps(const struct figures *f, const struct evl_log *log)
{
	return figures_total(f) && f->has_sched ? min_u64(log->n_caps, FIGURE_CAPS) : 0;
}

static int put_caps(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	size_t n = figures_caps(f, log);
	struct cap_lookup l = {.log = log, .gcs = {.gcs = &log->gcs}, .figures = f, .watch = watch};
	if (n == 0)
		return 0;
	f->caps = calloc(n, sizeof *f->caps);
	f->n_caps = f->caps ? n : 0;
	bool good = list_gcs(&l, f);
	l.result = cap_windows(&l, f) && good && f->caps ? look_up_all(&l) : EVL_NOMEM;
	for (size_t i = 0; l.result == 0 && i < n; i++)
		put_cap(&l, i);
	if (l.result == 0)
		put_cap_metrics(f, log);
	free_all((void *)(uintptr_t)l.gcs.rows, l.times, l.sums);
	return l.result;
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static int put_lives(struct figures *f, const struct evl_log *log)
{
	double *v = f->values;
	int result = 0;
	if (!f->has_sched)
		return 0;
	f->lives = log->lives;
	if (f->windows.label) /* of the lives of threads only those that ran most are told, of the whole run */
		return 0;
	if (!f->whole)
		result = thread_lives_make(&f->lives, &log->threads, f->from, f->until, log->workers);
	if (result < 0)
		return result;
	v[METRIC_THREADS_CREATED] = (double)(f->whole ? log->event_counts.tags.n[EVL_CREATE_THREAD] : f->lives.created);
	v[METRIC_THREADS_FINISHED] = (double)(f->whole ? log->threads.finished : f->lives.finished);
	v[METRIC_THREADS_PEAK_ALIVE] = (double)f->lives.peak;
	v[METRIC_THREADS_ALIVE_END] = (double)f->lives.alive_end;
	if (f->whole)
		v[METRIC_THREADS_RUNS] = (double)f->lives.runs;
	return 0;
}

/* --- the nonmoving collector and spans ------------------------------------------------------------------------------ */

static int put_nonmoving(struct figures *f, const struct evl_log *log, const struct gc_pauses *pauses)
{
	double *v = f->values;
	int result = nm_cycles_make(&f->nonmoving, log, pauses, f->from, f->until);
	if (result < 0 || !(f->has_gc || nonmoving_any(&log->nonmoving)))
		return result;
	v[METRIC_NONMOVING_CYCLES] = (double)(f->nonmoving.n + f->nonmoving.more);
	v[METRIC_NONMOVING_MARK] = (double)f->nonmoving.ns[NM_MARK];
	v[METRIC_NONMOVING_SYNC] = (double)f->nonmoving.ns[NM_SYNC];
	v[METRIC_NONMOVING_SYNC_MAX] = (double)f->nonmoving.longest_sync;
	v[METRIC_NONMOVING_SWEEP] = (double)f->nonmoving.ns[NM_SWEEP];
	v[METRIC_NONMOVING_CONCURRENT] = (double)f->nonmoving.concurrent;
	v[METRIC_NONMOVING_STOPPED] = (double)f->nonmoving.stopped;
	return 0;
}

/* By name; and by label, where names hold the numbers of instances. */
static int count_spans(struct figures *f, const struct evl_log *log, const struct span_table *t,
	const struct span_stats_ask *by_name, const struct progress *watch)
{
	struct span_stats_ask by_label = *by_name;
	by_label.by_label = true;
	int result = span_stats_make(&f->spans, log, t, by_name, watch);
	if (result == 0 && f->spans.numbered)
		result = span_stats_make(&f->span_labels, log, t, &by_label, watch);
	f->values[METRIC_SPANS_N] = (double)f->spans.spans;
	return result;
}

/* Spans that start in the range may end after it. */
static int put_spans(
	struct figures *f, const struct evl_log *log, const struct span_budgets *budgets, const struct progress *watch)
{
	const struct span_table *t = spans_table(&log->spans);
	struct gc_pauses pauses = {0};
	if (!t)
		return 0;
	int result = evl_all_pauses(&pauses, log, watch);
	if (result == 0)
		result = count_spans(f, log, t,
			&(struct span_stats_ask){.from = f->from,
				.to = f->until,
				.pauses = &pauses,
				.budgets = f->deep ? budgets : NULL,
				.only = f->windows.label},
			watch);
	gc_pauses_free(&pauses);
	return result;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void begin(
	struct figures *f, const struct evl_log *log, const struct figures_ask *ask, uint64_t first, uint64_t last)
{
	const uint64_t *tags = log->event_counts.tags.n;
	*f = (struct figures){.deep = ask->deep, .group = ask->group};
	for (int i = 0; i < METRICS; i++)
		f->values[i] = (double)NAN;
	f->from = min_u64(max_u64(ask->from, first), last);
	f->to = max_u64(min_u64(ask->to, last), f->from);
	f->until = ask->to > last ? last + (last < UINT64_MAX) : f->to;
	f->whole = f->from == first && f->until > last && !ask->label;
	f->has_sched = tags[EVL_RUN_THREAD] > 0;
	f->has_gc = tags[EVL_GC_START] > 0;
	f->values[METRIC_DAMAGE_N] = (double)(log->damage.n + log->damage.more);
}

/* Work that is the last half of other work. */
static void tell_half(void *ctx, double share) { progress_tell(ctx, 0.5 + share / 2); }

struct filling {
	struct figures *f;
	const struct evl_log *log;
	const struct progress *watch;
};

static int fill_gc(void *arg)
{
	const struct filling *a = arg;
	return figures_gc(a->f, a->log, a->watch);
}

static int fill_caps(void *arg)
{
	const struct filling *a = arg;
	return put_caps(a->f, a->log, a->watch);
}

/* Fill in the metrics of collections and of capabilities: side by side, if there are many collections. */
static int fill_gc_and_caps(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	static worker_step *const steps[] = {fill_gc, fill_caps};
	const struct gc_range all = {.gcs = &log->gcs, .workers = log->workers};
	return workers_do(gc_scan_workers(&all), steps, countof(steps), &(struct filling){f, log, watch});
}

/* One step after another; what takes a second reading, if it is wanted, is as long as all others together. */
static int fill(struct figures *f, const struct evl_log *log, struct gc_pauses *pauses, const struct figures_ask *ask)
{
	const struct progress *watch = ask->watch;
	struct progress half = {watch ? watch->cancel : NULL, tell_half, (struct progress *)(uintptr_t)watch};
	struct span_budgets budgets = {0};
	int result = put_time(f, log, watch);
	progress_tell(watch, f->deep ? 0.25 : 0.5);
	result = result ? result : fill_gc_and_caps(f, log, watch);
	result = result ? result : put_lives(f, log);
	if (result == 0) {
		figures_heap(f, log);
		result = figures_sparks(f, log, watch);
	}
	progress_tell(watch, f->deep ? 0.5 : 1);
	bool deep = f->deep && !f->windows.label;
	result = result || !deep ? result : ticky_make(&f->ticky, log, f->from, f->until, watch);
	result = result || !deep || !ask->ticky_sources ? result : ticky_find_sources(&f->ticky, log, watch);
	result = result || !deep ? result : heap_trend_make(&f->trend, log, f->from, f->until, watch);
	result = result || !f->deep ? result : figures_second(f, log, &budgets, ask->share, &half);
	if (result == 0 && nonmoving_any(&log->nonmoving))
		result = gc_pauses_make(pauses, &log->gcs, f->from, f->to, watch);
	if (result == 0 && !f->windows.label)
		result = put_nonmoving(f, log, pauses);
	result = result ? result : put_spans(f, log, &budgets, watch);
	if (ask->share && result == 0)
		ask->share->budgets = budgets;
	else
		span_budgets_free(&budgets);
	return result;
}

int figures_make(struct figures *f, const struct evl_log *log, const struct figures_ask *ask)
{
	struct gc_pauses pauses = {0};
	uint64_t first, last;
	if (!evl_range(log, &first, &last))
		first = last = 0;
	begin(f, log, ask, first, last);
	f->windows.label = ask->label;
	bool keeps = f->whole && !ask->deep && !ask->share;
	int result = keeps ? figures_recall(f, log) : 1;
	if (result <= 0)
		return result;
	result = fill(f, log, &pauses, ask);
	gc_pauses_free(&pauses);
	if (result < 0)
		figures_free(f);
	else if (keeps)
		figures_keep(f, log);
	return result;
}

void figures_free(struct figures *f)
{
	free_all(f->caps, f->windows.items);
	if (f->waits)
		thread_waits_free(f->waits);
	free(f->waits);
	label_waits_free(&f->labels);
	path_free(&f->path);
	nm_cycles_free(&f->nonmoving);
	span_stats_free(&f->spans);
	span_stats_free(&f->span_labels);
	ticky_free(&f->ticky);
	phases_free(&f->phases);
	*f = (struct figures){0};
}

bool figures_is_small(const struct evl_log *log, uint64_t from, uint64_t to)
{
	enum { SMALL = 256 << 20 }; /* bytes: read again in about a second */
	uint64_t first, last;
	if (log->source.len <= SMALL || !evl_range(log, &first, &last) || last <= first)
		return true;
	double share = (double)sub_or_0(min_u64(to, last), max_u64(from, first)) / (double)(last - first);
	return share * (double)log->source.len <= SMALL;
}
