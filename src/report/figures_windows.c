/* figures_windows.c - figures over the windows that all spans of one label cover. */
#include "base/idmap.h"
#include "report/absence.h"
#include "report/figures.h"
#include "report/figures_private.h"

#include <math.h>
#include <stdlib.h>

static void put_time(struct figures *f, const struct evl_log *log, const struct span_windows *w)
{
	const struct time_split t = {.total = w->covered,
		.mutator = w->sum.mutator,
		.gc = w->sum.gc,
		.sync = w->sum.sync,
		.idle = w->sum.idle,
		.run = w->sum.run};
	double *v = f->values;
	bool runs = absence_is_recorded(log, ABSENCE_RUNS), gcs = absence_is_recorded(log, ABSENCE_GCS);
	v[METRIC_TIME_TOTAL] = (double)w->covered;
	if (runs) {
		v[METRIC_TIME_MUTATOR] = (double)t.mutator;
		v[METRIC_TIME_RUN] = (double)t.run;
		v[METRIC_CONCURRENCY_BUSY] = w->covered ? (double)w->sum.busy / (double)w->covered : (double)NAN;
	}
	if (gcs) {
		v[METRIC_TIME_GC] = (double)t.gc;
		v[METRIC_TIME_GC_SYNC] = (double)t.sync;
		v[METRIC_TIME_PRODUCTIVITY_RTS] = time_productivity_rts(&t);
	}
	if (runs && gcs) {
		v[METRIC_TIME_IDLE] = (double)t.idle;
		v[METRIC_TIME_PRODUCTIVITY] = time_productivity(&t);
	}
	if (log->heap.has_allocated) {
		v[METRIC_HEAP_ALLOCATED] = (double)w->sum.allocated;
		v[METRIC_HEAP_ALLOC_RATE] =
			t.mutator ? (double)w->sum.allocated * 1e9 / (double)t.mutator : (double)NAN;
	}
	f->stats.time = t;
	f->stats.pauses = w->pauses;
}

/* Keep the longest pauses, of equals the first. */
static void rank(struct figures *f, const struct gc_row *gc)
{
	size_t at = f->n_longest;
	while (at > 0
		&& (gc_pause(&f->longest[at - 1]) < gc_pause(gc)
			|| (gc_pause(&f->longest[at - 1]) == gc_pause(gc) && f->longest[at - 1].start > gc->start)))
		at--;
	if (at == FIGURE_LONGEST)
		return;
	f->n_longest += f->n_longest < FIGURE_LONGEST;
	memmove(&f->longest[at + 1], &f->longest[at], (f->n_longest - at - 1) * sizeof *f->longest);
	f->longest[at] = *gc;
}

static void put_pauses(struct figures *f, const struct evl_log *log, const struct span_windows *w)
{
	const struct pause_stats *p = &w->pauses;
	double *v = f->values;
	if (!absence_is_recorded(log, ABSENCE_GCS))
		return;
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0, n = rows_count(&log->gcs.tables[c].rows); i < n; i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			if (!phases_at(&w->windows, gc->start))
				continue;
			f->pause_classes[pause_class_of(gc_pause(gc))]++;
			rank(f, gc);
		}
	v[METRIC_GC_N] = v[METRIC_GC_PAUSE_N] = (double)p->n;
	if (log->gcs.has_stats)
		v[METRIC_GC_MAJOR_N] = (double)p->n_major;
	v[METRIC_GC_RATE] = w->covered ? (double)p->n * 1e9 / (double)w->covered : (double)NAN;
	v[METRIC_GC_PAUSE_TOTAL] = (double)p->total;
	if (p->n == 0)
		return;
	v[METRIC_GC_PAUSE_MEAN] = (double)p->total / (double)p->n;
	v[METRIC_GC_PAUSE_P50] = (double)p->p50;
	v[METRIC_GC_PAUSE_P90] = (double)p->p90;
	v[METRIC_GC_PAUSE_P99] = (double)p->p99;
	v[METRIC_GC_PAUSE_MAX] = (double)p->max;
}

/* The least of what any window of spans has: one that is shorter than the window of an MMU has none. */
static int put_mmu(
	struct figures *f, const struct evl_log *log, const struct span_windows *w, const struct progress *watch)
{
	uint64_t lengths[MMU_WINDOWS];
	for (int i = 0; i < MMU_WINDOWS; i++) {
		lengths[i] = figures_mmu_window(i);
		f->mmu[i] = (struct mmu){.window = lengths[i], .share = (double)NAN};
	}
	if (!f->has_gc)
		return 0;
	for (size_t k = 0; k < w->windows.n; k++) {
		const struct phase *p = &w->windows.items[k];
		struct gc_range range = {.gcs = &log->gcs, .from = p->from, .to = p->to, .workers = 1};
		struct mmu mmu[MMU_WINDOWS];
		if (progress_cancelled(watch))
			return EVL_CANCELLED;
		if (p->to - p->from < lengths[0])
			continue;
		int result = gc_pauses_worst(&range, lengths, MMU_WINDOWS, mmu);
		if (result < 0)
			return result;
		for (int i = 0; i < MMU_WINDOWS; i++)
			if (!isnan(mmu[i].share) && !(f->mmu[i].share <= mmu[i].share))
				f->mmu[i] = mmu[i];
	}
	for (int i = 0; i < MMU_WINDOWS; i++)
		f->values[METRIC_MMU_1MS + i] = f->mmu[i].share;
	return 0;
}

/* How threads waited in the windows. */
static int put_waits(
	struct figures *f, const struct evl_log *log, const struct span_windows *w, const struct progress *watch)
{
	struct thread_history pass = {0};
	struct waits_reader *r = NULL;
	struct gc_pauses pauses = {0};
	struct history_window *windows = calloc(w->windows.n + 1, sizeof *windows);
	f->waits = calloc(1, sizeof *f->waits);
	int result =
		f->waits && windows ? waits_reader_open(&r, f->waits, log, &pass, UINT64_MAX, NULL, NULL) : EVL_NOMEM;
	for (size_t i = 0; windows && i < w->windows.n; i++)
		windows[i] = (struct history_window){w->windows.items[i].from, w->windows.items[i].to};
	result = result ? result : gc_pauses_make(&pauses, &log->gcs, 0, UINT64_MAX, watch);
	if (result == 0) {
		struct thread_history_ask ask = {.log = log,
			.from = f->from,
			.to = f->until,
			.readers = {waits_reader_sink(r)},
			.n_readers = 1,
			.pauses = &pauses,
			.windows = windows,
			.n_windows = w->windows.n,
			.watch = watch};
		result = thread_history_begin(&pass, &ask);
	}
	result = result ? result : thread_history_end(&pass);
	int closed = waits_reader_close(r);
	thread_history_free(&pass);
	gc_pauses_free(&pauses);
	free(windows);
	if (result || closed)
		return result ? result : closed;
	figures_put_waits(f);
	return 0;
}

static int put_spans(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	const struct span_table *t = spans_table(&log->spans);
	struct gc_pauses pauses = {0};
	struct span_budgets budgets = {0};
	if (!t)
		return 0;
	int result = gc_pauses_make(&pauses, &log->gcs, f->from, UINT64_MAX, watch);
	if (result == 0 && f->deep)
		result = span_budgets_make(&budgets, log, t, f->from, f->until, watch);
	struct span_stats_ask ask = {.from = f->from,
		.to = f->until,
		.pauses = &pauses,
		.budgets = f->deep ? &budgets : NULL,
		.only = f->windows.label};
	result = result ? result : span_stats_make(&f->spans, log, t, &ask, watch);
	ask.by_label = true;
	if (result == 0 && f->spans.numbered)
		result = span_stats_make(&f->span_labels, log, t, &ask, watch);
	f->values[METRIC_SPANS_N] = (double)f->spans.spans;
	for (size_t i = 0; i < t->n && !f->windows.name.p; i++)
		if (idmap_key(spans_label(&log->blocks, &t->items[i])) == f->windows.label)
			f->windows.name = spans_label(&log->blocks, &t->items[i]);
		else if (idmap_key(spans_name(&log->blocks, &t->items[i])) == f->windows.label)
			f->windows.name = spans_name(&log->blocks, &t->items[i]);
	gc_pauses_free(&pauses);
	span_budgets_free(&budgets);
	return result;
}

int figures_over_windows(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	struct span_windows w;
	int result = span_windows_make(&w, log, f->windows.label, f->from, f->until, watch);
	if (result < 0)
		return result;
	f->windows.spans = w.spans;
	f->windows.n = w.windows.n;
	f->windows.covered = w.covered;
	put_time(f, log, &w);
	put_pauses(f, log, &w);
	f->lives = log->lives; /* of which only the top threads of the whole run are told */
	progress_tell(watch, 0.3);
	result = put_mmu(f, log, &w, watch);
	if (result == 0 && f->deep && f->has_sched)
		result = put_waits(f, log, &w, watch);
	progress_tell(watch, 0.7);
	result = result ? result : put_spans(f, log, watch);
	span_windows_free(&w);
	return result;
}
