#include "query/phases.h"

#include "base/gallop.h"
#include "base/histogram.h"
#include "base/idmap.h"
#include "base/order.h"
#include "query/thread_waits.h"

#include <math.h>
#include <stdlib.h>

/* --- markers ------------------------------------------------------------------------------------------------------ */

static bool starts_phase(const struct evl_log *log, const struct point *marker)
{
	return !span_syntax_parse(EVL_USER_MARKER, evl_text_at(log, marker->off), NULL);
}

COMPARE_BY(by_time, struct phase, RISING(from) ?: RISING(marker));

/* Make a phase of each marker before `to`. */
static bool collect(struct phases *p, const struct evl_log *log, uint64_t to)
{
	const struct points *markers = &log->markers;
	size_t room = points_count(markers) + 1;
	p->items = calloc(room, sizeof *p->items);
	for (size_t c = 0; p->items && c < markers->n; c++)
		for (size_t i = 0, n = rows_count(&markers->tables[c]); i < n && p->n + 1 < room; i++) {
			const struct point *m = rows_at(&markers->tables[c], i);
			if (m->t < to && starts_phase(log, m))
				p->items[p->n++] = (struct phase){.from = m->t, .marker = m->off};
		}
	return p->items;
}

COMPARE_BY(longer_first, struct phase, ORDER(y->to - y->from, x->to - x->from) ?: by_time(a, b));

/* From markers to intervals of [from, to): one before the first marker, none without a length. first: of the log. */
static void cut(struct phases *p, uint64_t first, uint64_t from, uint64_t to)
{
	size_t kept = 0, n = p->n;
	if (n == 0)
		return;
	p->items[n] = (struct phase){0};
	qsort(p->items, n + 1, sizeof *p->items, by_time);
	for (size_t i = 0; i <= n; i++) {
		struct phase phase = p->items[i];
		uint64_t begin = max_u64(phase.from, first);
		phase.to = min_u64(i < n ? p->items[i + 1].from : to, to);
		phase.from = max_u64(begin, from);
		if (phase.from < phase.to)
			p->items[kept++] = phase;
		else
			p->others += begin >= from && begin >= phase.to;
	}
	p->n = kept;
	if (kept <= PHASES_MOST)
		return;
	qsort(p->items, kept, sizeof *p->items, longer_first);
	p->others += kept - PHASES_MOST;
	p->n = PHASES_MOST;
	qsort(p->items, p->n, sizeof *p->items, by_time);
}

/* --- what happens in them ----------------------------------------------------------------------------------------- */

/* The interval that t lies in, or NULL. */
static struct phase *phases_at(const struct phases *p, uint64_t t)
{
	BISECT(low, p->n, p->items[mid].to <= t);
	return low < p->n && p->items[low].from <= t ? &p->items[low] : NULL;
}

static void add_collections(struct phases *p, const struct gcs *g)
{
	for (size_t c = 0; c < g->n; c++)
		for (size_t i = 0, n = rows_count(&g->tables[c].rows); i < n; i++) {
			const struct gc_row *gc = rows_at(&g->tables[c].rows, i);
			struct phase *at = phases_at(p, gc->start);
			if (!at)
				continue;
			at->gc_n++;
			at->max_pause = max_u64(at->max_pause, gc_pause(gc));
		}
}

struct waits_mark *phases_marks(const struct phases *p)
{
	struct waits_mark *marks = calloc(2 * p->n + 1, sizeof *marks);
	for (size_t i = 0; marks && i < p->n; i++) {
		marks[2 * i].t = p->items[i].from;
		marks[2 * i + 1].t = p->items[i].to;
	}
	return marks;
}

int phases_fill(struct phases *p, const struct evl_log *log, const struct waits_mark *marks,
	const struct gc_pauses *pauses, const struct progress *watch)
{
	struct gc_pauses elapsed;
	uint64_t first, last;
	if (p->n == 0 || !evl_range(log, &first, &last))
		return 0;
	int result = gc_elapsed_make(&elapsed, &log->gcs, p->items[0].from, p->items[p->n - 1].to, watch);
	if (result < 0)
		return result;
	for (size_t i = 0; i < p->n && result == 0; i++) {
		struct phase *at = &p->items[i];
		const struct waits_mark *from = &marks[2 * i], *to = from + 1;
		at->run = to->run - from->run;
		at->busy = to->busy - from->busy;
		at->mutator = to->mutator - from->mutator;
		at->idle = to->idle - from->idle;
		at->gc = gc_pauses_within(&elapsed, at->from, at->to);
		at->sync = sub_or_0(gc_pauses_within(pauses, at->from, at->to), at->gc);
		at->allocated = heap_allocated_between(&log->heap, first, at->from, at->to);
		result = progress_cancelled(watch) ? EVL_CANCELLED : 0;
	}
	gc_pauses_free(&elapsed);
	add_collections(p, &log->gcs);
	return result;
}

/* All members except from, to and marker of any intervals, which are in time order and disjoint. */
static int fill(struct phases *p, const struct evl_log *log, const struct progress *watch)
{
	struct gc_pauses pauses = {0};
	struct waits_mark *marks = phases_marks(p);
	int result = p->n == 0 ? 0 : marks ? thread_waits_marks(marks, 2 * p->n, log, watch) : EVL_NOMEM;
	result = result ? result : evl_all_pauses(&pauses, log, watch);
	result = result ? result : phases_fill(p, log, marks, &pauses, watch);
	gc_pauses_free(&pauses);
	free(marks);
	return result;
}

int phases_find(struct phases *p, const struct evl_log *log, uint64_t from, uint64_t to)
{
	uint64_t first, last;
	*p = (struct phases){0};
	if (points_count(&log->markers) == 0 || !evl_range(log, &first, &last))
		return 0;
	if (!collect(p, log, to))
		return EVL_NOMEM;
	cut(p, first, max_u64(from, first), min_u64(to, last));
	return 0;
}

int phases_make(struct phases *p, const struct evl_log *log, uint64_t from, uint64_t to, const struct progress *watch)
{
	int result = phases_find(p, log, from, to);
	result = result ? result : fill(p, log, watch);
	if (result < 0)
		phases_free(p);
	return result;
}

void phases_free(struct phases *p)
{
	free(p->items);
	*p = (struct phases){0};
}

struct evl_str phase_name(const struct evl_log *log, const struct phase *p)
{
	return p->marker ? evl_text_at(log, p->marker) : (struct evl_str){0};
}

double phase_caps_busy(const struct phase *p)
{
	return p->to > p->from ? (double)p->busy / (double)(p->to - p->from) : (double)NAN;
}

/* --- windows of spans ------------------------------------------------------------------------------------------------- */

ORDER_BY(by_start, struct phase, from);

bool span_is_of(const struct blocks *b, const struct span *s, uint64_t label)
{
	return idmap_key(spans_label(b, s)) == label || idmap_key(spans_name(b, s)) == label;
}

/* The spans of the label as stretches of time. */
static bool collect_spans(struct span_windows *w, const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to)
{
	const struct span_table *t = spans_table(&log->spans);
	size_t room = 0;
	for (size_t i = 0; t && i < t->n; i++) {
		const struct span *s = &t->items[i];
		uint64_t end = min_u64(s->end, to);
		if (s->start < from || s->start >= to || !span_is_of(&log->blocks, s, label))
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
	int result = collect_spans(w, log, label, from, to) ? 0 : EVL_NOMEM;
	if (result == 0) {
		merge(&w->windows);
		result = fill(&w->windows, log, watch);
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
