/* Colours of threads: by their order of run times in the whole run, found by slow code. */
#include "logs.h"
#include "threads/thread_tints.h"

enum { MOST = 2000 };

static uint64_t ran[MOST + 1];

static bool ran_more(uint32_t a, uint32_t b) { return ran[a] != ran[b] ? ran[a] > ran[b] : a < b; }

/* A log whose threads 1 to n ran for ran[id] ns each, in two runs; 0: not at all. */
static struct evl_log *log_of(struct built *b, uint32_t n)
{
	uint64_t t = 100;
	*b = log_begin();
	block_begin(b, 0, t);
	for (int run = 0; run < 2; run++)
		for (uint32_t id = 1; id <= n; id++) {
			uint64_t ns = run ? ran[id] - ran[id] / 3 : ran[id] / 3;
			if (run == 0)
				put(b, t, EVL_CREATE_THREAD, "4", id);
			if (ns == 0)
				continue;
			put_run(b, t, id);
			put_stop(b, t += ns, id, STOP_YIELD);
		}
	block_end(b, t);
	log_end(b);
	return walked(b);
}

static void check(uint32_t n)
{
	static struct thread_tints tints;
	struct built b;
	struct evl_log *log = log_of(&b, n);
	thread_tints_find(log, &tints);
	for (uint32_t id = 1; id <= n; id++) {
		uint32_t rank = 0;
		for (uint32_t other = 1; other <= n; other++)
			rank += ran_more(other, id);
		assert_int_equal(thread_tints_of(&tints, id), ran[id] && rank < THREAD_TINTS ? rank : id);
	}
	assert_int_equal(thread_tints_of(&tints, n + 1), n + 1);
	done(log, &b);
}

static void the_order_of_run_times(void **state)
{
	static const uint32_t sizes[] = {0, 1, 40, 511, 512, 513, 1024, 1025, MOST};
	(void)state;
	for (size_t i = 0; i < countof(sizes); i++) {
		for (uint32_t id = 1; id <= MOST; id++) /* many are equal, some did not run */
			ran[id] = (id * 2654435761u >> 16) % (i % 2 ? 90 : 100000) * (id % 7 != 0);
		check(sizes[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_order_of_run_times)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
