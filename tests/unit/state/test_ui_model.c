/* The window, the cursor, undo: arithmetic on a log of one second. */
#include "logs.h"
#include "sched/thread_state.h"
#include "state/jump.h"
#include "state/model.h"

enum { COLS = 100 };

static struct evl_log *log_;
static struct built bytes;
static struct model m;

static int open_log(void **state)
{
	(void)state;
	bytes = log_begin();
	block_begin(&bytes, 0, 1000);
	put(&bytes, 1000, EVL_USER_MARKER, "s", "begin");
	put_gc(&bytes, 0, 200000000, 201000000, 0);
	put_gc(&bytes, 0, 400000000, 403000000, 1);
	put_gc(&bytes, 0, 600000000, 602000000, 0);
	put(&bytes, 700000000, EVL_USER_MSG, "s", "hello");
	put(&bytes, 1000000999, EVL_USER_MARKER, "s", "end");
	block_end(&bytes, 1000000999);
	log_ = walked(&bytes);
	model_init(&m, log_);
	model_set_cols(&m, COLS);
	return 0;
}

static int close_log(void **state)
{
	(void)state;
	done(log_, &bytes);
	return 0;
}

static void starts_with_the_whole_run(void **state)
{
	(void)state;
	assert_int_equal(m.at.t0, 1000);
	assert_int_equal(m.at.t1, 1000001000);
	assert_int_equal(m.at.cursor, 1000);
	assert_int_equal(model_width(&m), 1000000000);
	assert_int_equal(model_col(&m, 1000), 0);
	assert_int_equal(model_col(&m, 1000000999), COLS - 1);
	assert_int_equal(model_col(&m, 999), -1);
	assert_int_equal(model_col(&m, 1000001000), -1);
}

static void every_time_lies_in_its_column(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++, model_zoom(&m, 1, 3, 0))
		for (int col = 0; col < COLS; col++) {
			assert_int_equal(model_col(&m, model_edge(&m, col)), col);
			assert_int_equal(model_col(&m, model_edge(&m, col + 1) - 1), col);
		}
}

static void steps(void **state)
{
	(void)state;
	model_step(&m, 1);
	assert_int_equal(m.at.cursor, 10001000);
	model_step(&m, -1);
	assert_int_equal(m.at.cursor, 1000);
	model_step(&m, -1); /* there is nothing before the run */
	assert_int_equal(m.at.cursor, 1000);
	model_zoom(&m, 1, 10, 0);
	for (int i = 0; i < 10000; i++)
		model_step(&m, 1); /* scrolls to the end of the run, and stays */
	assert_int_equal(m.at.t1, 1000001000);
	assert_int_equal(m.at.cursor, 1000000999);
	for (int i = 0; i < 10000; i++)
		model_step(&m, -1);
	assert_int_equal(m.at.cursor, 1000);
}

static void zoom_keeps_the_cursor_in_its_place(void **state)
{
	(void)state;
	model_goto(&m, 500001000, 0);
	int col = model_col(&m, m.at.cursor);
	for (int i = 0; i < 60; i++) {
		model_zoom(&m, 1, 2, 0);
		assert_in_range(model_col(&m, m.at.cursor), col - 1, col + 1);
		assert_int_equal(m.at.cursor, 500001000);
	}
	assert_int_equal(model_width(&m), COLS); /* one ns a column is the end */
	for (int i = 0; i < 60; i++)
		model_zoom(&m, 2, 1, 0);
	assert_int_equal(model_width(&m), 1000000000);
}

static void zooming_out_comes_to_the_whole_run(void **state)
{
	(void)state;
	model_goto(&m, 333333333, 0);
	for (int i = 0; i < 9; i++)
		model_zoom(&m, 1, 3, 0);
	for (int i = 0; i < 9; i++)
		model_zoom(&m, 3, 1, 0);
	assert_int_equal(m.at.t0, m.first);
	assert_int_equal(m.at.t1, m.last + 1);
}

static void what_changes_nothing_is_not_undone(void **state)
{
	(void)state;
	model_goto(&m, 300000000, 0);
	model_pan(&m, 1, 4, 0); /* the window is the whole run */
	model_pan(&m, -1, 2, 5000);
	model_centre(&m, 10000);
	model_goto(&m, 300000000, 15000);
	assert_true(model_undo(&m));
	assert_int_equal(m.at.cursor, 1000);
	assert_false(model_undo(&m));
}

static void pans_take_the_cursor_along(void **state)
{
	(void)state;
	model_fit(&m, 400000000, 500000000, 0);
	assert_int_equal(m.at.cursor, 400000000);
	model_pan(&m, 1, 4, 0);
	assert_int_equal(m.at.t0, 425000000);
	assert_int_equal(m.at.cursor, 425000000);
	model_pan(&m, -1, 2, 0);
	assert_int_equal(m.at.t0, 375000000);
	assert_int_equal(m.at.cursor, 425000000);
	model_pan(&m, -100, 1, 0);
	assert_int_equal(m.at.t0, 1000);
	assert_int_equal(model_width(&m), 100000000);
}

static void undo_takes_back_bursts_and_single_jumps(void **state)
{
	(void)state;
	struct model_place begin = m.at;
	assert_false(model_undo(&m));
	for (int i = 0; i < 5; i++)
		model_zoom(&m, 1, 2, 100 + i); /* quickly: one burst */
	struct model_place near = m.at;
	model_goto(&m, 5000, 200);
	model_goto(&m, 6000, 201); /* jumps are never merged */
	assert_true(model_undo(&m));
	assert_int_equal(m.at.cursor, 5000);
	assert_true(model_undo(&m));
	assert_memory_equal(&m.at, &near, sizeof near);
	assert_true(model_undo(&m));
	assert_memory_equal(&m.at, &begin, sizeof begin);
	assert_false(model_undo(&m));
	assert_true(model_redo(&m));
	assert_memory_equal(&m.at, &near, sizeof near);
	model_zoom(&m, 1, 2, 10000); /* something new: nothing to redo any more */
	assert_false(model_redo(&m));
}

/* A finding is a step of undo, even where nothing moves; leaving it goes to the place before all of them, and u comes back. */
static void findings_are_undone_and_left(void **state)
{
	(void)state;
	model_zoom(&m, 1, 2, 0);
	const struct model_place begin = m.at;
	struct model_place was = m.at;
	model_set_finding(&m, was, 1);
	model_set_finding(&m, m.at, 1);
	assert_int_equal(m.n_undo, 2);
	was = m.at;
	model_goto(&m, 5000, 200);
	model_set_finding(&m, was, 2);
	model_goto(&m, 6000, 300);
	assert_int_equal(m.at.finding, 2);
	assert_int_equal(m.n_undo, 4);
	const struct model_place left = m.at;
	assert_int_equal(model_drop_finding(&m, 400).cursor, begin.cursor);
	assert_true(model_is_at(&m, &begin));
	assert_true(model_undo(&m));
	assert_true(model_is_at(&m, &left));
	assert_true(model_undo(&m) && model_undo(&m));
	assert_int_equal(m.at.finding, 1);
	assert_true(model_undo(&m));
	assert_true(model_is_at(&m, &begin));
	m.n_undo = 0; /* so long ago that undo has forgotten it */
	m.at.finding = 3;
	m.at.of_finding = true;
	model_drop_finding(&m, 500);
	assert_true(model_is_at(&m, &begin));
	assert_true(model_undo(&m));
	assert_int_equal(m.at.finding, 3);
	m.at = begin; /* a newer list does not have the first of two findings any more */
	m.n_undo = 0;
	model_goto(&m, 5000, 600);
	model_set_finding(&m, begin, 1);
	const struct model_place first = m.at;
	model_goto(&m, 9000, 700);
	model_set_finding(&m, first, 2);
	for (int i = 0; i < m.n_undo; i++)
		m.undo[i].finding = 0;
	assert_int_equal(model_drop_finding(&m, 800).cursor, begin.cursor);
}

/* An interval has as much on both sides as it is long, a moment a part of the run; u comes back in one step. */
static void what_is_shown_has_context(void **state)
{
	(void)state;
	static const struct {
		uint64_t from, to, at, t0, t1;
	} cases[] = {{400000000, 410000000, 403000000, 390000000, 420000000},
		{500000000, 500000000, 500000000, 487500000, 512500001}, {1000, 11000, 1000, 1000, 31000},
		{200000000, 900000000, 200000000, 1000, 1000001000},
		{999000000, 1000001000, 999000000, 996998000, 1000001000}};
	for (size_t i = 0; i < countof(cases); i++) {
		struct model_place was = m.at;
		int undo = m.n_undo;
		model_show(&m, cases[i].from, cases[i].to, cases[i].at, 0);
		assert_int_equal(m.at.t0, cases[i].t0);
		assert_int_equal(m.at.t1, cases[i].t1);
		assert_int_equal(m.at.cursor, cases[i].at);
		assert_int_equal(m.n_undo, undo + 1);
		assert_true(model_undo(&m));
		assert_memory_equal(&m.at, &was, sizeof was);
	}
	model_fit(&m, 500000000, 500001000, 0);
	model_show(&m, 600000000, 600000000, 600000000, 0); /* no further out than the window is */
	assert_int_equal(model_width(&m), 1000);
}

static void undo_is_64_deep(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 200; i++)
		model_goto(&m, 10000 + i, (int64_t)i * 5000);
	int n = 0;
	while (model_undo(&m))
		n++;
	assert_int_equal(n, MODEL_UNDO);
	while (model_redo(&m))
		n--;
	assert_int_equal(n, 0);
	assert_int_equal(m.at.cursor, 10199);
}

static void jumps_land_exactly(void **state)
{
	(void)state;
	struct jumper j = {0};
	assert_null(jump(&j, &m, ACT_NEXT_GC, 0));
	assert_int_equal(m.at.cursor, 200000000);
	assert_null(jump(&j, &m, ACT_REPEAT, 0));
	assert_int_equal(m.at.cursor, 400000000);
	assert_null(jump(&j, &m, ACT_REPEAT_BACK, 0));
	assert_int_equal(m.at.cursor, 200000000);
	assert_non_null(jump(&j, &m, ACT_PREV_GC, 0)); /* there is none: stays, and says so */
	assert_int_equal(m.at.cursor, 200000000);
	assert_null(jump(&j, &m, ACT_NEXT_MAJOR, 0));
	assert_int_equal(m.at.cursor, 400000000);
	assert_null(jump(&j, &m, ACT_NEXT_MARKER, 0));
	assert_int_equal(m.at.cursor, 1000000999);
	assert_null(jump(&j, &m, ACT_PREV_MARKER, 0));
	assert_int_equal(m.at.cursor, 1000);
	assert_null(jump(&j, &m, ACT_NEXT_MESSAGE, 0));
	assert_int_equal(m.at.cursor, 700000000);
	assert_non_null(jump(&j, &m, ACT_NEXT_MESSAGE, 0));
	assert_non_null(jump(&j, &m, ACT_PREV_MESSAGE, 0));
}

/* Idle time that pauses divide: each part is a separate stop, the same from both sides; 20 µs are too short. */
static void idle_time_outside_of_pauses(void **state)
{
	static const uint64_t want[] = {1000000, 7000000, 21000000, 30000000};
	struct built b = log_begin();
	struct jumper j = {0};
	struct model own;
	(void)state;
	block_begin(&b, 0, 1);
	put_run(&b, 1, 1);
	put_stop(&b, 1000000, 1, STOP_MVAR);
	put_gc(&b, 0, 5000000, 7000000, 0);
	put_gc(&b, 0, 20000000, 21000000, 0);
	put_gc(&b, 0, 21500000, 29980000, 0);
	put_gc(&b, 0, 29990000, 30000000, 0);
	put_run(&b, 50000000, 1);
	put_stop(&b, 51000000, 1, STOP_FINISHED);
	block_end(&b, 51000000);
	struct evl_log *log = walked(&b);
	model_init(&own, log);
	model_set_cols(&own, COLS);
	for (size_t i = 0; i < countof(want); i++) {
		assert_null(jump(&j, &own, ACT_NEXT_IDLE, 0));
		assert_int_equal(own.at.cursor, want[i]);
	}
	assert_non_null(jump(&j, &own, ACT_NEXT_IDLE, 0));
	model_goto(&own, 51000000, 0);
	for (size_t i = countof(want); i-- > 0;) {
		assert_null(jump(&j, &own, ACT_PREV_IDLE, 0));
		assert_int_equal(own.at.cursor, want[i]);
	}
	assert_non_null(jump(&j, &own, ACT_PREV_IDLE, 0));
	done(log, &b);
}

/* At the end of the log, all are idle until the last capability is deleted, or else until the last event of any chain. */
static void idle_time_lasts_until_the_end(void **state)
{
	(void)state;
	for (unsigned deleted = 0; deleted < 2; deleted++) {
		struct built b = log_begin();
		struct jumper j = {0};
		struct model own;
		for (uint16_t cap = 0; cap < 2; cap++) {
			block_begin(&b, cap, 1);
			put_run(&b, 1000 + cap, 1);
			put_stop(&b, 5000000, 1, STOP_FINISHED);
			block_end(&b, 6000000);
		}
		block_begin(&b, EVL_NO_CAP, 7000000);
		for (uint16_t cap = 0; cap < 2; cap++)
			put(&b, 7000000 + cap * 1000u, deleted ? EVL_CAP_DELETE : EVL_CAP_ENABLE, "2", (unsigned)cap);
		put(&b, 9000000, EVL_USER_MSG, "s", "end");
		block_end(&b, 9000000);
		struct evl_log *log = walked(&b);
		model_init(&own, log);
		model_set_cols(&own, COLS);
		assert_null(jump(&j, &own, ACT_NEXT_IDLE, 0));
		assert_int_equal(own.at.cursor, 5000000);
		assert_int_equal(j.idle_ns, deleted ? 2001000 : 4000000);
		done(log, &b);
	}
}

static void longest_pauses_in_order(void **state)
{
	(void)state;
	struct jumper j = {0};
	uint64_t want[] = {400000000, 600000000, 200000000};
	for (size_t i = 0; i < countof(want); i++) {
		assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
		assert_int_equal(m.at.cursor, want[i]);
		assert_true(j.at_rank);
		assert_int_equal(j.rank, i + 1);
		assert_int_equal(j.ranks, countof(want));
	}
	assert_non_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_false(j.at_rank);
	assert_null(jump(&j, &m, ACT_PREV_LONGEST, 0));
	assert_int_equal(m.at.cursor, 600000000);
	assert_int_equal(j.rank, 2);
	model_fit(&m, 500000000, 700000000, 0); /* another window: the order starts over */
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(m.at.cursor, 600000000);
	assert_int_equal(j.rank, 1);
	assert_non_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	model_fit(&m, m.first, m.last + 1, 0); /* the whole run again: it starts over there, too */
	model_goto(&m, m.first, 0);
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(m.at.cursor, 400000000);
	assert_int_equal(j.rank, 1);
	assert_int_equal(j.ranks, 3);
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(j.rank, 2);
	model_step(&m, 3); /* the cursor was moved: the order starts over */
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(m.at.cursor, 400000000);
	assert_int_equal(j.rank, 1);
	assert_false(j.widened);
	model_fit(&m, 410000000, 410001000, 0); /* a window without pauses: those of the run */
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(m.at.cursor, 400000000);
	assert_true(j.widened);
	assert_int_equal(j.ranks, 3);
	m.n_undo = 0; /* one step back */
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(m.n_undo, 1);
	model_fit(&m, 402000000, 601000000, 0); /* pauses over both edges of the window */
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(m.at.cursor, 400000000);
	assert_false(j.widened);
	assert_int_equal(j.ranks, 2);
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(m.at.cursor, 600000000);
	assert_non_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	j.range = (struct jump_range){100000000, 500000000}; /* instead of the window */
	const uint64_t in_range[] = {400000000, 200000000};
	for (size_t i = 0; i < countof(in_range); i++) {
		assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
		assert_int_equal(m.at.cursor, in_range[i]);
		assert_int_equal(j.ranks, 2);
	}
	j.range.to = 300000000; /* another range */
	assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
	assert_int_equal(m.at.cursor, 200000000);
	assert_int_equal(j.rank, 1);
	j.range.to = j.range.from + 1; /* without pauses: those of the run, each in its turn */
	for (size_t i = 0; i < countof(want); i++) {
		assert_null(jump(&j, &m, ACT_NEXT_LONGEST, 0));
		assert_int_equal(m.at.cursor, want[i]);
		assert_true(j.widened);
	}
}

static void back_and_forth(void **state)
{
	(void)state;
	assert_false(model_back(&m, 0));
	model_fit(&m, 500000000, 700000000, 0);
	model_goto(&m, 600000000, 0);
	struct model_place from = m.at;
	model_goto(&m, 1000000, 0);
	model_pan(&m, 1, 2, 0); /* not a jump */
	struct model_place to = m.at;
	for (int i = 0; i < 4; i++) { /* there and back */
		assert_true(model_back(&m, 0));
		assert_memory_equal(&m.at, i % 2 ? &to : &from, sizeof from);
	}
	assert_true(model_undo(&m)); /* it is a jump itself */
	assert_memory_equal(&m.at, &from, sizeof from);
}

/* The same log with another second after it. */
static struct evl_log *longer(struct built *b)
{
	*b = log_begin();
	add_bytes(b, bytes.data + b->len, bytes.len - b->len);
	block_begin(b, 0, 1000000999);
	put(b, 2000000999, EVL_USER_MARKER, "s", "later");
	block_end(b, 2000000999);
	return walked(b);
}

static void follows_the_end(void **state)
{
	struct built b;
	struct evl_log *grown = longer(&b);
	(void)state;
	m.live = true;
	model_follow_end(&m);
	model_zoom(&m, 1, 4, 0);
	model_refresh(&m); /* it was moved: no more following */
	assert_false(m.follow);
	uint64_t width = model_width(&m);
	model_follow_end(&m);
	assert_int_equal(m.at.cursor, m.last);
	model_on_log_replaced(&m, grown, false);
	model_refresh(&m);
	assert_true(m.follow);
	assert_int_equal(m.at.cursor, 2000000999);
	assert_int_equal(m.at.t1, 2000001000);
	assert_int_equal(model_width(&m), width);
	model_step(&m, -3);
	struct model_place at = m.at;
	model_on_log_replaced(&m, log_, false); /* any other: nothing moves */
	model_on_log_replaced(&m, grown, false);
	model_refresh(&m);
	assert_memory_equal(&m.at, &at, sizeof at);
	done(grown, &b);
}

static void a_whole_window_that_is_frozen_stays(void **state)
{
	struct built b;
	struct evl_log *grown = longer(&b);
	(void)state;
	m.live = true;
	uint64_t t1 = m.at.t1;
	model_on_log_replaced(&m, grown, false);
	model_refresh(&m);
	assert_int_equal(m.at.t1, t1);
	model_whole(&m, 0);
	model_follow_end(&m);
	assert_int_equal(m.at.t0, m.first); /* and one that follows grows */
	assert_int_equal(m.at.t1, 2000001000);
	done(grown, &b);
}

int main(void)
{
#define WITH_LOG(f) cmocka_unit_test_setup_teardown(f, open_log, close_log)
	const struct CMUnitTest tests[] = {
		WITH_LOG(follows_the_end),
		WITH_LOG(a_whole_window_that_is_frozen_stays),
		WITH_LOG(starts_with_the_whole_run),
		WITH_LOG(every_time_lies_in_its_column),
		WITH_LOG(steps),
		WITH_LOG(zoom_keeps_the_cursor_in_its_place),
		WITH_LOG(zooming_out_comes_to_the_whole_run),
		WITH_LOG(what_changes_nothing_is_not_undone),
		WITH_LOG(pans_take_the_cursor_along),
		WITH_LOG(undo_takes_back_bursts_and_single_jumps),
		WITH_LOG(what_is_shown_has_context),
		WITH_LOG(findings_are_undone_and_left),
		WITH_LOG(undo_is_64_deep),
		WITH_LOG(jumps_land_exactly),
		WITH_LOG(idle_time_outside_of_pauses),
		WITH_LOG(idle_time_lasts_until_the_end),
		WITH_LOG(longest_pauses_in_order),
		WITH_LOG(back_and_forth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
