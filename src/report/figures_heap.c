/* figures_heap.c - fill the heap metrics of a range: live and total size, allocation rate, trend, census. */
#include "report/figures_private.h"

#include "heap/alloc_rate.h"
#include "index/event_find.h"

#include <math.h>

/* --- the heap ----------------------------------------------------------------------------------------------------- */

static double peak(const struct figures *f, const struct heap *h, enum heap_curve curve, const _Atomic uint64_t *max)
{
	struct heap_column c;
	double most = (double)NAN;
	if (f->whole)
		return (double)atomic_load(max);
	for (size_t i = 0; i < figures_n_windows(f); i++) {
		heap_columns(h, curve, figures_window(f, i).from, figures_window(f, i).to, 1, &c);
		if (c.known && !(most >= (double)c.max))
			most = (double)c.max;
	}
	return most;
}

static double allocated(const struct figures *f, const struct evl_log *log)
{
	if (f->whole)
		return (double)heap_allocated(&log->heap);
	return (double)alloc_in_runs(&log->heap, &log->blocks, log->tiles, f->from, f->until);
}

/* Least squares of y over x, in one look, around running means. */
struct line {
	double n, x, y, xx, xy, yy;
};

static void line_add(struct line *l, double x, double y)
{
	double dx = x - l->x, dy = y - l->y;
	l->n++;
	l->x += dx / l->n;
	l->y += dy / l->n;
	l->xx += dx * (x - l->x);
	l->xy += dx * (y - l->y);
	l->yy += dy * (y - l->y);
}

/* When the last sample was taken of a log that has an end: by the collection at exit, which finds what outlives the
 * program, not what lived while it ran. */
static uint64_t at_exit(const struct evl_log *log)
{
	struct series_row last;
	bool any = !evl_unfinished(log) && heap_at(&log->heap, HEAP_CURVE_LIVE, UINT64_MAX, &last);
	return any ? last.t : UINT64_MAX;
}

static void note_live(struct live_trend *live, const struct series_row *row)
{
	if (live->n == 0 || row->t < live->first_t) {
		live->first_t = row->t;
		live->first = row->value;
	}
	if (row->t >= live->last_t) {
		live->last_t = row->t;
		live->last = row->value;
	}
	live->most = max_u64(live->most, row->value);
	live->n++;
}

/* The samples of all capabilities that lead major collections. */
static void add_live(struct line *line, struct figures *f, const struct series *live, struct time_window in)
{
	size_t n = rows_count(&live->rows);
	for (size_t i = series_before(live, in.from); i < n; i++) {
		const struct series_row *row = series_row(live, i);
		if (row->t >= in.to)
			break;
		note_live(&f->live, row);
		line_add(line, (double)(row->t - f->from) / 1e9, (double)row->value);
	}
}

static void put_live_trend(struct figures *f, const struct evl_log *log)
{
	const struct heap *h = &log->heap;
	struct line line = {0};
	uint64_t until = at_exit(log);
	for (size_t c = 0; c < h->n; c++) {
		const struct heap_chain *chain = atomic_load(&h->chains[c]);
		for (size_t i = 0; chain && i < figures_n_windows(f); i++) {
			struct time_window in = figures_window(f, i);
			in.to = min_u64(in.to, until);
			add_live(&line, f, &chain->curves[HEAP_CURVE_LIVE], in);
		}
	}
	if (line.n < 2 || !(line.xx > 0))
		return;
	f->values[METRIC_HEAP_LIVE_SLOPE] = line.xy / line.xx;
	if (line.yy > 0)
		f->values[METRIC_HEAP_LIVE_R2] = fmin(line.xy * line.xy / (line.xx * line.yy), 1); /* it rounds */
}

void figures_heap(struct figures *f, const struct evl_log *log)
{
	const struct heap *h = &log->heap;
	double *v = f->values;
	if (h->has_live)
		v[METRIC_HEAP_MAX_LIVE] = peak(f, h, HEAP_CURVE_LIVE, &h->max_live);
	if (h->has_size)
		v[METRIC_HEAP_MAX_SIZE] = peak(f, h, HEAP_CURVE_SIZE, &h->max_size);
	if (h->has_blocks)
		v[METRIC_HEAP_MAX_BLOCKS] = peak(f, h, HEAP_CURVE_BLOCKS, &h->max_blocks);
	if (h->has_allocated && !f->windows.label) {
		v[METRIC_HEAP_ALLOCATED] = allocated(f, log);
		if (v[METRIC_TIME_MUTATOR] > 0)
			v[METRIC_HEAP_ALLOC_RATE] = v[METRIC_HEAP_ALLOCATED] * 1e9 / v[METRIC_TIME_MUTATOR];
	}
	put_live_trend(f, log);
}

/* --- sparks ------------------------------------------------------------------------------------------------------- */

/* The counters of a capability as it posted them last before t; all 0 where it had posted none. */
static void counters_before(const struct evl_log *log, uint32_t chain, uint64_t t, uint64_t *out)
{
	struct found last;
	struct frame e;
	memset(out, 0, SPARK_COUNTERS * sizeof *out);
	if (!find_last_in(&log->blocks, log->tiles, chain, EVL_SPARK_COUNTERS, t, &last)
		|| frame_read(&log->header, log->source.data, last.off, log->source.len, &e) != FRAME_OK
		|| e.payload.len < SPARK_COUNTERS * sizeof *out)
		return;
	for (int i = 0; i < SPARK_COUNTERS; i++)
		out[i] = be64(e.payload.p + 8 * i);
}

/* Growth of the counters of all capabilities. */
static int spark_sums(const struct figures *f, const struct evl_log *log, uint64_t *sums, const struct progress *watch)
{
	uint64_t before[SPARK_COUNTERS], after[SPARK_COUNTERS];
	memset(sums, 0, SPARK_COUNTERS * sizeof *sums);
	for (size_t i = 0; i < log->n_caps; i++) {
		uint32_t chain = log->cap_chains[i];
		const struct event_counts_sparks *last = &log->event_counts.sparks[chain];
		memset(before, 0, sizeof before);
		memcpy(after, last->counters, sizeof after);
		for (size_t w = 0; w < figures_n_windows(f); w++) {
			if (progress_cancelled(watch))
				return EVL_CANCELLED;
			if (!f->whole) {
				counters_before(log, chain, figures_window(f, w).from, before);
				counters_before(log, chain, figures_window(f, w).to, after);
			}
			for (int k = 0; k < SPARK_COUNTERS; k++)
				sums[k] += after[k] < before[k] ? after[k] : after[k] - before[k];
		}
	}
	return 0;
}

/* Of a range it may be more than there is: of sparks that were created before it. */
static double share(uint64_t part, uint64_t whole)
{
	return whole && part <= whole ? (double)part / (double)whole : (double)NAN;
}

int figures_sparks_of(const struct figures *f, const struct evl_log *log, uint32_t chain, struct spark_sums *out,
	bool *known, const struct progress *watch)
{
	struct spark_seek seek;
	*out = (struct spark_sums){0};
	spark_seek_begin(&seek, &log->sparks.events, chain);
	for (size_t w = 0; w < figures_n_windows(f); w++) { /* in order, so one way along the chain */
		struct time_window in = figures_window(f, w);
		struct spark_sums before, after;
		if (progress_cancelled(watch))
			return EVL_CANCELLED;
		*known = spark_seek_sums(&seek, in.from, &before) && *known;
		*known = spark_seek_sums(&seek, in.to, &after) && *known;
		for (int k = 0; k < SPARK_KINDS; k++)
			out->n[k] += sub_or_0(after.n[k], before.n[k]);
	}
	return 0;
}

/* By single events, where there are any: they tell what was stolen. */
static int spark_events(const struct figures *f, const struct evl_log *log, struct spark_sums *out, bool *known,
	const struct progress *watch)
{
	*out = (struct spark_sums){0};
	*known = spark_events_any(&log->sparks.events);
	for (uint32_t chain = 0; chain < log->blocks.n_chains && *known && !f->whole; chain++) {
		struct spark_sums one;
		int result = figures_sparks_of(f, log, chain, &one, known, watch);
		if (result < 0)
			return result;
		for (int k = 0; k < SPARK_KINDS; k++)
			out->n[k] += one.n[k];
	}
	for (int k = 0; k < SPARK_KINDS && f->whole && *known; k++)
		out->n[k] = spark_kind_count(log->event_counts.tags.n, k);
	return 0;
}

bool spark_events_enter(const struct evl_log *log)
{
	const uint64_t *n = log->event_counts.tags.n;
	return n[EVL_RUN_SPARK] + n[EVL_STEAL_SPARK] == 0;
}

int figures_sparks(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	enum { CREATED, DUD, OVERFLOWED, CONVERTED, GCD, FIZZLED };
	uint64_t n[SPARK_COUNTERS] = {0};
	struct spark_sums events;
	double *v = f->values;
	bool single;
	int result = spark_events(f, log, &events, &single, watch);
	if (result < 0)
		return result;
	if (single) {
		n[CREATED] = events.n[SPARK_CREATED];
		n[DUD] = events.n[SPARK_DUD];
		n[OVERFLOWED] = events.n[SPARK_OVERFLOWED];
		n[CONVERTED] = events.n[SPARK_RUN] + events.n[SPARK_STOLEN];
		n[GCD] = events.n[SPARK_GCD];
		n[FIZZLED] = events.n[SPARK_FIZZLED];
		v[METRIC_SPARKS_RUN] = (double)events.n[SPARK_RUN];
		v[METRIC_SPARKS_STOLEN] = (double)events.n[SPARK_STOLEN];
		v[METRIC_SPARKS_STOLEN_SHARE] = share(events.n[SPARK_STOLEN], n[CONVERTED]);
	} else if (log->event_counts.tags.n[EVL_SPARK_COUNTERS]) {
		result = spark_sums(f, log, n, watch);
	} else {
		return 0;
	}
	v[METRIC_SPARKS_CONVERTED] = (double)n[CONVERTED];
	if (result < 0 || (spark_events_any(&log->sparks.events) && !spark_events_enter(log)))
		return result;
	uint64_t tried = n[CREATED] + n[DUD] + n[OVERFLOWED];
	v[METRIC_SPARKS_CREATED] = (double)n[CREATED];
	v[METRIC_SPARKS_DUD] = (double)n[DUD];
	v[METRIC_SPARKS_OVERFLOWED] = (double)n[OVERFLOWED];
	v[METRIC_SPARKS_GCD] = (double)n[GCD];
	v[METRIC_SPARKS_FIZZLED] = (double)n[FIZZLED];
	v[METRIC_SPARKS_CONVERTED_SHARE] = share(n[CONVERTED], n[CREATED]);
	v[METRIC_SPARKS_FIZZLED_SHARE] = share(n[FIZZLED], n[CREATED]);
	v[METRIC_SPARKS_GCD_SHARE] = share(n[GCD], n[CREATED]);
	v[METRIC_SPARKS_OVERFLOWED_SHARE] = share(n[OVERFLOWED], tried);
	v[METRIC_SPARKS_DUD_SHARE] = share(n[DUD], tried);
	return 0;
}
