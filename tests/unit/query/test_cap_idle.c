/* The longest idle time of a capability, and how long no thread could run, against a look at every single nanosecond. */
#include "cap_events.h"
#include "query/thread_waits.h"

static uint64_t seed;
static uint64_t any(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

/* Two capabilities run a thread each, with breaks in which it is blocked or could run; the first also collects. */
static struct built random_log(unsigned n)
{
	struct built b = log_begin();
	for (uint16_t cap = 0; cap < 2; cap++) {
		unsigned thread = 5u + cap;
		uint64_t t = 10 + any(40);
		block_begin(&b, cap, t);
		put(&b, t, EVL_CREATE_THREAD, "4", thread);
		for (unsigned i = 0; i < n; i++) {
			put_run(&b, t += any(30), thread);
			put_stop(&b, t += 1 + any(30), thread, any(2) ? 7 : 3);
			if (cap == 0 && any(3) == 0) {
				uint64_t request = t + any(20), start = request + any(10), end = start + 1 + any(20);
				put_gc(&b, request, start, end, (unsigned)any(2));
				t = end + 3;
			}
			if (any(2))
				put(&b, t += any(60), EVL_THREAD_WAKEUP, "42", thread, (unsigned)cap);
		}
		block_end(&b, t + 1);
	}
	if (any(3)) { /* setNumCapabilities */
		uint64_t t = any(60);
		block_begin(&b, EVL_NO_CAP, t);
		if (any(2))
			put(&b, t, EVL_CAP_CREATE, "2", 1u);
		for (unsigned i = 0; i < n / 2; i++) {
			uint64_t cap = any(4) == 0;
			put(&b, t += any(80), EVL_CAP_DISABLE, "2", (unsigned)cap);
			put(&b, t += any(80), EVL_CAP_ENABLE, "2", (unsigned)cap);
		}
		block_end(&b, t + 1);
	}
	log_end(&b);
	return b;
}

/* By the events CAP_* up to t, in the order in which they were written; without a CAP_CREATE, it exists from the start. */
static bool can_run(const struct evl_log *log, uint16_t cap, uint64_t t)
{
	struct cap_events e = {.log = log, .cap = cap};
	bool can = true, first = true;
	for (struct frame f; cap_events_next(&e, &f); first = false) {
		if (first && f.tag == EVL_CAP_CREATE)
			can = false;
		if (f.t <= t)
			can = f.tag == EVL_CAP_CREATE || f.tag == EVL_CAP_ENABLE;
	}
	return can;
}

static bool is_idle(const struct evl_log *log, uint32_t chain, uint64_t t)
{
	struct cap_moment now;
	caps_at(&log->blocks, &log->tiles[chain], chain, t, &now);
	return now.known && now.state == CAP_IDLE && t >= log->blocks.chains[chain].first.t
		&& t < log->tiles[chain].last_t && !gcs_at(&log->gcs, t)
		&& can_run(log, log->blocks.chains[chain].cap, t);
}

static struct idle_gap by_each_ns(const struct evl_log *log, uint32_t chain, uint64_t from, uint64_t to)
{
	struct idle_gap best = {from, from};
	for (uint64_t t = from, since = from; t <= to; t++) {
		if (t < to && is_idle(log, chain, t))
			continue;
		if (t - since > best.to - best.from)
			best = (struct idle_gap){since, t};
		since = t + 1;
	}
	return best;
}

static void the_longest_is_found(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		seed = round;
		struct built b = random_log(round < 38 ? 2 + round % 20 : 400); /* the last of several tiles */
		struct evl_log *log = walked(&b);
		uint64_t first, last;
		assert_true(evl_range(log, &first, &last));
		for (unsigned i = 0; i < 6; i++) {
			uint64_t from = i ? first + any(last - first) : 0,
				 to = i ? from + any(last - from + 20) : UINT64_MAX;
			for (size_t cap = 0; cap < log->n_caps; cap++) {
				struct idle_gap got,
					want = by_each_ns(log, log->cap_chains[cap], from, min_u64(to, last + 2));
				assert_int_equal(idle_longest(&got, &log->blocks, log->tiles, &log->gcs, &log->cap_life,
							 log->cap_chains[cap], from, to, NULL),
					0);
				assert_int_equal(got.to - got.from, want.to - want.from);
				if (want.to > want.from)
					assert_int_equal(got.from, want.from);
			}
		}
		done(log, &b);
	}
}

/* While a capability is idle and a thread could run, this thread waits for a capability; so the time of all such waits is no
 * less than that of the idle capability in which a thread could run. */
static void waits_bound_the_time_with_runnable_threads(void **state)
{
	unsigned met = 0;
	(void)state;
	for (unsigned round = 0; round < 12; round++) {
		seed = 100 + round;
		struct built b = random_log(4 + round % 4);
		struct evl_log *log = walked(&b);
		struct waits w;
		uint64_t first, last;
		assert_true(evl_range(log, &first, &last));
		assert_int_equal(thread_waits_run(&w, log, 0, UINT64_MAX, UINT64_MAX, NULL, NULL, NULL), 0);
		for (size_t cap = 0; cap < log->n_caps; cap++) {
			uint64_t ready = 0;
			for (uint64_t t = first; t < last; t++) {
				struct idle_why why;
				if (!is_idle(log, log->cap_chains[cap], t))
					continue;
				assert_int_equal(idle_why_at(&why, log, t, NULL), 0);
				ready += why.runnable > 0;
			}
			met += ready > 0;
			assert_true(ready <= w.runnable_ns - w.runnable_gc_ns);
		}
		thread_waits_free(&w);
		done(log, &b);
	}
	assert_true(met > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_is_found),
		cmocka_unit_test(waits_bound_the_time_with_runnable_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
