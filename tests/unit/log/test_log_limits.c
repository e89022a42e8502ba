/* Counts at the edges of what a log can hold. */
#include "logs.h"

static void every_generation_has_its_count(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	for (unsigned gen = 0; gen < 40; gen++)
		for (unsigned i = 0; i <= gen; i++)
			put(&b, 10 * gen + 2, EVL_GC_STATS_GHC, "428884888", 0u, gen, (uint64_t)1, (uint64_t)2,
				(uint64_t)3, 1u, (uint64_t)4, (uint64_t)5, (uint64_t)6);
	block_end(&b, 1000);
	struct evl_log *log = walked(&b);
	for (unsigned gen = 0; gen < 40; gen++)
		assert_int_equal(log->event_counts.generations.n[gen], gen + 1);
	done(log, &b);
}

static void sums_stop_at_their_most(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 1);
	put(&b, 2, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
	for (int i = 0; i < 3; i++)
		put(&b, 2, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)INT64_MAX, "band", 0u);
	put(&b, 2, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	block_end(&b, 9);
	struct evl_log *log = walked(&b);
	assert_true(log->event_counts.heap.largest.bytes == UINT64_MAX);
	done(log, &b);
}

/* The largest number of capabilities, with blocks of no capability before and after them: each has events. */
static void the_last_capability_is_one(void **state)
{
	(void)state;
	struct built b = log_begin();
	for (unsigned cap = 0; cap <= MAX_CAP; cap++) {
		block_begin(&b, (uint16_t)cap, 10 * cap);
		put_run(&b, 10 * cap + 1, cap + 1);
		block_end(&b, 10 * cap + 2);
	}
	block_begin(&b, EVL_NO_CAP, 10 * MAX_CAP + 20);
	block_end(&b, 10 * MAX_CAP + 30);
	struct evl_log *log = walked(&b);
	assert_int_equal(log->blocks.n_chains, MAX_CHAINS);
	assert_int_not_equal(log->blocks.chain_of[MAX_CAP], 0);
	assert_int_equal(log->blocks.chains[log->blocks.chain_of[MAX_CAP] - 1].cap, MAX_CAP);
	done(log, &b);
}

/* However many blocks share a row, each is found by its offset, and nothing between them is. */
static void tiny_blocks_are_found_by_offset(void **state)
{
	(void)state;
	struct built b = log_begin();
	for (unsigned i = 0; i < 5000; i++) {
		block_begin(&b, 0, i);
		block_end(&b, i + 1);
	}
	struct evl_log *log = walked(&b);
	struct block block, found;
	size_t n = 0;
	for (bool more = blocks_first(&log->blocks, &block); more; more = blocks_next(&log->blocks, &block), n++) {
		assert_true(blocks_starting_at(&log->blocks, block.off, &found));
		assert_int_equal(found.off, block.off);
		assert_int_equal(found.t, block.t);
		assert_false(blocks_starting_at(&log->blocks, block.off + 1, &found));
	}
	assert_int_equal(n, 5000);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_generation_has_its_count),
		cmocka_unit_test(sums_stop_at_their_most),
		cmocka_unit_test(the_last_capability_is_one),
		cmocka_unit_test(tiny_blocks_are_found_by_offset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
