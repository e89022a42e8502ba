/* How threads waited in the real logs is what slow code finds that looks at all stretches and all pauses. */
#include "each_log.h"
#include "query/thread_waits.h"
#include "slow_gcs.h"

#include <stdio.h>

/* --- what is compared ----------------------------------------------------------------------------------------------- */

static void equal(const char *name, const char *what, uint64_t got, uint64_t want)
{
	if (got != want)
		fail_msg("%s: %s is %llu, not %llu", name, what, (unsigned long long)got, (unsigned long long)want);
}

static bool is_counted(const struct stretch *x, const char *reason)
{
	return x->state == THREAD_BLOCKED && strcmp(thread_block_name(x->stop), reason) == 0;
}

/* The time until one thread woke those that were blocked, or on what one owns: over all stretches. */
static uint64_t time_of(const struct slow *s, const char *reason, bool owner, uint32_t thread, uint64_t *n)
{
	uint64_t ns = 0;
	*n = 0;
	for (size_t i = 0; i < s->list.n; i++) {
		const struct stretch *x = &s->list.items[i];
		uint32_t who = owner ? x->info : x->woken ? x->waker : 0;
		if (!is_counted(x, reason) || who != thread)
			continue;
		ns += x->to - x->since;
		++*n;
	}
	return ns;
}

static void expect_who(const char *name, const struct slow *s, const struct wait_reason *r, bool owner)
{
	const struct wait_who *who = owner ? r->owners : r->wakers;
	size_t n = owner ? r->n_owners : r->n_wakers;
	uint64_t least = UINT64_MAX, times;
	const char *reason = thread_block_name(r->reason);
	for (size_t i = 0; i < n; i++) {
		equal(name, "a waker's time", who[i].ns, time_of(s, reason, owner, who[i].thread, &times));
		equal(name, "a waker's number", who[i].n, times);
		assert_true(who[i].ns <= least);
		least = who[i].ns;
	}
	for (size_t i = 0; i < s->list.n; i++) { /* and none that is left out has more */
		const struct stretch *x = &s->list.items[i];
		uint32_t thread = owner ? x->info : x->woken ? x->waker : 0;
		bool there = !is_counted(x, reason);
		for (size_t k = 0; k < n; k++)
			there = there || who[k].thread == thread;
		if (!there)
			assert_true(n == WAITS_WHO && time_of(s, reason, owner, thread, &times) <= least);
	}
}

static void expect_reasons(const char *name, const struct slow *s, const struct waits *w)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < w->n_reasons; i++) {
		const struct wait_reason *r = &w->reasons[i];
		uint64_t n = 0, ns = 0, longest = 0, at = UINT64_MAX, never = 0;
		bool named = false;
		for (size_t k = 0; k < s->list.n; k++) {
			const struct stretch *x = &s->list.items[k];
			if (!is_counted(x, thread_block_name(r->reason)))
				continue;
			n++;
			never += !x->woken;
			ns += x->to - x->since;
			if (x->to - x->since > longest || (x->to - x->since == longest && x->since < at))
				at = x->since;
			longest = max_u64(longest, x->to - x->since);
			named = named
				|| (x->thread == r->longest_thread && x->since == r->longest_at
					&& x->to - x->since == r->longest);
		}
		assert_true(named);
		equal(name, "waits", r->n, n);
		equal(name, "waits without a wake-up", r->unwoken, never);
		equal(name, "time blocked", r->ns, ns);
		equal(name, "longest wait", r->longest, longest);
		equal(name, "its start", r->longest_at, at);
		expect_who(name, s, r, false);
		if (r->reason == STOP_BLACK_HOLE)
			expect_who(name, s, r, true);
		sum += ns;
	}
	equal(name, "all reasons", sum, w->blocked_ns);
}

static bool is_of(const struct evl_log *log, const struct wait_label *l, const struct stretch *x)
{
	uint32_t who = x->woken ? x->waker : 0;
	return is_counted(x, thread_block_name(l->reason)) && l->unknown == (who == 0)
		&& (who == 0 || str_order(evl_label(log, who), l->label) == 0);
}

/* Every wait is in the row of its waker's label. */
static void expect_labels(const char *name, const struct evl_log *log, const struct slow *s, const struct waits *w)
{
	uint64_t all = 0;
	for (size_t k = 0; k < w->n_by_label; k++) {
		uint64_t n = 0, ns = 0;
		for (size_t i = 0; i < s->list.n; i++)
			if (is_of(log, &w->by_label[k], &s->list.items[i])) {
				n++;
				ns += s->list.items[i].to - s->list.items[i].since;
			}
		equal(name, "waits that threads of a label ended", w->by_label[k].n, n);
		equal(name, "their time", w->by_label[k].ns, ns);
		assert_true(n > 0);
		all += ns;
	}
	equal(name, "all labels", all, w->blocked_ns);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void expect_latency(const char *name, const struct slow *s, const struct pauses *p, const struct waits *w)
{
	uint64_t *waits = calloc(s->list.n + 1, sizeof *waits);
	size_t n = 0;
	assert_non_null(waits);
	for (size_t i = 0; i < s->list.n; i++) {
		const struct stretch *x = &s->list.items[i];
		if (x->state == THREAD_RUNNING && x->ready < x->since)
			waits[n++] = x->since - x->ready - covered(p, x->ready, x->since);
	}
	qsort(waits, n, sizeof *waits, by_value);
	equal(name, "latencies", w->latency_wait.n, n);
	for (unsigned percent = 50; n && percent < 100; percent += 49) {
		uint64_t want = waits[(n * percent + 99) / 100 - 1];
		uint64_t got = histogram_quantile(&w->latency_wait, percent);
		uint64_t off = got > want ? got - want : want - got;
		assert_true(off <= want / 100 + 1);
	}
	equal(name, "longest wait for a capability", w->latency_wait.max, n ? waits[n - 1] : 0);
	free(waits);
}

/* Those that ran alone most: for how long, and for how long at most until another ran, or none for more than a millisecond.
 * any: when a thread ran, of no thread where several did. */
static void expect_alone(const char *name, const struct list *any, const struct pauses *p, const struct waits *w)
{
	for (size_t k = 0; k < w->n_alone; k++) {
		const struct thread_waits *t = &w->by_alone[k];
		uint64_t ns = 0, longest = 0, from = 0, until = 0, at = 0;
		bool alone = false;
		for (size_t i = 0; i < any->n; i++) {
			const struct stretch *x = &any->items[i];
			if (x->thread != t->thread) {
				alone = false;
				continue;
			}
			ns += x->to - x->from - covered(p, x->from, x->to);
			from = alone && x->from - until <= 1000000 ? from : x->from;
			alone = true;
			until = x->to;
			at = until - from > longest ? from : at;
			longest = max_u64(longest, until - from);
		}
		equal(name, "time alone", t->alone_ns, ns);
		equal(name, "longest time alone", t->longest_alone, longest);
		equal(name, "its start", t->alone_at, at);
	}
}

/* How many ran at once: moment by moment, between all edges. */
static void expect_levels(const char *name, const struct slow *s, const struct pauses *p, const struct waits *w)
{
	size_t n = 0, runs = 0;
	uint64_t *edges = calloc(2 * s->list.n + 2, sizeof *edges);
	struct stretch *run = calloc(s->list.n + 1, sizeof *run);
	uint64_t *want = calloc(w->n_levels + 1, sizeof *want), total = 0;
	struct list any = {0};
	assert_true(edges && run && want);
	for (size_t i = 0; i < s->list.n; i++)
		if (s->list.items[i].state == THREAD_RUNNING) {
			run[runs++] = s->list.items[i];
			edges[n++] = s->list.items[i].since;
			edges[n++] = s->list.items[i].to;
		}
	qsort(edges, n, sizeof *edges, by_value);
	for (size_t i = 0; i + 1 < n; i++) {
		size_t level = 0;
		uint64_t ns = edges[i + 1] - edges[i];
		struct stretch one = {.from = edges[i], .to = edges[i + 1]};
		if (ns == 0)
			continue;
		for (size_t k = 0; k < runs; k++)
			if (run[k].since <= edges[i] && run[k].to >= edges[i + 1]) {
				level++;
				one.thread = run[k].thread;
			}
		assert_true(level < w->n_levels);
		if (level)
			want[level] += ns - covered(p, edges[i], edges[i + 1]);
		one.thread = level == 1 ? one.thread : 0;
		if (level)
			keep(&any, &one);
	}
	expect_alone(name, &any, p, w);
	for (size_t i = 1; i < w->n_levels; i++)
		equal(name, "time at a level", w->levels[i], want[i]);
	for (size_t i = 0; i < w->n_levels; i++)
		total += w->levels[i];
	equal(name, "all levels", total, s->last - s->first);
	equal(name, "time in pauses", w->paused_ns, covered(p, s->first, s->last));
	free(edges);
	free(run);
	free(want);
	free(any.items);
}

/* Of the threads that ran most: the longest run, and that one begins where it should. */
static void expect_longest_runs(const struct slow *s, const struct waits *w)
{
	for (size_t k = 0; k < w->n_run; k++) {
		const struct thread_waits *t = &w->by_run[k];
		uint64_t longest = 0;
		bool found = false;
		for (size_t i = 0; i < s->list.n; i++) {
			const struct stretch *x = &s->list.items[i];
			bool runs = x->thread == t->thread && x->state == THREAD_RUNNING;
			longest = runs ? max_u64(longest, x->to - x->since) : longest;
			found = found || (runs && x->since == t->run_at && x->to - x->since == t->longest_run);
		}
		assert_int_equal(t->longest_run, longest);
		assert_true(found || !longest);
	}
}

static void compare(const char *name, const struct evl_log *log, struct slow *s)
{
	struct waits w;
	struct pauses p = slow_pauses(s, log);
	uint64_t runnable = 0, paused = 0, run = 0, foreign = 0;
	assert_int_equal(thread_waits_run(&w, log, 0, UINT64_MAX, UINT64_MAX, NULL, NULL, NULL), 0);
	for (size_t i = 0; i < s->list.n; i++) {
		const struct stretch *x = &s->list.items[i];
		uint64_t ns = x->to - x->since;
		run += x->state == THREAD_RUNNING ? ns : 0;
		foreign += x->state == THREAD_FOREIGN ? ns : 0;
		runnable += x->state == THREAD_RUNNABLE ? ns : 0;
		paused += x->state == THREAD_RUNNABLE ? covered(&p, x->since, x->to) : 0;
	}
	equal(name, "time run", w.run_ns, run);
	equal(name, "time in foreign calls", w.foreign_ns, foreign);
	equal(name, "time runnable", w.runnable_ns, runnable);
	equal(name, "time runnable in pauses", w.runnable_gc_ns, paused);
	expect_reasons(name, s, &w);
	expect_labels(name, log, s, &w);
	expect_longest_runs(s, &w);
	expect_latency(name, s, &p, &w);
	if (s->list.n < 1 << 13) /* it is quadratic */
		expect_levels(name, s, &p, &w);
	thread_waits_free(&w);
	slow_pauses_free(&p);
}

/* Of a range: every wait is clipped to it, and its waker is the thread that ended it, also after the range. */
static void compare_range(
	const char *name, const struct evl_log *log, const struct slow *all, uint64_t from, uint64_t to)
{
	struct slow part = {
		.first = from, .last = to, .list = {.items = calloc(all->list.n + 1, sizeof *part.list.items)}};
	struct waits w;
	assert_non_null(part.list.items);
	for (size_t i = 0; i < all->list.n; i++) {
		struct stretch x = all->list.items[i];
		x.since = max_u64(x.since, from);
		x.to = min_u64(x.to, to);
		if (x.since < x.to)
			part.list.items[part.list.n++] = x;
	}
	assert_int_equal(thread_waits_run(&w, log, from, to, UINT64_MAX, NULL, NULL, NULL), 0);
	assert_false(w.wakers_unread);
	expect_reasons(name, &part, &w);
	expect_labels(name, log, &part, &w);
	expect_longest_runs(&part, &w);
	for (size_t i = 0; i < w.n_run; i++) {
		size_t runs = 0;
		for (size_t k = 0; k < part.list.n; k++)
			runs += part.list.items[k].thread == w.by_run[i].thread
				&& part.list.items[k].state == THREAD_RUNNING;
		assert_true(w.by_run[i].runs >= runs); /* a run may take no time */
	}
	thread_waits_free(&w);
	free(part.list.items);
}

/* --- tests ---------------------------------------------------------------------------------------------------------- */

enum { RANGES = 7 };

static void compare_log(const struct evl_log *log, const char *name)
{
	static struct slow s;
	memset(&s, 0, sizeof s);
	slow_read(&s, log);
	if (s.n)
		compare(name, log, &s);
	for (uint64_t i = 0; s.n && i < RANGES; i++)
		compare_range(name, log, &s, s.first + (s.last - s.first) / RANGES * i,
			s.first + (s.last - s.first) / RANGES * (i + 1));
	slow_free(&s);
}

static void real_logs(void **state)
{
	(void)state;
	each_log_of((char *[]){NULL}, compare_log);
}

enum { WAIT = 40, STEP = 100 };

/* Many threads wake thread 1, each once; odd threads have a label, made from their number. */
static struct built many_wakers(unsigned wakers, const char *(*label)(unsigned thread))
{
	struct built b = log_begin();
	uint64_t t = 1000;
	block_begin(&b, 0, 1);
	put_run(&b, 10, 1);
	put_stop(&b, 20, 1, STOP_MVAR);
	for (unsigned i = 2; i < wakers + 2; i++, t += STEP) {
		if (i % 1000 == 0) {
			block_end(&b, t);
			block_begin(&b, 0, t);
		}
		put_run(&b, t + 10, i);
		if (i % 2)
			put(&b, t + 20, EVL_THREAD_LABEL, "4s", i, label(i));
		put(&b, t + 30, EVL_THREAD_WAKEUP, "42", 1u, 0u);
		put_stop(&b, t + 40, i, STOP_FINISHED);
		put_run(&b, t + 50, 1);
		put_stop(&b, t + STEP + 30 - WAIT, 1, STOP_MVAR);
	}
	block_end(&b, t);
	log_end(&b);
	return b;
}

static const char *odd(UNUSED unsigned thread) { return "odd"; }

static const char *own_label(unsigned thread)
{
	static char text[24];
	snprintf(text, sizeof text, "job %u", thread);
	return text;
}

/* More threads than fit as pairs of a reason and a waker. */
static void more_wakers_than_pairs(void **state)
{
	enum { WAKERS = 80000 };
	struct built b = many_wakers(WAKERS, odd);
	struct waits w;
	uint64_t n[2] = {0};
	(void)state;
	struct evl_log *log = walked(&b);
	assert_int_equal(thread_waits_run(&w, log, 0, UINT64_MAX, UINT64_MAX, NULL, NULL, NULL), 0);
	assert_int_equal(w.n_by_label, 2);
	for (size_t i = 0; i < w.n_by_label; i++) {
		const struct wait_label *l = &w.by_label[i];
		assert_int_equal(l->reason, STOP_MVAR);
		assert_false(l->unknown);
		n[l->label.len > 0] += l->n;
		assert_true(l->label.len > 0 ? l->ns == l->n * WAIT : l->ns == (l->n - 1) * WAIT + 1010);
	}
	assert_int_equal(n[0], WAKERS / 2);
	assert_int_equal(n[1], WAKERS / 2);
	thread_waits_free(&w);
	done(log, &b);
}

/* The labels for which there is no row are together in one, and no wait is lost. */
static void more_labels_than_rows(void **state)
{
	enum { OVER = 300, WAKERS = 2 * (WAITS_LABELS + OVER) };
	struct built b = many_wakers(WAKERS, own_label);
	struct waits w;
	uint64_t n = 0, ns = 0, others = 0;
	(void)state;
	struct evl_log *log = walked(&b);
	assert_int_equal(thread_waits_run(&w, log, 0, UINT64_MAX, UINT64_MAX, NULL, NULL, NULL), 0);
	assert_int_equal(w.n_by_label, WAITS_LABELS + 1);
	for (size_t i = 0; i < w.n_by_label; i++) {
		n += w.by_label[i].n;
		ns += w.by_label[i].ns;
		others += str_order(w.by_label[i].label, EVL_STR(WAITS_OTHERS)) == 0 ? w.by_label[i].n : 0;
	}
	assert_int_equal(n, WAKERS);
	assert_int_equal(ns, w.blocked_ns);
	assert_in_range(others, OVER, OVER + 1); /* the threads without a label may have a row */
	thread_waits_free(&w);
	done(log, &b);
}

/* Of a range within a run and a wait: the run counts, and the waker is named, though it comes after the range. */
static void range_within_a_wait(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_run(&b, 100, 2);
	put_stop(&b, 150, 2, STOP_MVAR);
	put_run(&b, 160, 1);
	put_stop(&b, 400, 1, STOP_YIELD);
	put_run(&b, 410, 3);
	put(&b, 420, EVL_THREAD_WAKEUP, "42", 2u, 0u);
	put_stop(&b, 430, 3, STOP_FINISHED);
	put_run(&b, 440, 2);
	put_stop(&b, 450, 2, STOP_MVAR);
	block_end(&b, 450);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct waits w;
	assert_int_equal(thread_waits_run(&w, log, 200, 300, UINT64_MAX, NULL, NULL, NULL), 0);
	assert_int_equal(w.n_reasons, 1);
	assert_int_equal(w.reasons[0].n_wakers, 1);
	assert_int_equal(w.reasons[0].wakers[0].thread, 3);
	assert_int_equal(w.reasons[0].wakers[0].ns, 100);
	assert_int_equal(w.n_run, 1);
	assert_int_equal(w.by_run[0].thread, 1);
	assert_int_equal(w.by_run[0].runs, 1);
	assert_int_equal(w.runs, 0); /* of those that start in it */
	thread_waits_free(&w);
	done(log, &b);
}

/* Thread 1 blocks, then come so many bytes with events of thread 9, then thread 2 wakes thread 1. */
static struct built woken_after(size_t bytes)
{
	static char text[401];
	struct built b = log_begin();
	memset(text, 'x', sizeof text - 1);
	block_begin(&b, 0, 10);
	put_run(&b, 10, 1);
	put_stop(&b, 20, 1, STOP_MVAR);
	uint64_t t = 30;
	for (size_t begin = b.len; b.len < begin + bytes; t += STEP) {
		put_run(&b, t, 9);
		put(&b, t + 1, EVL_USER_MSG, "s", text);
		put_stop(&b, t + 2, 9, STOP_YIELD);
		if (b.len - b.block > 1 << 20) {
			block_end(&b, t + 3);
			block_begin(&b, 0, t + 3);
		}
	}
	put_run(&b, t, 2);
	put(&b, t + 1, EVL_THREAD_WAKEUP, "42", 1u, 0u);
	put_stop(&b, t + 2, 2, STOP_FINISHED);
	block_end(&b, t + 2);
	log_end(&b);
	return b;
}

/* The waker of a wait that outlasts the range is looked for in the next 64 MB of the log, and no further. */
static void range_before_the_wakeup(void **state)
{
	static const size_t far[] = {1 << 20, 72 << 20};
	(void)state;
	for (size_t i = 0; i < countof(far); i++) {
		struct built b = woken_after(far[i]);
		struct evl_log *log = walked(&b);
		struct waits w;
		assert_int_equal(thread_waits_run(&w, log, 0, 25, UINT64_MAX, NULL, NULL, NULL), 0);
		assert_int_equal(w.wakers_unread, i == 1);
		assert_int_equal(w.reasons[0].n_wakers, 1);
		assert_int_equal(w.reasons[0].wakers[0].thread, i == 1 ? 0 : 2);
		thread_waits_free(&w);
		done(log, &b);
	}
}

static size_t n_proved(const struct deadlock *d)
{
	size_t n = 0;
	for (size_t i = 0; i < d->n_rows; i++)
		n += d->rows[i].proved;
	return n;
}

/* Threads 1 and 2 wait for each other's black holes. */
static void cycle_of_black_holes(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	for (unsigned thread = 1; thread <= 2; thread++) {
		put_run(&b, 100 * thread, thread);
		put(&b, 100 * thread + 50, EVL_STOP_THREAD, "424", thread, (unsigned)STOP_BLACK_HOLE, 3 - thread);
	}
	put(&b, 900, EVL_CREATE_THREAD, "4", 3u);
	block_end(&b, 900);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct waits w;
	assert_int_equal(thread_waits_run(&w, log, 0, UINT64_MAX, UINT64_MAX, NULL, NULL, NULL), 0);
	const struct deadlock *d = &w.contention.deadlock;
	assert_int_equal(d->n, 2);
	assert_int_equal(n_proved(d), 2);
	for (unsigned i = 0; i < 2; i++) { /* the last one closes the cycle, and its owner follows */
		assert_int_equal(d->rows[i].cycle, 1);
		assert_int_equal(d->rows[i].thread, 2 - i);
		assert_int_equal(d->rows[i].owner, i + 1);
		assert_int_equal(d->rows[i].ns, i ? 750 : 650);
	}
	assert_int_equal(d->rows[0].at, 250);
	assert_int_equal(d->ns, 750);
	assert_int_equal(w.reasons[0].owners[0].thread, 2);
	thread_waits_free(&w);
	done(log, &b);
}

/* The same in windows, which split the waits: that thread 3 wakes 2 in the last of them shows that there was no deadlock. */
static void cycle_in_windows(void **state)
{
	static const struct time_window windows[] = {{0, 300}, {400, 600}, {650, 700}, {750, 950}};
	(void)state;
	for (int woken = 0; woken < 2; woken++) {
		struct built b = log_begin();
		block_begin(&b, 0, 100);
		for (unsigned thread = 1; thread <= 2; thread++) {
			put_run(&b, 100 * thread, thread);
			put(&b, 100 * thread + 50, EVL_STOP_THREAD, "424", thread, (unsigned)STOP_BLACK_HOLE,
				3 - thread);
		}
		put_run(&b, 700, 3);
		if (woken)
			put(&b, 800, EVL_THREAD_WAKEUP, "42", 2u, 0u);
		put_stop(&b, 900, 3, STOP_FINISHED);
		block_end(&b, 900);
		log_end(&b);
		struct evl_log *log = walked(&b);
		struct thread_history pass = {0};
		struct waits_reader *r;
		struct waits w;
		struct gc_pauses pauses = {0};
		assert_int_equal(waits_reader_open(&r, &w, log, &pass, UINT64_MAX, NULL, NULL), 0);
		assert_int_equal(gc_pauses_make(&pauses, &log->gcs, 0, UINT64_MAX, NULL), 0);
		assert_int_equal(thread_history_begin(&pass,
					 &(struct thread_history_ask){.log = log,
						 .to = UINT64_MAX,
						 .readers = {waits_reader_sink(r)},
						 .n_readers = 1,
						 .pauses = &pauses,
						 .windows = windows,
						 .n_windows = countof(windows)}),
			0);
		assert_int_equal(thread_history_end(&pass), 0);
		assert_int_equal(waits_reader_close(r), 0);
		const struct deadlock *d = &w.contention.deadlock;
		assert_int_equal(d->n, 2);
		assert_int_equal(n_proved(d), woken ? 0 : 2);
		assert_int_equal(d->rows[0].thread, 2);
		assert_int_equal(d->rows[0].ns, 50 + 200 + 50 + (woken ? 50 : 150));
		thread_history_free(&pass);
		gc_pauses_free(&pauses);
		thread_waits_free(&w);
		done(log, &b);
	}
}

enum { US = 1000 };

/* A thread is blocked on an MVar; a major collection ends at 2000; the thread runs though nothing woke it. Times in us. */
static void resurrected(bool killer, uint64_t at, uint64_t named, size_t proved)
{
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 0, EVL_HEAP_INFO_GHC, "428888", 0u, 2u, (uint64_t)0, (uint64_t)1, (uint64_t)2, (uint64_t)3);
	block_end(&b, 1);
	block_begin(&b, 0, 10);
	put_run(&b, 10 * US, 2);
	put_stop(&b, 20 * US, 2, STOP_YIELD);
	put_run(&b, 100 * US, 1);
	put_stop(&b, 200 * US, 1, STOP_MVAR);
	put_gc(&b, 1000 * US, 1100 * US, 2000 * US, 1);
	if (killer) {
		put_run(&b, 2010 * US, 2);
		put_stop(&b, 2020 * US, 2, STOP_YIELD);
	}
	put_run(&b, at * US, 1);
	put_stop(&b, (at + 100) * US, 1, STOP_FINISHED);
	block_end(&b, (at + 1000) * US);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct waits w;
	assert_int_equal(thread_waits_run(&w, log, 0, UINT64_MAX, UINT64_MAX, NULL, NULL, NULL), 0);
	assert_int_equal(w.contention.deadlock.n, named);
	assert_int_equal(n_proved(&w.contention.deadlock), proved);
	thread_waits_free(&w);
	done(log, &b);
}

/* Threads 3 and 5 wait; thread 4 goes on before 5, and stops. Where 3 runs unwoken, the collection found a deadlock for certain,
 * and 5 is one of its threads, whichever runs first. */
static void resurrected_together(bool other, uint64_t later, unsigned stop, size_t proved)
{
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 0, EVL_HEAP_INFO_GHC, "428888", 0u, 2u, (uint64_t)0, (uint64_t)1, (uint64_t)2, (uint64_t)3);
	block_end(&b, 1);
	block_begin(&b, 0, 10);
	put_run(&b, 10 * US, 3);
	put_stop(&b, 20 * US, 3, STOP_MVAR);
	put_gc(&b, 1000 * US, 1100 * US, 2000 * US, 1);
	if (other) {
		put_run(&b, (2010 + later) * US, 3);
		put_stop(&b, (2015 + later) * US, 3, STOP_FINISHED);
	}
	block_end(&b, 4000 * US);
	block_begin(&b, 1, 10);
	put_run(&b, 10 * US, 5);
	put_stop(&b, 20 * US, 5, STOP_MVAR);
	put_run(&b, 30 * US, 4);
	put_stop(&b, 900 * US, 4, STOP_YIELD);
	put_run(&b, 2020 * US, 4);
	put_stop(&b, 2030 * US, 4, stop);
	put_run(&b, 2040 * US, 5);
	put_stop(&b, 2050 * US, 5, STOP_FINISHED);
	block_end(&b, 4000 * US);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct waits w;
	assert_int_equal(thread_waits_run(&w, log, 0, UINT64_MAX, UINT64_MAX, NULL, NULL, NULL), 0);
	const struct deadlock *d = &w.contention.deadlock;
	assert_int_equal(d->n, other ? 2 : 1);
	assert_int_equal(n_proved(d), proved);
	if (other) {
		assert_int_equal(d->rows[0].thread, later ? 5 : 3);
		assert_int_equal(d->rows[1].thread, later ? 3 : 5);
		assert_int_equal(d->ns, (later ? 1990 + later : 2020) * US);
	}
	thread_waits_free(&w);
	done(log, &b);
}

static void deadlocks(void **state)
{
	(void)state;
	resurrected(false, 3000, 1, 1);
	resurrected(false, 12000, 1, 1); /* late, but no thread ran that could have thrown an exception to it */
	resurrected(false, 12001, 0, 0); /* too late */
	resurrected(true, 3000, 1, 0);   /* thread 2 may have thrown one to it */
	resurrected_together(true, 0, STOP_YIELD, 2);
	resurrected_together(
		true, 200, STOP_YIELD, 2); /* to 3, of another capability, 4 would have waited in throwTo */
	resurrected_together(true, 0, STOP_THROWTO, 2); /* but 3 ran before that */
	resurrected_together(true, 200, STOP_THROWTO, 0);
	resurrected_together(false, 0, STOP_YIELD, 0); /* thread 4 may have thrown one to 5 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycle_in_windows),
		cmocka_unit_test(cycle_of_black_holes),
		cmocka_unit_test(deadlocks),
		cmocka_unit_test(more_wakers_than_pairs),
		cmocka_unit_test(more_labels_than_rows),
		cmocka_unit_test(range_within_a_wait),
		cmocka_unit_test(range_before_the_wakeup),
		cmocka_unit_test(real_logs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
