/* figures_threads.c - the metrics that take a second reading of the log: how threads waited, budgets of spans, phases, the
 * critical path. */
#include "report/figures.h"

#include "query/path_threads.h"
#include "report/figures_private.h"
#include "sys/worker.h"

#include <stdlib.h>

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

static void put_deadlocks(double *v, const struct deadlock *d)
{
	v[METRIC_BLOCKED_DEADLOCKED] = 0;
	for (size_t i = 0; i < d->n_rows; i++)
		v[METRIC_BLOCKED_DEADLOCKED] += d->rows[i].proved;
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

static void put_waits(struct figures *f)
{
	double *v = f->values, total = (double)figures_total(f);
	v[METRIC_THREADS_RUNNABLE] = (double)f->waits->runnable_ns;
	v[METRIC_THREADS_BLOCKED] = (double)f->waits->blocked_ns;
	v[METRIC_THREADS_FOREIGN] = (double)f->waits->foreign_ns;
	if (!f->whole)
		v[METRIC_THREADS_RUNS] = (double)f->waits->runs;
	put_latency(v + METRIC_THREADS_LATENCY_N, &f->waits->latency);
	put_reasons(v, f->waits);
	put_deadlocks(v, &f->waits->contention.deadlock);
	put_concurrency(v, f->waits, total);
	v[METRIC_THREADS_RUNNABLE_GC] = (double)f->waits->runnable_gc_ns;
	v[METRIC_THREADS_RUNNABLE_WAIT] = (double)(f->waits->runnable_ns - f->waits->runnable_gc_ns);
	if (f->has_gc && total > 0)
		v[METRIC_CONCURRENCY_GC] = (double)f->waits->paused_ns / total;
	if (figures_idle(f) && f->waits->all_threads && total > 0)
		v[METRIC_CONCURRENCY_KEPT] = (double)f->waits->kept_ns / total;
	put_latency(v + METRIC_THREADS_WAIT_N, &f->waits->latency_wait);
}

/* --- the critical path, in parallel with the other reading if there are processors ----------------------------------- */

struct path_work {
	struct figures *f;
	const struct evl_log *log;
	struct path_ask ask;
	struct progress watch;
	pthread_t thread;
	bool apart;     /* it runs on `thread` */
	int64_t cpu_ms; /* processor time that it took there */
	int result;
};

static void *follow(void *arg)
{
	struct path_work *w = arg;
	w->result = w->f->windows.label ? figures_windows_path(w->f, w->log, &w->ask, &w->watch)
					: path_make(&w->f->path, w->log, &w->ask, &w->watch);
	w->cpu_ms = worker_cpu_ms();
	return NULL;
}

static void begin_path(struct path_work *w, uint32_t main, const struct gc_pauses *pauses, uint32_t segments)
{
	enum { SEGMENTS = 64 }; /* a finding needs the longest of a kind, and a kind that matters is among them */
	w->ask = (struct path_ask){.main = main,
		.main_known = true,
		.pauses = pauses,
		.to = UINT64_MAX,
		.segments = segments ? segments : SEGMENTS};
	if (!w->f->whole) {
		w->ask.from = w->f->from;
		w->ask.to = w->f->to;
	}
	w->apart = workers_for(w->log->workers) > 1 && worker_start(&w->thread, follow, w);
}

static int end_path(struct path_work *w)
{
	if (!w->apart)
		follow(w);
	else if (pthread_join(w->thread, NULL) == 0)
		worker_helped(w->cpu_ms);
	return w->result;
}

/* The time that the path lost to collections is unknown if these are not recorded. */
static void put_path(double *v, const struct path *p, bool has_gc)
{
	static const enum metric parts[PATH_PART_COUNT] = {[PATH_PART_RUN] = METRIC_PATH_RUN,
		[PATH_PART_GC] = METRIC_PATH_GC,
		[PATH_PART_SYNC] = METRIC_PATH_SYNC,
		[PATH_PART_RUNNABLE] = METRIC_PATH_RUNNABLE,
		[PATH_PART_FOREIGN] = METRIC_PATH_FOREIGN,
		[PATH_PART_EXTERNAL] = METRIC_PATH_EXTERNAL,
		[PATH_PART_UNKNOWN] = METRIC_PATH_UNKNOWN};
	double total = (double)path_total(p);
	if (!p->found)
		return;
	v[METRIC_PATH_TOTAL] = total;
	v[METRIC_PATH_HOPS] = (double)p->hops;
	for (int i = 0; i < PATH_PART_COUNT; i++) {
		if (!has_gc && (i == PATH_PART_GC || i == PATH_PART_SYNC))
			continue;
		v[parts[i]] = (double)p->ns[i];
		if (total > 0)
			v[METRIC_PATH_SHARE_RUN + (parts[i] - METRIC_PATH_RUN)] = (double)p->ns[i] / total;
	}
}

/* --- waits, budgets and phases: one pass ------------------------------------------------------------------------------ */

struct second {
	struct figures *f;
	const struct evl_log *log;
	const struct progress *watch;
	const struct gc_pauses *pauses;
	const struct figures_share *share;
	struct thread_history pass;
	struct waits_reader *waits;
	struct span_budgets_reader *budgets;
	struct waits_mark *marks; /* of phases */
	struct thread_history_ask ask;
};

static void add_reader(struct second *s, const struct thread_history_sink *sink)
{
	s->ask.readers[s->ask.n_readers++] = sink;
}

/* Spans may end after the range, and lie around windows: then their budgets have to be read apart. */
static int read_apart(struct second *s, struct span_budgets *budgets)
{
	span_budgets_close(s->budgets);
	s->budgets = NULL;
	span_budgets_free(budgets);
	return span_budgets_make(budgets, s->log, spans_table(&s->log->spans), s->f->from, s->f->until, s->watch);
}

static void take_thread(void *ctx, const struct thread_waits *t)
{
	const struct second *s = ctx;
	label_waits_add(&s->f->labels, t);
	if (s->share)
		s->share->each(s->share->ctx, t);
}

static int open_readers(struct second *s, uint64_t main_end, struct span_budgets *budgets)
{
	struct figures *f = s->f;
	const struct span_table *t = spans_table(&s->log->spans);
	f->waits = calloc(1, sizeof *f->waits);
	int result = f->waits ? waits_reader_open(&s->waits, f->waits, s->log, &s->pass, main_end, take_thread, s)
			      : EVL_NOMEM;
	if (result == 0)
		add_reader(s, waits_reader_sink(s->waits));
	if (result == 0 && t)
		result = span_budgets_open(&s->budgets, budgets, t, f->from, f->until, s->pauses);
	if (result == 0 && t && (span_budgets_until(s->budgets) > f->until || f->windows.label))
		result = read_apart(s, budgets);
	else if (result == 0 && t && span_budgets_until(s->budgets))
		add_reader(s, span_budgets_sink(s->budgets));
	if (result == 0 && !f->windows.label)
		result = phases_find(&f->phases, s->log, f->from, f->until);
	if (result == 0 && !(s->marks = phases_marks(&f->phases)))
		result = EVL_NOMEM;
	if (result == 0)
		waits_reader_mark(s->waits, s->marks, 2 * f->phases.n);
	return result;
}

static int read_threads(struct figures *f, const struct evl_log *log, uint64_t main_end, const struct gc_pauses *pauses,
	struct span_budgets *budgets, const struct figures_share *share, const struct progress *watch)
{
	struct second s = {.f = f,
		.share = share,
		.log = log,
		.watch = watch,
		.pauses = pauses,
		.ask = {.log = log,
			.from = f->from,
			.to = f->until,
			.pauses = pauses,
			.windows = f->windows.items,
			.n_windows = f->windows.n,
			.watch = watch}};
	int result = open_readers(&s, main_end, budgets);
	result = result ? result : thread_history_begin(&s.pass, &s.ask);
	result = result ? result : thread_history_end(&s.pass);
	int closed = waits_reader_close(s.waits);
	span_budgets_close(s.budgets);
	result = result ? result : phases_fill(&f->phases, log, s.marks, pauses, watch);
	free(s.marks);
	thread_history_free(&s.pass);
	return result ? result : f->labels.failed ? EVL_NOMEM : closed;
}

/* When a thread finished; UINT64_MAX: it did not. */
static uint64_t end_of(const struct evl_log *log, uint32_t thread)
{
	const struct thread_row *row = thread ? threads_find(&log->threads, thread) : NULL;
	uint64_t died = row ? atomic_load(&row->died) : 0;
	return died ? died : UINT64_MAX;
}

int figures_second(struct figures *f, const struct evl_log *log, struct span_budgets *budgets,
	const struct figures_share *share, const struct progress *watch)
{
	struct path_threads threads = {.log = log};
	struct path_work path = {.f = f, .log = log, .watch = {.cancel = watch->cancel}};
	struct gc_pauses pauses; /* all: a latency that ends in the range may have begun before it */
	struct gc_pauses of_path;
	if (!f->has_sched) {
		const struct span_table *t = spans_table(&log->spans);
		int result = f->windows.label ? 0 : phases_make(&f->phases, log, f->from, f->until, watch);
		return result || !t ? result : span_budgets_make(budgets, log, t, f->from, f->until, watch);
	}
	uint32_t main = path_main_thread(&threads, watch);
	bool failed = threads.failed;
	path_threads_free(&threads);
	int result = failed ? EVL_NOMEM : evl_all_pauses(&pauses, log, watch);
	if (result < 0)
		return result;
	if ((result = gc_pauses_borrow(&of_path, &pauses)) < 0) {
		gc_pauses_free(&pauses);
		return result;
	}
	begin_path(&path, main, &of_path, share ? share->segments : 0);
	result = read_threads(f, log, end_of(log, main), &pauses, budgets, share, watch);
	int followed = end_path(&path);
	gc_pauses_free(&of_path);
	gc_pauses_free(&pauses);
	if (result == 0 && followed == 0) {
		put_waits(f);
		put_path(f->values, &f->path, f->has_gc);
	}
	return result ? result : followed;
}
