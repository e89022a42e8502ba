/* How long sparks were evaluated: threads that take spark after spark, stop in between, finish, and move away. */
#include "logs.h"
#include "sched/spark_sizes.h"

static struct spark_sizes sizes_of(const struct evl_log *log, uint64_t from, uint64_t to)
{
	struct spark_sizes s;
	assert_int_equal(
		spark_sizes_make(&s, &log->blocks, log->cap_chains, log->n_caps, from, to, &(struct progress){0}), 0);
	return s;
}

static struct evl_log *sample(struct built *b)
{
	*b = log_begin();
	block_begin(b, 0, 1000);
	put_run(b, 1000, 7);
	put(b, 2000, EVL_SPARK_RUN, "");
	put(b, 2500, EVL_SPARK_RUN, ""); /* 500 ns */
	put_stop(b, 6000, 7, 1);         /* for a collection */
	put_run(b, 90000, 7);
	put(b, 91000, EVL_SPARK_STEAL, "2", 1u); /* 3,500 + 1,000 ns */
	put_stop(b, 101000, 7, 8);               /* blocked */
	put_run(b, 150000, 9);
	put(b, 150000, EVL_SPARK_RUN, "");
	put_stop(b, 2150000, 9, 5); /* finished: 2 ms */
	put_run(b, 2200000, 7);
	put_stop(b, 2300000, 7, 5);         /* 10,000 + 100,000 ns */
	put(b, 2400000, EVL_SPARK_RUN, ""); /* of no thread */
	block_end(b, 2400000);
	block_begin(b, 1, 1000);
	put_run(b, 1000, 20);
	put(b, 3000, EVL_SPARK_RUN, "");
	put_stop(b, 4000, 20, 3);
	put(b, 4100, EVL_MIGRATE_THREAD, "42", 20u, 0u); /* its end is not known */
	put_run(b, 5000, 21);
	put(b, 6000, EVL_SPARK_RUN, ""); /* nor is this one's */
	block_end(b, 6000);
	log_end(b);
	return walked(b);
}

static void sizes_are_the_time_that_the_thread_ran(void **state)
{
	(void)state;
	struct built b;
	struct evl_log *log = sample(&b);
	struct spark_sizes s = sizes_of(log, 0, UINT64_MAX);
	static const uint64_t classes[SPARK_SIZE_CLASSES] = {1, 1, 0, 1, 1, 0, 0};
	assert_int_equal(s.n, 4);
	assert_int_equal(s.total_ns, 500 + 4500 + 110000 + 2000000);
	assert_int_equal(s.longest, 2000000);
	assert_int_equal(s.longest_at, 150000);
	assert_int_equal(s.open, 3);
	assert_memory_equal(s.classes, classes, sizeof classes);
	assert_in_range(s.median, 4450, 4550);
	done(log, &b);
}

static void a_spark_counts_where_it_starts(void **state)
{
	(void)state;
	struct built b;
	struct evl_log *log = sample(&b);
	struct spark_sizes s = sizes_of(log, 2100, 91000);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.total_ns, 4500);
	assert_int_equal(s.open, 2);
	s = sizes_of(log, 2400000, UINT64_MAX);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.median, 0);
	done(log, &b);
}

/* Many threads with a spark each at once, closed in another order. */
static void many_are_open_at_once(void **state)
{
	(void)state;
	enum { THREADS = 5000 };
	struct built b = log_begin();
	uint64_t t = 1000;
	block_begin(&b, 0, t);
	for (unsigned i = 1; i <= THREADS; i++, t += 100) {
		put_run(&b, t, i);
		put(&b, t + 10, EVL_SPARK_RUN, "");
		put_stop(&b, t + 30, i, 8);
	}
	for (unsigned i = 1; i <= THREADS; i++, t += 100) {
		unsigned thread = 1 + i * 7 % THREADS;
		put_run(&b, t, thread);
		put_stop(&b, t + thread, thread, 5);
		t += thread;
	}
	block_end(&b, t);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct spark_sizes s = sizes_of(log, 0, UINT64_MAX);
	assert_int_equal(s.n, THREADS);
	assert_int_equal(s.total_ns, 20 * THREADS + (uint64_t)THREADS * (THREADS + 1) / 2);
	assert_int_equal(s.longest, 20 + THREADS);
	assert_int_equal(s.open, 0);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_the_time_that_the_thread_ran),
		cmocka_unit_test(a_spark_counts_where_it_starts),
		cmocka_unit_test(many_are_open_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
