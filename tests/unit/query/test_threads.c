/* Threads: the state machine and its traps, columns of lanes against a naive account, moments, wakers, capabilities
 * that come and go. */
#include "logs.h"
#include "query/thread_find.h"
#include "query/thread_shares.h"

#include <dirent.h>
#include <stdio.h>

static void put_create(struct built *b, uint64_t t, unsigned thread) { put(b, t, EVL_CREATE_THREAD, "4", thread); }
static void put_wake(struct built *b, uint64_t t, unsigned thread, unsigned cap)
{
	put(b, t, EVL_THREAD_WAKEUP, "42", thread, cap);
}

/* cap 0: thread 1 runs [100, 200), makes an MVar wait; woken at 300 by thread 2 of cap 1; runs there [400, 450).
 * cap 1: thread 2 runs [250, 350) and yields, [500, 600) and makes a foreign call, returns on cap 0 [700, 800), ends.
 * Thread 3 is created at 220 by no thread, and never runs. The log ends at 1000. */
static struct built two_caps(void)
{
	struct built b = log_begin();
	block_begin(&b, 0, 50);
	put_create(&b, 60, 1);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, STOP_MVAR);
	put_create(&b, 220, 3);
	put_wake(&b, 305, 1, 0); /* the delivered copy */
	put(&b, 310, EVL_MIGRATE_THREAD, "42", 1u, 1u);
	put_run(&b, 700, 2);
	put_stop(&b, 800, 2, STOP_FINISHED);
	put(&b, 1000, EVL_USER_MSG, "s", "end");
	block_end(&b, 1000);
	block_begin(&b, 1, 50);
	put_create(&b, 70, 2);
	put_run(&b, 250, 2);
	put_wake(&b, 300, 1, 0);
	put_stop(&b, 350, 2, STOP_YIELD);
	put_run(&b, 400, 1);
	put_stop(&b, 450, 1, STOP_STM);
	put_run(&b, 500, 2);
	put_stop(&b, 600, 2, STOP_FOREIGN);
	block_end(&b, 950);
	log_end(&b);
	return b;
}

static int scan(const struct evl_log *log, uint64_t t0, uint64_t t1, int cols, const uint32_t *ids, size_t n,
	struct thread_shares *out)
{
	struct thread_shares_ask ask = {.t0 = t0, .t1 = t1, .cols = cols, .sums = true, .ids = ids, .n_ids = n};
	return thread_shares_run(out, log, &ask);
}

/* The sums of a thread; NULL: it was not followed. */
static const struct thread_sum *sum_of(const struct thread_shares *s, uint32_t thread)
{
	for (size_t i = 0; i < s->n_sums; i++)
		if (s->sums[i].thread == thread)
			return &s->sums[i];
	return NULL;
}

static void sums_of_a_window(void **state)
{
	(void)state;
	struct built b = two_caps();
	struct evl_log *log = walked(&b);
	struct thread_shares s;
	assert_int_equal(scan(log, 50, 1001, 1, (uint32_t[]){1, 2, 3}, 3, &s), 0);
	const struct thread_column *one = &s.columns[0], *two = &s.columns[1], *three = &s.columns[2];
	assert_int_equal(one->ns[THREAD_ABSENT], 10);
	assert_int_equal(one->ns[THREAD_RUNNING], 150);
	assert_int_equal(one->ns[THREAD_RUNNABLE], 40 + 100);
	assert_int_equal(one->ns[THREAD_BLOCKED], 100 + 551);
	assert_int_equal(one->stop, STOP_STM);
	assert_int_equal(one->cap, 1);
	assert_int_equal(two->ns[THREAD_RUNNING], 100 + 100 + 100);
	assert_int_equal(two->ns[THREAD_RUNNABLE], 180 + 150);
	assert_int_equal(two->ns[THREAD_FOREIGN], 100);
	assert_int_equal(two->ns[THREAD_ABSENT], 20 + 201);
	assert_int_equal(three->ns[THREAD_RUNNABLE], 781); /* alive at the end */
	assert_int_equal(sum_of(&s, 1)->wakeups, 1);       /* the copy is not a second */
	assert_int_equal(sum_of(&s, 1)->run_ns, 150);
	assert_int_equal(sum_of(&s, 1)->wait_ns, 140);
	assert_int_equal(sum_of(&s, 1)->stops, 1u << STOP_MVAR | 1u << STOP_STM);
	assert_null(sum_of(&s, 99));
	thread_shares_free(&s);
	done(log, &b);
}

/* The state of thread 1 by the picture above. */
static enum thread_state one_at(uint64_t t)
{
	return t < 60     ? THREAD_ABSENT
		: t < 100 ? THREAD_RUNNABLE
		: t < 200 ? THREAD_RUNNING
		: t < 300 ? THREAD_BLOCKED
		: t < 400 ? THREAD_RUNNABLE
		: t < 450 ? THREAD_RUNNING
			  : THREAD_BLOCKED;
}

static enum thread_state two_at(uint64_t t)
{
	return t < 70     ? THREAD_ABSENT
		: t < 250 ? THREAD_RUNNABLE
		: t < 350 ? THREAD_RUNNING
		: t < 500 ? THREAD_RUNNABLE
		: t < 600 ? THREAD_RUNNING
		: t < 700 ? THREAD_FOREIGN
		: t < 800 ? THREAD_RUNNING
			  : THREAD_ABSENT;
}

static void check_columns(
	const struct thread_column *c, uint64_t t0, uint64_t t1, int n, enum thread_state at(uint64_t))
{
	for (int i = 0; i < n; i++) {
		uint64_t from = column_edge(t0, t1, n, i), to = column_edge(t0, t1, n, i + 1),
			 want[THREAD_STATES] = {0};
		uint32_t switches = 0, wakeups = 0;
		for (uint64_t t = from; t < to; t++) {
			want[at(t)]++;
			wakeups += t > 50 && at(t) == THREAD_RUNNABLE && at(t - 1) == THREAD_BLOCKED;
			switches += t > 50 && at(t) != at(t - 1);
		}
		assert_memory_equal(c[i].ns, want, sizeof want);
		assert_int_equal(c[i].switches, switches);
		assert_int_equal(c[i].wakeups, wakeups);
		assert_int_equal(c[i].first, at(from));
		assert_int_equal(c[i].last, at(to - 1));
		assert_true(c[i].known);
	}
}

static void columns_are_those_of_a_naive_account(void **state)
{
	(void)state;
	struct built b = two_caps();
	struct evl_log *log = walked(&b);
	for (unsigned seed = 1; seed < 400; seed++) {
		uint64_t t0 = 50 + seed * 37 % 800, t1 = t0 + 20 + seed * 61 % 400;
		int n = (int)(1 + seed * 13 % 20);
		struct thread_shares s;
		assert_int_equal(scan(log, t0, t1, n, (uint32_t[]){2, 1}, 2, &s), 0);
		check_columns(&s.columns[0], t0, t1, n, two_at);
		check_columns(&s.columns[n], t0, t1, n, one_at);
		thread_shares_free(&s);
	}
	done(log, &b);
}

static void moments(void **state)
{
	(void)state;
	struct built b = two_caps();
	struct evl_log *log = walked(&b);
	for (uint64_t t = 50; t < 1000; t++) {
		struct thread_moment m;
		thread_at(log, 1, t, THREAD_FRAME_TILES, &m);
		assert_true(m.known);
		assert_int_equal(m.pos.state, one_at(t));
		assert_true(m.pos.state == THREAD_ABSENT || m.pos.since <= t);
		assert_true(m.until > t);
		assert_true(m.until == UINT64_MAX || one_at(m.until) != one_at(t));
		thread_at(log, 2, t, THREAD_FRAME_TILES, &m);
		assert_int_equal(m.pos.state, two_at(t));
	}
	done(log, &b);
}

static void the_waker_is_known(void **state)
{
	(void)state;
	struct built b = two_caps();
	struct evl_log *log = walked(&b);
	struct thread_moment m;
	struct wake_up wake;
	thread_at(log, 1, 250, THREAD_FRAME_TILES, &m);
	assert_int_equal(m.pos.stop, STOP_MVAR);
	assert_true(m.woken);
	assert_int_equal(m.wake.t, 300);
	assert_int_equal(m.waker, 2);
	assert_int_equal(m.until, 300);
	assert_int_equal(m.ran, 400);
	assert_int_equal(thread_woken_by(log, 1, 420, THREAD_FRAME_TILES, &wake), WAKE_FOUND); /* from within the run */
	assert_int_equal(wake.event.t, 300);
	assert_int_equal(wake.waker, 2);
	assert_int_equal(thread_woken_by(log, 2, 300, THREAD_FRAME_TILES, &wake), WAKE_NONE);
	assert_int_equal(
		thread_woken_by(log, 1, 900, THREAD_FRAME_TILES, &wake), WAKE_FOUND); /* blocked again: its last run */
	assert_int_equal(wake.event.t, 300);
	assert_int_equal(thread_woken_by(log, 1, 420, 0, &wake), WAKE_GIVEN_UP);
	done(log, &b);
}

/* Thread 1 waits on cap 0 from 100 on. Thread 2 wakes it from cap 1 at 1800, which cap 0 hears at 1900. It runs at 3000, is
 * in a foreign call from 3100, and runs on cap 1 at 5000. */
/* The owner of a black hole matters while the thread is blocked on it, not once it could run. */
static void a_black_hole_is_left(void **state)
{
	(void)state;
	struct built b = log_begin();
	struct thread_moment m;
	block_begin(&b, 0, 50);
	put_create(&b, 50, 1);
	put_run(&b, 100, 1);
	put(&b, 200, EVL_STOP_THREAD, "424", 1u, (unsigned)STOP_BLACK_HOLE, 17u);
	put_wake(&b, 300, 1, 0);
	put_run(&b, 400, 1);
	put_stop(&b, 500, 1, 5);
	block_end(&b, 600);
	struct evl_log *log = walked(&b);
	thread_at(log, 1, 250, THREAD_FRAME_TILES, &m);
	assert_int_equal(m.pos.state, THREAD_BLOCKED);
	assert_int_equal(m.owner, 17);
	thread_at(log, 1, 350, THREAD_FRAME_TILES, &m);
	assert_int_equal(m.pos.state, THREAD_RUNNABLE);
	assert_int_equal(m.owner, 0);
	thread_at(log, 1, 450, THREAD_FRAME_TILES, &m);
	assert_int_equal(m.owner, 0);
	done(log, &b);
}

static void a_delivered_wake_up_is_no_second_one(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 10);
	put_run(&b, 50, 1);
	put_stop(&b, 100, 1, STOP_MVAR);
	put_run(&b, 150, 3);
	put(&b, 1900, EVL_THREAD_WAKEUP, "42", 1u, 0u);
	put_stop(&b, 2900, 3, STOP_YIELD);
	put_run(&b, 3000, 1);
	put_stop(&b, 3100, 1, STOP_FOREIGN);
	block_end(&b, 9000);
	block_begin(&b, 1, 10);
	put_run(&b, 60, 2);
	put(&b, 1800, EVL_THREAD_WAKEUP, "42", 1u, 0u);
	put_stop(&b, 4900, 2, STOP_YIELD);
	put_run(&b, 5000, 1);
	block_end(&b, 9000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct thread_moment m;
	struct wake_up wake;
	thread_at(log, 1, 200, THREAD_FRAME_TILES, &m);
	assert_true(m.woken);
	assert_int_equal(m.wake.cap, 1);
	assert_int_equal(m.waker, 2);
	assert_int_equal(m.ran, 3000);
	assert_int_equal(m.delivery, 100);
	static const struct {
		uint64_t t;
		uint32_t calls;
	} moments[] = {{200, 0}, {3050, 0}, {4000, 1}, {6000, 1}};
	for (size_t i = 0; i < countof(moments); i++) {
		assert_int_equal(thread_woken_by(log, 1, moments[i].t, THREAD_FRAME_TILES, &wake), WAKE_FOUND);
		assert_int_equal(wake.event.t, 1800);
		assert_int_equal(wake.waker, 2);
		assert_int_equal(wake.foreign_calls, moments[i].calls);
	}
	done(log, &b);
}

static void runs_of_a_thread(void **state)
{
	(void)state;
	struct built b = two_caps();
	struct evl_log *log = walked(&b);
	struct thread_budget budget = {.tiles = 100};
	struct thread_event e;
	assert_true(thread_next(log, 2, 250, true, &budget, &e));
	assert_int_equal(e.t, 500);
	assert_true(thread_next(log, 2, 500, true, &budget, &e)); /* back from the call, on another capability */
	assert_int_equal(e.t, 700);
	assert_int_equal(e.cap, 0);
	assert_false(thread_next(log, 2, 700, true, &budget, &e));
	assert_true(thread_prev_run(log, 2, 700, &budget, &e));
	assert_int_equal(e.t, 500);
	assert_false(thread_prev_run(log, 2, 250, &budget, &e));
	assert_false(budget.spent);
	budget.tiles = 0;
	assert_false(thread_next(log, 2, 250, true, &budget, &e));
	assert_true(budget.spent);
	done(log, &b);
}

/* --- traps, one by one --- */

static struct thread_pos stepped(struct thread_pos pos, uint64_t t, uint16_t tag, uint16_t cap, uint8_t stop)
{
	struct thread_event e = {.t = t, .thread = 1, .tag = tag, .cap = cap, .to_cap = cap, .stop = stop};
	thread_step(&pos, &e);
	return pos;
}

static void traps_of_the_machine(void **state)
{
	(void)state;
	struct thread_pos blocked = {10, 0, THREAD_BLOCKED, STOP_MVAR}, running = {10, 0, THREAD_RUNNING, STOP_NONE};
	struct thread_pos p = stepped(blocked, 20, EVL_RUN_THREAD, 1, 0); /* an exception: no wake-up */
	assert_int_equal(p.state, THREAD_RUNNING);
	assert_int_equal(p.cap, 1);
	p = stepped(running, 20, EVL_THREAD_WAKEUP, 1, 0); /* later than the run it caused */
	assert_int_equal(p.state, THREAD_RUNNING);
	assert_int_equal(p.since, 10);
	p = stepped(running, 20, EVL_STOP_THREAD, 3, STOP_MVAR); /* the stop of the capability that it left */
	assert_int_equal(p.state, THREAD_RUNNING);
	p = stepped(running, 20, EVL_STOP_THREAD, 0, STOP_MIGRATING);
	assert_int_equal(p.state, THREAD_RUNNABLE);
	p = stepped(running, 20, EVL_CREATE_THREAD, 0, 0); /* created a second time: the same */
	assert_int_equal(p.state, THREAD_RUNNING);
	p = stepped(running, 20, EVL_STOP_THREAD, 0, STOP_FINISHED);
	assert_int_equal(p.state, THREAD_ABSENT);
	assert_int_equal(stepped(p, 30, EVL_THREAD_WAKEUP, 0, 0).state, THREAD_ABSENT);
	assert_int_equal(stepped(p, 30, EVL_RUN_THREAD, 0, 0).state, THREAD_RUNNING);
	p = stepped(running, 20, EVL_STOP_THREAD, 0, STOP_BLACK_HOLE);
	assert_int_equal(p.state, THREAD_BLOCKED);
	assert_int_equal(stepped(p, 30, EVL_THREAD_RUNNABLE, 0, 0).state, THREAD_RUNNABLE); /* GHC 7.4 and older */
	assert_int_equal(thread_state_after(17), THREAD_FOREIGN);
	assert_int_equal(thread_state_after(14), THREAD_BLOCKED); /* has no name, but waits */
	assert_int_equal(thread_state_after(250), THREAD_BLOCKED);
	assert_true(thread_lost(&running, 0, 50));
	assert_int_equal(running.state, THREAD_UNKNOWN);
}

/* A run that began before the log, a stop that was lost before another run, a creation that was not logged. */
static void cut_and_lost(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_stop(&b, 200, 5, STOP_MVAR); /* it is not known since when it ran */
	put_run(&b, 300, 6);
	put_run(&b, 400, 7); /* the stop of 6 is missing */
	put_stop(&b, 500, 7, STOP_YIELD);
	put_run(&b, 600, 8);
	put(&b, 700, EVL_GC_START, ""); /* so is that of 8 */
	put(&b, 800, EVL_GC_END, "");
	block_end(&b, 900);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct thread_shares s;
	assert_int_equal(scan(log, 100, 900, 1, (uint32_t[]){5, 6, 7, 8}, 4, &s), 0);
	assert_int_equal(s.columns[0].ns[THREAD_UNKNOWN], 100); /* it existed, it is not known since when */
	assert_int_equal(s.columns[0].ns[THREAD_BLOCKED], 700);
	assert_int_equal(s.columns[1].ns[THREAD_RUNNING], 100);
	assert_int_equal(s.columns[1].ns[THREAD_UNKNOWN], 200 + 500); /* before its first run, too */
	assert_int_equal(s.columns[2].ns[THREAD_RUNNING], 100);
	assert_int_equal(s.columns[3].ns[THREAD_RUNNING], 100);
	assert_int_equal(s.columns[3].ns[THREAD_UNKNOWN], 500 + 200);
	thread_shares_free(&s);
	done(log, &b);
}

/* The program is killed while thread 2 runs on cap 0, whose last flush was at 500; cap 1 is heard of until 900. */
static void killed_while_it_runs(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_create(&b, 150, 2);
	put_run(&b, 200, 2);
	block_end(&b, 500);
	block_begin(&b, 1, 100);
	put(&b, 900, EVL_USER_MSG, "s", "x");
	block_end(&b, 901);
	struct evl_log *log = walked(&b);
	struct thread_shares s;
	struct thread_moment m;
	assert_int_equal(scan(log, 100, 900, 1, (uint32_t[]){2}, 1, &s), 0);
	assert_int_equal(s.columns[0].ns[THREAD_RUNNING], 300);
	assert_int_equal(s.columns[0].ns[THREAD_UNKNOWN], 400);
	thread_shares_free(&s);
	thread_at(log, 2, 300, THREAD_FRAME_TILES, &m);
	assert_int_equal(m.pos.state, THREAD_RUNNING);
	assert_int_equal(m.until, 500);
	thread_at(log, 2, 500, THREAD_FRAME_TILES, &m);
	assert_int_equal(m.pos.state, THREAD_UNKNOWN);
	done(log, &b);
}

/* --- a log of many tiles --- */

enum { ROUNDS = 60000 };

/* Thread 1 blocks at 1000 and runs again at the end; 2 and 3 take turns in between, for many tiles. */
static struct built long_wait(void)
{
	struct built b = log_begin();
	block_begin(&b, 0, 500);
	put_create(&b, 900, 1);
	put_run(&b, 950, 1);
	put_stop(&b, 1000, 1, STOP_MVAR);
	for (unsigned i = 0; i < ROUNDS; i++) {
		put_run(&b, 2000 + i * 10, 2 + i % 2);
		put_stop(&b, 2005 + i * 10, 2 + i % 2, STOP_YIELD);
	}
	put_wake(&b, 2000 + ROUNDS * 10, 1, 0);
	put_run(&b, 2050 + ROUNDS * 10, 1);
	put_stop(&b, 2090 + ROUNDS * 10, 1, STOP_FINISHED);
	block_end(&b, 2100 + ROUNDS * 10);
	log_end(&b);
	return b;
}

static void silent_threads_are_looked_for(void **state)
{
	(void)state;
	struct built b = long_wait();
	struct evl_log *log = walked(&b);
	uint64_t end = 2000 + ROUNDS * 10;
	struct thread_shares s;
	assert_int_equal(scan(log, end - 20000, end + 100, 10, (uint32_t[]){1}, 1, &s), 0);
	assert_int_equal(s.columns[0].ns[THREAD_BLOCKED], 2010);
	assert_int_equal(s.columns[0].first, THREAD_BLOCKED);
	assert_int_equal(s.columns[0].stop, STOP_MVAR);
	assert_int_equal(s.columns[9].ns[THREAD_RUNNABLE], 50);
	assert_int_equal(s.columns[9].ns[THREAD_RUNNING], 40);
	thread_shares_free(&s);
	struct thread_moment m; /* the filter of the tiles finds both ends at once */
	thread_at(log, 1, end / 2, 4, &m);
	assert_true(m.known);
	struct thread_moment none;
	atomic_bool cancel = true;
	thread_look(log, 1, end / 2, &(struct thread_budget){.tiles = 4, .cancel = &cancel}, &none);
	assert_false(none.known);
	assert_int_equal(m.pos.since, 1000);
	assert_int_equal(m.ran, end + 50);
	done(log, &b);
}

/* Capability 0 fell silent long ago, so its last events lie far before those of capability 1 that are looked at first. */
static void a_silent_capability_does_not_mislead(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 500);
	put_create(&b, 900, 1);
	put_run(&b, 950, 1);
	put_stop(&b, 1000, 1, STOP_YIELD);
	block_end(&b, 1100);
	block_begin(&b, 1, 500);
	put_run(&b, 1200, 1);
	put_stop(&b, 1300, 1, STOP_FOREIGN);
	for (unsigned i = 0; i < ROUNDS; i++) {
		put_run(&b, 2000 + i * 10, 2 + i % 2);
		put_stop(&b, 2005 + i * 10, 2 + i % 2, STOP_YIELD);
	}
	block_end(&b, 2000 + ROUNDS * 10);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct thread_shares s;
	assert_int_equal(scan(log, 1000 + ROUNDS * 10, 1100 + ROUNDS * 10, 1, (uint32_t[]){1}, 1, &s), 0);
	assert_int_equal(s.columns[0].ns[THREAD_FOREIGN], 100);
	thread_shares_free(&s);
	done(log, &b);
}

static int announced;
static void count_news(void *ctx, int cols)
{
	(void)ctx;
	announced = cols;
}

static void a_scan_can_be_cancelled(void **state)
{
	(void)state;
	struct built b = long_wait();
	struct evl_log *log = walked(&b);
	atomic_bool cancel = true;
	struct thread_shares s;
	struct thread_shares_ask ask = {.t0 = 500,
		.t1 = 2100 + ROUNDS * 10,
		.cols = 10,
		.sums = true,
		.cancel = &cancel,
		.progress = count_news};
	assert_int_equal(thread_shares_run(&s, log, &ask), EVL_CANCELLED);
	thread_shares_free(&s);
	cancel = false;
	assert_int_equal(thread_shares_run(&s, log, &ask), 0);
	assert_int_equal(announced, 10);
	assert_int_equal(sum_of(&s, 2)->run_ns, ROUNDS / 2 * 5);
	assert_int_equal(sum_of(&s, 2)->wait_ns, sub_or_0(2100 + ROUNDS * 10 - 2005, (ROUNDS / 2 - 1) * 5));
	thread_shares_free(&s);
	done(log, &b);
}

static int odd_and_even(void *ctx, uint32_t thread)
{
	(void)ctx;
	return thread == 1 ? -1 : 0;
}

static void many_threads_in_one_lane(void **state)
{
	(void)state;
	struct built b = long_wait();
	struct evl_log *log = walked(&b);
	struct thread_shares s;
	struct thread_shares_ask ask = {
		.t0 = 2000, .t1 = 2000 + ROUNDS * 10, .cols = 100, .lane_of = odd_and_even, .n_lanes = 1};
	assert_int_equal(thread_shares_run(&s, log, &ask), 0);
	for (int i = 1; i < 100; i++)
		assert_int_equal(s.columns[i].ns[THREAD_RUNNING], ROUNDS * 5 / 100);
	assert_int_equal(s.n_sums, 2);
	thread_shares_free(&s);
	done(log, &b);
}

static int second_lane(void *ctx, uint32_t thread) { return odd_and_even(ctx, thread) < 0 ? -1 : 1; }

/* A group's lane holds the same, whether its threads have their own lanes or not. */
static void a_group_counts_threads_with_lanes(void **state)
{
	(void)state;
	struct built b = long_wait();
	struct evl_log *log = walked(&b);
	uint32_t ids[] = {2};
	enum { COLS = 100 };
	for (uint64_t t0 = 500; t0 <= 2000; t0 += 1500) {
		struct thread_shares closed, open;
		struct thread_shares_ask ask = {
			.t0 = t0, .t1 = 2000 + ROUNDS * 10, .cols = COLS, .lane_of = odd_and_even, .n_lanes = 1};
		assert_int_equal(thread_shares_run(&closed, log, &ask), 0);
		ask.ids = ids;
		ask.n_ids = countof(ids);
		ask.lane_of = second_lane;
		assert_int_equal(thread_shares_run(&open, log, &ask), 0);
		assert_memory_equal(closed.columns, open.columns + COLS, COLS * sizeof *closed.columns);
		for (int i = 1; i < COLS; i++)
			assert_true(open.columns[COLS + i].ns[THREAD_RUNNING] > open.columns[i].ns[THREAD_RUNNING]);
		thread_shares_free(&closed);
		thread_shares_free(&open);
	}
	done(log, &b);
}

/* --- capabilities --- */

static void capabilities_come_and_go(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 10);
	put(&b, 20, EVL_CAP_CREATE, "2", 0u);
	put(&b, 100, EVL_CAP_CREATE, "2", 1u);
	put(&b, 200, EVL_CAP_DISABLE, "2", 1u);
	put(&b, 300, EVL_CAP_ENABLE, "2", 1u);
	put(&b, 400, EVL_CAP_DELETE, "2", 1u);
	block_end(&b, 500);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct cap_absence a[8];
	assert_int_equal(cap_life_absent(&log->cap_life, 1, 0, 1000, a, 8), 3);
	assert_int_equal(a[0].state, CAP_NOT_YET);
	assert_int_equal(a[0].to, 100);
	assert_int_equal(a[1].state, CAP_DISABLED);
	assert_int_equal(a[1].from, 200);
	assert_int_equal(a[1].to, 300);
	assert_int_equal(a[2].state, CAP_DELETED);
	assert_int_equal(a[2].to, UINT64_MAX);
	assert_int_equal(cap_life_absent(&log->cap_life, 1, 100, 200, a, 8), 0);
	assert_int_equal(cap_life_absent(&log->cap_life, 1, 0, 1000, a, 1), 1);
	assert_int_equal(cap_life_absent(&log->cap_life, 1, 299, 300, a, 8), 1);
	assert_int_equal(cap_life_absent(&log->cap_life, 7, 299, 300, a, 8), 0); /* not a word of it */
	done(log, &b);
}

/* When all capabilities that can run threads at a time are off: against each by itself. */
static void all_capabilities_come_to_an_end(void **state)
{
	enum { CAPS = 5, ROWS = 60, TIMES = 200 };
	uint64_t seed = 5;
	(void)state;
	for (int round = 0; round < TIMES; round++) {
		struct chain chains[CAPS + 1] = {{.cap = EVL_NO_CAP}};
		struct blocks blocks = {.chains = chains, .n_chains = CAPS + 1};
		struct cap_life life;
		cap_life_init(&life);
		for (uint16_t cap = 0; cap < CAPS; cap++)
			chains[cap + 1].cap = cap;
		for (uint64_t i = 0; i < ROWS; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			struct cap_life_row row = {
				.t = 10 * i + (seed >> 40) % 15, /* now and then earlier than the last */
				.tag = (uint16_t)(EVL_CAP_CREATE + (seed >> 33) % 4),
				.cap = (uint16_t)((seed >> 50) % (CAPS + (round & 1)))};
			assert_true(rows_add(&life.rows, &row));
		}
		for (uint64_t t = 0; t < 10 * ROWS + 20; t += 7) {
			uint64_t until = 0;
			for (uint16_t cap = 0; cap < CAPS; cap++) {
				struct cap_absence at = cap_life_at(&life, cap, t);
				until = at.state == CAP_ENABLED ? max_u64(until, at.to) : until;
			}
			assert_int_equal(cap_life_all_until(&life, &blocks, t), until ? until : UINT64_MAX);
		}
		cap_life_free(&life);
	}
}

/* --- real logs --- */

enum { MOST_THREADS = 40, MOMENTS = 25 };

static void for_all_logs(void (*check)(const char *name, const struct evl_log *log))
{
	DIR *dir = opendir("tests/logs");
	struct dirent *entry;
	int n = 0;
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		size_t len = strlen(entry->d_name);
		char path[512];
		struct evl_log *log;
		struct evl_err err;
		if (len < 9 || strcmp(entry->d_name + len - 9, ".eventlog") != 0)
			continue;
		snprintf(path, sizeof path, "tests/logs/%s", entry->d_name);
		assert_int_equal(evl_open(&log, path, &err), 0);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		check(entry->d_name, log);
		evl_close(log);
		n++;
	}
	closedir(dir);
	assert_true(n > 10);
}

/* --- labels ------------------------------------------------------------------------------------------------------------ */

enum { LABELLED = 1000 };

/* Threads that are labelled by both capabilities, repeatedly: the last label counts, in whatever order they are
 * read. */
static struct built labelled(void)
{
	struct built b = log_begin();
	char text[32];
	for (unsigned cap = 0; cap < 2; cap++) {
		block_begin(&b, (uint16_t)cap, 1);
		for (unsigned i = 0; i < 3 * LABELLED; i++) {
			unsigned thread = 1 + i * 7919 % LABELLED;
			uint64_t t = 10 + 2 * i
				+ (cap != i % 2); /* of the third and last, now one comes later, now the other */
			snprintf(text, sizeof text, "%u.%u.%u", thread, cap, i / LABELLED);
			put(&b, t, EVL_THREAD_LABEL, "4s", thread, text);
		}
		block_end(&b, 10000);
	}
	log_end(&b);
	return b;
}

static void expect_label(const struct evl_log *log, unsigned thread)
{
	char text[32];
	for (unsigned i = 2 * LABELLED; i < 3 * LABELLED; i++)
		if (1 + i * 7919 % LABELLED == thread)
			snprintf(text, sizeof text, "%u.%u.2", thread, 1 - i % 2);
	struct evl_str label = evl_label(log, thread);
	assert_int_equal(label.len, strlen(text));
	assert_memory_equal(label.p, text, label.len);
}

static void the_last_label_counts(void **state)
{
	(void)state;
	struct built b = labelled();
	struct evl_log *log = walked(&b);
	for (unsigned thread = 1; thread <= LABELLED; thread++)
		expect_label(log, thread);
	assert_int_equal(evl_label(log, LABELLED + 1).len, 0);
	done(log, &b);
}

/* In a log of 4 GiB and more a row knows only about where the label is. */
static void labels_of_large_logs(void **state)
{
	(void)state;
	struct built b = labelled();
	struct evl_log *log = walked(&b);
	struct thread_cache *cache = calloc(1, sizeof *cache);
	struct threads t;
	assert_non_null(cache);
	assert_int_equal(threads_init(&t, &log->blocks), 0);
	assert_int_equal(t.label_shift, 0);
	t.label_shift = 5; /* as in one of 64 GiB or more: two labels may lie there */
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		struct cursor cursor;
		struct frame f;
		const struct block *block;
		cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
		while (cursor_next(&cursor, &f, &block))
			if (f.tag == EVL_THREAD_LABEL)
				threads_label(&t, cache, &f);
	}
	threads_flush(&t, cache);
	for (unsigned thread = 1; thread <= LABELLED; thread++)
		assert_int_equal(threads_label_at(&t, thread), threads_label_at(&log->threads, thread));
	assert_int_equal(threads_label_at(&t, LABELLED + 1), 0);
	threads_free(&t);
	free(cache);
	done(log, &b);
}

static size_t some_threads(const struct evl_log *log, uint32_t *ids)
{
	size_t n = 0;
	for (uint32_t id = 1; id < 4096 && n < MOST_THREADS; id++) {
		const struct thread_row *row = threads_find(&log->threads, id);
		if (row && (row->born || row->died))
			ids[n++] = id;
	}
	return n;
}

/* The walk and the scan count the same, at any number of columns. */
static void run_times_agree(const char *name, const struct evl_log *log)
{
	uint32_t ids[MOST_THREADS];
	uint64_t first, last;
	size_t n = some_threads(log, ids);
	struct thread_shares s;
	if (!evl_range(log, &first, &last) || strstr(name, "hostile"))
		return;
	assert_int_equal(scan(log, first, last + 1, 77, ids, n, &s), 0);
	for (size_t i = 0; i < n; i++) {
		uint64_t run = 0, all = 0;
		for (int col = 0; col < 77; col++) {
			run += s.columns[i * 77 + (size_t)col].ns[THREAD_RUNNING];
			for (int state = 0; state < THREAD_STATES; state++)
				all += s.columns[i * 77 + (size_t)col].ns[state];
		}
		assert_int_equal(all, last + 1 - first);
		const struct thread_sum *sum = sum_of(&s, ids[i]);
		assert_int_equal(sum->run_ns, run);
		const struct thread_row *row = threads_find(&log->threads, ids[i]);
		bool ended = row->died
			|| sum->pos.state != THREAD_RUNNING; /* an open run counts to the end of the log here */
		if (ended && run != row->run_ns)
			fail_msg("%s: thread %u ran %llu ns, the index says %llu", name, ids[i],
				(unsigned long long)run, (unsigned long long)row->run_ns);
	}
	thread_shares_free(&s);
}

/* The scan and the search for single moments know the same states. */
static void moments_agree(const char *name, const struct evl_log *log)
{
	uint32_t ids[MOST_THREADS];
	uint64_t first, last;
	size_t n = some_threads(log, ids);
	if (!evl_range(log, &first, &last) || strstr(name, "hostile"))
		return;
	for (uint64_t k = 0; k < MOMENTS; k++) {
		uint64_t t = first + (last - first) * k / MOMENTS;
		struct thread_shares s;
		assert_int_equal(scan(log, t, t + 1, 1, ids, n, &s), 0);
		for (size_t i = 0; i < n; i++) {
			struct thread_moment now;
			thread_at(log, ids[i], t, THREAD_JUMP_TILES, &now);
			assert_true(now.known);
			if (now.pos.state != s.columns[i].last)
				fail_msg("%s: thread %u at %llu: state %u, by the scan %u", name, ids[i],
					(unsigned long long)t, now.pos.state, s.columns[i].last);
		}
		thread_shares_free(&s);
	}
}

static void real_run_times(void **state)
{
	(void)state;
	for_all_logs(run_times_agree);
}

static void real_moments(void **state)
{
	(void)state;
	for_all_logs(moments_agree);
}

/* Thread 2 is runnable from 100 to 500, with pauses of [150, 300) and [450, 480); thread 3, which never runs, from 60 on. */
static void runnable_in_pauses(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 50);
	put_create(&b, 60, 3);
	put_run(&b, 70, 1);
	put_create(&b, 100, 2);
	put_gc(&b, 150, 200, 300, 0);
	put_gc(&b, 450, 460, 480, 0);
	put_stop(&b, 490, 1, STOP_YIELD);
	put_run(&b, 500, 2);
	put_stop(&b, 600, 2, STOP_FINISHED);
	block_end(&b, 610);
	log_end(&b);
	struct evl_log *log = walked(&b);
	for (unsigned seed = 1; seed < 400; seed++) {
		uint64_t t0 = 50 + seed * 37 % 500, t1 = t0 + 20 + seed * 61 % 300, wait = 0;
		int n = (int)(1 + seed * 13 % 20);
		struct thread_shares s;
		assert_int_equal(scan(log, t0, t1, n, (uint32_t[]){2, 3}, 2, &s), 0);
		for (int i = 0; i < n; i++) {
			uint64_t paused[2] = {0};
			for (uint64_t t = column_edge(t0, t1, n, i); t < column_edge(t0, t1, n, i + 1); t++) {
				bool in_pause = (t >= 150 && t < 300) || (t >= 450 && t < 480);
				paused[0] += in_pause && t >= 100 && t < 500;
				paused[1] += in_pause && t >= 60;
				wait += !in_pause && t >= 100 && t < 500;
			}
			assert_int_equal(s.columns[i].paused_ns, paused[0]);
			assert_int_equal(s.columns[n + i].paused_ns, paused[1]);
		}
		assert_int_equal(sum_of(&s, 2)->wait_ns, wait);
		thread_shares_free(&s);
	}
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_capabilities_come_to_an_end),
		cmocka_unit_test(sums_of_a_window),
		cmocka_unit_test(columns_are_those_of_a_naive_account),
		cmocka_unit_test(runnable_in_pauses),
		cmocka_unit_test(moments),
		cmocka_unit_test(the_waker_is_known),
		cmocka_unit_test(a_black_hole_is_left),
		cmocka_unit_test(a_delivered_wake_up_is_no_second_one),
		cmocka_unit_test(runs_of_a_thread),
		cmocka_unit_test(traps_of_the_machine),
		cmocka_unit_test(cut_and_lost),
		cmocka_unit_test(killed_while_it_runs),
		cmocka_unit_test(silent_threads_are_looked_for),
		cmocka_unit_test(a_silent_capability_does_not_mislead),
		cmocka_unit_test(a_scan_can_be_cancelled),
		cmocka_unit_test(many_threads_in_one_lane),
		cmocka_unit_test(a_group_counts_threads_with_lanes),
		cmocka_unit_test(capabilities_come_and_go),
		cmocka_unit_test(the_last_label_counts),
		cmocka_unit_test(labels_of_large_logs),
		cmocka_unit_test(real_run_times),
		cmocka_unit_test(real_moments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
