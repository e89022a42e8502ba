/* Collections: one row each, sums of ranges, the way from one to the next. */
#include "each_log.h"
#include "query/gc_detail.h"

/* n collections on two capabilities in turn, of 1 … n µs; every tenth is major. */
static struct built many(unsigned n)
{
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 0, EVL_HEAP_INFO_GHC, "428888", 0u, 2u, (uint64_t)0, (uint64_t)1, (uint64_t)2, (uint64_t)3);
	block_end(&b, 1);
	for (uint16_t cap = 0; cap < 2; cap++) {
		block_begin(&b, cap, 0);
		for (unsigned i = cap; i < n; i += 2)
			put_gc(&b, i * 1000000 + 500, i * 1000000 + 600, i * 1000000 + 600 + (i + 1) * 1000 % 700000,
				i % 10 == 9);
		block_end(&b, n * 1000000ull);
	}
	log_end(&b);
	return b;
}

static void one_row_each(void **state)
{
	(void)state;
	struct built b = many(1000);
	struct evl_log *log = walked(&b);
	struct gc_sum sum;
	gcs_sum(&log->gcs, 0, UINT64_MAX, &sum);
	assert_int_equal(sum.n, 1000);
	assert_true(sum.major && sum.minor);
	assert_int_equal(log->run_stats.pauses.n, 1000);
	assert_int_equal(log->run_stats.pauses.n_major, 100);
	const struct gc_row *r = gcs_after(&log->gcs, 0, GC_ALL);
	assert_int_equal(r->start, 600);
	assert_int_equal(r->sync, 100);
	assert_int_equal(gc_pause(r), 1100);
	assert_int_equal(r->parallel, 0); /* requested so, but one thread collected */
	done(log, &b);
}

/* By their statistics, whatever was requested; and the sums count the rows. */
static void parallel_by_statistics(const struct evl_log *log, UNUSED const char *name)
{
	uint64_t rows = 0, sums = 0;
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *r = rows_at(&log->gcs.tables[c].rows, i);
			struct gc_stats stats;
			bool told = r->off && gc_stats(log, r, &stats);
			if (told)
				assert_int_equal(r->parallel, stats.par_threads > 1);
			rows += told && r->parallel;
		}
	for (size_t i = 0; i < GC_GENS; i++)
		sums += log->gcs.sums.gens[i].par;
	assert_int_equal(rows, sums);
}

static void parallel_on_all_logs(void **state)
{
	char *none = NULL;
	(void)state;
	each_log_of(&none, parallel_by_statistics);
}

static void parallel_is_what_collected(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	for (unsigned i = 1; i <= 4; i++)
		put_gc_by(&b, i * 1000 + 10, i * 1000 + 20, i * 1000 + 50, 0, i);
	block_end(&b, 9000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	for (unsigned i = 1; i <= 4; i++) {
		const struct gc_row *r = gcs_after(&log->gcs, i * 1000, GC_ALL);
		assert_int_equal(r->start, i * 1000 + 20);
		assert_int_equal(r->parallel, i > 1);
	}
	assert_int_equal(log->gcs.sums.gens[0].par, 3);
	done(log, &b);
}

/* The same sums by brute force, for ranges of all sizes. */
static void sums_of_ranges(void **state)
{
	(void)state;
	struct built b = many(2000);
	struct evl_log *log = walked(&b);
	for (uint64_t t0 = 0; t0 < 2000000000; t0 += 37123457) {
		for (uint64_t width = 1; width < 2000000000; width = width * 5 + 1) {
			struct gc_sum sum, want = {0};
			size_t n = 0;
			gcs_sum(&log->gcs, t0, t0 + width, &sum);
			for (size_t c = 0; c < log->gcs.n; c++)
				for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
					const struct gc_row *r = rows_at(&log->gcs.tables[c].rows, i);
					want.n += r->start >= t0 && r->start < t0 + width;
					if (gc_end(r) <= t0 || gc_requested(r) >= t0 + width)
						continue;
					n++;
					bool major = gc_is_major(&log->gcs, r);
					*(major ? &want.major_ns : &want.minor_ns) +=
						sub_or_0(min_u64(gc_end(r), t0 + width), max_u64(r->start, t0));
					*(major ? &want.major : &want.minor) = true;
					want.longest = max_u64(want.longest, gc_pause(r));
				}
			assert_int_equal(sum.n, want.n);
			uint64_t from = t0, to = t0 + width;
			assert_int_equal(gcs_widen(&log->gcs, &from, &to), n);
			assert_int_equal(sum.longest, want.longest);
			assert_int_equal(sum.minor_ns, want.minor_ns);
			assert_int_equal(sum.major_ns, want.major_ns);
			assert_true(sum.major == want.major && sum.minor == want.minor);
		}
	}
	done(log, &b);
}

static void from_one_to_the_next(void **state)
{
	(void)state;
	struct built b = many(500);
	struct evl_log *log = walked(&b);
	const struct gc_row *r;
	uint64_t t = 0;
	unsigned n = 0;
	for (; (r = gcs_after(&log->gcs, t, GC_ALL)); t = r->start, n++)
		assert_int_equal(r->start, n * 1000000 + 600);
	assert_int_equal(n, 500);
	for (; (r = gcs_before(&log->gcs, t, GC_ALL)); t = r->start, n--)
		assert_true(r->start < t);
	assert_int_equal(n, 1);
	for (n = 0, t = 0; (r = gcs_after(&log->gcs, t, GC_MAJOR)); t = r->start, n++)
		assert_int_equal(r->start, (n * 10 + 9) * 1000000 + 600);
	assert_int_equal(n, 50);
	for (; (r = gcs_before(&log->gcs, t, GC_MAJOR)); t = r->start)
		n--;
	assert_int_equal(n, 1);
	done(log, &b);
}

/* By length, longest first; equally long ones by time. */
static void longest_first(void **state)
{
	(void)state;
	struct built b = many(300);
	struct evl_log *log = walked(&b);
	const struct gc_row *r = NULL, *last = NULL, *ranking[400];
	unsigned n = 0;
	for (size_t most = 0; most <= countof(ranking); most += 57) {
		size_t found = gcs_ranking(&log->gcs, 0, 300000000, ranking, most);
		assert_int_equal(found, min_u64(most, 300));
		r = NULL;
		for (size_t i = 0; i < found; i++)
			assert_ptr_equal(ranking[i], r = gcs_longest(&log->gcs, 0, 300000000, r));
	}
	for (r = NULL; (r = gcs_longest(&log->gcs, 0, 300000000, r));) {
		if (last)
			assert_true(gc_pause(last) > gc_pause(r)
				|| (gc_pause(last) == gc_pause(r) && last->start < r->start));
		last = r;
		n++;
	}
	assert_int_equal(n, 300);
	assert_null(gcs_longest(&log->gcs, 700, 800, NULL));
	done(log, &b);
}

static void at_a_moment(void **state)
{
	(void)state;
	struct built b = many(10);
	struct evl_log *log = walked(&b);
	assert_null(gcs_at(&log->gcs, 499));
	assert_non_null(gcs_at(&log->gcs, 500)); /* from the request on */
	assert_non_null(gcs_at(&log->gcs, 1599));
	assert_null(gcs_at(&log->gcs, 1600));
	done(log, &b);
}

/* Without HEAP_INFO two generations are assumed; with one generation all collections are major. */
static void generations(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_gc(&b, 0, 100, 200, 0);
	put_gc(&b, 0, 300, 400, 1);
	block_end(&b, 500);
	struct evl_log *log = walked(&b);
	assert_int_equal(gcs_after(&log->gcs, 0, GC_MAJOR)->start, 300);
	done(log, &b);
	b = log_begin();
	block_begin(&b, 0, 0);
	put(&b, 0, EVL_HEAP_INFO_GHC, "428888", 0u, 1u, (uint64_t)0, (uint64_t)1, (uint64_t)2, (uint64_t)3);
	put_gc(&b, 0, 100, 200, 0);
	block_end(&b, 500);
	log = walked(&b);
	assert_int_equal(gcs_after(&log->gcs, 0, GC_MAJOR)->start, 100);
	done(log, &b);
}

/* The statistics in one block, the end in the next. */
static void cut_by_a_block(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put(&b, 100, EVL_GC_START, "");
	put(&b, 200, EVL_GC_STATS_GHC, "428884888", 0u, 1u, (uint64_t)1, (uint64_t)2, (uint64_t)3, 1u, (uint64_t)4,
		(uint64_t)5, (uint64_t)6);
	block_end(&b, 200);
	block_begin(&b, 0, 201);
	put(&b, 199, EVL_GC_END, ""); /* earlier than its block */
	block_end(&b, 300);
	struct evl_log *log = walked(&b);
	const struct gc_row *r = gcs_after(&log->gcs, 0, GC_ALL);
	assert_non_null(r);
	assert_int_equal(r->elapsed, 99);
	assert_int_equal(log->damage.n, 0);
	done(log, &b);
}

/* Parallel: the other capability starts and ends its share, but the pause is the leader's. */
static void the_leader_counts(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_gc(&b, 90, 100, 200, 0);
	block_end(&b, 300);
	block_begin(&b, 1, 0);
	put(&b, 80, EVL_GC_START, "");
	put(&b, 220, EVL_GC_END, "");
	block_end(&b, 300);
	struct evl_log *log = walked(&b);
	struct gc_sum sum;
	gcs_sum(&log->gcs, 0, 1000, &sum);
	assert_int_equal(sum.n, 1);
	assert_int_equal(sum.longest, 110);
	done(log, &b);
}

/* Cap 0 requests at 100 and starts at 200. Cap 1 runs thread 2 until 150 and arrives at 160, cap 2 runs thread 3 until
 * 170 and takes no part, cap 3 stopped before; cap 4 has run nothing. */
/* A clock that is set back: what is looked for is found all the same. */
static void a_clock_that_goes_back(void **state)
{
	struct built b = log_begin();
	(void)state;
	block_begin(&b, 0, 0);
	put_gc(&b, 150, 170, 200, 0);
	put_gc(&b, 5, 13, 220, 1);
	put_gc(&b, 300, 310, 320, 0);
	block_end(&b, 400);
	log_end(&b);
	struct evl_log *log = walked(&b);
	const struct gc_row *first = gcs_after(&log->gcs, 20, GC_ALL), *last = gcs_after(&log->gcs, 170, GC_ALL);
	assert_true(first && last);
	assert_int_equal(first->start, 170);
	assert_int_equal(last->start, 310);
	const struct gc_row *back = rows_at(&log->gcs.tables[0].rows, 1);
	assert_int_equal(back->start, 170);
	assert_int_equal(gc_end(back), 220);
	done(log, &b);
}

static void the_last_to_stop(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 10);
	put_run(&b, 20, 1);
	put_stop(&b, 90, 1, 3);
	put_gc(&b, 100, 200, 400, 1);
	put_gc(&b, 500, 520, 530, 0);
	put_gc(&b, 0, 600, 610, 0);
	block_end(&b, 1000);
	static const struct {
		unsigned thread;
		uint64_t stop, arrives;
	} caps[] = {{2, 150, 160}, {3, 170, 0}, {4, 99, 0}};
	for (unsigned cap = 0; cap < countof(caps); cap++) {
		block_begin(&b, (uint16_t)(cap + 1), 10);
		put_run(&b, 30, caps[cap].thread);
		put_stop(&b, caps[cap].stop, caps[cap].thread, 3);
		if (caps[cap].arrives) {
			put(&b, caps[cap].arrives, EVL_GC_START, "");
			put(&b, 420, EVL_GC_END, "");
		}
		block_end(&b, 1000);
	}
	block_begin(&b, 4, 10);
	block_end(&b, 1000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	const struct gc_row *gc = gcs_after(&log->gcs, 0, GC_ALL);
	struct gc_stats stats;
	struct gc_late late;
	gc_late(log, gc, &late);
	assert_true(late.by_thread);
	assert_int_equal(late.run.cap, 2);
	assert_int_equal(late.run.thread, 3);
	assert_int_equal(late.run.late, 70);
	assert_int_equal(late.rest, gc->sync - 70);
	assert_true(gc_stats(log, gc, &stats));
	assert_int_equal(stats.copied, 1);
	assert_int_equal(stats.slop, 2);
	assert_int_equal(stats.par_threads, 1);
	assert_int_equal(stats.par_max_copied, 4);
	assert_int_equal(stats.par_copied, 5);
	for (int i = 0; i < 2; i++) { /* no thread delayed the second; the third was not requested */
		gc = gcs_after(&log->gcs, gc->start, GC_ALL);
		gc_late(log, gc, &late);
		assert_false(late.by_thread);
		assert_int_equal(late.run.late, 0);
	}
	struct gc_row none = {.start = 200, .off = 0};
	assert_false(gc_stats(log, &none, &stats));
	none.off = (b.len + 5) & 0xffffffff;
	assert_false(gc_stats(log, &none, &stats));
	none.off = 3; /* not an event */
	assert_false(gc_stats(log, &none, &stats));
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_row_each),
		cmocka_unit_test(parallel_on_all_logs),
		cmocka_unit_test(parallel_is_what_collected),
		cmocka_unit_test(sums_of_ranges),
		cmocka_unit_test(from_one_to_the_next),
		cmocka_unit_test(longest_first),
		cmocka_unit_test(at_a_moment),
		cmocka_unit_test(generations),
		cmocka_unit_test(cut_by_a_block),
		cmocka_unit_test(the_leader_counts),
		cmocka_unit_test(a_clock_that_goes_back),
		cmocka_unit_test(the_last_to_stop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
