/* figures_gc.c - fill the GC metrics of a range: pauses, generations, sync delays, nonmoving phases. */
#include "base/gallop.h"
#include "report/figures_private.h"
#include "sys/worker.h"

#include <math.h>
#include <stdlib.h>

/* Results of one pass over all rows of the range; per worker, and of all. */
struct look {
	struct gc_sums sums;
	struct kind {
		uint64_t n, elapsed, max;
	} minor, major;
	uint64_t classes[PAUSE_CLASSES];
	uint64_t n, sync_total, sync_max;
	uint64_t long_n, long_major_n, long_minor_n, long_minor_elapsed, long_minor_copied, long_ns, long_in_ns,
		long_sync_ns, long_minor_ns;
	uint64_t shared_ns;           /* of collections that is_shared */
	uint64_t own_longest, own_at; /* that no census asked for */
	bool cut;                     /* the range has only a part of the time before a GC_START */
};

/* The collections that censuses asked for: their GC_STARTs, in order. */
struct census_set {
	uint64_t *starts;
	size_t n;
	struct gc_sums sums;
	uint64_t shared_ns;
};

static bool by_census(const struct census_set *set, uint64_t start)
{
	BISECT(low, set->n, set->starts[mid] < start);
	return low < set->n && set->starts[low] == start;
}

struct looker {
	const struct evl_log *log;
	const struct gc_range *range;
	uint32_t oldest;
	const struct census_set *census;
	bool sums; /* of the statistics in the log: those of the whole run are known */
};

/* The payload of a row's statistics; empty where it has none. */
static struct evl_str stats_of(const struct evl_log *log, const struct gc_row *r)
{
	struct frame f;
	bool found = r->off && frame_read(&log->header, log->source.data, r->off, log->source.len, &f) == FRAME_OK
		&& f.tag == EVL_GC_STATS_GHC;
	return found ? f.payload : (struct evl_str){0};
}

static uint64_t copied_by(const struct evl_log *log, const struct gc_row *r)
{
	struct gc_sums one = {0};
	gc_sums_add(&one, r, stats_of(log, r));
	return one.gens[r->gen == GC_GEN_UNKNOWN ? GC_GENS - 1 : min_u64(r->gen, GC_GENS - 2)].copied;
}

static void add_to(struct kind *kind, const struct kind *more)
{
	kind->n += more->n;
	kind->elapsed += more->elapsed;
	kind->max = max_u64(kind->max, more->max);
}

/* Did its statistics tell of several threads? */
static bool is_shared(const struct gc_row *r) { return r->parallel && r->off; }

static void look_at(const void *ctx, void *own, const struct gc_row *rows, size_t n)
{
	const struct looker *looker = ctx;
	struct look *l = own;
	l->n += n;
	for (size_t i = 0; i < n; i++) {
		const struct gc_row *r = &rows[i];
		add_to(gc_collects(r, looker->oldest) ? &l->major : &l->minor,
			&(struct kind){1, r->elapsed, r->elapsed});
		l->classes[pause_class_of(gc_pause(r))]++;
		if (gc_pause(r) >= LONG_PAUSE_NS) {
			l->long_n++;
			l->long_major_n += gc_collects(r, looker->oldest);
			l->long_ns += gc_pause(r);
			l->long_in_ns += gc_range_covers(looker->range, gc_requested(r), gc_end(r));
			l->long_sync_ns += gc_range_covers(looker->range, gc_requested(r), r->start);
			if (!gc_collects(r, looker->oldest))
				l->long_minor_ns += gc_range_covers(looker->range, r->start, gc_end(r));
			if (!gc_collects(r, looker->oldest) && r->gen != GC_GEN_UNKNOWN) {
				l->long_minor_n++;
				l->long_minor_elapsed += r->elapsed;
				l->long_minor_copied += copied_by(looker->log, r);
			}
		}
		if (gc_pause(r) > l->own_longest && !by_census(looker->census, r->start)) {
			l->own_longest = gc_pause(r);
			l->own_at = gc_requested(r);
		}
		l->shared_ns += is_shared(r) ? r->elapsed : 0;
		l->sync_total += r->sync;
		l->sync_max = max_u64(l->sync_max, r->sync);
		l->cut = l->cut || gc_range_covers(looker->range, gc_requested(r), r->start) < r->sync;
		if (looker->sums)
			gc_sums_add(&l->sums, r, stats_of(looker->log, r));
	}
}

static void join(struct look *all, const struct look *l)
{
	gc_sums_join(&all->sums, &l->sums);
	add_to(&all->minor, &l->minor);
	add_to(&all->major, &l->major);
	for (int i = 0; i < PAUSE_CLASSES; i++)
		all->classes[i] += l->classes[i];
	all->n += l->n;
	all->long_n += l->long_n;
	all->long_major_n += l->long_major_n;
	all->long_minor_n += l->long_minor_n;
	all->long_minor_elapsed += l->long_minor_elapsed;
	all->long_minor_copied += l->long_minor_copied;
	all->long_ns += l->long_ns;
	all->long_in_ns += l->long_in_ns;
	all->long_sync_ns += l->long_sync_ns;
	all->long_minor_ns += l->long_minor_ns;
	all->shared_ns += l->shared_ns;
	if (l->own_longest > all->own_longest || (l->own_longest == all->own_longest && l->own_at < all->own_at)) {
		all->own_longest = l->own_longest;
		all->own_at = l->own_at;
	}
	all->sync_total += l->sync_total;
	all->sync_max = max_u64(all->sync_max, l->sync_max);
	all->cut = all->cut || l->cut;
}

static int look_at_rows(const struct gc_range *range, const struct looker *looker, struct look *all)
{
	struct look looks[GC_SCAN_WORKERS];
	memset(looks, 0, sizeof looks);
	int result = gc_scan(range, look_at, looker, looks, sizeof *looks);
	*all = looks[0];
	for (int i = 1; i < GC_SCAN_WORKERS; i++)
		join(all, &looks[i]);
	return result;
}

/* --- what is made of it ------------------------------------------------------------------------------------------- */

static double mean(uint64_t total, uint64_t n) { return n ? (double)total / (double)n : (double)NAN; }

static double if_any(uint64_t n, uint64_t value) { return n ? (double)value : (double)NAN; }

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
			f->gens[f->n_gens++] = (struct gen_figures){
				i == GC_GENS - 1 ? (unsigned)GC_GEN_UNKNOWN : i, *gen, (double)NAN};
	}
	f->values[METRIC_GC_N] = (double)n;
	f->values[METRIC_GC_PAR_N] = stats ? (double)par : (double)NAN;
	f->values[METRIC_GC_ELAPSED] = (double)elapsed;
	f->values[METRIC_GC_COPIED] = stats ? (double)copied : (double)NAN;
	f->values[METRIC_GC_WORK_BALANCE] = gc_work_balance(sums);
	f->values[METRIC_GC_RATE] = figures_total(f) ? (double)n * 1e9 / (double)figures_total(f) : (double)NAN;
}

/* Of all collections but those that censuses asked for. */
static void put_shared(struct figures *f, const struct gc_sums *all, const struct gc_sums *census, uint64_t ns)
{
	struct gc_sums own = {.par = all->par};
	own.par.copied -= census->par.copied;
	own.par.most -= census->par.most;
	own.par.balanced -= census->par.balanced;
	f->shared.balance = gc_work_balance(&own);
	f->shared.threads = own.par.threads;
	f->shared.ns = (double)ns;
	for (int i = 0; i < GC_GENS; i++)
		f->shared.n += all->gens[i].par - census->gens[i].par;
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

static int put_syncs(struct figures *f, const struct gc_range *range, const struct look *l)
{
	double *v = f->values;
	uint64_t p99 = 0;
	int result = l->n ? gc_quantiles(range, true, l->n, l->sync_max, (const unsigned[]){99}, 1, &p99) : 0;
	v[METRIC_GC_SYNC_TOTAL] = (double)l->sync_total;
	v[METRIC_GC_SYNC_MAX] = if_any(l->n, l->sync_max);
	v[METRIC_GC_SYNC_THREAD] = (double)f->sync.thread_ns;
	v[METRIC_GC_SYNC_WAKEUP] = (double)f->sync.wakeup_ns;
	v[METRIC_GC_SYNC_P99] = if_any(l->n, p99);
	return result;
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

struct ranking {
	struct figures *f;
	const struct gc_range *range;
};

/* Keep the longest pauses, of equals the first. */
static bool rank(void *ctx, const struct gc_row *gc)
{
	const struct ranking *r = ctx;
	struct figures *f = r->f;
	size_t at = f->n_longest;
	while (at > 0
		&& (gc_pause(&f->longest[at - 1]) < gc_pause(gc)
			|| (gc_pause(&f->longest[at - 1]) == gc_pause(gc) && f->longest[at - 1].start > gc->start)))
		at--;
	if (at == FIGURE_LONGEST || !gc_range_has(r->range, gc->start))
		return true;
	f->n_longest += f->n_longest < FIGURE_LONGEST;
	memmove(&f->longest[at + 1], &f->longest[at], (f->n_longest - at - 1) * sizeof *f->longest);
	f->longest[at] = *gc;
	return true;
}

/* As struct figures.longest_slow; the generations are known. */
static double slow_rate(const struct figures *f, const struct evl_log *log, const struct gc_row *r)
{
	enum { TIMES_SLOWER = 10 };
	struct gc_sums one = {0};
	struct evl_str stats = stats_of(log, r);
	size_t i = 0;
	gc_sums_add(&one, r, stats);
	while (i < f->n_gens && (f->gens[i].gen == GC_GEN_UNKNOWN || !one.gens[f->gens[i].gen].n))
		i++;
	if (i == f->n_gens || stats.len == 0 || r->elapsed == 0)
		return (double)NAN;
	const struct gc_gen *all = &f->gens[i].sum;
	double rate = (double)one.gens[f->gens[i].gen].copied / (double)r->elapsed,
	       usual = (double)all->copied / (double)all->elapsed;
	bool slow = r->elapsed > all->elapsed / all->n && rate * TIMES_SLOWER < usual;
	return slow ? rate * 1e9 : (double)NAN;
}

/* As struct figures.longest_copying. */
static void find_copying(struct figures *f, const struct evl_log *log, size_t i, const struct gc_sums *sums,
	const struct gc_sums *census, const struct gc_rates *rates)
{
	const struct gc_row *r = &f->longest[i];
	struct gc_sums own = {0};
	size_t gen = min_u64(r->gen, GC_GENS - 2);
	if (!f->longest_census[i])
		gc_sums_add(&own, r, stats_of(log, r));
	struct gc_gen others = sums->gens[gen];
	const struct gc_gen *less[] = {&census->gens[gen], &own.gens[gen]};
	for (size_t k = 0; k < countof(less); k++) {
		others.n -= less[k]->n;
		others.elapsed -= less[k]->elapsed;
		others.copied -= less[k]->copied;
	}
	const struct gc_lull *lull = &f->longest_lulls[i];
	uint64_t known = f->longest_census[i] ? f->longest_census_ns[i] : lull->to - lull->from;
	gc_copying(&f->longest_copying[i], log, r, &others, rates, known);
}

/* How fast each generation copies, without the collections for censuses. */
static void put_rates(struct figures *f, const struct evl_log *log, const struct gc_range *range,
	const struct gc_sums *sums, const struct census_set *census)
{
	struct gc_rates rates;
	struct gc_range own = *range;
	own.skip = census->starts;
	own.n_skip = census->n;
	for (size_t g = 0; g < f->n_gens; g++) {
		unsigned gen = f->gens[g].gen;
		f->gens[g].usual = (double)NAN;
		if (gen == GC_GEN_UNKNOWN)
			continue;
		uint64_t n = sums->gens[gen].n - census->sums.gens[gen].n;
		gc_rates_make(&rates, log, &own, gen, n);
		if (n >= GC_COPYING_LEAST)
			f->gens[g].usual = gc_rates_usual(rates.all, rates.n, UINT64_MAX);
		for (size_t i = 0; i < f->n_longest; i++)
			if (f->longest[i].gen != GC_GEN_UNKNOWN && min_u64(f->longest[i].gen, GC_GENS - 2) == gen)
				find_copying(f, log, i, sums, &census->sums, &rates);
	}
}

static void put_longest(struct figures *f, const struct evl_log *log, const struct gc_range *range,
	const struct gc_sums *sums, const struct census_set *census)
{
	const struct gc_row *longest[FIGURE_LONGEST];
	struct ranking ranking = {f, range};
	if (range->windows) {
		gcs_each(range->gcs, range->from, range->to, rank, &ranking);
	} else {
		f->n_longest = gcs_ranking(range->gcs, range->from, range->to, longest, FIGURE_LONGEST);
		for (size_t i = 0; i < f->n_longest; i++)
			f->longest[i] = *longest[i];
	}
	for (size_t i = 0; i < f->n_longest; i++) {
		f->longest_census[i] = by_census(census, f->longest[i].start);
		f->longest_census_ns[i] = f->longest_census[i] ? gc_after_work(log, &f->longest[i]) : 0;
		f->longest_slow[i] = slow_rate(f, log, &f->longest[i]);
		if (!gc_lull(log, &f->longest[i], &f->longest_lulls[i]))
			f->longest_lulls[i] = (struct gc_lull){0};
	}
	put_rates(f, log, range, sums, census);
}

/* The part of a stretch of time that the metrics cover. */
static uint64_t ns_covered(const struct figures *f, uint64_t from, uint64_t to)
{
	size_t n = figures_n_windows(f);
	uint64_t ns = 0;
	BISECT(i, n, figures_window(f, mid).to <= from);
	for (; i < n && figures_window(f, i).from < to; i++)
		ns += sub_or_0(min_u64(figures_window(f, i).to, to), max_u64(figures_window(f, i).from, from));
	return ns;
}

/* Count those that start in the range; time in it also belongs to those of which only a part of the pause lies in it. */
static int find_census_gcs(
	struct figures *f, const struct evl_log *log, const struct gc_range *range, struct census_set *set)
{
	size_t n = census_count(&log->census), room = 0;
	struct census_gcs *c = &f->census;
	uint64_t done = 0; /* the time before it is counted: pauses of several leaders may overlap */
	for (size_t i = 0; i < n; i++) {
		const struct gc_row *gc = gcs_at(&log->gcs, census_at(&log->census, i)->t);
		if (!gc || gc_end(gc) <= f->from || gc_requested(gc) >= f->until || !gc_is_for_census(log, gc)
			|| (set->n && gc->start <= set->starts[set->n - 1]))
			continue;
		if (!GROW(set->starts, set->n, room))
			return EVL_NOMEM;
		set->starts[set->n++] = gc->start;
		uint64_t ns = ns_covered(f, max_u64(gc_requested(gc), done), gc_end(gc));
		c->collecting_ns += ns_covered(f, max_u64(gc->start, done), gc_end(gc));
		done = max_u64(done, gc_end(gc));
		c->touching += ns > 0 || gc_range_has(range, gc->start);
		c->range_ns += ns;
		if (ns > c->most_ns) {
			c->most_ns = ns;
			c->at = gc_requested(gc);
		}
		if (!gc_range_has(range, gc->start))
			continue;
		gc_sums_add(&set->sums, gc, stats_of(log, gc));
		set->shared_ns += is_shared(gc) ? gc->elapsed : 0;
		c->n++;
		c->pause_ns += gc_pause(gc);
		c->elapsed_ns += gc->elapsed;
		c->sync_ns += gc->sync;
		if (gc_pause(gc) >= LONG_PAUSE_NS) {
			c->long_n++;
			c->long_ns += gc_pause(gc);
			c->long_in_ns += gc_range_covers(range, gc_requested(gc), gc_end(gc));
			c->long_sync_ns += gc_range_covers(range, gc_requested(gc), gc->start);
		}
		c->longest = max_u64(c->longest, gc_pause(gc));
	}
	return 0;
}

/* The time in the range of delays of the program's collections, as far as the log tells what delayed them. */
static int find_blamed(struct figures *f, const struct evl_log *log, const struct gc_range *range,
	const struct census_set *census, bool cut, const struct progress *watch)
{
	const uint64_t complete = evl_complete_until(log);
	struct gc_range own = *range;
	own.to = min_u64(range->to, complete);
	own.skip = census->starts;
	own.n_skip = census->n;
	f->blamed = f->sync;
	if (!cut && own.to == range->to && gc_range_requested(range, complete) == range->to && !range->windows
		&& !(census->n && f->census.sync_ns))
		return 0;
	return gc_laggards_make(&f->blamed, log, LAGGARDS_IN_RANGE, &own, watch);
}

/* Metrics as they would be without heap censuses. */
static void put_census(struct figures *f, const struct look *l)
{
	double *v = f->values, without = (double)figures_total(f) - (double)f->census.range_ns;
	if (f->census.touching == 0)
		return;
	f->census.own_longest = l->own_longest;
	f->census.own_at = l->own_at;
	v[METRIC_GC_CENSUS_N] = (double)f->census.n;
	v[METRIC_GC_CENSUS_TOTAL] = (double)f->census.pause_ns;
	v[METRIC_GC_CENSUS_MAX] = if_any(f->census.n, f->census.longest);
	v[METRIC_GC_CENSUS_TIME] = (double)f->census.range_ns;
	v[METRIC_GC_OWN_MAX] = if_any(l->own_longest, l->own_longest);
	v[METRIC_GC_OWN_TOTAL] = v[METRIC_GC_PAUSE_TOTAL] - (double)f->census.pause_ns;
	v[METRIC_GC_OWN_PRODUCTIVITY] = without > 0 ? v[METRIC_TIME_MUTATOR] / without : (double)NAN;
}

static uint64_t mmu_window(int i)
{
	static const uint64_t windows[MMU_WINDOWS] = {
		1000000, 10000000, 50000000, 100000000, 500000000, 1000000000, 5000000000};
	return windows[i];
}

/* The least of what any window of spans has: one that is shorter than the window of an MMU has none. */
static int worst_in_windows(
	const struct figures *f, const struct gc_range *range, const uint64_t *lengths, struct mmu *out)
{
	struct gc_range window = *range;
	window.workers = 1;
	for (int i = 0; i < MMU_WINDOWS; i++)
		out[i] = (struct mmu){.window = lengths[i], .share = (double)NAN};
	for (size_t k = 0; k < f->windows.n; k++) {
		struct mmu mmu[MMU_WINDOWS];
		window.from = f->windows.items[k].from;
		window.to = f->windows.items[k].to;
		int result =
			window.to - window.from < lengths[0] ? 1 : gc_pauses_worst(&window, lengths, MMU_WINDOWS, mmu);
		if (result < 0)
			return result;
		for (int i = 0; i < MMU_WINDOWS && result == 0; i++)
			if (!isnan(mmu[i].share) && !(out[i].share <= mmu[i].share))
				out[i] = mmu[i];
	}
	return 0;
}

/* Arguments and intermediate results of the steps below. */
struct making {
	struct figures *f;
	const struct evl_log *log;
	struct gc_range range;
	struct census_set census;
	const struct progress *watch;
};

static int put_mmu(void *arg)
{
	const struct making *m = arg;
	struct figures *f = m->f;
	const struct census_set *census = &m->census;
	uint64_t lengths[MMU_WINDOWS];
	struct gc_range clipped = m->range;
	for (int i = 0; i < MMU_WINDOWS; i++)
		lengths[i] = mmu_window(i);
	clipped.to = f->to;
	for (int without = 0; without < (f->census.touching ? 2 : 1); without++) {
		struct mmu *out = without ? f->census.mmu : f->mmu;
		clipped.skip = census->starts;
		clipped.n_skip = without ? census->n : 0;
		int result = f->windows.label ? worst_in_windows(f, &clipped, lengths, out)
					      : gc_pauses_worst(&clipped, lengths, MMU_WINDOWS, out);
		if (result < 0)
			return result;
	}
	for (int i = 0; i < MMU_WINDOWS; i++) {
		f->values[METRIC_MMU_1MS + i] = f->mmu[i].share;
		if (f->census.touching)
			f->values[METRIC_OWN_MMU_1MS + i] = f->census.mmu[i].share;
	}
	return 0;
}

/* All but the worst windows. */
static int put_others(void *arg)
{
	const struct making *m = arg;
	struct figures *f = m->f;
	const struct evl_log *log = m->log;
	const struct gc_range *range = &m->range;
	const struct census_set *census = &m->census;
	struct looker looker = {log, range, gcs_oldest(&log->gcs), census, !f->whole};
	struct look l;
	int result = look_at_rows(range, &looker, &l);
	result = result ? result
			: gc_laggards_make(&f->sync, log, f->whole ? LAGGARDS_ALL : LAGGARDS_OF_RANGE, range, m->watch);
	result = result ? result : find_blamed(f, log, range, census, l.cut, m->watch);
	result = result ? result : put_syncs(f, range, &l);
	if (result < 0)
		return result;
	for (int i = 0; i < PAUSE_CLASSES; i++)
		f->pause_classes[i] += l.classes[i];
	f->long_n = l.long_n;
	f->long_major_n = l.long_major_n;
	f->long_minor_n = l.long_minor_n;
	f->long_minor_elapsed = l.long_minor_elapsed;
	f->long_minor_copied = l.long_minor_copied;
	f->long_ns = l.long_ns;
	f->long_in_ns = l.long_in_ns;
	f->long_sync_ns = l.long_sync_ns;
	f->long_minor_ns = l.long_minor_ns;
	const struct gc_sums *sums = f->whole ? &log->gcs.sums : &l.sums;
	put_gens(f, sums, log->gcs.has_stats);
	put_shared(f, sums, &census->sums, l.shared_ns - census->shared_ns);
	put_pauses(f);
	if (log->gcs.has_stats) /* which alone tell generations */
		put_kinds(f, &l);
	put_longest(f, log, range, sums, census);
	put_census(f, &l);
	return 0;
}

struct cut_gcs figures_cut_gcs(const struct figures *f, const struct evl_log *log)
{
	if (f->windows.label || f->from >= f->until)
		return (struct cut_gcs){0};
	const struct gc_row *begin = gcs_at(&log->gcs, f->from), *end = gcs_at(&log->gcs, f->until - 1);
	return (struct cut_gcs){
		begin && begin->start < f->from ? begin : NULL, end && end->start >= f->until ? end : NULL};
}

int figures_gc(struct figures *f, const struct evl_log *log, const struct progress *watch)
{
	static worker_step *const steps[] = {put_mmu, put_others};
	struct making m = {.f = f, .log = log, .watch = watch};
	m.range = (struct gc_range){.gcs = &log->gcs,
		.from = f->from,
		.to = f->until,
		.windows = f->windows.items,
		.n_windows = f->windows.n,
		.workers = log->workers,
		.cancel = watch ? watch->cancel : NULL};
	int result = f->has_gc ? find_census_gcs(f, log, &m.range, &m.census) : 0;
	if (f->has_gc && result == 0)
		result = workers_do(gc_scan_workers(&m.range), steps, countof(steps), &m);
	free(m.census.starts);
	return result;
}
