/* OS tasks: their lives, their capabilities, ids used again, more than there is room for. */
#include "logs.h"
#include "slow_threads.h"

static void create(struct built *b, uint64_t t, uint64_t id, unsigned cap, uint64_t os)
{
	put(b, t, EVL_TASK_CREATE, "828", id, cap, os);
}
static void migrate(struct built *b, uint64_t t, uint64_t id, unsigned from, unsigned to)
{
	put(b, t, EVL_TASK_MIGRATE, "822", id, from, to);
}
static void delete (struct built *b, uint64_t t, uint64_t id) { put(b, t, EVL_TASK_DELETE, "8", id); }

static void lives(void **state)
{
	(void)state;
	struct built b = log_begin();
	uint16_t cap;
	uint64_t from, to;
	block_begin(&b, EVL_NO_CAP, 1);
	create(&b, 10, 0xabc, 0, 4711);
	migrate(&b, 20, 0xabc, 0, 3);
	migrate(&b, 40, 0xabc, 3, 1);
	delete (&b, 60, 0xabc);
	create(&b, 80, 0xabc, 2, 4712); /* the same address again */
	put(&b, 100, EVL_USER_MSG, "s", "end");
	block_end(&b, 100);
	struct evl_log *log = walked(&b);
	assert_int_equal(tasks_count(&log->tasks), 2);
	const struct task *one = tasks_at(&log->tasks, 0), *two = tasks_at(&log->tasks, 1);
	assert_true(one->os_thread == 4711 && two->os_thread == 4712);
	assert_false(tasks_stay(one, 9, &cap, &from, &to));
	assert_true(tasks_stay(one, 10, &cap, &from, &to) && cap == 0 && from == 10 && to == 20);
	assert_true(tasks_stay(one, 39, &cap, &from, &to) && cap == 3 && from == 20 && to == 40);
	assert_true(tasks_stay(one, 59, &cap, &from, &to) && cap == 1 && from == 40 && to == 60);
	assert_false(tasks_stay(one, 60, &cap, &from, &to));
	assert_true(tasks_stay(two, 99, &cap, &from, &to) && cap == 2 && from == 80 && to == UINT64_MAX);
	struct task_column col = tasks_column(one, 0, 100);
	assert_true(col.alive && col.moves == 2 && col.from == 0 && col.to == 1 && col.split == 40);
	col = tasks_column(one, 25, 40); /* the move at its end is not in it */
	assert_true(col.alive && col.moves == 0 && col.from == 3 && col.to == 3);
	col = tasks_column(one, 40, 41); /* the one at its start was before it */
	assert_true(col.alive && col.moves == 0 && col.to == 1);
	assert_false(tasks_column(one, 60, 100).alive);
	assert_false(tasks_column(two, 0, 80).alive);
	done(log, &b);
}

/* An OS thread that leaves the run-time system and comes back as another task is one; another with an id of before is not. */
static void os_threads(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 1);
	create(&b, 10, 7, 0, 4711);
	delete (&b, 20, 7);
	create(&b, 30, 7, 1, 4712);
	delete (&b, 40, 7);
	create(&b, 50, 8, 2, 4711);
	migrate(&b, 60, 8, 2, 3);
	delete (&b, 70, 8);
	block_end(&b, 100);
	struct evl_log *log = walked(&b);
	assert_int_equal(tasks_count(&log->tasks), 3);
	assert_int_equal(tasks_threads(&log->tasks), 2);
	const struct task *one = tasks_of_thread(&log->tasks, 0), *two = tasks_of_thread(&log->tasks, 1);
	assert_int_equal(two->os_thread, 4712);
	assert_true(one->born == 50 && one->earlier == tasks_at(&log->tasks, 0) && !two->earlier);
	assert_ptr_equal(tasks_then(one, 9), one->earlier);
	assert_ptr_equal(tasks_then(one, 49), one->earlier);
	assert_ptr_equal(tasks_then(one, 50), one);
	struct task_column col = tasks_thread_column(one, 0, 100);
	assert_true(col.alive && col.moves == 2 && col.from == 0 && col.to == 3 && col.split == 60);
	col = tasks_thread_column(one, 15, 55);
	assert_true(col.alive && col.moves == 1 && col.from == 0 && col.to == 2 && col.split == 50);
	assert_false(tasks_thread_column(one, 20, 50).alive);
	assert_false(tasks_thread_column(one, 70, 100).alive);
	assert_true(tasks_thread_column(one, 10, 20).alive);
	done(log, &b);
}

/* Tasks that are older than the log, whose end was lost, or that are unknown. */
static void lost_events(void **state)
{
	(void)state;
	struct built b = log_begin();
	uint16_t cap;
	uint64_t from, to;
	block_begin(&b, EVL_NO_CAP, 1);
	delete (&b, 5, 1); /* unknown */
	migrate(&b, 10, 2, 6, 7);
	create(&b, 20, 3, 1, 30);
	create(&b, 40, 3, 2, 31);
	block_end(&b, 100);
	struct evl_log *log = walked(&b);
	assert_int_equal(tasks_count(&log->tasks), 3);
	assert_int_equal(log->tasks.more, 1);
	const struct task *old = tasks_at(&log->tasks, 0);
	assert_true(tasks_stay(old, 3, &cap, &from, &to) && cap == 6 && from == 0 && to == 10);
	assert_true(tasks_stay(old, 10, &cap, &from, &to) && cap == 7);
	assert_int_equal(old->os_thread, 0);
	assert_int_equal(tasks_at(&log->tasks, 1)->died, 40);
	done(log, &b);
}

/* A move from another capability than the last one led to: not all moves are logged. */
static void unlogged_move(void **state)
{
	(void)state;
	struct built b = log_begin();
	uint16_t cap;
	uint64_t from, to;
	block_begin(&b, EVL_NO_CAP, 1);
	create(&b, 10, 1, 2, 30);
	create(&b, 10, 2, 2, 31);
	migrate(&b, 20, 1, 2, 0);
	migrate(&b, 30, 1, 1, 0);
	migrate(&b, 30, 2, 2, 0);
	block_end(&b, 100);
	struct evl_log *log = walked(&b);
	for (uint64_t t = 10; t < 50; t++)
		for (size_t i = 0; i < 2; i++) {
			assert_true(tasks_stay(tasks_at(&log->tasks, i), t, &cap, &from, &to));
			assert_int_equal(cap, i == 0 ? TASK_NO_CAP : t < 30 ? 2 : 0);
		}
	struct task_column col = tasks_thread_column(tasks_of_thread(&log->tasks, 0), 0, 100);
	assert_true(col.alive && col.moves == 2 && col.from == TASK_NO_CAP && col.to == TASK_NO_CAP);
	done(log, &b);
}

/* Threads that migrate take the OS threads along that they are bound to, which start with the creation of a thread. */
static void bound_and_workers(void **state)
{
	enum { WORKER, IDLE_WORKER, BOUND, WORKER_OF_1, NO_EVENTS, TASKS };
	static const bool known[TASKS] = {[WORKER] = true, [IDLE_WORKER] = true, [WORKER_OF_1] = true};
	for (int migrates = 0; migrates < 2; migrates++) {
		struct built b = log_begin();
		uint16_t cap;
		uint64_t from, to;
		(void)state;
		block_begin(&b, EVL_NO_CAP, 1);
		create(&b, 10, 1, 0, 30);
		create(&b, 30, 2, 0, 31);
		create(&b, 40, 3, 0, 32);
		create(&b, 50, 4, 1, 33);
		create(&b, 60, 5, 7, 34);
		block_end(&b, 100);
		block_begin(&b, 0, 15);
		put_run(&b, 15, 1);
		put_stop(&b, 25, 1, STOP_YIELD);
		put(&b, 45, EVL_CREATE_THREAD, "4", 2);
		put_run(&b, 46, 2);
		if (migrates)
			put(&b, 48, EVL_MIGRATE_THREAD, "42", 2, 1);
		put_stop(&b, 60, 2, STOP_YIELD);
		block_end(&b, 100);
		block_begin(&b, 1, 45);
		put(&b, 45, EVL_CREATE_THREAD, "4", 3);
		put_run(&b, 55, 3);
		put_stop(&b, 60, 3, STOP_YIELD);
		block_end(&b, 100);
		struct evl_log *log = walked(&b);
		assert_int_equal(tasks_count(&log->tasks), TASKS);
		for (size_t i = 0; i < TASKS; i++) {
			const struct task *task = tasks_at(&log->tasks, i);
			assert_true(tasks_stay(task, 70, &cap, &from, &to));
			assert_int_equal(cap != TASK_NO_CAP, !migrates || known[i]);
		}
		done(log, &b);
	}
}

/* No thread runs elsewhere than where its OS thread is said to be. The thread of a call into Haskell is the one that is
 * created on the capability next, if no other OS thread takes that over before. */
static void bound_threads_of_real_logs(void **state)
{
	static const char *const names[] = {"tests/logs/9.6.6-boundherd.eventlog",
		"tests/logs/9.10.3-conczoo-thr-N2.eventlog", "tests/logs/9.10.3-capdance-N4.eventlog",
		"tests/logs/9.0.2-mixer-N4-full.eventlog", "assets/bazaar.eventlog"};
	size_t seen = 0, elsewhere = 0, workers = 0;
	(void)state;
	for (size_t k = 0; k < countof(names); k++) {
		struct evl_log *log = walked_file(names[k]);
		static struct slow s;
		memset(&s, 0, sizeof s);
		slow_read(&s, log);
		for (size_t i = 0; i < tasks_count(&log->tasks); i++) {
			const struct task *task = tasks_at(&log->tasks, i);
			uint16_t born_on = ((const struct task_move *)rows_at(&task->moves, 0))->cap;
			uint32_t thread = 0;
			bool taken = false;
			workers += !task->roams;
			for (size_t e = 0; e < s.n; e++) {
				const struct frame *f = &s.events[e].f;
				if (f->t < task->born || f->t >= (task->died ? task->died : UINT64_MAX))
					continue;
				if (thread && f->tag == EVL_RUN_THREAD && be32(f->payload.p) == thread) {
					uint16_t cap;
					uint64_t from, to;
					assert_true(tasks_stay(task, f->t, &cap, &from, &to));
					assert_true(cap == TASK_NO_CAP || cap == s.events[e].cap);
					seen++;
					elsewhere += s.events[e].cap != born_on;
				}
				bool other = f->tag == EVL_TASK_CREATE && be64(f->payload.p) != task->id
					&& be16(f->payload.p + 8) == born_on;
				if (!taken && s.events[e].cap == born_on && f->tag == EVL_CREATE_THREAD)
					thread = be32(f->payload.p);
				taken = taken || other || s.events[e].cap == born_on;
			}
		}
		slow_free(&s);
		evl_close(log);
	}
	assert_true(seen > 100 && elsewhere > 20 && workers > 20);
}

static void too_many(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 1);
	for (unsigned i = 0; i < MAX_TASKS + 100; i++)
		create(&b, 10 + i, (uint64_t)i << 12, i % 4, i);
	migrate(&b, 9000, 5 << 12, 1, 2); /* those that are known go on */
	delete (&b, 9001, (uint64_t)(MAX_TASKS + 5) << 12);
	block_end(&b, 10000);
	struct evl_log *log = walked(&b);
	assert_int_equal(tasks_count(&log->tasks), MAX_TASKS);
	assert_int_equal(log->tasks.more, 101);
	assert_int_equal(tasks_column(tasks_at(&log->tasks, 5), 8000, 9500).moves, 1);
	done(log, &b);
}

/* In a log of several parts, events that can only be counted are counted while their part is walked, whatever the ids. */
static void many_past_the_table(void **state)
{
	enum { BLOCKS = 3000, EVENTS = 30, IDS = 3000 };
	struct built b = log_begin();
	uint64_t seed = 3, t = 10;
	(void)state;
	for (unsigned i = 0; i < BLOCKS; i++) {
		block_begin(&b, 0, t);
		for (unsigned k = 0; k < EVENTS; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			uint64_t id = 1 + (seed >> 33) % IDS;
			unsigned what = (unsigned)(seed >> 50) % 4, cap = (unsigned)(seed >> 60) % 4;
			t += 5;
			if (what == 0)
				migrate(&b, t, id, cap, 3 - cap);
			else if (what == 1)
				delete (&b, t, id);
			else if (what == 2)
				create(&b, t, id, cap, id);
			else
				put_run(&b, t, 1);
		}
		block_end(&b, t += 5);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct tasks all;
	struct cursor c;
	struct frame f;
	const struct block *block;
	assert_int_equal(tasks_init(&all), 0);
	cursor_begin(&c, &log->blocks, &log->blocks.chains[0], UINT64_MAX);
	while (cursor_next(&c, &f, &block))
		tasks_event(&all, &f);
	assert_int_equal(tasks_count(&all), MAX_TASKS);
	assert_true(all.more > BLOCKS * EVENTS / 4);
	assert_int_equal(log->tasks.more, all.more);
	assert_int_equal(tasks_count(&log->tasks), MAX_TASKS);
	for (size_t i = 0; i < MAX_TASKS; i++) {
		const struct task *got = tasks_at(&log->tasks, i), *want = tasks_at(&all, i);
		assert_int_equal(got->id, want->id);
		assert_int_equal(got->died, want->died);
		assert_int_equal(got->strays, want->strays);
		assert_int_equal(rows_count(&got->moves), rows_count(&want->moves));
	}
	tasks_free(&all);
	done(log, &b);
}

/* Moves of many tasks at random: a column is what a naive count says. */
static void columns(void **state)
{
	(void)state;
	enum { MOVES = 3000, LIVE = 5 };
	static struct {
		uint64_t t;
		unsigned task, cap;
	} moves[MOVES];
	struct built b = log_begin();
	unsigned on[LIVE] = {0};
	uint64_t t = 100;
	srand(11);
	block_begin(&b, EVL_NO_CAP, 1);
	for (unsigned i = 0; i < LIVE; i++)
		create(&b, 50, 1000 + i, 0, i + 1);
	for (int i = 0; i < MOVES; i++) {
		moves[i].t = t += (uint64_t)(rand() % 10);
		moves[i].task = (unsigned)rand() % LIVE;
		moves[i].cap = (unsigned)rand() % 8;
		migrate(&b, t, 1000 + moves[i].task, on[moves[i].task], moves[i].cap);
		on[moves[i].task] = moves[i].cap;
	}
	block_end(&b, t);
	struct evl_log *log = walked(&b);
	for (int k = 0; k < 2000; k++) {
		uint64_t t0 = 60 + (uint64_t)rand() % t, t1 = t0 + 1 + (uint64_t)rand() % 500;
		unsigned task = (unsigned)rand() % LIVE, from = 0, to = 0;
		size_t n = 0;
		for (int i = 0; i < MOVES && moves[i].t < t1; i++) {
			if (moves[i].task != task)
				continue;
			from = moves[i].t <= t0 ? moves[i].cap : from;
			n += moves[i].t > t0;
			to = moves[i].cap;
		}
		struct task_column col = tasks_column(tasks_at(&log->tasks, task), t0, t1);
		assert_int_equal(col.moves, n);
		assert_int_equal(col.from, from);
		assert_int_equal(col.to, to);
	}
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lives),
		cmocka_unit_test(os_threads),
		cmocka_unit_test(lost_events),
		cmocka_unit_test(unlogged_move),
		cmocka_unit_test(bound_and_workers),
		cmocka_unit_test(bound_threads_of_real_logs),
		cmocka_unit_test(too_many),
		cmocka_unit_test(many_past_the_table),
		cmocka_unit_test(columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
