/* The critical path of the real logs is what slow code finds that keeps every stretch of every thread, from events in
 * order of time; and each rule has a toy log. */
#include "each_log.h"
#include "query/path_threads.h"
#include "slow_path.h"

#include <stdio.h>

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* --- columns: what is left of the segments in each --- */

enum { COLS = 37, ALL_ALONG = 64 };

static void compare_column(const struct path_col *got, const struct path *whole, uint64_t from, uint64_t to)
{
	struct path_col want = {.cap = EVL_NO_CAP};
	struct {
		uint32_t thread;
		uint64_t ns;
	} along[ALL_ALONG] = {{0}};
	size_t n = 0;
	for (size_t i = 0; i < whole->n_segments; i++) {
		const struct path_segment *x = &whole->segments[i];
		uint64_t a = max_u64(x->from, from), b = min_u64(x->to, to);
		size_t k = 0;
		if (a >= b)
			continue;
		want.ns[path_part_of(x->what)] += b - a;
		if (x->what == PATH_RUN)
			want.caps |= 1ull << (x->cap & 63);
		while (k < n && along[k].thread != x->thread)
			k++;
		if (k == ALL_ALONG)
			continue;
		n += k == n;
		along[k].thread = x->thread;
		along[k].ns += b - a;
	}
	assert_memory_equal(got->ns, want.ns, sizeof want.ns);
	assert_int_equal(got->caps, want.caps);
	assert_int_equal(got->cap == EVL_NO_CAP, want.caps == 0);
	if (n > 32)
		return; /* then threads with little time are left out */
	assert_int_equal(got->n_threads, n < PATH_ALONG ? n : PATH_ALONG);
	for (size_t k = 1; k < got->n_threads; k++) {
		uint64_t ns[2] = {0};
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < 2; j++)
				ns[j] += along[i].thread == got->threads[k - j] ? along[i].ns : 0;
		assert_true(ns[1] >= ns[0] && ns[0] > 0);
	}
}

/* In a window of the path; and the same entered where path_enter says, which need not look at what comes after. */
static void compare_columns(const struct evl_log *log, const struct path *whole, uint32_t thread, uint64_t *seed)
{
	uint64_t a = whole->from + next_random(seed) % (whole->to - whole->from);
	uint64_t b = whole->from + next_random(seed) % (whole->to - whole->from) + 1;
	struct path_ask ask = {.from = whole->from, .to = whole->to, .thread = thread, .cols = COLS};
	ask.t0 = min_u64(a, b);
	ask.t1 = max_u64(a, b) + COLS;
	for (int pass = 0; pass < 2; pass++) {
		struct path got;
		assert_int_equal(path_make(&got, log, &ask, NULL), 0);
		for (int i = 0; i < COLS; i++)
			compare_column(&got.columns[i], whole, column_edge(ask.t0, ask.t1, COLS, i),
				column_edge(ask.t0, ask.t1, COLS, i + 1));
		path_free(&got);
		ask.from = max_u64(ask.from, ask.t0);
		if (!path_enter(whole, ask.t1, &ask.to, &ask.thread))
			return;
		assert_true(ask.to >= ask.t1 && ask.to <= whole->to);
	}
}

/* The longest segments, of equals the earlier ones, in time order: each has fewer than `most` before it in that rank. */
static void compare_longest(const struct evl_log *log, struct path_ask ask, const struct path *whole)
{
	struct path got;
	size_t n = 0;
	ask.segments = (uint32_t)(whole->n_segments % 100 + 1);
	assert_int_equal(path_make(&got, log, &ask, NULL), 0);
	for (size_t i = 0; i < whole->n_segments && whole->n_segments < 4000; i++) {
		const struct path_segment *x = &whole->segments[i];
		size_t before = 0;
		for (size_t k = 0; k < whole->n_segments; k++) {
			const struct path_segment *y = &whole->segments[k];
			before += y->to - y->from > x->to - x->from || (y->to - y->from == x->to - x->from && k < i);
		}
		if (before >= ask.segments)
			continue;
		assert_true(n < got.n_segments);
		assert_memory_equal(&got.segments[n], x, offsetof(struct path_segment, what) + sizeof x->what);
		n++;
	}
	assert_int_equal(got.n_segments, min_u64(ask.segments, whole->n_segments));
	assert_int_equal(got.n_segments + got.segments_not_listed, whole->n_segments);
	path_free(&got);
}

/* Moments of a foreign call that lie in a pause. */
static uint64_t paused_in(const struct slow *s, uint64_t a, uint64_t b)
{
	uint64_t ns = 0;
	for (uint64_t from; b > a; b = from) {
		from = max_u64(a, edge_before(s, b));
		ns += moment_of(s, from) == PATH_RUNNABLE ? 0 : b - from;
	}
	return ns;
}

/* Length of the wait in which the path ends, if that is EXTERNAL and does not end there; else 0. */
static uint64_t waiting_at_end(const struct slow *s, const struct slow_path *p, uint32_t thread)
{
	const struct slow_stretch *x = stretch_before(s, thread, p->to);
	const struct life *l = &s->lives[thread];
	bool open = x && (x->b > p->to || x == &s->past[l->first + l->n - 1]);
	return open && p->n && p->segments[0].what == PATH_EXTERNAL ? p->to - max_u64(x->a, p->from) : 0;
}

static uint64_t n_waiting, n_paused; /* paths that end in a wait, that have foreign calls with pauses */

static uint64_t without_main; /* ranges of logs whose main thread is not known */

static void compare(const char *name, const struct slow *s, uint64_t from, uint64_t to, uint32_t thread, uint64_t *seed)
{
	struct path got;
	struct slow_path want = {.from = from, .to = to};
	struct path_ask ask = {.from = from, .to = to, .thread = thread, .segments = 1 << 24};
	assert_int_equal(path_make(&got, s->log, &ask, NULL), 0);
	uint32_t who = thread ? thread : main_thread(s);
	if (to == UINT64_MAX)
		want.to = who && s->lives[who].ended ? s->lives[who].ended : s->last;
	if (!thread && (!who || (to == UINT64_MAX && !s->lives[who].ended))) {
		uint64_t end = 0;
		for (size_t i = 0; i < s->n_past; i++)
			if (s->past[i].state == THREAD_RUNNING && s->past[i].b > end) {
				end = s->past[i].b;
				who = s->past[i].thread;
			}
		want.to = to == UINT64_MAX ? end : want.to;
		without_main += who && to != UINT64_MAX;
	}
	if (!who || want.to <= want.from) {
		assert_true(!got.found || got.to == got.from);
		path_free(&got);
		return;
	}
	slow_make(s, &want, who);
	if (!got.found || got.thread != who || got.to != want.to || got.hops != want.hops || got.n_segments != want.n)
		fail_msg("%s: thread %u to %llu, %llu hops, %zu segments; not thread %u to %llu, %llu hops, %zu", name,
			got.thread, (unsigned long long)got.to, (unsigned long long)got.hops, got.n_segments, who,
			(unsigned long long)want.to, (unsigned long long)want.hops, want.n);
	assert_true(got.proved && got.reached == got.from);
	uint64_t ns[PATH_PART_COUNT] = {0}, sum = 0, paused = 0;
	for (size_t i = 0; i < want.n; i++) {
		const struct path_segment *x = &got.segments[i], *y = &want.segments[want.n - 1 - i];
		if (x->from != y->from || x->to != y->to || x->thread != y->thread || x->what != y->what
			|| (x->what == PATH_RUN && x->cap != y->cap))
			fail_msg("%s: [%llu, %llu) %u %s, not [%llu, %llu) %u %s", name, (unsigned long long)x->from,
				(unsigned long long)x->to, x->thread, path_what_name(x->what),
				(unsigned long long)y->from, (unsigned long long)y->to, y->thread,
				path_what_name(y->what));
		ns[path_part_of(x->what)] += x->to - x->from;
		paused += x->what == PATH_FOREIGN ? paused_in(s, x->from, x->to) : 0;
	}
	assert_int_equal(got.paused_ns, paused);
	assert_int_equal(got.waiting_ns, waiting_at_end(s, &want, who));
	n_paused += paused > 0;
	n_waiting += got.waiting_ns > 0;
	for (int part = 0; part < PATH_PART_COUNT; part++) {
		assert_int_equal(got.ns[part], ns[part]);
		sum += ns[part];
	}
	assert_int_equal(sum, want.to - want.from);
	for (size_t i = 0; i < got.n_threads; i++)
		sum -= got.threads[i].total_ns;
	assert_int_equal(sum, 0);
	compare_columns(s->log, &got, got.thread, seed);
	compare_longest(s->log, ask, &got);
	free(want.segments);
	path_free(&got);
}

/* The paths of windows of time, added up. */
static void compare_windows(const struct slow *s, uint64_t *seed)
{
	enum { WINDOWS = 7 };
	uint64_t edges[2 * WINDOWS], ns[PATH_WHAT_COUNT] = {0}, hops = 0, n = 0, longest = 0;
	struct path_window windows[WINDOWS];
	struct path got;
	for (size_t i = 0; i < countof(edges); i++)
		edges[i] = s->first + next_random(seed) % (s->last - s->first);
	qsort(edges, countof(edges), sizeof *edges, by_u64);
	for (size_t i = 0; i < WINDOWS; i++) {
		uint32_t thread = s->past[next_random(seed) % s->n_past].thread;
		struct slow_path want = {.from = edges[2 * i], .to = edges[2 * i + 1]};
		windows[i] = (struct path_window){want.from, want.to, thread};
		slow_make(s, &want, thread);
		for (size_t k = 0; k < want.n; k++) {
			const struct path_segment *x = &want.segments[k];
			ns[x->what] += x->to - x->from;
			longest = max_u64(longest, x->to - x->from);
		}
		hops += want.hops;
		n += want.n;
		free(want.segments);
	}
	assert_int_equal(path_over(&got, s->log, &(struct path_ask){.segments = 1}, windows, WINDOWS, NULL), 0);
	assert_memory_equal(got.by_what, ns, sizeof ns);
	assert_int_equal(got.hops, hops);
	assert_int_equal(got.n_segments + got.segments_not_listed, n);
	assert_int_equal(got.n_segments ? got.segments[0].to - got.segments[0].from : 0, longest);
	for (size_t i = 0; i < got.n_threads; i++)
		for (int part = 0; part < PATH_PART_COUNT; part++)
			got.ns[part] -= got.threads[i].ns[part];
	for (int part = 0; part < PATH_PART_COUNT; part++)
		assert_int_equal(got.ns[part], 0);
	path_free(&got);
}

static void compare_log(const struct evl_log *log, const char *name)
{
	static struct slow s;
	enum { ASKS = 12 };
	uint64_t seed = 1;
	slow_read(&s, log);
	if (s.n && s.last > s.first) {
		compare(name, &s, s.first, UINT64_MAX, 0, &seed);
		for (int i = 0; i < ASKS && s.n_past; i++) {
			uint64_t a = s.first + next_random(&seed) % (s.last - s.first);
			uint64_t b = s.first + next_random(&seed) % (s.last - s.first);
			uint32_t thread = s.past[next_random(&seed) % s.n_past].thread;
			compare(name, &s, i % 3 ? min_u64(a, b) : s.first, i % 3 ? max_u64(a, b) : UINT64_MAX,
				i % 4 ? thread : 0, &seed);
		}
		if (s.n_past)
			compare_windows(&s, &seed);
	}
	slow_free(&s);
}

/* --- tests --- */

static void real_logs(void **state)
{
	(void)state;
	each_log_of((char *[]){NULL}, compare_log);
	assert_true(n_waiting > 0 && n_paused > 0);
}

static void expect_end(const struct evl_log *log, const struct path_ask *ask, bool unexpected, const char *want)
{
	struct path p;
	struct buf text = {0};
	assert_int_equal(path_make(&p, log, ask, NULL), 0);
	assert_int_equal(path_end_text(&text, log, &p), unexpected);
	buf_put(&text, "", 1);
	assert_string_equal(text.p, want);
	buf_free(&text);
	path_free(&p);
}

/* No thread was created in the log, none is called main: the path of a range is that of the thread that ran last in the log. */
static void no_main_thread(void **state)
{
	struct built b = log_begin();
	uint64_t before = without_main;
	(void)state;
	block_begin(&b, 0, 0);
	put_run(&b, 10, 1);
	put_stop(&b, 500, 1, STOP_YIELD);
	put_run(&b, 600, 2);
	put_stop(&b, 900, 2, STOP_MVAR);
	block_end(&b, 1000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct path p;
	compare_log(log, "no main thread");
	assert_true(without_main > before);
	assert_int_equal(path_make(&p, log, &(struct path_ask){.from = 0, .to = 700}, NULL), 0);
	assert_true(p.found && p.thread == 2 && p.to == 700 && p.ns[PATH_PART_RUN] == 100);
	path_free(&p);
	expect_end(log, &(struct path_ask){.from = 600, .to = 700}, true,
		"ends with thread 2, the last that ran: no main thread is known");
	done(log, &b);
}

/* The path of a toy log that ends with thread 1. */
struct want {
	uint64_t from, to;
	uint32_t thread;
	enum path_what what;
};

static void expect(struct built *b, uint64_t from, uint64_t to, const struct want *want, size_t n, uint64_t hops)
{
	struct evl_log *log;
	struct path p;
	log_end(b);
	log = walked(b);
	compare_log(log, "toy");
	assert_int_equal(path_make(&p, log, &(struct path_ask){.from = from, .to = to, .thread = 1}, NULL), 0);
	for (size_t i = 0; i < n && i < p.n_segments; i++) {
		assert_int_equal(p.segments[i].from, want[i].from);
		assert_int_equal(p.segments[i].to, want[i].to);
		assert_int_equal(p.segments[i].thread, want[i].thread);
		assert_string_equal(path_what_name(p.segments[i].what), path_what_name(want[i].what));
	}
	assert_int_equal(p.n_segments, n);
	assert_int_equal(p.hops, hops);
	path_free(&p);
	done(log, b);
}

/* GHC 7.0 does not say why a thread is blocked: status 4. A thread wakes it. */
static void blocked_for_any_reason(void **state)
{
	struct built b = log_begin();
	(void)state;
	block_begin(&b, 0, 0);
	put_run(&b, 10, 1);
	put_stop(&b, 300, 1, STOP_OTHER);
	put_run(&b, 510, 1);
	put_stop(&b, 900, 1, STOP_FINISHED);
	block_end(&b, 1000);
	block_begin(&b, 1, 0);
	put_run(&b, 10, 2);
	put(&b, 500, EVL_THREAD_WAKEUP, "42", 1u, 0u);
	put_stop(&b, 950, 2, STOP_YIELD);
	block_end(&b, 1000);
	static const struct want want[] = {
		{10, 500, 2, PATH_RUN}, {500, 510, 1, PATH_RUNNABLE}, {510, 900, 1, PATH_RUN}};
	expect(&b, 10, 900, want, countof(want), 1);
}
#define EXPECT(b, from, to, hops, ...)                                                                                 \
	do {                                                                                                           \
		static const struct want wanted[] = {__VA_ARGS__};                                                     \
		expect(&b, from, to, wanted, countof(wanted), hops);                                                   \
	} while (0)

static void wake(struct built *b, uint64_t t, unsigned thread) { put(b, t, EVL_THREAD_WAKEUP, "42", thread, 0u); }
static void create(struct built *b, uint64_t t, unsigned thread) { put(b, t, EVL_CREATE_THREAD, "4", thread); }
static void label(struct built *b, uint64_t t, unsigned thread, const char *text)
{
	put(b, t, EVL_THREAD_LABEL, "4s", thread, text);
}

/* The main thread is the first whose latest label says so, however many had such a label, and if it ran or ended. */
static void labelled_main(void **state)
{
	(void)state;
	for (unsigned many = 0; many < 2; many++) {
		struct built b = log_begin();
		block_begin(&b, 0, 0);
		for (unsigned thread = 2; thread < 8; thread++) {
			put_run(&b, 10 * thread, thread);
			put_stop(&b, 10 * thread + 5, thread, STOP_YIELD);
		}
		label(&b, 100, 1, "main"); /* it never ran */
		label(&b, 101, 6, "main");
		label(&b, 102, 2, "main");
		label(&b, 103, 4, "main thread");
		label(&b, 104, 3, "mainly");
		label(&b, 105, 2, "worker");
		label(&b, 106, 5, "worker");
		label(&b, 107, 5, "main");
		for (unsigned i = 0; many && i <= THREADS_TITLED; i++)
			label(&b, 200 + i, 7, "main");
		block_end(&b, 1000000);
		log_end(&b);
		struct evl_log *log = walked(&b);
		struct path_threads p = {.log = log};
		size_t n;
		assert_true((threads_titled(&log->threads, &n) == NULL) == many);
		assert_int_equal(path_main_thread(&p, NULL), 4);
		assert_false(p.failed);
		path_threads_free(&p);
		done(log, &b);
	}
}

/* Without a label, it is the one that lived longest of those that no thread created, however many others live longer. */
static void unlabelled_main(void **state)
{
	(void)state;
	enum { CHILDREN = 5000, END = 20000 };
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	create(&b, 20, 1);
	put_run(&b, 30, 1);
	for (unsigned i = 0; i < CHILDREN; i++)
		create(&b, 100 + i, 2 + i);
	put_stop(&b, END, 1, STOP_FINISHED);
	create(&b, END, CHILDREN + 2);
	for (unsigned i = 0; i < CHILDREN + 1; i++) {
		put_run(&b, END + 1 + 2 * i, 2 + i);
		put_stop(&b, END + 2 + 2 * i, 2 + i, STOP_FINISHED);
	}
	block_end(&b, 100000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct path_threads p = {.log = log};
	assert_int_equal(path_main_thread(&p, NULL), 1);
	assert_false(p.failed);
	path_threads_free(&p);
	done(log, &b);
}

/* Thread 2 wakes thread 1; before its creation thread 1, which made it, was the path. */
static void hops(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	create(&b, 100, 1);
	put_run(&b, 110, 1);
	create(&b, 150, 2);
	put_stop(&b, 200, 1, STOP_MVAR);
	put_run(&b, 210, 2);
	wake(&b, 300, 1);
	put_stop(&b, 320, 2, STOP_FINISHED);
	put_run(&b, 330, 1);
	put_stop(&b, 400, 1, STOP_FINISHED);
	block_end(&b, 500);
	EXPECT(b, 0, UINT64_MAX, 2, {100, 110, 1, PATH_RUNNABLE}, {110, 150, 1, PATH_RUN}, {150, 210, 2, PATH_RUNNABLE},
		{210, 300, 2, PATH_RUN}, {300, 330, 1, PATH_RUNNABLE}, {330, 400, 1, PATH_RUN});
}

/* The wake-up is posted twice: by its sender on cap 1, then on cap 0, while thread 3 runs there. */
static void sent_and_delivered(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, STOP_MVAR);
	put_run(&b, 250, 3);
	wake(&b, 500, 1);
	put_stop(&b, 550, 3, STOP_YIELD);
	put_run(&b, 600, 1);
	put_stop(&b, 700, 1, STOP_FINISHED);
	block_end(&b, 900);
	block_begin(&b, 1, 100);
	put_run(&b, 100, 2);
	wake(&b, 300, 1);
	put_stop(&b, 800, 2, STOP_YIELD);
	block_end(&b, 900);
	EXPECT(b, 0, UINT64_MAX, 1, {100, 300, 2, PATH_RUN}, {300, 600, 1, PATH_RUNNABLE}, {600, 700, 1, PATH_RUN});
}

/* A wake-up of a thread that was not blocked is none. */
static void not_blocked(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, STOP_YIELD);
	put_run(&b, 250, 3);
	wake(&b, 300, 1);
	put_stop(&b, 350, 3, STOP_YIELD);
	put_run(&b, 400, 1);
	put_stop(&b, 500, 1, STOP_FINISHED);
	block_end(&b, 600);
	EXPECT(b, 0, UINT64_MAX, 0, {100, 200, 1, PATH_RUN}, {200, 400, 1, PATH_RUNNABLE}, {400, 500, 1, PATH_RUN});
}

/* Waits that no thread of the program ended: by a timer, the I/O manager, a child of a manager, or nothing. */
static void external(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_run(&b, 100, 1);
	put_stop(&b, 110, 1, STOP_DELAY);
	wake(&b, 200, 1);
	put_run(&b, 200, 1);
	put_stop(&b, 210, 1, STOP_READ);
	wake(&b, 300, 1);
	put_run(&b, 300, 1);
	put_stop(&b, 310, 1, STOP_MVAR);
	label(&b, 320, 8, "TimerManager");
	label(&b, 320, 9, "IOManager on cap 0");
	put_run(&b, 330, 8);
	create(&b, 340, 7);
	wake(&b, 350, 1);
	put_stop(&b, 350, 8, STOP_FOREIGN);
	put_run(&b, 350, 1);
	put_stop(&b, 360, 1, STOP_STM);
	put_run(&b, 370, 9);
	wake(&b, 400, 1);
	put_stop(&b, 400, 9, STOP_FOREIGN);
	put_run(&b, 400, 1);
	put_stop(&b, 410, 1, STOP_MVAR);
	put_run(&b, 420, 7);
	wake(&b, 450, 1);
	put_stop(&b, 450, 7, STOP_FINISHED);
	put_run(&b, 450, 1);
	put_stop(&b, 460, 1, STOP_MVAR);
	put_run(&b, 500, 1);
	put_stop(&b, 510, 1, STOP_WRITE);
	put_run(&b, 600, 1);
	put_stop(&b, 610, 1, STOP_FOREIGN);
	put_run(&b, 700, 1);
	put_stop(&b, 710, 1, STOP_FINISHED);
	block_end(&b, 800);
	EXPECT(b, 0, UINT64_MAX, 0, {100, 110, 1, PATH_RUN}, {110, 200, 1, PATH_TIMER}, {200, 210, 1, PATH_RUN},
		{210, 300, 1, PATH_READ}, {300, 310, 1, PATH_RUN}, {310, 350, 1, PATH_TIMER}, {350, 360, 1, PATH_RUN},
		{360, 400, 1, PATH_IO}, {400, 410, 1, PATH_RUN}, {410, 450, 1, PATH_TIMER}, {450, 460, 1, PATH_RUN},
		{460, 500, 1, PATH_EXTERNAL}, {500, 510, 1, PATH_RUN}, {510, 600, 1, PATH_WRITE},
		{600, 610, 1, PATH_RUN}, {610, 700, 1, PATH_FOREIGN}, {700, 710, 1, PATH_RUN});
}

/* A window without a thread has the path of the main thread; one whose thread the log does not know has none. */
static void windows_without_a_thread(void **state)
{
	(void)state;
	static const struct path_window windows[] = {{100, 200, 0}, {210, 230, 99}, {300, 350, 2}};
	struct built b = log_begin();
	struct path p;
	block_begin(&b, 0, 100);
	put_run(&b, 100, 1);
	put_stop(&b, 250, 1, STOP_YIELD);
	put_run(&b, 260, 2);
	put_stop(&b, 400, 2, STOP_FINISHED);
	label(&b, 410, 1, "main");
	block_end(&b, 500);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(path_over(&p, log, &(struct path_ask){0}, windows, countof(windows), NULL), 0);
	assert_true(p.found);
	assert_int_equal(p.windows, countof(windows));
	assert_int_equal(p.covered, 100 + 50);
	assert_int_equal(p.ns[PATH_PART_RUN], 100 + 50);
	path_free(&p);
	done(log, &b);
}

/* Waits for a capability are cut by collections and their syncs. */
static void collections(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, STOP_YIELD);
	put_gc(&b, 300, 340, 400, 0);
	put_gc(&b, 0, 450, 500, 0);
	put_run(&b, 600, 1);
	put_stop(&b, 700, 1, STOP_FINISHED);
	block_end(&b, 800);
	EXPECT(b, 0, UINT64_MAX, 0, {100, 200, 1, PATH_RUN}, {200, 300, 1, PATH_RUNNABLE}, {300, 340, 1, PATH_SYNC},
		{340, 400, 1, PATH_GC}, {400, 450, 1, PATH_RUNNABLE}, {450, 500, 1, PATH_GC},
		{500, 600, 1, PATH_RUNNABLE}, {600, 700, 1, PATH_RUN});
}

/* A run that is cut short by another one; and time before a thread is heard of. */
static void unknown(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put(&b, 100, EVL_USER_MSG, "s", "first");
	put_run(&b, 150, 1);
	put_run(&b, 200, 2);
	put_stop(&b, 250, 2, STOP_YIELD);
	put_run(&b, 300, 1);
	put_stop(&b, 400, 1, STOP_FINISHED);
	block_end(&b, 500);
	EXPECT(b, 0, UINT64_MAX, 0, {100, 150, 1, PATH_UNKNOWN}, {150, 200, 1, PATH_RUN}, {200, 300, 1, PATH_UNKNOWN},
		{300, 400, 1, PATH_RUN});
}

/* The main thread is last seen at 400, and no thread created the one that runs last. */
static void end_in_words(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	create(&b, 100, 1);
	label(&b, 110, 1, "main");
	put_run(&b, 120, 1);
	put_stop(&b, 400, 1, STOP_YIELD);
	create(&b, 450, 7);
	put_run(&b, 460, 7);
	put_stop(&b, 490, 7, STOP_FINISHED);
	block_end(&b, 500);
	log_end(&b);
	struct evl_log *log = walked(&b);
	expect_end(log, &(struct path_ask){.to = UINT64_MAX}, true,
		"ends with thread 7, the last that ran: the end of the main thread is not logged; more than half is "
		"unknown: "
		"take the path of another thread (select its lane, then W; or evtui path --thread N)");
	expect_end(log, &(struct path_ask){.from = 460, .to = UINT64_MAX}, true,
		"ends with thread 7, the last that ran: the end of the main thread is not logged");
	expect_end(log, &(struct path_ask){.to = 400}, false, "ends with thread 1 \"main\", the main thread");
	expect_end(log, &(struct path_ask){.to = UINT64_MAX, .thread = 1}, false, "ends with thread 1 \"main\"");
	done(log, &b);
}

/* Of a range: what was before it decides what it holds, and is not part of it. */
static void range(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, STOP_MVAR);
	put_run(&b, 210, 2);
	wake(&b, 250, 1);
	put_stop(&b, 260, 2, STOP_YIELD);
	put_run(&b, 270, 3);
	wake(&b, 400, 1);
	put_stop(&b, 450, 3, STOP_YIELD);
	put_run(&b, 500, 1);
	put_stop(&b, 600, 1, STOP_FINISHED);
	block_end(&b, 700);
	EXPECT(b, 300, 550, 0, {300, 500, 1, PATH_RUNNABLE}, {500, 550, 1, PATH_RUN});
}

/* A thread that other threads woke, of which nothing else is known. */
static void only_woken(void **state)
{
	(void)state;
	for (uint32_t id = 7; id; id = id == 7 ? 1u << 31 : 0) { /* the index has no row for one of them */
		struct built b = log_begin();
		struct path p;
		block_begin(&b, 0, 100);
		put_run(&b, 100, 1);
		wake(&b, 300, id);
		wake(&b, 400, id);
		put_stop(&b, 500, 1, STOP_FINISHED);
		block_end(&b, 600);
		log_end(&b);
		struct evl_log *log = walked(&b);
		assert_int_equal(path_make(&p, log, &(struct path_ask){.to = UINT64_MAX, .thread = id}, NULL), 0);
		assert_true(p.found && p.from == 100 && p.to == 500);
		assert_int_equal(p.ns[PATH_PART_UNKNOWN], 200);
		assert_int_equal(p.ns[PATH_PART_RUNNABLE], 200);
		assert_int_equal(p.hops, 0);
		path_free(&p);
		if (id == 7) {
			static struct slow s;
			uint64_t seed = 1;
			slow_read(&s, log);
			compare("only woken", &s, s.first, UINT64_MAX, id, &seed);
			slow_free(&s);
		}
		assert_int_equal(path_make(&p, log, &(struct path_ask){.to = UINT64_MAX, .thread = 8}, NULL), 0);
		assert_false(p.found);
		path_free(&p);
		done(log, &b);
	}
}

/* The reports about a path while it is followed. */
struct told {
	uint64_t from;
	double share;
	size_t n, restarts;
};

/* The parts add up to the time that is followed, which grows until a hop is refuted. */
static void check_so_far(void *ctx, const struct path_so_far *p)
{
	struct told *told = ctx;
	uint64_t sum = 0;
	for (int part = 0; part < PATH_PART_COUNT; part++)
		sum += p->ns[part];
	assert_true(p->reached >= told->from && p->reached < p->to);
	assert_int_equal(sum, p->to - p->reached);
	assert_true(p->share > 0 && p->share <= 1);
	told->restarts += told->n && p->share < told->share;
	told->share = p->share;
	told->n++;
}

/* Pending segments that were taken as proved and are refuted: the pass starts again. Thread 1 waits while threads 2 and 3
 * wake each other more often than segments are kept; in the end it had been woken before all that. */
static void refuted_late(void **state)
{
	(void)state;
	enum { TURNS = PATH_PENDING };
	struct built b = log_begin();
	struct path p;
	uint64_t t = 1000;
	block_begin(&b, 0, 100);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, STOP_MVAR);
	put_run(&b, 300, 4);
	wake(&b, 400, 1);
	put_stop(&b, 450, 4, STOP_FINISHED);
	for (unsigned i = 0; i < TURNS; i++, t += 10) {
		unsigned who = 2 + i % 2;
		put_run(&b, t, who);
		wake(&b, t + 2, 5 - who);
		put_stop(&b, t + 4, who, STOP_MVAR);
	}
	put_run(&b, t, 2);
	wake(&b, t + 2, 1);
	put_stop(&b, t + 4, 2, STOP_FINISHED);
	put_run(&b, t + 10, 1);
	put_stop(&b, t + 20, 1, STOP_FINISHED);
	block_end(&b, t + 30);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct told told = {.from = 100};
	struct path_ask ask = {.to = UINT64_MAX, .thread = 1, .tell = check_so_far, .ctx = &told};
	assert_int_equal(path_make(&p, log, &ask, NULL), 0);
	assert_true(told.n > 50 && told.restarts > 0 && told.restarts < told.n / 10);
	assert_int_equal(p.hops, 1);
	assert_int_equal(p.n_segments, 4);
	assert_int_equal(p.segments[2].thread, 1);
	assert_int_equal(p.segments[2].from, 400);
	assert_int_equal(p.segments[2].to, t + 10);
	path_free(&p);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_logs),
		cmocka_unit_test(blocked_for_any_reason),
		cmocka_unit_test(no_main_thread),
		cmocka_unit_test(labelled_main),
		cmocka_unit_test(unlabelled_main),
		cmocka_unit_test(hops),
		cmocka_unit_test(sent_and_delivered),
		cmocka_unit_test(not_blocked),
		cmocka_unit_test(external),
		cmocka_unit_test(collections),
		cmocka_unit_test(unknown),
		cmocka_unit_test(end_in_words),
		cmocka_unit_test(range),
		cmocka_unit_test(only_woken),
		cmocka_unit_test(refuted_late),
		cmocka_unit_test(windows_without_a_thread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
