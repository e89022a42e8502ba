/* The waker of a thread that waits for longer than the part of the log that a frame reads: the inspector and ]w find the same one. */
#include "lanes/lane_threads.h"
#include "paned.h"
#include "panes/timeline/timeline.h"
#include "query/thread_find.h"

enum { WAITS = 1, RUNS = 2, TURNS = 40000, TURN = 1000, SINCE = 1000, WOKEN = TURNS * TURN };

/* Thread 2 runs again and again, and in the end wakes thread 1. */
static struct built far_wake(void)
{
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 0, WAITS);
	put_stop(&b, SINCE, WAITS, STOP_MVAR);
	block_end(&b, SINCE);
	for (uint64_t turn = 2; turn < TURNS;) {
		block_begin(&b, 0, turn * TURN);
		for (int i = 0; i < 100 && turn < TURNS; i++, turn++) {
			put_run(&b, turn * TURN, RUNS);
			put_stop(&b, turn * TURN + TURN / 2, RUNS, STOP_YIELD);
		}
		block_end(&b, turn * TURN - TURN / 2);
	}
	block_begin(&b, 0, WOKEN);
	put_run(&b, WOKEN, RUNS);
	put(&b, WOKEN + 10, EVL_THREAD_WAKEUP, "42", (unsigned)WAITS, 0u);
	put_stop(&b, WOKEN + 20, RUNS, STOP_FINISHED);
	put_run(&b, WOKEN + 30, WAITS);
	block_end(&b, WOKEN + 100);
	log_end(&b);
	return b;
}

static void the_inspector_finds_whom_the_jump_finds(void **state)
{
	(void)state;
	struct built b = far_wake();
	struct evl_log *log = walked(&b);
	struct thread_moment frame;
	thread_at(log, WAITS, 2 * SINCE, THREAD_FRAME_TILES, &frame);
	assert_true(frame.known && frame.unsure && !frame.woken); /* a frame does not read so far */
	paned_open(log, PANE_TIMELINE, 24, 160);
	model_goto(&host.model, 2 * SINCE, 0);
	assert_true(lanes_select(&timeline_of(&host)->lanes, &lane_thread, WAITS));
	paned_draw();
	assert_seen("blocked on an MVar");
	assert_seen("woken by thread 2 on cap 0");
	paned_key(ACT_WAKER);
	assert_int_equal(host.model.at.cursor, WOKEN + 10);
	assert_string_equal(host.message, "thread 1 was woken here by thread 2");
	paned_close();
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_inspector_finds_whom_the_jump_finds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
