#include "log/run_stats.h"

#include "sched/busy_streams.h"

#include <math.h>
#include <stdlib.h>

/* The length of the union of all intervals of these kinds within [t0, t1); *sum: their lengths added up. */
static int union_of(const struct blocks *b, const struct tile_table *tiles, const struct gcs *g, int kinds, uint64_t t0,
	uint64_t t1, const atomic_bool *cancel, uint64_t *out, uint64_t *sum)
{
	struct busy_streams s;
	int result = busy_streams_begin(&s, b, tiles, g, kinds, t0, t1);
	uint64_t end = t0;
	*out = *sum = 0;
	for (uint64_t from, to; result == 0 && busy_streams_next(&s, &from, &to); end = max_u64(end, to)) {
		*out += sub_or_0(to, max_u64(from, end));
		*sum += sub_or_0(to, from);
		result = is_cancelled(cancel) ? EVL_CANCELLED : 0;
	}
	busy_streams_free(&s);
	return result;
}

/* Divide the total by the lengths of three unions, each of which holds the one before. In a log whose times go back
 * they need not; then the parts still add up. */
static void divide(struct time_split *out, uint64_t gc, uint64_t with_sync, uint64_t busy, uint64_t major)
{
	out->gc = min_u64(gc, out->total);
	out->major_gc = min_u64(major, out->gc);
	out->minor_gc = out->gc - out->major_gc;
	out->sync = min_u64(sub_or_0(with_sync, gc), out->total - out->gc);
	out->idle = min_u64(sub_or_0(out->total, busy), out->total - out->gc - out->sync);
	out->mutator = out->total - out->gc - out->sync - out->idle;
}

int run_stats_time(const struct blocks *b, const struct tile_table *tiles, const struct gcs *g, uint64_t t0,
	uint64_t t1, const atomic_bool *cancel, struct time_split *out)
{
	uint64_t gc = 0, with_sync = 0, busy = 0, gc_sums = 0, sums = 0;
	*out = (struct time_split){.total = t1 - t0};
	int result = union_of(b, tiles, g, BUSY_GCS, t0, t1, cancel, &gc, &gc_sums);
	if (result == 0)
		result = union_of(b, tiles, g, BUSY_PAUSES, t0, t1, cancel, &with_sync, &gc_sums);
	if (result == 0)
		result = union_of(b, tiles, g, BUSY_PAUSES | BUSY_RUNS, t0, t1, cancel, &busy, &sums);
	struct gc_sum led;
	gcs_sum(g, t0, t1, &led);
	divide(out, gc, with_sync, busy, led.major_ns);
	out->run = sub_or_0(sums, gc_sums);
	return result;
}

static double share(uint64_t part, uint64_t whole) { return whole ? (double)part / (double)whole : (double)NAN; }

double time_productivity(const struct time_split *t) { return share(t->mutator, t->total); }

double time_productivity_rts(const struct time_split *t) { return share(t->total - t->gc, t->total); }

void run_stats_whole(const struct busy *busy, const struct gcs *g, uint64_t total, struct time_split *out)
{
	struct gc_sum gc;
	gcs_sum(g, 0, UINT64_MAX, &gc);
	*out = (struct time_split){.total = total, .run = busy->run_ns};
	divide(out, busy->gc.ns, busy->pause.ns, busy->all.ns, gc.major_ns);
}

/* Pauses seen by one worker. */
struct sums {
	size_t n, n_major;
	uint64_t total, max;
};

static void add_rows(const void *ctx, void *own, const struct gc_row *rows, size_t n)
{
	const uint32_t *oldest = ctx;
	struct sums *out = own, sums = *out;
	sums.n += n;
	for (size_t i = 0; i < n; i++) {
		uint64_t pause = gc_pause(&rows[i]);
		sums.n_major += gc_collects(&rows[i], *oldest);
		sums.total += pause;
		sums.max = max_u64(sums.max, pause);
	}
	*out = sums;
}

int run_stats_pauses(const struct gc_range *range, struct pause_stats *out)
{
	static const unsigned percents[GC_QUANTILES] = {50, 90, 99};
	uint64_t quantiles[GC_QUANTILES] = {0};
	struct sums sums[GC_SCAN_WORKERS] = {{0}};
	uint32_t oldest = gcs_oldest(range->gcs);
	*out = (struct pause_stats){0};
	int result = gc_scan(range, add_rows, &oldest, sums, sizeof *sums);
	for (size_t i = 0; i < countof(sums); i++) {
		out->n += sums[i].n;
		out->n_major += sums[i].n_major;
		out->total += sums[i].total;
		out->max = max_u64(out->max, sums[i].max);
	}
	if (result == 0 && out->n)
		result = gc_quantiles(range, false, out->n, out->max, percents, GC_QUANTILES, quantiles);
	out->p50 = quantiles[0];
	out->p90 = quantiles[1];
	out->p99 = quantiles[2];
	return result;
}
