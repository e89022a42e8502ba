/* Time on and off the CPU: a planted program is found, rows add up to the threads' lives, samples go to their threads. */
#include "logs.h"

#include "report/whole_time.h"
#include "sched/thread_state.h"

#include <stdlib.h>

enum { MS = 1000000, COMPUTE = 3, OTHER = 4, TIMER = 5, GO = 7, PUT = 8 };

static void sample(struct built *b, uint64_t t, unsigned cap, uint64_t tick, unsigned centre)
{
	put(b, t, EVL_PROF_SAMPLE_COST_CENTRE, "484", cap, tick, 0u);
	b->len -= 4;
	add_number(b, 1, 1);
	add_number(b, centre, 4);
	patch(b, b->len - 17 - 2, 17, 2);
}

/* 10 rounds of 10 ms: thread 3 computes 7 ms (go, then put), waits 2 ms for an MVar that thread 4 puts, sleeps 1 ms. */
static struct built program(bool spans)
{
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", (unsigned)GO, "go", 0u, "M", 0u, "M.hs:1:1", 0u, 0u);
	put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", (unsigned)PUT, "put", 0u, "M", 0u, "M.hs:2:1", 0u, 0u);
	put(&b, 1, EVL_THREAD_LABEL, "4s", (unsigned)TIMER, "TimerManager");
	block_end(&b, 2);
	block_begin(&b, 0, 2);
	put(&b, 2, EVL_CREATE_THREAD, "4", (unsigned)COMPUTE);
	for (uint64_t round = 0, tick = 0; round < 10; round++) {
		uint64_t t = 10 + round * 10 * MS;
		put_run(&b, t, COMPUTE);
		if (spans) {
			put(&b, t, EVL_USER_MSG, "s", "START req");
			put(&b, t + MS / 4, EVL_USER_MSG, "s", "START other");
		}
		for (int i = 0; i < 7; i++)
			sample(&b, t + (uint64_t)i * MS + MS / 2, 0, ++tick, i < 5 ? GO : PUT);
		if (spans) {
			put(&b, t + 7 * MS - 1, EVL_USER_MSG, "s", "STOP other");
		}
		put_stop(&b, t + 7 * MS, COMPUTE, STOP_MVAR);
		put_run(&b, t + 7 * MS + 1, OTHER);
		sample(&b, t + 8 * MS, 0, ++tick, GO);
		put(&b, t + 9 * MS, EVL_THREAD_WAKEUP, "42", (unsigned)COMPUTE, 0u);
		put_stop(&b, t + 9 * MS, OTHER, STOP_YIELD);
		put_run(&b, t + 9 * MS, COMPUTE);
		put_stop(&b, t + 9 * MS, COMPUTE, STOP_MVAR);
		if (spans) { /* the thread slept: the span ends when it runs again, of the last after the log */
			put_run(&b, t + 9 * MS + 1, COMPUTE);
			put(&b, t + 9 * MS + 1, EVL_USER_MSG, "s", "STOP req");
			put_stop(&b, t + 9 * MS + 1, COMPUTE, STOP_MVAR);
		}
		put_run(&b, t + 10 * MS - 2, TIMER);
		put(&b, t + 10 * MS - 1, EVL_THREAD_WAKEUP, "42", (unsigned)COMPUTE, 0u);
		put_stop(&b, t + 10 * MS - 1, TIMER, STOP_YIELD);
	}
	block_end(&b, 10 + 100 * (uint64_t)MS);
	return b;
}

static uint64_t sum(const struct whole_time *w, uint32_t thread, enum whole_kind kind, uint64_t *samples)
{
	uint64_t ns = 0;
	*samples = 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->rows[i].thread == thread && w->rows[i].kind == kind) {
			ns += w->rows[i].ns;
			*samples += w->rows[i].samples;
		}
	return ns;
}

static void assert_near(uint64_t got, double want)
{
	assert_true((double)got > want - 0.02 * 100 * MS && (double)got < want + 0.02 * 100 * MS);
}

static void a_planted_program_is_found(void **state)
{
	(void)state;
	struct built b = program(false);
	struct evl_log *log = walked(&b);
	struct whole_time w;
	uint64_t n, all = 0;
	assert_int_equal(whole_time_make(&w, log, 0, UINT64_MAX, NULL, NULL), 0);
	assert_near(sum(&w, COMPUTE, WHOLE_CPU, &n), 70.0 * MS);
	assert_int_equal(n, 70);
	assert_near(sum(&w, COMPUTE, WHOLE_BLOCKED, &n), 20.0 * MS);
	assert_near(sum(&w, COMPUTE, WHOLE_TIMER, &n), 10.0 * MS);
	sum(&w, OTHER, WHOLE_CPU, &n);
	assert_int_equal(n, 10);
	assert_int_equal(w.of_threads, 80);
	for (size_t i = 0; i < w.n; i++) {
		const struct whole_row *r = &w.rows[i];
		all += r->thread == COMPUTE ? r->ns : 0;
		if (r->thread != COMPUTE)
			continue;
		if (r->kind == WHOLE_CPU && i > 0 && w.rows[i - 1].thread == COMPUTE
			&& w.rows[i - 1].kind == WHOLE_CPU) {
			assert_int_equal(w.rows[i - 1].samples, 50); /* go before put */
			assert_int_equal(r->samples, 20);
			assert_near(w.rows[i - 1].ns, 50.0 * MS);
		}
		if (r->kind == WHOLE_BLOCKED) { /* the last sample before was put */
			assert_int_equal(r->reason, STOP_MVAR);
			assert_int_equal(stacks_at(&evl_profile(log)->stacks, r->node)->frame, PUT);
		}
	}
	assert_int_equal(all, 100 * (uint64_t)MS + 9 - 2); /* its life to the log's end, to the nanosecond */
	whole_time_free(&w);
	done(log, &b);
}

/* One thread alone has the rows that it has among all; of a range, less. */
static void one_thread_and_ranges(void **state)
{
	(void)state;
	struct built b = program(false);
	struct evl_log *log = walked(&b);
	const struct whole_only only = {.thread = COMPUTE};
	struct whole_time all, one, part;
	uint64_t n, m;
	assert_int_equal(whole_time_make(&all, log, 0, UINT64_MAX, NULL, NULL), 0);
	assert_int_equal(whole_time_make(&one, log, 0, UINT64_MAX, &only, NULL), 0);
	assert_int_equal(whole_time_make(&part, log, 30 * MS + 10, 50 * MS + 10, &only, NULL), 0);
	for (enum whole_kind kind = WHOLE_CPU; kind < WHOLE_KINDS; kind++) {
		assert_int_equal(sum(&all, COMPUTE, kind, &n), sum(&one, COMPUTE, kind, &m));
		assert_int_equal(n, m);
	}
	for (size_t i = 0; i < one.n; i++)
		assert_int_equal(one.rows[i].thread, COMPUTE);
	uint64_t sums = 0;
	for (size_t i = 0; i < part.n; i++)
		sums += part.rows[i].ns;
	assert_int_equal(sums, 20 * MS);
	sum(&part, COMPUTE, WHOLE_CPU, &n);
	assert_int_equal(n, 14);
	whole_time_free(&all);
	whole_time_free(&one);
	whole_time_free(&part);
	done(log, &b);
}

static uint64_t of(
	const struct evl_log *log, const char *text, uint32_t thread, enum whole_kind kind, uint64_t *samples)
{
	struct whole_only only;
	struct whole_time w;
	assert_int_equal(whole_only_parse(&only, text, NULL), 0);
	assert_int_equal(whole_time_make(&w, log, 0, UINT64_MAX, &only, NULL), 0);
	uint64_t ns = sum(&w, thread, kind, samples);
	whole_only_free(&only);
	whole_time_free(&w);
	return ns;
}

/* A span of 9 ms a round, and one in it of 6.75 ms less a nanosecond: of the thread that began them. */
static void threads_labels_and_spans(void **state)
{
	static const char *const wrong[] = {"thread:x", "thread:", "thread:3-1", "label:", "label=", "span:", "cap:1",
		"label~\\v(", "!span:req", "span:req or thread:4", "span:req span:other", "(thread:4"};
	(void)state;
	struct built b = program(true);
	struct evl_log *log = walked(&b);
	uint64_t n;
	assert_int_equal(of(log, "span:req", COMPUTE, WHOLE_CPU, &n), 10 * 7 * MS);
	assert_int_equal(n, 70);
	assert_int_equal(of(log, "span:req", COMPUTE, WHOLE_BLOCKED, &n),
		10 * (2 * (uint64_t)MS + 1)); /* and 1 ns to take the wake-up */
	assert_int_equal(of(log, "span:req", COMPUTE, WHOLE_TIMER, &n), 0);
	assert_int_equal(of(log, "span:req", OTHER, WHOLE_CPU, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(of(log, "span:other", COMPUTE, WHOLE_CPU, &n), 10 * (7 * (uint64_t)MS - MS / 4 - 1));
	assert_int_equal(n, 70); /* the first is at half a millisecond */
	assert_int_equal(of(log, "span:nothing", COMPUTE, WHOLE_CPU, &n), 0);
	assert_int_equal(of(log, "!thread:4 span:req", COMPUTE, WHOLE_CPU, &n), 10 * 7 * MS);
	assert_int_equal(of(log, "thread:4 span:req", COMPUTE, WHOLE_CPU, &n), 0);
	assert_int_equal(of(log, "span:re?", COMPUTE, WHOLE_CPU, &n), 10 * 7 * MS);
	assert_true(of(log, "label~timer", TIMER, WHOLE_CPU, &n) > 0);
	assert_int_equal(of(log, "label~timer", COMPUTE, WHOLE_CPU, &n), 0);
	assert_true(of(log, "timer", TIMER, WHOLE_CPU, &n) > 0);
	assert_true(of(log, "timer or thread:4", OTHER, WHOLE_CPU, &n) > 0);
	assert_int_equal(of(log, "label=timer", TIMER, WHOLE_CPU, &n), 0); /* not all of it */
	assert_true(of(log, "label=TimerManager", TIMER, WHOLE_CPU, &n) > 0);
	assert_int_equal(of(log, "label=TimerManager#", TIMER, WHOLE_CPU, &n), 0); /* no number */
	assert_true(of(log, "thread:4", OTHER, WHOLE_CPU, &n) > 0);
	assert_int_equal(n, 10);
	assert_int_equal(of(log, "thread:4", COMPUTE, WHOLE_CPU, &n), 0);
	assert_true(of(log, "thread:3-5", OTHER, WHOLE_CPU, &n) > 0);
	assert_int_equal(of(log, "!thread:4-5", OTHER, WHOLE_CPU, &n), 0);
	assert_int_equal(of(log, "thread:0", OTHER, WHOLE_CPU, &n), 0);
	for (size_t i = 0; i < countof(wrong); i++) {
		struct whole_only only;
		struct evl_err err = {0};
		assert_int_equal(whole_only_parse(&only, wrong[i], &err), EVL_USAGE);
		assert_true(err.text[0]);
		whole_only_free(&only);
	}
	done(log, &b);
}

/* A pattern is looked for in the first bytes of a name, since the log goes on after it. */
static void long_names_are_cut(void **state)
{
	(void)state;
	char begin[FILTER_TEXT_MOST + 32] = "START ", end[sizeof begin] = "STOP ";
	struct built b = log_begin();
	uint64_t n;
	memset(begin + 6, 'x', FILTER_TEXT_MOST);
	memset(end + 5, 'x', FILTER_TEXT_MOST);
	strcat(begin, "tail");
	strcat(end, "tail");
	block_begin(&b, 0, 0);
	put_run(&b, 1 * MS, COMPUTE);
	put(&b, 2 * MS, EVL_USER_MSG, "s", begin);
	put(&b, 4 * MS, EVL_USER_MSG, "s", end);
	put_stop(&b, 5 * MS, COMPUTE, STOP_FINISHED);
	block_end(&b, 6 * MS);
	struct evl_log *log = walked(&b);
	assert_int_equal(of(log, "span~x", COMPUTE, WHOLE_CPU, &n), 2 * MS);
	assert_int_equal(of(log, "span~\\vx$", COMPUTE, WHOLE_CPU, &n), 2 * MS);
	assert_int_equal(of(log, "span~\\vt", COMPUTE, WHOLE_CPU, &n), 0);
	assert_int_equal(of(log, "span~tail", COMPUTE, WHOLE_CPU, &n), 0);
	done(log, &b);
}

/* A thread that runs on after the request is on the CPU until it stops; then the pause holds it. */
static void a_late_thread_is_no_victim(void **state)
{
	(void)state;
	struct built b = log_begin();
	uint64_t n;
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", (unsigned)GO, "go", 0u, "M", 0u, "M.hs:1:1", 0u, 0u);
	block_end(&b, 2);
	block_begin(&b, 0, 2);
	put(&b, 2 * MS, EVL_CREATE_THREAD, "4", (unsigned)OTHER);
	put_gc(&b, 3 * MS, 11 * MS, 12 * MS, 0);
	put_run(&b, 14 * MS, OTHER);
	put_stop(&b, 15 * MS, OTHER, STOP_FINISHED);
	block_end(&b, 20 * MS);
	block_begin(&b, 1, 2);
	put(&b, 2 * MS, EVL_CREATE_THREAD, "4", (unsigned)COMPUTE);
	put_run(&b, 2 * MS, COMPUTE);
	put_stop(&b, 10 * MS, COMPUTE, STOP_YIELD);
	put_run(&b, 13 * MS, COMPUTE);
	put_stop(&b, 16 * MS, COMPUTE, STOP_FINISHED);
	block_end(&b, 20 * MS);
	struct evl_log *log = walked(&b);
	assert_int_equal(of(log, "thread:3", COMPUTE, WHOLE_CPU, &n), 11 * MS);
	assert_int_equal(of(log, "thread:3", COMPUTE, WHOLE_GC, &n), 2 * MS);
	assert_int_equal(of(log, "thread:3", COMPUTE, WHOLE_RUNNABLE, &n), 1 * MS);
	assert_int_equal(of(log, "thread:4", OTHER, WHOLE_GC, &n), 9 * MS);
	assert_int_equal(of(log, "thread:4", OTHER, WHOLE_RUNNABLE, &n), 3 * MS);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_planted_program_is_found),
		cmocka_unit_test(one_thread_and_ranges), cmocka_unit_test(threads_labels_and_spans),
		cmocka_unit_test(a_late_thread_is_no_victim), cmocka_unit_test(long_names_are_cut)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
