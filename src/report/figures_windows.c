/* figures_windows.c - the windows that all spans of one label cover, for metrics over them: their time, and their path. */
#include "base/idmap.h"
#include "query/path.h"
#include "report/abilities.h"
#include "report/figures.h"
#include "report/figures_private.h"

#include <math.h>
#include <stdlib.h>

static uint64_t major_ns(const struct figures *f, const struct gcs *g)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < f->windows.n; i++) {
		struct gc_sum sum;
		assert(f->windows.items);
		gcs_sum(g, f->windows.items[i].from, f->windows.items[i].to, &sum);
		ns += sum.major_ns;
	}
	return ns;
}

static void put_time(struct figures *f, const struct evl_log *log, const struct span_windows *w)
{
	uint64_t gc = w->sum.gc, major = min_u64(major_ns(f, &log->gcs), gc);
	const struct time_split t = {.total = w->covered,
		.mutator = w->sum.mutator,
		.gc = gc,
		.minor_gc = gc - major,
		.major_gc = major,
		.sync = w->sum.sync,
		.idle = w->sum.idle,
		.run = w->sum.run};
	double *v = f->values;
	bool runs = absence_seen(log, ABSENCE_RUNS), gcs = absence_seen(log, ABSENCE_GCS);
	v[METRIC_TIME_TOTAL] = (double)w->covered;
	if (runs) {
		v[METRIC_TIME_MUTATOR] = (double)t.mutator;
		v[METRIC_TIME_RUN] = (double)t.run;
		v[METRIC_CONCURRENCY_BUSY] = w->covered ? (double)w->sum.busy / (double)w->covered : (double)NAN;
	}
	if (gcs) {
		v[METRIC_TIME_GC] = (double)t.gc;
		v[METRIC_TIME_GC_SYNC] = (double)t.sync;
		if (log->gcs.has_stats) { /* which alone tell generations */
			v[METRIC_TIME_GC_MINOR] = (double)t.minor_gc;
			v[METRIC_TIME_GC_MAJOR] = (double)t.major_gc;
		}
		v[METRIC_TIME_PRODUCTIVITY_RTS] = figures_productivity_rts(log, &t);
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

static void find_name(struct figures *f, const struct evl_log *log)
{
	const struct span_table *t = spans_table(&log->spans);
	for (size_t i = 0; t && i < t->n && !f->windows.name.p; i++)
		if (idmap_key(spans_label(&log->blocks, &t->items[i])) == f->windows.label)
			f->windows.name = spans_label(&log->blocks, &t->items[i]);
		else if (idmap_key(spans_name(&log->blocks, &t->items[i])) == f->windows.label)
			f->windows.name = spans_name(&log->blocks, &t->items[i]);
}

int figures_windows_make(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	struct span_windows w;
	int result = span_windows_make(&w, log, f->windows.label, f->from, f->until, watch);
	if (result < 0)
		return result;
	f->windows.items = calloc(w.windows.n + 1, sizeof *f->windows.items);
	for (size_t i = 0; f->windows.items && i < w.windows.n; i++)
		f->windows.items[f->windows.n++] = (struct time_window){w.windows.items[i].from, w.windows.items[i].to};
	f->windows.spans = w.spans;
	f->windows.covered = w.covered;
	find_name(f, log);
	put_time(f, log, &w);
	span_windows_free(&w);
	return f->windows.items ? 0 : EVL_NOMEM;
}

int figures_windows_path(
	struct figures *f, const struct evl_log *log, const struct path_ask *ask, const struct progress *watch)
{
	struct path_window *windows;
	size_t n;
	int result = path_windows_find(log, f->windows.label, f->from, f->until, &windows, &n);
	result = result ? result : path_over(&f->path, log, ask, windows, n, watch);
	free(windows);
	return result;
}
