/* The columns of threads' lanes are what slow code finds that takes all events in order of time: of real logs and of random ones, of
 * windows of any size and place, of single threads and of groups. */
#include "query/thread_shares.h"

#include "each_log.h"
#include "slow_gcs.h"

#include <stdio.h>

enum { LANES = 24, COLS = 40, WINDOWS = 24 };

static uint64_t seed = 9, seen[THREAD_STATES], paused_seen;

static uint64_t any(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return below ? (seed >> 11) % below : 0;
}

/* The sums of a thread in [from, to), and its state at the two ends. */
struct column {
	uint64_t ns[THREAD_STATES], paused, caps;
	enum thread_state first, last;
};

static void add_thread(
	const struct slow *s, const struct pauses *p, uint32_t thread, uint64_t from, uint64_t to, struct column *out)
{
	uint64_t told = 0;
	out->first = out->last = THREAD_ABSENT;
	for (size_t i = 0; i < s->list.n; i++) {
		const struct stretch *x = &s->list.items[i];
		uint64_t a = max_u64(x->since, from), b = min_u64(x->to, to);
		if (x->thread != thread || a >= b)
			continue;
		out->ns[x->state] += b - a;
		out->paused += x->state == THREAD_RUNNABLE ? covered(p, a, b) : 0;
		out->caps |= x->state == THREAD_RUNNING ? 1ull << x->cap % 64 : 0;
		out->first = a == from ? (enum thread_state)x->state : out->first;
		out->last = b == to ? (enum thread_state)x->state : out->last;
		told += b - a;
	}
	out->ns[THREAD_ABSENT] += to - from - told;
}

static void expect_column(const char *name, const struct thread_column *got, const struct column *want, uint32_t thread,
	uint64_t from, uint64_t to)
{
	for (int i = 0; i < THREAD_STATES; i++) {
		if (got->ns[i] != want->ns[i])
			fail_msg("%s: thread %u in [%llu, %llu): state %d for %llu, not %llu", name, thread,
				(unsigned long long)from, (unsigned long long)to, i, (unsigned long long)got->ns[i],
				(unsigned long long)want->ns[i]);
		seen[i] += want->ns[i];
	}
	if (got->paused_ns != want->paused)
		fail_msg("%s: thread %u in [%llu, %llu): %llu in pauses, not %llu", name, thread,
			(unsigned long long)from, (unsigned long long)to, (unsigned long long)got->paused_ns,
			(unsigned long long)want->paused);
	assert_true(got->known);
	assert_true(from == to || got->caps == want->caps);
	paused_seen += want->paused;
	if (from < to && (got->first != want->first || got->last != want->last))
		fail_msg("%s: thread %u in [%llu, %llu): from state %d to %d, not %d to %d", name, thread,
			(unsigned long long)from, (unsigned long long)to, got->first, got->last, want->first,
			want->last);
}

/* Threads whose number leaves this rest share one lane. */
enum { GROUP = 3 };

static int lane_of(void *ctx, uint32_t thread) { return thread % GROUP == 0 ? *(int *)ctx : -1; }

static void compare_window(const struct evl_log *log, const char *name, const struct slow *s, const struct pauses *p,
	uint64_t t0, uint64_t t1, int cols)
{
	uint32_t ids[LANES];
	int n = 0;
	for (uint32_t id = 1 + (uint32_t)any(s->n_threads); id < s->n_threads && n < LANES; id++)
		if (s->threads[id].known && id % GROUP)
			ids[n++] = id;
	for (uint32_t id = 1; id < s->n_threads && n == 0; id++)
		if (s->threads[id].known && id % GROUP)
			ids[n++] = id;
	struct thread_shares got;
	struct thread_shares_ask ask = {.t0 = t0,
		.t1 = t1,
		.cols = cols,
		.sums = true,
		.ids = ids,
		.n_ids = (size_t)n,
		.n_lanes = 1,
		.lane_of = lane_of,
		.ctx = &n};
	assert_int_equal(thread_shares_run(&got, log, &ask), 0);
	for (int k = 0; k < n; k++)
		for (int i = 0; i < cols; i++) {
			uint64_t from = column_edge(t0, t1, cols, i), to = column_edge(t0, t1, cols, i + 1);
			struct column want = {0};
			add_thread(s, p, ids[k], from, to, &want);
			expect_column(name, &got.columns[k * cols + i], &want, ids[k], from, to);
		}
	for (int i = 0; i < cols && t0 <= s->first;
		i++) { /* of a group nothing is known before its threads' first events */
		uint64_t from = column_edge(t0, t1, cols, i), to = column_edge(t0, t1, cols, i + 1), run = 0;
		struct column want = {0};
		for (uint32_t id = GROUP; id < s->n_threads; id += GROUP)
			if (s->threads[id].known)
				add_thread(s, p, id, from, to, &want);
		run = got.columns[n * cols + i].ns[THREAD_RUNNING];
		if (run != want.ns[THREAD_RUNNING]
			|| got.columns[n * cols + i].ns[THREAD_RUNNABLE] != want.ns[THREAD_RUNNABLE])
			fail_msg("%s: group in [%llu, %llu): running for %llu, not %llu", name,
				(unsigned long long)from, (unsigned long long)to, (unsigned long long)run,
				(unsigned long long)want.ns[THREAD_RUNNING]);
	}
	thread_shares_free(&got);
}

static void compare(const struct evl_log *log, const char *name)
{
	static struct slow s;
	memset(&s, 0, sizeof s);
	slow_read(&s, log);
	struct pauses p = slow_pauses(&s, log);
	for (int i = 0; i < WINDOWS && s.last > s.first + 1; i++) {
		uint64_t width = max_u64((s.last - s.first) >> any(12), 1), t0 = s.first + any(s.last - s.first);
		t0 = i % 4 ? t0 : s.first;
		compare_window(log, name, &s, &p, t0, min_u64(t0 + width, s.last), 1 + (int)any(COLS));
	}
	slow_pauses_free(&p);
	slow_free(&s);
}

static void real_logs(void **state)
{
	static const char *const names[] = {"assets/bazaar.eventlog", "assets/bazaar-prof.eventlog",
		"tests/logs/9.10.3-conczoo-thr-N2.eventlog", "tests/logs/9.6.6-boundherd.eventlog",
		"tests/logs/9.10.3-capdance-N4.eventlog", "tests/logs/calls.eventlog"};
	(void)state;
	for (size_t i = 0; i < countof(names); i++) {
		struct evl_log *log = walked_file(names[i]);
		compare(log, names[i]);
		evl_close(log);
	}
	for (int i = 0; i < THREAD_STATES; i++)
		if (i != THREAD_UNKNOWN && !seen[i])
			fail_msg("no thread has state %d", i);
	assert_true(paused_seen > 0);
}

/* --- random logs --------------------------------------------------------------------------------------------------- */

enum { CAPS = 4, THREADS = 30, STEPS = 2000, NOT_YET = 0, READY, RUNS, WAITS, ENDED };

static void put_on(struct built *caps, unsigned cap, uint64_t t, uint16_t tag, unsigned thread, unsigned status)
{
	if (tag == EVL_STOP_THREAD)
		put_stop(&caps[cap], t, thread, status);
	else if (tag == EVL_THREAD_WAKEUP)
		put(&caps[cap], t, tag, "42", thread, cap);
	else
		put(&caps[cap], t, tag, "4", thread);
}

/* Threads that are created, run, wait and are woken on any capability, at times of which many are equal. Some stops are lost: a
 * collection comes instead. */
static struct evl_log *random_log(struct built *b)
{
	static const unsigned stops[] = {STOP_YIELD, STOP_MVAR, STOP_STM, STOP_FOREIGN, STOP_FINISHED};
	struct built caps[CAPS];
	unsigned does[THREADS] = {0}, on[CAPS] = {0};
	uint64_t t = 100, last[THREADS] = {0};
	for (unsigned c = 0; c < CAPS; c++) {
		caps[c] = log_begin();
		caps[c].len = 0;
		block_begin(&caps[c], (uint16_t)c, t);
	}
	for (int i = 0; i < STEPS; i++, t += any(3) ? any(50) : 0) {
		unsigned cap = (unsigned)any(CAPS), id = 1 + (unsigned)any(THREADS - 1);
		if (last[id] == t
			|| (on[cap] && last[on[cap]] == t)) /* else its events come in the order of the file */
			continue;
		if (does[id] == NOT_YET) {
			put_on(caps, cap, t, EVL_CREATE_THREAD, id, 0);
			does[id] = READY;
			last[id] = t;
		} else if (does[id] == READY && !on[cap]) {
			put_on(caps, cap, t, EVL_RUN_THREAD, id, 0);
			does[id] = RUNS;
			on[cap] = id;
			last[id] = t;
		} else if (does[id] == WAITS) {
			put_on(caps, cap, t, EVL_THREAD_WAKEUP, id, 0);
			does[id] = READY;
			last[id] = t;
		} else if (on[cap] && any(30) == 0) {
			put_gc(&caps[cap], t, t + 5, t + 20, 0);
			does[on[cap]] = WAITS;
			t += 30;
			last[on[cap]] = t;
			on[cap] = 0;
		} else if (on[cap]) {
			unsigned stop = stops[any(countof(stops) - (any(20) != 0))];
			put_on(caps, cap, t, EVL_STOP_THREAD, on[cap], stop);
			does[on[cap]] = stop == STOP_FINISHED                ? ENDED
				: stop == STOP_YIELD || stop == STOP_FOREIGN ? READY
									     : WAITS;
			last[on[cap]] = t;
			on[cap] = 0;
		} else if (any(3) == 0) {
			put_gc(&caps[cap], t, t + 5, t + 20, 0);
			t += 30;
		}
	}
	*b = log_begin();
	for (unsigned c = 0; c < CAPS; c++) {
		block_end(&caps[c], t);
		add_bytes(b, caps[c].data, caps[c].len);
		free(caps[c].data);
	}
	log_end(b);
	return walked(b);
}

static void random_logs(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct built b;
		struct evl_log *log = random_log(&b);
		compare(log, "a random log");
		done(log, &b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(real_logs), cmocka_unit_test(random_logs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
