/* Why a capability is idle: the threads in each state, and the thread that it runs next. */
#include "each_log.h"
#include "query/idle_why.h"
#include "show/event_merge.h"

/* Threads 1 to 5 are in foreign calls; 1 and 3 are managers. Two of the others are named. */
static void managers_are_not_named(void **state)
{
	static const char *const labels[] = {"IOManager on cap 0", "a", "TimerManager", "b", "c"};
	struct built b = log_begin();
	struct idle_why w;
	(void)state;
	block_begin(&b, 0, 1);
	for (unsigned i = 0; i < countof(labels); i++) {
		put(&b, 2, EVL_THREAD_LABEL, "4s", i + 1, labels[i]);
		put_run(&b, 10 + 2 * i, i + 1);
		put_stop(&b, 11 + 2 * i, i + 1, STOP_FOREIGN);
	}
	put(&b, 90, EVL_USER_MSG, "s", "end");
	block_end(&b, 90);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(idle_why_at(&w, log, 50, NULL), 0);
	assert_int_equal(w.foreign, 5);
	assert_int_equal(w.n_calling, 2);
	assert_int_equal(w.managers, 2);
	assert_true(w.calling[0] != w.calling[1]);
	for (uint32_t i = 0; i < w.n_calling; i++)
		assert_true(w.calling[i] != 1 && w.calling[i] != 3);
	done(log, &b);
}

/* Thread 1 waits for an MVar from 20 on, thread 2 is in a foreign call from 30 to 60, thread 3 runnable from 40 to 50. */
static void threads_are_counted_by_state(void **state)
{
	struct built b = log_begin();
	struct idle_why w;
	(void)state;
	block_begin(&b, 0, 1);
	put_run(&b, 5, 1);
	put_stop(&b, 20, 1, STOP_MVAR);
	put_run(&b, 21, 2);
	put_stop(&b, 30, 2, STOP_FOREIGN);
	put(&b, 40, EVL_CREATE_THREAD, "4", 3u);
	put_run(&b, 50, 3);
	put_stop(&b, 55, 3, STOP_FINISHED);
	put_run(&b, 60, 2);
	put_stop(&b, 70, 2, STOP_FINISHED);
	put(&b, 90, EVL_USER_MSG, "s", "end");
	block_end(&b, 90);
	log_end(&b);
	struct evl_log *log = walked(&b);
	for (uint64_t t = 2; t < 90; t++) {
		assert_int_equal(idle_why_at(&w, log, t, NULL), 0);
		assert_int_equal(w.runnable, t >= 40 && t < 50);
		assert_int_equal(w.ready[0].thread, w.runnable ? 3 : 0);
		assert_int_equal(w.foreign, t >= 30 && t < 60);
		assert_int_equal(w.n_calling, w.foreign);
		assert_int_equal(w.calling[0], w.foreign ? 2 : 0);
		assert_int_equal(w.blocked, t >= 20);
		assert_int_equal(w.by_reason[STOP_MVAR], t >= 20);
		assert_int_equal(w.others,
			(t >= 5 && t < 20) || (t >= 21 && t < 30) || (t >= 50 && t < 55) || (t >= 60 && t < 70));
		assert_false(w.partial);
		assert_int_equal(w.had, t >= 5);
	}
	done(log, &b);
}

/* Thread 1 waits on cap 0 from 200 on, thread 2 wakes it from cap 1 at 300, it runs on cap 0 from 400 to 450. Thread 3 is
 * created by thread 2 at 340, and runs on cap 0 from 500 to 600. Thread 2 comes there at 700, from a foreign call. */
static void the_next_thread_and_its_waker(void **state)
{
	struct built b = log_begin();
	struct idle_end end;
	const struct thread_budget each = {.tiles = THREAD_JUMP_TILES}, none = {.tiles = 0};
	(void)state;
	block_begin(&b, 0, 50);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, STOP_MVAR);
	put_run(&b, 400, 1);
	put_stop(&b, 450, 1, STOP_FINISHED);
	put_run(&b, 500, 3);
	put_stop(&b, 600, 3, STOP_FINISHED);
	put_run(&b, 700, 2);
	put_stop(&b, 800, 2, STOP_FINISHED);
	put(&b, 1000, EVL_USER_MSG, "s", "end");
	block_end(&b, 1000);
	block_begin(&b, 1, 50);
	put_run(&b, 150, 2);
	put(&b, 300, EVL_THREAD_WAKEUP, "42", 1u, 0u);
	put(&b, 340, EVL_CREATE_THREAD, "4", 3u);
	put_stop(&b, 350, 2, STOP_FOREIGN);
	block_end(&b, 1000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	static const struct {
		uint64_t t, next;
		uint32_t thread;
		enum thread_state state;
	} want[] = {{200, 400, 1, THREAD_BLOCKED}, {299, 400, 1, THREAD_BLOCKED}, {310, 400, 1, THREAD_RUNNABLE},
		{450, 500, 3, THREAD_RUNNABLE}, {330, 400, 1, THREAD_RUNNABLE}, {650, 700, 2, THREAD_FOREIGN}};
	for (size_t i = 0; i < countof(want); i++) {
		idle_end_at(&end, log, 0, want[i].t, &each);
		assert_true(end.found && !end.none && end.before.known);
		assert_int_equal(end.t, want[i].next);
		assert_int_equal(end.thread, want[i].thread);
		assert_int_equal(end.before.pos.state, want[i].state);
	}
	idle_end_at(&end, log, 0, 250, &each);
	assert_true(end.before.woken);
	assert_int_equal(end.before.waker, 2);
	assert_int_equal(end.before.wake.cap, 1);
	idle_end_at(&end, log, 0, 800, &each);
	assert_true(!end.found && end.none);
	idle_end_at(&end, log, 1, 400, &each);
	assert_true(!end.found && end.none);
	idle_end_at(&end, log, 0, 250, &none); /* not known */
	assert_true(!end.found && !end.none);
	idle_end_at(&end, log, 7, 250, &each); /* no such capability */
	assert_true(!end.found && !end.none);
	done(log, &b);
}

/* Thread 1 stops at 200 with a heap overflow, the collection starts at 300 and ends at 350; thread 1 runs at 400 and stops to
 * yield at 500; the next collection starts at 600, thread 1 runs at 700. */
static void a_thread_that_waits_for_a_collection(void **state)
{
	(void)state;
	for (int overflows = 0; overflows < 2; overflows++) {
		struct built b = log_begin();
		struct idle_why w;
		struct idle_end end;
		const struct thread_budget each = {.tiles = THREAD_JUMP_TILES};
		block_begin(&b, 0, 50);
		put_run(&b, 100, 1);
		put_stop(&b, 200, 1, overflows ? STOP_HEAP : STOP_YIELD);
		put_gc(&b, 300, 300, 350, 0);
		put_run(&b, 400, 1);
		put_stop(&b, 500, 1, STOP_YIELD);
		put_gc(&b, 600, 600, 650, 0);
		put_run(&b, 700, 1);
		put_stop(&b, 800, 1, STOP_FINISHED);
		block_end(&b, 800);
		log_end(&b);
		struct evl_log *log = walked(&b);
		static const struct {
			uint64_t t, gc;
			bool waits;
		} want[] = {{200, 300, true}, {299, 300, true}, {360, 0, false}, {500, 600, false}, {660, 0, false}};
		for (size_t i = 0; i < countof(want); i++) {
			assert_int_equal(idle_why_at(&w, log, want[i].t, NULL), 0);
			assert_int_equal(w.runnable, 1);
			assert_int_equal(w.ready[0].waits_for_gc, overflows && want[i].waits);
			idle_end_at(&end, log, 0, want[i].t, &each);
			assert_int_equal(end.gc_t, want[i].gc);
		}
		done(log, &b);
	}
}

/* The first RUN_THREAD after t, by reading all events of the chain. */
static bool scan_run(const struct evl_log *log, uint32_t chain, uint64_t t, struct thread_event *out)
{
	const struct block *block;
	struct cursor c;
	struct frame f;
	cursor_begin(&c, &log->blocks, &log->blocks.chains[chain], load_acquire(&log->tiles[chain].walked));
	while (cursor_next(&c, &f, &block))
		if (f.tag == EVL_RUN_THREAD && f.t > t
			&& thread_event_read(log->blocks.header, log->blocks.chains[chain].cap, &f, out))
			return true;
	return false;
}

/* The last TASK_CREATE or TASK_MIGRATE in (t, until] that brings a task to the capability which then stays there, by
 * reading all events. */
static uint64_t scan_task(const struct evl_log *log, uint16_t cap, uint64_t t, uint64_t until)
{
	struct event_merge m;
	struct frame f;
	const struct block *block;
	uint64_t came = 0, task = 0;
	assert_int_equal(event_merge_begin(&m, &log->blocks, &MERGE_ALL), 0);
	while (event_merge_next(&m, &f, &block)) {
		if (f.t > until)
			continue;
		bool created = f.tag == EVL_TASK_CREATE, moved = f.tag == EVL_TASK_MIGRATE;
		if ((created || moved) && be16(f.payload.p + (created ? 8 : 10)) == cap && f.t > t) {
			came = f.t;
			task = be64(f.payload.p);
		} else if ((moved || f.tag == EVL_TASK_DELETE) && be64(f.payload.p) == task) {
			came = UINT64_MAX; /* an earlier task may stay: not known here */
		}
	}
	event_merge_end(&m);
	return came;
}

/* Until when a capability is in a collection that is over at t, by reading all events of the chain; 0: it is in none. */
static uint64_t scan_left(const struct evl_log *log, uint32_t chain, uint64_t t)
{
	const struct block *block;
	struct cursor c;
	struct frame f;
	bool in = false;
	for (size_t i = 0; i < log->gcs.n; i++)
		for (size_t k = 0; k < rows_count(&log->gcs.tables[i].rows); k++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[i].rows, k);
			if (gc_requested(gc) <= t && t < gc_end(gc))
				return 0;
		}
	cursor_begin(&c, &log->blocks, &log->blocks.chains[chain], load_acquire(&log->tiles[chain].walked));
	while (cursor_next(&c, &f, &block)) {
		bool gc = f.tag == EVL_GC_START || f.tag == EVL_GC_WORK || f.tag == EVL_GC_IDLE || f.tag == EVL_GC_DONE;
		if (!gc && f.tag != EVL_GC_END && f.tag != EVL_RUN_THREAD && f.tag != EVL_STOP_THREAD)
			continue;
		if (f.t > t && in && !gc)
			return f.tag == EVL_GC_END ? f.t : 0;
		if (f.t > t && !gc)
			return 0;
		in = gc && (in || f.t <= t);
	}
	return 0;
}

static size_t found, ended, came, left;

static void next_runs(const struct evl_log *log, const char *name)
{
	enum { CAPS = 6, MOMENTS = 9 };
	const struct thread_budget each = {.tiles = SIZE_MAX};
	uint64_t first, last;
	if (!evl_range(log, &first, &last))
		return;
	for (size_t cap = 0; cap < log->n_caps && cap < CAPS; cap++) {
		uint32_t chain = log->cap_chains[cap];
		for (size_t k = 0; k < MOMENTS; k++) {
			uint64_t t = first + (last - first) / (MOMENTS - 1) * k;
			struct thread_budget budget = each;
			struct thread_event got, want;
			struct idle_end end;
			bool any = scan_run(log, chain, t, &want);
			idle_end_at(&end, log, log->blocks.chains[chain].cap, t, &each);
			assert_int_equal(cap_next_run(log, chain, t, &budget, &got), any);
			assert_int_equal(end.found, any);
			if (any && (end.t != want.t || end.thread != want.thread || got.t != want.t))
				fail_msg("%s: cap %zu after %llu", name, cap, (unsigned long long)t);
			if (end.left_t != scan_left(log, chain, t))
				fail_msg("%s: cap %zu leaves the collection before %llu at %llu", name, cap,
					(unsigned long long)t, (unsigned long long)end.left_t);
			left += end.left_t > 0;
			if (any && evl_progress(log).events < 60000) {
				uint64_t task = scan_task(log, log->blocks.chains[chain].cap, t, end.t);
				if (task != UINT64_MAX && end.t - task > task - t)
					task = 0;
				if (task != UINT64_MAX && end.task_t != task)
					fail_msg("%s: cap %zu after %llu: OS thread at %llu, not %llu", name, cap,
						(unsigned long long)t, (unsigned long long)end.task_t,
						(unsigned long long)task);
				came += end.task_t > 0;
			}
			if (!any)
				assert_int_equal(end.none, !load_acquire(&log->tiles[chain].lost_t));
			found += any;
			ended += end.none;
		}
	}
}

static void the_next_run_is_that_of_a_scan(void **state)
{
	each_log_of(*state, next_runs);
	assert_true(found && ended && came && left);
}

/* Where each thread waits to run: its last RUN_THREAD, or what names a capability for a thread that does not run. */
struct place {
	uint16_t cap;
	bool known, runs;
	bool overflowed;  /* its last stop was a heap overflow, */
	uint64_t stopped; /* at this time */
};

enum { THREADS = 1 << 16 };
static struct place places[THREADS];

static void place(const struct thread_event *e, uint64_t t)
{
	struct place *p = &places[e->thread % THREADS];
	bool runs = e->tag == EVL_RUN_THREAD;
	if (e->tag == EVL_STOP_THREAD) {
		p->runs = p->runs && p->cap != e->cap;
		p->overflowed = e->stop == STOP_HEAP;
		p->stopped = t;
		return;
	}
	if (e->tag != EVL_RUN_THREAD && p->runs)
		return;
	for (size_t i = 0; e->tag == EVL_RUN_THREAD && i < THREADS; i++) /* what ran there stopped */
		places[i].runs = places[i].runs && places[i].cap != e->cap;
	*p = (struct place){e->to_cap, true, runs, p->overflowed && !runs, p->stopped};
}

static bool waits_for_gc(const struct evl_log *log, const struct place *p, uint64_t t)
{
	bool began = false;
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			began = began || (gc->start >= p->stopped && gc->start <= t);
		}
	return p->overflowed && !began;
}

static size_t queued, waiting;

/* The capability of each runnable thread, and whether it waits for a collection, are those of a replay of all events, at
 * some moments. */
static void queues(const struct evl_log *log, const char *name)
{
	enum { MOMENTS = 40 };
	struct event_merge m;
	struct frame f;
	const struct block *block;
	struct thread_event e;
	struct idle_why why;
	uint64_t first, last, k = 1;
	if (!evl_range(log, &first, &last) || evl_progress(log).events > 60000)
		return;
	memset(places, 0, sizeof places);
	assert_int_equal(event_merge_begin(&m, &log->blocks, &MERGE_ALL), 0);
	for (bool more = true; more && k < MOMENTS;) {
		more = event_merge_next(&m, &f, &block);
		for (; k < MOMENTS && (!more || f.t > first + (last - first) / MOMENTS * k); k++) {
			assert_int_equal(idle_why_at(&why, log, first + (last - first) / MOMENTS * k, NULL), 0);
			for (uint32_t i = 0; i < why.runnable && i < IDLE_READY && !why.partial; i++) {
				const struct place *p = &places[why.ready[i].thread % THREADS];
				if (why.ready[i].cap != (p->known ? p->cap : EVL_NO_CAP))
					fail_msg("%s: thread %u waits for cap %u, not %u", name, why.ready[i].thread,
						why.ready[i].cap, p->cap);
				uint64_t t = first + (last - first) / MOMENTS * k;
				if (why.ready[i].waits_for_gc != waits_for_gc(log, p, t))
					fail_msg("%s: thread %u waits for a collection at %llu: %d", name,
						why.ready[i].thread, (unsigned long long)t, why.ready[i].waits_for_gc);
				waiting += why.ready[i].waits_for_gc;
				queued++;
			}
		}
		if (more && thread_event_read(log->blocks.header, log->blocks.chains[block->chain].cap, &f, &e))
			place(&e, f.t);
	}
	event_merge_end(&m);
}

static void queues_are_those_of_a_replay(void **state)
{
	each_log_of(*state, queues);
	assert_true(queued > 100 && waiting > 8);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(managers_are_not_named),
		cmocka_unit_test(threads_are_counted_by_state),
		cmocka_unit_test(the_next_thread_and_its_waker),
		cmocka_unit_test(a_thread_that_waits_for_a_collection),
		cmocka_unit_test_prestate(the_next_run_is_that_of_a_scan, argv + 1),
		cmocka_unit_test_prestate(queues_are_those_of_a_replay, argv + 1),
	};
	(void)argc;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
