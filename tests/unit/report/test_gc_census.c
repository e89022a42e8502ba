/* Collections that heap censuses asked for, against a walk over all collections and all samples: on all real logs. */
#include "each_log.h"
#include "report/figures.h"

#include <math.h>

/* Does a sample lie in it? */
static bool is_sampled(const struct evl_log *log, const struct gc_row *gc)
{
	for (size_t i = 0; i < census_count(&log->census); i++) {
		uint64_t t = census_at(&log->census, i)->t;
		if (t >= gc->start && t < gc_end(gc))
			return gc->gen == GC_GEN_UNKNOWN || gc_is_major(&log->gcs, gc);
	}
	return false;
}

/* Add what lies in a window of width ns from `at` on of pauses that no census asked for. */
static uint64_t paused(const struct evl_log *log, uint64_t at, uint64_t width)
{
	uint64_t ns = 0;
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			uint64_t from = max_u64(gc_requested(gc), at), to = min_u64(gc_end(gc), at + width);
			ns += from < to && !is_sampled(log, gc) ? to - from : 0;
		}
	return ns;
}

/* The metrics without censuses: windows at every edge of every other pause. */
static void check_mmu(const struct evl_log *log, const struct figures *f)
{
	enum { MOST = 1 << 10 };
	uint64_t edges[2 * MOST + 1] = {f->from};
	size_t n = 1;
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			if (is_sampled(log, gc))
				continue;
			if (n + 2 > countof(edges)) /* it is quadratic */
				return;
			edges[n++] = gc_requested(gc);
			edges[n++] = gc_end(gc);
		}
	for (int i = 0; i < MMU_WINDOWS; i++) {
		uint64_t width = f->census.mmu[i].window, worst = 0;
		double is = f->values[METRIC_OWN_MMU_1MS + i];
		if (f->to - f->from < width) {
			assert_true(isnan(is));
			continue;
		}
		for (size_t k = 0; k < n; k++)
			for (int end = 0; end < 2; end++) {
				uint64_t at = end ? sub_or_0(edges[k], width) : edges[k];
				at = min_u64(max_u64(at, f->from), f->to - width);
				worst = max_u64(worst, paused(log, at, width));
			}
		if (!(fabs(is - (1 - (double)worst / (double)width)) < 1e-9))
			fail_msg("%s: of %.9f s to %.9f s, without censuses %s is %.9f, not %.9f", log->path,
				(double)f->from / 1e9, (double)f->to / 1e9,
				metric_info(METRIC_OWN_MMU_1MS + (enum metric)i)->name, is,
				1 - (double)worst / (double)width);
	}
}

static void check(const struct evl_log *log, const struct figures *f)
{
	uint64_t n = 0, ns = 0, longest = 0, own = 0, long_ns = 0, touching = 0, in_range = 0;
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			bool sampled = is_sampled(log, gc);
			uint64_t here = sub_or_0(min_u64(gc_end(gc), f->to), max_u64(gc_requested(gc), f->from));
			in_range += sampled ? here : 0;
			touching += sampled && (here > 0 || (gc->start >= f->from && gc->start < f->until));
			if (gc->start < f->from || gc->start >= f->until)
				continue;
			n += sampled;
			ns += sampled ? gc_pause(gc) : 0;
			long_ns += !sampled && gc_pause(gc) >= LONG_PAUSE_NS ? gc_pause(gc) : 0;
			*(sampled ? &longest : &own) = max_u64(*(sampled ? &longest : &own), gc_pause(gc));
		}
	assert_int_equal(f->census.n, n);
	assert_int_equal(f->census.pause_ns, ns);
	assert_int_equal(f->census.longest, longest);
	assert_int_equal(f->census.touching, touching);
	assert_int_equal(f->census.range_ns, in_range);
	if (touching == 0) {
		assert_true(isnan(f->values[METRIC_OWN_MMU_1MS]));
		return;
	}
	check_mmu(log, f);
	assert_int_equal(f->census.own_longest, own);
	assert_int_equal(f->long_ns - f->census.long_ns, long_ns);
	for (size_t i = 0; i < f->n_longest; i++)
		assert_int_equal(f->longest_census[i], is_sampled(log, &f->longest[i]));
	for (int i = 0; i < MMU_WINDOWS && f->whole; i++) {
		const struct mmu *m = &f->census.mmu[i];
		if (isnan(m->share))
			continue;
		double share = 1 - (double)paused(log, m->at, m->window) / (double)m->window;
		assert_true(fabs(share - m->share) < 1e-9);
		assert_true(m->share >= f->mmu[i].share);
	}
}

static size_t with, cut;

/* Ranges that start within a pause, end in it, or lie in it. */
static void check_cut(const struct evl_log *log, const struct gc_row *gc, uint64_t length)
{
	uint64_t middle = gc_requested(gc) + gc_pause(gc) / 2;
	const struct figures_ask asks[] = {{.from = middle, .to = middle + length},
		{.from = sub_or_0(middle, length), .to = middle}, {.from = middle - gc_pause(gc) / 4, .to = middle}};
	for (size_t k = 0; k < countof(asks) && gc_pause(gc) >= 4; k++) {
		struct figures f;
		assert_int_equal(figures_make(&f, log, &asks[k]), 0);
		check(log, &f);
		cut += f.census.touching > f.census.n || f.census.range_ns < f.census.pause_ns;
		figures_free(&f);
	}
}

static void check_log(const struct evl_log *log, UNUSED const char *name)
{
	struct figures f;
	uint64_t first, last;
	if (!evl_range(log, &first, &last) || !census_count(&log->census))
		return;
	const struct figures_ask asks[] = {
		{.to = UINT64_MAX}, {.from = first + (last - first) / 4, .to = first + (last - first) / 2}};
	for (size_t k = 0; k < countof(asks); k++) {
		assert_int_equal(figures_make(&f, log, &asks[k]), 0);
		check(log, &f);
		with += f.census.n > 0;
		figures_free(&f);
	}
	for (size_t i = 0; i < census_count(&log->census); i += 1 + census_count(&log->census) / 4) {
		const struct gc_row *gc = gcs_at(&log->gcs, census_at(&log->census, i)->t);
		if (gc)
			check_cut(log, gc, (last - first) / 20);
	}
}

static void as_every_collection_tells(void **state)
{
	(void)state;
	each_log_of((char *[]){NULL}, check_log);
	assert_true(with > 3 && cut > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_every_collection_tells)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
