/* Times in which no capability works, against a naive walk over all of them. */
#include "logs.h"

enum { MAX_CAPS = 5, MAX_WORK = 4000 };

/* Work of the capabilities: [from, to), cap by cap in time order. */
struct work {
	uint64_t from, to;
};
static struct work work[MAX_CAPS][MAX_WORK];
static unsigned n_work[MAX_CAPS];

static uint64_t seed;
static uint64_t any(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

/* Runs and collections with breaks between them, one in `rare` of up to `rest` ns, the others short. One capability in
 * two has messages in its breaks, so that these run over the ends of tiles. */
static struct built busy(unsigned caps, unsigned n, uint64_t rest, uint64_t rare)
{
	struct built b = log_begin();
	for (uint16_t cap = 0; cap < caps; cap++) {
		uint64_t t = 100 + any(1000), begin = t;
		n_work[cap] = 0;
		block_begin(&b, cap, begin);
		for (unsigned i = 0; i < n; i++) {
			uint64_t end = t + 1 + any(rare > 2 ? 50 : rest / 2), pause = any(rare) ? any(20) : any(rest);
			bool gc = any(4) == 0;
			if (gc) { /* with a request or without; its last events are 3 ns later than its end */
				bool asked = any(2);
				put_gc(&b, asked ? t : 0, asked ? t + (end - t) / 2 : t, end, 0);
				pause += 3;
			} else {
				put_run(&b, t, 7);
				put_stop(&b, end, 7, 3);
			}
			work[cap][n_work[cap]++] = (struct work){t, end};
			for (uint64_t k = 0, of = cap % 2 ? any(9) : 0; k < of; k++)
				put(&b, end + pause * k / of, EVL_USER_MSG, "s",
					"a message of some length, which says nothing at all");
			t = end + pause;
		}
		block_end(&b, t + 1);
	}
	log_end(&b);
	return b;
}

/* The first moment from t on in which all are idle; *until: its end. By sweeping over all work. */
static uint64_t naive_from(unsigned caps, uint64_t t, uint64_t last, uint64_t *until)
{
	bool moved = true;
	while (moved) {
		moved = false;
		for (unsigned c = 0; c < caps; c++)
			for (unsigned i = 0; i < n_work[c]; i++)
				if (work[c][i].from <= t && t < work[c][i].to)
					t = work[c][i].to, moved = true;
	}
	*until = last;
	for (unsigned c = 0; c < caps; c++)
		for (unsigned i = 0; i < n_work[c]; i++)
			if (work[c][i].from > t)
				*until = min_u64(*until, work[c][i].from);
	return t;
}

static enum idle_result near(const struct evl_log *log, uint64_t t, uint64_t least, bool forward, struct idle_gap *gap)
{
	return idle_near(&log->blocks, log->tiles, &log->gcs, &log->busy, t, least, forward, gap);
}

static void as_by_a_naive_walk(void **state)
{
	uint64_t all = 0;
	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		seed = round;
		unsigned caps = 1 + round % MAX_CAPS;
		uint64_t rest = 50 + any(5000), least = 1 + any(rest);
		struct built b = busy(caps, round % 4 ? 300 : 3000, rest, round % 2 ? 2 : 40);
		struct evl_log *log = walked(&b);
		uint64_t first, last, t = 0, n = 0, until, starts[MAX_WORK], ends[MAX_WORK];
		struct idle_gap gap;
		assert_true(evl_range(log, &first, &last));
		for (uint64_t at = naive_from(caps, 0, last, &until); at < last;
			at = naive_from(caps, until, last, &until))
			if (at > 0 && until - at >= least) {
				starts[n] = at;
				ends[n++] = until;
			}
		for (uint64_t i = 0; i < n; i++, t = gap.from) {
			assert_int_equal(near(log, t, least, true, &gap), IDLE_FOUND);
			assert_int_equal(gap.from, starts[i]);
			assert_int_equal(gap.to, ends[i]);
		}
		assert_int_equal(near(log, t, least, true, &gap), IDLE_NONE);
		t = last;
		for (uint64_t i = n; i-- > 0; t = gap.from) {
			assert_int_equal(near(log, t, least, false, &gap), IDLE_FOUND);
			assert_int_equal(gap.from, starts[i]);
			assert_int_equal(gap.to, ends[i]);
		}
		assert_int_equal(near(log, t, least, false, &gap), IDLE_NONE);
		done(log, &b);
		all += n;
	}
	assert_true(all > 300);
}

/* A program that rarely rests, but each of whose capabilities does: from both sides of each time, however far away it is. */
static void rarely_all_at_once(void **state)
{
	enum { N = 120000, GAPS = 2 };
	struct built b = log_begin();
	uint64_t t = 1000, starts[GAPS];
	unsigned n = 0;
	(void)state;
	for (uint16_t cap = 0; cap < 2; cap++) {
		block_begin(&b, cap, 0);
		t = 1000;
		for (unsigned i = 0; i < 2 * N; i++) { /* by turns: one of them always works, but for two times */
			if (i % N == N / 2 && cap == 0)
				starts[n++] = t;
			t += i % N == N / 2 ? 5000 : 0;
			if (i % 2 == cap) {
				put_run(&b, t, 1);
				put(&b, t, EVL_USER_MSG, "s",
					"much room is taken by this message, so that there are many tiles of it; "
					"and this text makes it longer still, since nobody reads it to its end and it "
					"may be of any length");
				put_stop(&b, t + 2000, 1, 3);
			}
			t += 2000;
		}
		block_end(&b, t + 10000);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct idle_gap gap = {0};
	assert_true(rows_count(&log->busy.gaps.pieces) > 100);
	for (uint64_t i = 0, at = 1; i < GAPS; i++, at = gap.from) {
		assert_int_equal(near(log, at, 2000, true, &gap), IDLE_FOUND);
		assert_int_equal(gap.from, starts[i]);
	}
	assert_int_equal(near(log, gap.from, 2000, true, &gap), IDLE_NONE);
	for (uint64_t i = GAPS, at = t; i-- > 0; at = gap.from) {
		assert_int_equal(near(log, at, 2000, false, &gap), IDLE_FOUND);
		assert_int_equal(gap.from, starts[i]);
	}
	assert_int_equal(near(log, gap.from, 2000, false, &gap), IDLE_NONE);
	done(log, &b);
}

/* Times of any length, small and large, from any moment: all capabilities have many tiles. */
static void from_any_moment(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 4; round++) {
		seed = 77 + round;
		unsigned caps = 2 + round, n = 0;
		struct built b = busy(caps, MAX_WORK - 1, 3000, 3);
		struct evl_log *log = walked(&b);
		uint64_t first, last, until, least;
		static struct idle_gap gaps[MAX_CAPS * MAX_WORK];
		assert_true(evl_range(log, &first, &last));
		for (uint64_t at = naive_from(caps, 0, last, &until); at < last && n < countof(gaps);
			at = naive_from(caps, until, last, &until))
			if (at > 0)
				gaps[n++] = (struct idle_gap){at, until};
		assert_true(rows_count(&log->busy.gaps.pieces) > 2);
		for (unsigned k = 0; k < 3000; k++) {
			uint64_t t = first + any(last - first + 1);
			struct idle_gap got, before = {0}, after = {0};
			least = 1 + any(k % 2 ? 3000 : 60);
			for (unsigned i = 0; i < n; i++) {
				bool is = gaps[i].to - gaps[i].from >= least;
				after = is && !after.to && gaps[i].from > t ? gaps[i] : after;
				before = is && gaps[i].from < t ? gaps[i] : before;
			}
			assert_int_equal(near(log, t, least, true, &got), after.to ? IDLE_FOUND : IDLE_NONE);
			assert_true(!after.to || (got.from == after.from && got.to == after.to));
			assert_int_equal(near(log, t, least, false, &got), before.to ? IDLE_FOUND : IDLE_NONE);
			assert_true(!before.to || (got.from == before.from && got.to == before.to));
		}
		done(log, &b);
	}
}

static void no_capabilities(void **state)
{
	struct built b = log_begin();
	struct idle_gap gap;
	(void)state;
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 5, EVL_USER_MSG, "s", "x");
	block_end(&b, 10);
	struct evl_log *log = walked(&b);
	assert_int_equal(near(log, 0, 1, true, &gap), IDLE_NONE);
	assert_int_equal(near(log, 10, 1, false, &gap), IDLE_NONE);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_by_a_naive_walk),
		cmocka_unit_test(rarely_all_at_once),
		cmocka_unit_test(from_any_moment),
		cmocka_unit_test(no_capabilities),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
