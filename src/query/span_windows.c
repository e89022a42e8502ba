#include "query/span_windows.h"

#include "base/histogram.h"
#include "base/idmap.h"

#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
	const struct phase *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

/* The spans of the label as stretches of time. */
static bool collect(struct span_windows *w, const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to)
{
	const struct span_table *t = spans_table(&log->spans);
	size_t room = 0;
	for (size_t i = 0; t && i < t->n; i++) {
		const struct span *s = &t->items[i];
		uint64_t end = min_u64(s->end, to);
		if (s->start < from || s->start >= to || idmap_key(spans_label(&log->blocks, s)) != label)
			continue;
		w->spans++;
		w->spans_ns += end - s->start;
		if (end == s->start)
			continue;
		if (!GROW(w->windows.items, w->windows.n, room))
			return false;
		w->windows.items[w->windows.n++] = (struct phase){.from = s->start, .to = end};
	}
	return true;
}

/* Those that overlap or touch become one. */
static void merge(struct phases *p)
{
	size_t kept = 0;
	if (p->n == 0)
		return;
	qsort(p->items, p->n, sizeof *p->items, by_start);
	for (size_t i = 1; i < p->n; i++) {
		if (p->items[i].from <= p->items[kept].to)
			p->items[kept].to = max_u64(p->items[kept].to, p->items[i].to);
		else
			p->items[++kept] = p->items[i];
	}
	p->n = kept + 1;
}

static void add_up(struct span_windows *w)
{
	struct phase *sum = &w->sum;
	for (size_t i = 0; i < w->windows.n; i++) {
		const struct phase *p = &w->windows.items[i];
		w->covered += p->to - p->from;
		sum->mutator += p->mutator;
		sum->gc += p->gc;
		sum->sync += p->sync;
		sum->idle += p->idle;
		sum->run += p->run;
		sum->busy += p->busy;
		sum->gc_n += p->gc_n;
		sum->max_pause = max_u64(sum->max_pause, p->max_pause);
		sum->allocated += p->allocated;
	}
	if (w->windows.n) {
		sum->from = w->windows.items[0].from;
		sum->to = w->windows.items[w->windows.n - 1].to;
	}
}

static int measure_pauses(struct span_windows *w, const struct evl_log *log)
{
	uint64_t *lengths = calloc(w->sum.gc_n + 1, sizeof *lengths);
	struct pause_stats *out = &w->pauses;
	if (!lengths)
		return EVL_NOMEM;
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0, n = rows_count(&log->gcs.tables[c].rows); i < n; i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			if (!phases_at(&w->windows, gc->start) || out->n == w->sum.gc_n)
				continue;
			lengths[out->n++] = gc_pause(gc);
			out->n_major += gc_is_major(&log->gcs, gc);
			out->total += gc_pause(gc);
			out->max = max_u64(out->max, gc_pause(gc));
		}
	out->p50 = out->n ? quantile_of(lengths, out->n, 50) : 0;
	out->p90 = out->n ? quantile_of(lengths, out->n, 90) : 0;
	out->p99 = out->n ? quantile_of(lengths, out->n, 99) : 0;
	free(lengths);
	return 0;
}

int span_windows_make(struct span_windows *w, const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to,
	const struct progress *watch)
{
	*w = (struct span_windows){0};
	int result = collect(w, log, label, from, to) ? 0 : EVL_NOMEM;
	if (result == 0) {
		merge(&w->windows);
		result = phases_fill(&w->windows, log, watch);
	}
	if (result == 0) {
		add_up(w);
		result = measure_pauses(w, log);
	}
	if (result < 0)
		span_windows_free(w);
	return result;
}

void span_windows_free(struct span_windows *w)
{
	phases_free(&w->windows);
	*w = (struct span_windows){0};
}
