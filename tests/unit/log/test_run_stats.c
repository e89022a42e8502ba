/* Where the time went; quantiles of pauses. */
#include "logs.h"

/* Two capabilities: runs overlap, a sequential GC with its sync, and time in which all are idle. */
static void time_is_split(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, 3);
	put_gc(&b, 250, 300, 400, 0);
	put_run(&b, 600, 1);
	put_stop(&b, 700, 1, 5);
	block_end(&b, 1000);
	block_begin(&b, 1, 0);
	put_run(&b, 150, 2);
	put_stop(&b, 275, 2, 3); /* 25 of it are sync */
	put(&b, 1000, EVL_USER_MSG, "s", "end");
	block_end(&b, 1000);
	struct evl_log *log = walked(&b);
	struct time_split t;
	assert_int_equal(run_stats_time(&log->blocks, log->tiles, &log->gcs, 0, 1000, NULL, &t), 0);
	assert_int_equal(t.total, 1000);
	assert_int_equal(t.gc, 100);
	assert_int_equal(t.sync, 50);
	assert_int_equal(t.mutator, 150 + 100); /* [100, 250) and [600, 700) */
	assert_int_equal(t.idle, 1000 - 100 - 50 - 250);
	assert_int_equal(t.run, 100 + 100 + 125);
	assert_int_equal(
		run_stats_time(&log->blocks, log->tiles, &log->gcs, 350, 650, NULL, &t), 0); /* cut on both sides */
	assert_int_equal(t.gc, 50);
	assert_int_equal(t.mutator, 50);
	assert_int_equal(t.idle, 200);
	done(log, &b);
}

static void a_thread_that_never_stops(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 100, 1);
	put(&b, 500, EVL_USER_MSG, "s", "the program was killed here");
	block_end(&b, 500);
	struct evl_log *log = walked(&b);
	assert_int_equal(log->run_stats.time.mutator, 400);
	assert_true(evl_unfinished(log));
	done(log, &b);
}

/* A GC that takes no time, and one after it that says it was before everything: whatever the order of what a log says,
 * the parts add up to the whole. */
static void times_that_go_back(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 100, 1);
	put_stop(&b, 110, 1, 3);
	put_gc(&b, 0, 115, 115, 0);
	put_gc(&b, 119, 125, 125, 0);
	put_gc(&b, 0, 0, 50, 0);
	put_run(&b, 140, 1);
	put_stop(&b, 150, 1, 5);
	block_end(&b, 200);
	struct evl_log *log = walked(&b);
	struct time_split some;
	assert_int_equal(run_stats_time(&log->blocks, log->tiles, &log->gcs, 0, 200, NULL, &some), 0);
	const struct time_split *splits[] = {&log->run_stats.time, &some};
	for (size_t i = 0; i < countof(splits); i++) {
		const struct time_split *t = splits[i];
		assert_true(t->gc <= t->total && t->sync <= t->total && t->idle <= t->total && t->mutator <= t->total);
		assert_int_equal(t->gc + t->sync + t->idle + t->mutator, t->total);
	}
	done(log, &b);
}

static void quantiles(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	for (unsigned i = 0; i < 100; i++)
		put_gc(&b, 0, i * 1000 + 10, i * 1000 + 10 + (i * 37 % 100 + 1), 0); /* 1 … 100 ns in some order */
	block_end(&b, 200000);
	struct evl_log *log = walked(&b);
	const struct pause_stats *p = &log->run_stats.pauses;
	assert_int_equal(p->n, 100);
	assert_int_equal(p->p50, 50);
	assert_int_equal(p->p90, 90);
	assert_int_equal(p->p99, 99);
	assert_int_equal(p->max, 100);
	assert_int_equal(p->total, 5050);
	done(log, &b);
}

static void nothing_at_all(void **state)
{
	(void)state;
	struct built b = log_begin();
	log_end(&b);
	struct evl_log *log = walked(&b);
	uint64_t first, last;
	assert_false(evl_range(log, &first, &last));
	assert_int_equal(log->run_stats.time.total, 0);
	assert_false(evl_unfinished(log));
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_is_split),
		cmocka_unit_test(a_thread_that_never_stops),
		cmocka_unit_test(times_that_go_back),
		cmocka_unit_test(quantiles),
		cmocka_unit_test(nothing_at_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
