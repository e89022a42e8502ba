/* Activity of a capability, in columns and at moments. */
#include "logs.h"
#include "sched/thread_state.h"

enum { FIVE = 5 };

/* cap 0: runs thread 7 in [100, 200), idle, a GC in [300, 400), runs 8 in [500, 900); the log ends at 1000. */
static struct built simple(void)
{
	struct built b = log_begin();
	block_begin(&b, 0, 50);
	put_run(&b, 100, 7);
	put_stop(&b, 200, 7, 3);
	put_gc(&b, 250, 300, 400, 0);
	put_run(&b, 500, 8);
	put_stop(&b, 900, 8, 7);
	put(&b, 1000, EVL_USER_MSG, "s", "end");
	block_end(&b, 1000);
	log_end(&b);
	return b;
}

static void columns_sum_up(void **state)
{
	(void)state;
	struct built b = simple();
	struct evl_log *log = walked(&b);
	for (int n = 1; n < 200; n++) {
		struct cap_column cols[200];
		uint64_t run = 0, gc = 0;
		uint32_t switches = 0;
		caps_columns(&log->blocks, log->tiles, 0, 50, 1001, n, cols);
		for (int i = 0; i < n; i++) {
			run += cols[i].run_ns;
			gc += cols[i].gc_ns;
			switches += cols[i].switches;
			assert_true(cols[i].known);
		}
		assert_int_equal(run, 500);
		assert_int_equal(gc, 100);
		assert_int_equal(switches, 6);
	}
	done(log, &b);
}

static void column_edges(void **state)
{
	(void)state;
	struct built b = simple();
	struct evl_log *log = walked(&b);
	struct cap_column cols[FIVE]; /* [100, 200) [200, 300) … [500, 600) */
	caps_columns(&log->blocks, log->tiles, 0, 100, 600, FIVE, cols);
	assert_int_equal(cols[0].run_ns, 100);
	assert_int_equal(cols[0].switches, 1); /* at its very begin */
	assert_int_equal(cols[0].split, 100);
	assert_int_equal(cols[0].last, CAP_RUN);
	assert_int_equal(cols[0].thread, 7);
	assert_int_equal(cols[1].run_ns, 0);
	assert_int_equal(cols[1].first, CAP_RUN);
	assert_int_equal(cols[1].last, CAP_IDLE);
	assert_int_equal(cols[2].gc_ns, 100);
	assert_int_equal(cols[3].gc_ns, 0);
	assert_int_equal(cols[4].thread, 8);
	done(log, &b);
}

/* The GC ends at 400 although the events before its end are at 402 and 403. */
static void end_after_statistics(void **state)
{
	(void)state;
	struct built b = simple();
	struct evl_log *log = walked(&b);
	struct cap_column col;
	caps_columns(&log->blocks, log->tiles, 0, 350, 401, 1, &col);
	assert_int_equal(col.gc_ns, 50);
	assert_int_equal(col.last, CAP_IDLE);
	done(log, &b);
}

static void moments(void **state)
{
	(void)state;
	struct built b = simple();
	struct evl_log *log = walked(&b);
	struct cap_moment m;
	caps_at(&log->blocks, log->tiles, 0, 150, &m);
	assert_true(m.known && m.state == CAP_RUN && m.thread == 7 && m.since == 100 && m.until == 200);
	assert_int_equal(m.ends_by, EVL_STOP_THREAD);
	assert_int_equal(m.stop_status, 3);
	caps_at(&log->blocks, log->tiles, 0, 200, &m); /* what is posted at the moment counts */
	assert_true(m.state == CAP_IDLE && m.since == 200 && m.until == 300);
	caps_at(&log->blocks, log->tiles, 0, 60, &m);
	assert_true(m.state == CAP_IDLE && m.since == 0 && m.until == 100);
	caps_at(&log->blocks, log->tiles, 0, 950, &m);
	assert_true(m.state == CAP_IDLE && m.since == 900 && m.until == UINT64_MAX);
	done(log, &b);
}

/* One run that is longer than many tiles: its start and end are found from the middle. */
static void a_run_longer_than_tiles(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 3, 0);
	put_run(&b, 10, 1);
	for (unsigned i = 0; i < 5000; i++)
		put(&b, 20 + i, EVL_USER_MSG, "s", "a message of some length");
	put_stop(&b, 6000, 1, 5);
	for (unsigned i = 0; i < 5000; i++)
		put(&b, 6001 + i, EVL_USER_MSG, "s", "another");
	block_end(&b, 20000);
	struct evl_log *log = walked(&b);
	struct cap_moment m;
	assert_true(log->tiles[0].n > 20);
	for (uint64_t t = 10; t < 6000; t += 371) {
		caps_at(&log->blocks, log->tiles, 0, t, &m);
		assert_true(m.state == CAP_RUN && m.since == 10 && m.until == 6000);
	}
	caps_at(&log->blocks, log->tiles, 0, 8000, &m);
	assert_true(m.state == CAP_IDLE && m.since == 6000 && m.until == UINT64_MAX);
	done(log, &b);
}

/* Many small blocks: tiles run over their ends. Every column is the same as from one big block. */
static void blocks_do_not_matter(void **state)
{
	(void)state;
	enum { COLS = 97, ROUNDS = 3000 };
	struct cap_column cols[2][COLS];
	for (int small = 0; small < 2; small++) {
		struct built b = log_begin();
		block_begin(&b, 0, 0);
		for (unsigned i = 0; i < ROUNDS; i++) {
			put_run(&b, 10 + i * 10, i % 5);
			if (small && i % 7 == 0) {
				block_end(&b, 10 + i * 10);
				block_begin(&b, 0, 10 + i * 10);
			}
			put_stop(&b, 13 + i * 10 + i % 4, i % 5, 7);
		}
		block_end(&b, 10 * ROUNDS + 100);
		struct evl_log *log = walked(&b);
		caps_columns(&log->blocks, log->tiles, 0, 1234, 28765, COLS, cols[small]);
		done(log, &b);
	}
	for (int i = 0; i < COLS; i++) {
		assert_int_equal(cols[0][i].run_ns, cols[1][i].run_ns);
		assert_int_equal(cols[0][i].switches, cols[1][i].switches);
		assert_int_equal(cols[0][i].thread, cols[1][i].thread);
	}
}

/* Lost ends: a RUN within a run, a GC_START within a run, an end without a start. */
static void lost_events(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_stop(&b, 10, 1, 3); /* began before the log */
	put(&b, 20, EVL_GC_END, "");
	put_run(&b, 100, 1);
	put_run(&b, 200, 2);            /* the stop of 1 is lost */
	put(&b, 300, EVL_GC_START, ""); /* the stop of 2 is lost */
	put_run(&b, 400, 3);            /* the end of the GC is lost */
	put_stop(&b, 450, 3, 5);
	block_end(&b, 500);
	struct evl_log *log = walked(&b);
	struct cap_column col;
	caps_columns(&log->blocks, log->tiles, 0, 0, 500, 1, &col);
	assert_int_equal(col.run_ns, 250);
	assert_int_equal(col.gc_ns, 100);
	done(log, &b);
}

static void runs_one_by_one(void **state)
{
	(void)state;
	struct built b = simple();
	struct evl_log *log = walked(&b);
	struct cap_runs r;
	uint64_t from, to;
	caps_runs_begin(&r, &log->blocks, log->tiles, 0, 0, UINT64_MAX);
	assert_true(caps_runs_next(&r, &from, &to) && from == 100 && to == 200);
	assert_true(caps_runs_next(&r, &from, &to) && from == 500 && to == 900);
	assert_false(caps_runs_next(&r, &from, &to));
	done(log, &b);
}

static void stop_reasons(void **state)
{
	(void)state;
	assert_string_equal(thread_stop_text(7), "blocked on an MVar");
	assert_null(thread_stop_text(4));
	assert_null(thread_stop_text(65535));
}

static void check_known(const struct evl_log *log, uint32_t chain, uint64_t from, uint64_t to)
{
	struct cap_column cols[10];
	caps_columns(&log->blocks, &log->tiles[chain], chain, 0, 1000, 10, cols);
	for (unsigned i = 0; i < 10; i++) {
		struct cap_moment now;
		assert_int_equal(cols[i].known, i * 100 >= from && (i + 1) * 100 <= to);
		caps_at(&log->blocks, &log->tiles[chain], chain, i * 100, &now);
		assert_int_equal(now.known, i * 100 >= from && i * 100 < to);
	}
}

/* Logging began while the program ran and the program was killed: cap 0 had run a thread, cap 1 collected; what they
 * did before is unknown, and so is everything after their last flush. */
static void cut_ends_are_unknown(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 5);
	put(&b, 10, EVL_USER_MSG, "s", "late");
	put_stop(&b, 200, 1, 3);
	put_run(&b, 300, 1);
	block_end(&b, 600);
	block_begin(&b, 1, 5);
	put(&b, 100, EVL_GC_END, "");
	block_end(&b, 400);
	block_begin(&b, 2, 5);
	put_run(&b, 100, 2);
	block_end(&b, 1000);
	struct built whole = {.data = malloc(b.len), .len = b.len, .room = b.len};
	assert_non_null(whole.data);
	memcpy(whole.data, b.data, b.len);
	struct evl_log *log = walked(&b);
	check_known(log, 0, 200, 600);
	check_known(log, 1, 100, 400);
	check_known(log, 2, 0, 1000);
	done(log, &b);
	log_end(&whole); /* the same, ended as it should */
	log = walked(&whole);
	check_known(log, 0, 200, UINT64_MAX);
	check_known(log, 2, 0, UINT64_MAX);
	done(log, &whole);
}

/* The file ends in the middle of a block, which would have been flushed at 1000: after its last event nothing is known. */
static void a_cut_block_is_unknown(void **state)
{
	struct built b = log_begin();
	(void)state;
	block_begin(&b, 0, 0);
	put_run(&b, 100, 1);
	put_stop(&b, 399, 1, 3);
	put_run(&b, 800, 1);
	block_end(&b, 1000);
	b.len -= 5;
	struct evl_log *log = walked(&b);
	check_known(log, 0, 0, 400);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_sum_up),
		cmocka_unit_test(column_edges),
		cmocka_unit_test(end_after_statistics),
		cmocka_unit_test(moments),
		cmocka_unit_test(a_run_longer_than_tiles),
		cmocka_unit_test(blocks_do_not_matter),
		cmocka_unit_test(lost_events),
		cmocka_unit_test(runs_one_by_one),
		cmocka_unit_test(stop_reasons),
		cmocka_unit_test(cut_ends_are_unknown),
		cmocka_unit_test(a_cut_block_is_unknown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
