/* Gaps between the blocks of a capability, against a look at each of its blocks. */
#include "logs.h"
#include "sched/log_gaps.h"

/* Blocks of a few capabilities, with pauses around the limit between them, and a thread that runs now and then. */
static struct built paused(uint64_t seed, unsigned caps, unsigned n)
{
	struct built b = log_begin();
	uint64_t t[8] = {0};
	for (unsigned i = 0; i < n; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		unsigned cap = (unsigned)(seed >> 33) % caps, runs = (unsigned)(seed >> 40) % 50;
		uint64_t end = t[cap] + 100 * (runs + 1);
		block_begin(&b, (uint16_t)cap, t[cap]);
		for (unsigned k = 0; k < runs; k++)
			put_run(&b, t[cap] + 100 * k + 1, cap + 1);
		block_end(&b, end);
		t[cap] = end + (GAPS_LEAST_NS - 2) * ((seed >> 50) % 3) + (seed >> 60) % 4;
	}
	log_end(&b);
	return b;
}

static void all_gaps(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 8; seed++) {
		struct built b = paused(seed, 1 + (unsigned)seed, 20000);
		struct evl_log *log = walked(&b);
		size_t found = 0;
		for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
			struct block block = log->blocks.chains[c].first;
			const struct series *s = atomic_load(&log->gaps.chains[c]);
			size_t n = 0;
			for (uint64_t end = block.end_t; blocks_next_of(&log->blocks, &block); end = block.end_t) {
				if (block.t < end + GAPS_LEAST_NS)
					continue;
				assert_true(s && n < rows_count(&s->rows));
				assert_int_equal(series_row(s, n)->t, end);
				assert_int_equal(series_row(s, n++)->value, block.t - end);
			}
			assert_int_equal(s ? rows_count(&s->rows) : 0, n);
			found += n;
		}
		assert_true(found > 100);
		done(log, &b);
	}
}

/* Events outside of blocks are of no flush, so there is no gap around them. */
static void none_around_strays(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 10);
	block_end(&b, 20);
	for (unsigned i = 0; i < 10; i++)
		put(&b, 5 * GAPS_LEAST_NS + i, EVL_USER_MSG, "s", "outside");
	block_begin(&b, EVL_NO_CAP, 10 * GAPS_LEAST_NS);
	block_end(&b, 11 * GAPS_LEAST_NS);
	block_begin(&b, EVL_NO_CAP, 13 * GAPS_LEAST_NS);
	block_end(&b, 13 * GAPS_LEAST_NS);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct gap gap;
	assert_true(log_gaps_after(&log->gaps, 0, &gap));
	assert_int_equal(gap.from, 11 * GAPS_LEAST_NS);
	assert_int_equal(gap.to, 13 * GAPS_LEAST_NS);
	assert_false(log_gaps_after(&log->gaps, gap.from, &gap));
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_gaps),
		cmocka_unit_test(none_around_strays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
