#include "report/figures.h"

#include "query/path_threads.h"
#include "report/figures_private.h"

#include <math.h>
#include <stdlib.h>

/* --- time --------------------------------------------------------------------------------------------------------- */

static int put_time(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	const struct time_split *t = &f->stats.time;
	double *v = f->values;
	int result = f->whole ? 0 : evl_stats_until(log, f->from, f->until, watch ? watch->cancel : NULL, &f->stats);
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
		v[METRIC_TIME_PRODUCTIVITY_RTS] = time_productivity_rts(t);
	}
	if (f->has_sched && f->has_gc) {
		v[METRIC_TIME_IDLE] = (double)t->idle;
		v[METRIC_TIME_PRODUCTIVITY] = time_productivity(t);
	}
	return result;
}

/* --- capabilities ------------------------------------------------------------------------------------------------- */

static int put_caps(struct figures *f, const struct evl_log *log)
{
	double total = (double)(f->to - f->from), most = 0, least = 1;
	size_t n = min_u64(log->n_caps, FIGURE_CAPS);
	f->caps = calloc(n ? n : 1, sizeof *f->caps);
	if (!f->caps)
		return EVL_NOMEM;
	for (size_t i = 0; i < n && total > 0 && f->has_sched; i++) {
		uint32_t chain = log->cap_chains[i];
		struct cap_column c;
		caps_columns(&log->blocks, &log->tiles[chain], chain, f->from, f->to, 1, &c);
		struct cap_figures *cap = &f->caps[f->n_caps++];
		*cap = (struct cap_figures){.cap = log->blocks.chains[chain].cap,
			.run = (double)c.run_ns / total,
			.gc = (double)c.gc_ns / total,
			.run_ns = c.run_ns,
			.gc_ns = c.gc_ns,
			.switches = c.switches};
		double idle = 1 - cap->run - cap->gc;
		cap->idle = idle > 0 ? idle : 0;
		most = cap->run > most ? cap->run : most;
		least = cap->run < least ? cap->run : least;
	}
	if (f->n_caps == 0)
		return 0;
	f->values[METRIC_CAP_UTILISATION] = f->values[METRIC_TIME_RUN] / ((double)log->n_caps * total);
	f->values[METRIC_CAP_MOST] = most;
	f->values[METRIC_CAP_LEAST] = least;
	return 0;
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static int put_lives(struct figures *f, const struct evl_log *log)
{
	double *v = f->values;
	int result = 0;
	if (!f->has_sched)
		return 0;
	f->lives = log->lives;
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

/* v: the number, three quantiles and the largest. */
static void put_latency(double *v, const struct histogram *h)
{
	static const unsigned percents[] = {50, 90, 99};
	v[0] = (double)h->n;
	if (h->n == 0)
		return;
	for (size_t i = 0; i < countof(percents); i++)
		v[1 + i] = (double)histogram_quantile(h, percents[i]);
	v[1 + countof(percents)] = (double)h->max;
}

static void put_reasons(double *v, const struct waits *w)
{
	static const struct {
		uint8_t reason;
		enum metric metric;
	} all[] = {{STOP_MVAR, METRIC_BLOCKED_MVAR}, {STOP_MVAR_READ, METRIC_BLOCKED_MVAR_READ},
		{STOP_STM, METRIC_BLOCKED_STM}, {STOP_BLACK_HOLE, METRIC_BLOCKED_BLACKHOLE},
		{STOP_DELAY, METRIC_BLOCKED_DELAY}, {STOP_READ, METRIC_BLOCKED_READ},
		{STOP_WRITE, METRIC_BLOCKED_WRITE}, {STOP_THROWTO, METRIC_BLOCKED_THROWTO}};
	for (size_t i = 0; i < countof(all); i++) {
		v[all[i].metric] = 0;
		for (size_t k = 0; k < w->n_reasons; k++)
			if (w->reasons[k].reason == all[i].reason)
				v[all[i].metric] = (double)w->reasons[k].ns;
	}
}

static void put_concurrency(double *v, const struct waits *w, double total)
{
	double busy = 0;
	if (!(total > 0))
		return;
	for (size_t i = 1; i < w->n_levels; i++)
		busy += (double)i * (double)w->levels[i];
	v[METRIC_CONCURRENCY_BUSY] = busy / total;
	v[METRIC_CONCURRENCY_NONE] = (double)w->levels[0] / total;
	v[METRIC_CONCURRENCY_ONE] = w->n_levels > 1 ? (double)w->levels[1] / total : 0;
}

/* When the main thread finished; UINT64_MAX: it did not. */
static int find_main_end(const struct evl_log *log, const struct progress *watch, uint64_t *end)
{
	struct path_threads threads = {.log = log};
	uint32_t thread = path_main_thread(&threads, watch);
	const struct thread_row *row = thread ? threads_find(&log->threads, thread) : NULL;
	uint64_t died = row ? atomic_load((_Atomic uint64_t *)(uintptr_t)&row->died) : 0;
	bool failed = threads.failed;
	*end = died ? died : UINT64_MAX;
	path_threads_free(&threads);
	return failed ? EVL_NOMEM : 0;
}

/* Work that is the third or the last quarter of other work. */
static void tell_third(void *ctx, double share) { progress_tell(ctx, 0.5 + share / 4); }
static void tell_last(void *ctx, double share) { progress_tell(ctx, 0.75 + share / 4); }

static int put_waits(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	double *v = f->values;
	struct progress third = {watch ? watch->cancel : NULL, tell_third, (struct progress *)(uintptr_t)watch};
	if (!f->deep || !f->has_sched)
		return 0;
	f->waits = calloc(1, sizeof *f->waits);
	uint64_t main_end;
	int result = f->waits ? find_main_end(log, watch, &main_end) : EVL_NOMEM;
	f->labels.log = log;
	if (result == 0)
		result = thread_waits_run(
			f->waits, log, f->from, f->until, main_end, &third, label_waits_add, &f->labels);
	if (result == 0 && f->labels.failed)
		result = EVL_NOMEM;
	if (result < 0)
		return result;
	v[METRIC_THREADS_RUNNABLE] = (double)f->waits->runnable_ns;
	v[METRIC_THREADS_BLOCKED] = (double)f->waits->blocked_ns;
	v[METRIC_THREADS_FOREIGN] = (double)f->waits->foreign_ns;
	if (!f->whole)
		v[METRIC_THREADS_RUNS] = (double)f->waits->runs;
	put_latency(v + METRIC_THREADS_LATENCY_N, &f->waits->latency);
	put_reasons(v, f->waits);
	put_concurrency(v, f->waits, (double)(f->to - f->from));
	v[METRIC_THREADS_RUNNABLE_GC] = (double)f->waits->runnable_gc_ns;
	v[METRIC_THREADS_RUNNABLE_WAIT] = (double)(f->waits->runnable_ns - f->waits->runnable_gc_ns);
	if (f->has_gc && f->to > f->from)
		v[METRIC_CONCURRENCY_GC] = (double)f->waits->paused_ns / (double)(f->to - f->from);
	put_latency(v + METRIC_THREADS_WAIT_N, &f->waits->latency_wait);
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

/* Spans that begin in the range may end after it. */
static int put_spans(struct figures *f, const struct evl_log *log, const struct gc_pauses *pauses, uint64_t last,
	const struct progress *watch)
{
	const struct span_table *t = spans_table(&log->spans);
	struct gc_pauses to_end = {0};
	struct span_budgets budgets = {0};
	int result = 0;
	if (!t)
		return 0;
	if (f->to < last)
		result = gc_pauses_make(&to_end, &log->gcs, f->from, last, watch);
	if (result == 0 && f->deep)
		result = span_budgets_make(&budgets, log, t, f->from, f->until, watch);
	if (result == 0)
		result = count_spans(f, log, t,
			&(struct span_stats_ask){.from = f->from,
				.to = f->until,
				.pauses = f->to < last ? &to_end : pauses,
				.budgets = f->deep ? &budgets : NULL},
			watch);
	gc_pauses_free(&to_end);
	span_budgets_free(&budgets);
	return result;
}

static int put_path(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	enum { SEGMENTS = 64 }; /* a finding needs the longest of a kind, and a kind that matters is among them */
	struct progress last = {watch ? watch->cancel : NULL, tell_last, (struct progress *)(uintptr_t)watch};
	struct path_ask ask = {.to = UINT64_MAX, .segments = SEGMENTS};
	if (!f->deep || !f->has_sched)
		return 0;
	if (!f->whole) {
		ask.from = f->from;
		ask.to = f->to;
	}
	return path_make(&f->path, log, &ask, &last);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void begin(
	struct figures *f, const struct evl_log *log, const struct figures_ask *ask, uint64_t first, uint64_t last)
{
	const uint64_t *tags = log->event_counts.tags.n;
	*f = (struct figures){.deep = ask->deep};
	for (int i = 0; i < METRICS; i++)
		f->values[i] = (double)NAN;
	f->from = min_u64(max_u64(ask->from, first), last);
	f->to = max_u64(min_u64(ask->to, last), f->from);
	f->until = ask->to > last ? last + (last < UINT64_MAX) : f->to;
	f->whole = f->from == first && f->until > last;
	f->has_sched = tags[EVL_RUN_THREAD] > 0;
	f->has_gc = tags[EVL_GC_START] > 0;
	f->values[METRIC_DAMAGE_N] = (double)(log->damage.n + log->damage.more);
}

/* One step after another; the last two, if they are wanted, are as long as all others together. */
static int fill(struct figures *f, const struct evl_log *log, struct gc_pauses *pauses, uint64_t last,
	const struct progress *watch)
{
	double all = f->deep ? 0.5 : 1;
	int result = put_time(f, log, watch);
	progress_tell(watch, all / 2);
	result = result ? result : figures_gc(f, log, watch);
	if (result == 0 && (nonmoving_any(&log->nonmoving) || spans_table(&log->spans))) /* who alone ask for them */
		result = gc_pauses_make(pauses, &log->gcs, f->from, f->to, watch);
	result = result ? result : put_caps(f, log);
	result = result ? result : put_lives(f, log);
	result = result ? result : put_nonmoving(f, log, pauses);
	result = result ? result : put_spans(f, log, pauses, last, watch);
	if (result == 0) {
		figures_heap(f, log);
		figures_sparks(f, log);
	}
	progress_tell(watch, all);
	result = result || !f->deep ? result : ticky_make(&f->ticky, log, f->from, f->until, watch);
	result = result || !f->deep ? result : heap_trend_make(&f->trend, log, f->from, f->until, watch);
	result = result || !f->deep ? result : phases_make(&f->phases, log, f->from, f->until, watch);
	result = result ? result : put_waits(f, log, watch);
	return result ? result : put_path(f, log, watch);
}

int figures_make(struct figures *f, const struct evl_log *log, const struct figures_ask *ask)
{
	struct gc_pauses pauses = {0};
	uint64_t first, last;
	if (!evl_range(log, &first, &last))
		first = last = 0;
	begin(f, log, ask, first, last);
	int result = fill(f, log, &pauses, last, ask->watch);
	gc_pauses_free(&pauses);
	if (result < 0)
		figures_free(f);
	return result;
}

void figures_free(struct figures *f)
{
	free(f->caps);
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
	enum { SMALL = 64 << 20 }; /* bytes: read again in some tenths of a second */
	uint64_t first, last;
	if (log->source.len <= SMALL || !evl_range(log, &first, &last) || last <= first)
		return true;
	double share = (double)sub_or_0(min_u64(to, last), max_u64(from, first)) / (double)(last - first);
	return share * (double)log->source.len <= SMALL;
}
