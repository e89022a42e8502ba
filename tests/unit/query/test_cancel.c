/* Ctrl-C while a log is being read: what was read until then is as true as ever, and the rest is not known, never idle. */
#include "logs.h"

#include "index/event_find.h"
#include "index/event_rank.h"
#include "query/thread_shares.h"

#include <sched.h>

enum { CAPS = 3, BLOCKS = 360, ROUNDS = 500, COLS = 97, TRIALS = 24 };

static struct built large(void)
{
	struct built b = log_begin();
	for (unsigned k = 0; k < BLOCKS; k++) {
		uint64_t t = 1000 + (uint64_t)(k / CAPS) * ROUNDS * 1000;
		block_begin(&b, (uint16_t)(k % CAPS), t);
		for (unsigned i = 0; i < ROUNDS; i++, t += 1000) {
			put_run(&b, t, 1 + i % 40);
			put_stop(&b, t + 300, 1 + i % 40, 1);
			if (i % 50 == k % 50)
				put_gc(&b, t + 310, t + 320, t + 700, i % 2);
			if (i % 100 == 3)
				put(&b, t + 800, EVL_USER_MSG, "s", "a message");
		}
		block_end(&b, t);
	}
	log_end(&b);
	return b;
}

/* Read until `permille` thousandths of it are walked, then stop. */
static struct evl_log *stopped(const struct built *b, uint64_t thousandths, bool *whole)
{
	struct evl_log *log;
	assert_int_equal(evl_open_memory(&log, b->data, b->len, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	for (;;) {
		struct evl_progress now = evl_progress(log);
		if (now.done || (now.ready && now.bytes * 1000 >= now.total * thousandths))
			break;
		sched_yield();
	}
	evl_cancel(log);
	int result = evl_wait(log);
	assert_true(result == 0 || result == EVL_CANCELLED);
	*whole = result == 0;
	assert_true(evl_progress(log).done);
	return log;
}

static void assert_columns(const struct evl_log *log, const struct evl_log *all, uint64_t t0, uint64_t t1, bool whole)
{
	for (uint32_t chain = 0; chain < CAPS; chain++) {
		struct cap_column got[COLS], want[COLS];
		uint64_t known = atomic_load(&log->tiles[chain].known_t);
		caps_columns(&log->blocks, &log->tiles[chain], chain, t0, t1, COLS, got);
		caps_columns(&all->blocks, &all->tiles[chain], chain, t0, t1, COLS, want);
		for (int i = 0; i < COLS; i++) {
			assert_int_equal(got[i].known, whole || column_edge(t0, t1, COLS, i + 1) <= known);
			if (!got[i].known)
				continue;
			assert_int_equal(got[i].run_ns, want[i].run_ns);
			assert_int_equal(got[i].gc_ns, want[i].gc_ns);
			assert_int_equal(got[i].switches, want[i].switches);
		}
	}
}

/* Jumps go to what is there, and come to an end. */
static void assert_jumps(const struct evl_log *log, const struct evl_log *all, uint64_t t0)
{
	struct found found = {.t = t0}, want = {.t = t0};
	struct idle_gap gap;
	const struct gc_row *gc = gcs_after(&log->gcs, t0, GC_ALL), *of_all = gcs_after(&all->gcs, t0, GC_ALL);
	assert_true(!gc || gc->start >= of_all->start);
	for (int i = 0; i < 20 && find_after(&log->blocks, log->tiles, EVL_USER_MSG, found.t, &found); i++) {
		struct found at;
		assert_true(find_at(&all->blocks, all->tiles, EVL_USER_MSG, found.t, &at));
		assert_true(find_after(&all->blocks, all->tiles, EVL_USER_MSG, want.t, &want));
		assert_true(found.t >= want.t);
	}
	idle_near(&log->blocks, log->tiles, &log->gcs, &log->busy, t0, 100000, true, &gap);
	idle_near(&log->blocks, log->tiles, &log->gcs, &log->busy, UINT64_MAX - 1, 100000, false, &gap);
}

/* The list of events holds those of the tiles that are final, in order. */
static void assert_order(const struct evl_log *log, bool whole, uint64_t events)
{
	struct event_rank o;
	assert_int_equal(event_rank_init(&o, &log->blocks, log->tiles), 0);
	assert_true(whole ? o.total == events : o.total <= events);
	for (uint64_t i = 0; i < 20 && o.total; i++) {
		uint64_t n = o.total / 20 * i;
		event_rank_key key;
		assert_true(event_rank_at(&o, n, &key));
		assert_int_equal(event_rank_before(&o, key), n);
	}
	event_rank_free(&o);
}

static void assert_threads(const struct evl_log *log, uint64_t t0, uint64_t t1)
{
	const uint32_t ids[] = {1, 2, 40};
	struct thread_shares scan;
	struct thread_shares_ask ask = {
		.t0 = t0, .t1 = t1, .cols = COLS, .sums = true, .ids = ids, .n_ids = countof(ids)};
	uint64_t known = UINT64_MAX;
	for (uint32_t chain = 0; chain < CAPS; chain++)
		known = min_u64(known, atomic_load(&log->tiles[chain].known_t));
	assert_int_equal(thread_shares_run(&scan, log, &ask), 0);
	for (size_t i = 0; i < countof(ids) * COLS; i++)
		assert_int_equal(scan.columns[i].known, column_edge(t0, t1, COLS, (int)(i % COLS) + 1) <= known);
	thread_shares_free(&scan);
}

static void stopped_anywhere(void **state)
{
	(void)state;
	struct built b = large();
	struct evl_log *all = walked(&b);
	uint64_t t0, t1, events = evl_progress(all).events;
	int cut = 0;
	assert_true(evl_range(all, &t0, &t1));
	for (unsigned i = 0; i < TRIALS; i++) {
		bool whole;
		struct evl_log *log = stopped(&b, i * 1000 / TRIALS, &whole);
		uint64_t first, last;
		struct run_stats stats;
		assert_true(evl_range(log, &first, &last));
		assert_columns(log, all, t0, t1, whole);
		assert_jumps(log, all, t0 + (t1 - t0) / TRIALS * i);
		assert_order(log, whole, events);
		assert_threads(log, t0, t1);
		assert_int_equal(evl_stats(log, t0, t1, NULL, &stats), 0);
		cut += !whole;
		evl_close(log);
	}
	assert_true(cut > 0);
	done(all, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stopped_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
