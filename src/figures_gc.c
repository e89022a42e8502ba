#include "figures_gc.h"

#include "histogram.h"

#include <math.h>
#include <stdlib.h>

enum { CHECK_EVERY = 1 << 12 }; /* rows between looks at whether to go on */

/* What one look at all rows of the range gathers. */
struct look {
	struct figures *f;
	const struct evl_log *log;
	const struct watch *watch;
	struct gc_sums sums;
	struct kind {
		uint64_t n, elapsed, max;
	} minor, major;
	uint64_t *syncs;
	size_t n;
	uint64_t sync_total, sync_max;
};

/* The payload of a row's statistics; empty where it has none. */
static struct evl_str stats_of(const struct evl_log *log, const struct gc_row *r)
{
	struct frame f;
	bool found = r->off && frame_read(&log->header, log->source.data, r->off, log->source.len, &f) == FRAME_OK
		     && f.tag == EVL_GC_STATS_GHC;
	return found ? f.payload : (struct evl_str){0};
}

static bool add_row(void *ctx, const struct gc_row *r)
{
	struct look *l = ctx;
	struct kind *kind = gc_is_major(&l->log->gcs, r) ? &l->major : &l->minor;
	if (l->n == l->f->stats.pauses.n || (l->n % CHECK_EVERY == 0 && watch_cancelled(l->watch)))
		return false;
	kind->n++;
	kind->elapsed += r->elapsed;
	kind->max = max_u64(kind->max, r->elapsed);
	l->f->pause_classes[pause_class_of(gc_pause(r))]++;
	l->syncs[l->n++] = r->sync;
	l->sync_total += r->sync;
	l->sync_max = max_u64(l->sync_max, r->sync);
	if (!l->f->whole)
		gc_sums_add(&l->sums, r, stats_of(l->log, r));
	return true;
}

static int look_at_rows(struct look *l)
{
	l->syncs = calloc(l->f->stats.pauses.n + 1, sizeof *l->syncs);
	if (!l->syncs)
		return EVL_NOMEM;
	gcs_each(&l->log->gcs, l->f->from, l->f->until, add_row, l);
	return watch_cancelled(l->watch) ? EVL_CANCELLED : 0;
}

/* --- what is made of it ------------------------------------------------------------------------------------------- */

static double mean(uint64_t total, uint64_t n)
{
	return n ? (double)total / (double)n : (double)NAN;
}

static double if_any(uint64_t n, uint64_t value)
{
	return n ? (double)value : (double)NAN;
}

static void put_gens(struct figures *f, const struct gc_sums *sums, bool stats)
{
	uint64_t n = 0, par = 0, elapsed = 0, copied = 0;
	for (unsigned i = 0; i < GC_GENS; i++) {
		const struct gc_gen *gen = &sums->gens[i];
		n += gen->n;
		par += gen->par;
		elapsed += gen->elapsed;
		copied += gen->copied;
		if (gen->n)
			f->gens[f->n_gens++] = (struct gen_figures){i == GC_GENS - 1 ? (unsigned)GC_GEN_UNKNOWN : i, *gen};
	}
	f->values[METRIC_GC_N] = (double)n;
	f->values[METRIC_GC_PAR_N] = stats ? (double)par : (double)NAN;
	f->values[METRIC_GC_ELAPSED] = (double)elapsed;
	f->values[METRIC_GC_COPIED] = stats ? (double)copied : (double)NAN;
	f->values[METRIC_GC_WORK_BALANCE] = gc_work_balance(sums);
	f->values[METRIC_GC_RATE] = f->to > f->from ? (double)n * 1e9 / (double)(f->to - f->from) : (double)NAN;
}

static void put_pauses(struct figures *f)
{
	const struct pause_stats *p = &f->stats.pauses;
	double *v = f->values;
	v[METRIC_GC_PAUSE_N] = (double)p->n;
	v[METRIC_GC_PAUSE_TOTAL] = (double)p->total;
	v[METRIC_GC_PAUSE_MEAN] = mean(p->total, p->n);
	v[METRIC_GC_PAUSE_P50] = if_any(p->n, p->p50);
	v[METRIC_GC_PAUSE_P90] = if_any(p->n, p->p90);
	v[METRIC_GC_PAUSE_P99] = if_any(p->n, p->p99);
	v[METRIC_GC_PAUSE_MAX] = if_any(p->n, p->max);
}

static void put_syncs(struct figures *f, struct look *l)
{
	double *v = f->values;
	v[METRIC_GC_SYNC_TOTAL] = (double)l->sync_total;
	v[METRIC_GC_SYNC_MAX] = if_any(l->n, l->sync_max);
	v[METRIC_GC_SYNC_P99] = if_any(l->n, quantile_of(l->syncs, l->n, 99));
}

static void put_kinds(struct figures *f, const struct look *l)
{
	double *v = f->values;
	v[METRIC_GC_MAJOR_N] = (double)f->stats.pauses.n_major;
	v[METRIC_GC_MINOR_MAX] = if_any(l->minor.n, l->minor.max);
	v[METRIC_GC_MINOR_MEAN] = mean(l->minor.elapsed, l->minor.n);
	v[METRIC_GC_MAJOR_MAX] = if_any(l->major.n, l->major.max);
	v[METRIC_GC_MAJOR_MEAN] = mean(l->major.elapsed, l->major.n);
}

static void put_longest(struct figures *f, const struct gcs *g)
{
	const struct gc_row *r = NULL;
	while (f->n_longest < FIGURE_LONGEST && (r = gcs_longest(g, f->from, f->until, r)))
		f->longest[f->n_longest++] = *r;
}

static void put_mmu(struct figures *f, const struct pauses *pauses)
{
	static const uint64_t windows[MMU_WINDOWS] = {
		1000000, 10000000, 50000000, 100000000, 500000000, 1000000000, 5000000000};
	for (int i = 0; i < MMU_WINDOWS; i++) {
		pauses_worst(pauses, windows[i], &f->mmu[i]);
		f->values[METRIC_MMU_1MS + i] = f->mmu[i].share;
	}
}

int figures_gc(struct figures *f, const struct evl_log *log, const struct pauses *pauses, const struct watch *watch)
{
	struct look l = {.f = f, .log = log, .watch = watch};
	if (!f->has_gc)
		return 0;
	int result = look_at_rows(&l);
	if (result == 0)
		result = sync_late_make(&f->sync, log, f->from, f->until, watch);
	if (result == 0) {
		put_gens(f, f->whole ? &log->gcs.sums : &l.sums, log->gcs.has_stats);
		put_pauses(f);
		put_syncs(f, &l);
		if (log->gcs.has_stats) /* which alone tell generations */
			put_kinds(f, &l);
		put_longest(f, &log->gcs);
		put_mmu(f, pauses);
	}
	free(l.syncs);
	return result;
}
