/* Every stretch of every thread of the real logs is what slow code finds that takes all events in order of time. */
#include "each_log.h"
#include "slow_threads.h"

#include <stdio.h>

/* --- what is compared --- */

static int by_place(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;
	int order = (x->thread > y->thread) - (x->thread < y->thread);
	return order ? order : (x->since > y->since) - (x->since < y->since);
}

/* unknowns: also of threads that are only heard of after `to`. */
static struct list clipped(const struct list *all, uint64_t from, uint64_t to, bool unknowns)
{
	struct list out = {0};
	for (size_t i = 0; i < all->n; i++) {
		struct stretch s = all->items[i];
		s.from = max_u64(s.from, from);
		s.to = min_u64(s.to, to);
		if (s.from < s.to && (unknowns || s.state != THREAD_UNKNOWN))
			keep(&out, &s);
	}
	if (out.n)
		qsort(out.items, out.n, sizeof *out.items, by_place);
	return out;
}

struct reader {
	struct list list;
	const struct gc_pauses *pauses; /* NULL: the pass has none */
	uint64_t left, begun, closed;
};

static void on_stretch(void *ctx, const struct stretch *s)
{
	struct reader *r = ctx;
	assert_true(s->from < s->to && s->since <= s->from);
	if (r->pauses) {
		assert_int_equal(s->paused, gc_pauses_within(r->pauses, s->from, s->to));
		assert_true(s->state != THREAD_RUNNING
			|| s->latency_paused == gc_pauses_within(r->pauses, s->ready, s->since));
	}
	*(uint64_t *)s->own += s->to - s->from;
	keep(&r->list, s);
}

static void on_begin(void *ctx, const struct stretch *s)
{
	struct reader *r = ctx;
	assert_int_equal(s->from, s->since);
	r->begun++;
}

static void on_leave(void *ctx, const struct stretch *last)
{
	struct reader *r = ctx;
	r->left++;
	r->closed += *(uint64_t *)last->own;
}

static const struct thread_history_sink sink_of = {
	.stretch = on_stretch, .begins = on_begin, .leaves = on_leave, .width = sizeof(uint64_t)};

static struct thread_history_ask ask_of(const struct evl_log *log, const struct thread_history_sink *sink)
{
	return (struct thread_history_ask){.log = log, .to = UINT64_MAX, .readers = {sink}, .n_readers = 1};
}

static void same(const char *name, const struct stretch *x, const struct stretch *y)
{
	bool runs = x->state == THREAD_RUNNING, blocked = x->state == THREAD_BLOCKED;
	bool equal = x->thread == y->thread && x->from == y->from && x->to == y->to && x->since == y->since
		&& x->state == y->state && (!runs || (x->cap == y->cap && x->ready == y->ready))
		&& (!blocked || (x->stop == y->stop && x->info == y->info))
		&& (x->state != THREAD_RUNNABLE || x->info == y->info)
		&& (x->open || x->state != THREAD_RUNNABLE || x->delivery == y->delivery)
		&& (x->open || !blocked || (x->woken == y->woken && x->waker == y->waker))
		&& (x->state != THREAD_RUNNABLE || x->waker == y->waker) && (x->open || x->next == y->next);
	if (!equal)
		fail_msg("%s: thread %u [%llu, %llu) state %d cap %d waker %u info %u, not thread %u [%llu, %llu) "
			 "state %d cap %d "
			 "waker %u info %u",
			name, x->thread, (unsigned long long)x->from, (unsigned long long)x->to, x->state, x->cap,
			x->waker, x->info, y->thread, (unsigned long long)y->from, (unsigned long long)y->to, y->state,
			y->cap, y->waker, y->info);
}

static void compare(const char *name, const struct evl_log *log, const struct slow *s, uint64_t from, uint64_t to)
{
	struct reader r = {0};
	struct thread_history_sink sink = sink_of;
	bool whole = from == s->first && to > s->last;
	struct list want = clipped(&s->list, from, min_u64(to, s->last), whole), got;
	uint64_t sum = 0;
	sink.ctx = &r;
	struct gc_pauses pauses;
	struct thread_history_ask ask = ask_of(log, &sink);
	assert_int_equal(gc_pauses_make(&pauses, &log->gcs, 0, UINT64_MAX, NULL), 0);
	r.pauses = ask.pauses = &pauses;
	ask.from = from;
	ask.to = to;
	assert_int_equal(thread_history_run(&ask), 0);
	gc_pauses_free(&pauses);
	for (size_t i = 0; i < r.list.n; i++)
		sum += r.list.items[i].to - r.list.items[i].from;
	assert_int_equal(r.closed, sum);
	got = clipped(&r.list, 0, UINT64_MAX, whole);
	for (size_t i = 0; i < got.n && i < want.n; i++)
		same(name, &got.items[i], &want.items[i]);
	assert_int_equal(got.n, want.n);
	free(r.list.items);
	free(got.items);
	free(want.items);
}

/* --- tests --- */

static void compare_log(const struct evl_log *log, const char *name)
{
	static struct slow s;
	memset(&s, 0, sizeof s);
	slow_read(&s, log);
	if (s.n) {
		uint64_t part = (s.last - s.first) / 7;
		compare(name, log, &s, s.first, UINT64_MAX);
		compare(name, log, &s, s.first + 2 * part, s.first + 5 * part);
	}
	slow_free(&s);
}

static void real_logs(void **state)
{
	(void)state;
	each_log_of((char *[]){NULL}, compare_log);
}

/* Thread 2 on cap 1 wakes thread 1; cap 0 hears of it 30 ns later. Then cap 0 runs another one without a word. */
static void two_caps(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put(&b, 100, EVL_CREATE_THREAD, "4", 1u);
	put_run(&b, 110, 1);
	put_stop(&b, 200, 1, STOP_MVAR);
	put(&b, 530, EVL_THREAD_WAKEUP, "42", 1u, 0u);
	put_run(&b, 600, 1);
	put_run(&b, 700, 3);
	put_stop(&b, 800, 3, STOP_FINISHED);
	block_end(&b, 900);
	block_begin(&b, 1, 100);
	put_run(&b, 100, 2);
	put(&b, 500, EVL_THREAD_WAKEUP, "42", 1u, 0u);
	put_stop(&b, 900, 2, STOP_YIELD);
	block_end(&b, 900);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct reader r = {0};
	struct thread_history_sink sink = sink_of;
	struct thread_history h;
	struct stretch now;
	sink.ctx = &r;
	struct thread_history_ask ask = ask_of(log, &sink);
	assert_int_equal(thread_history_begin(&h, &ask), 0);
	assert_int_equal(thread_history_until(&h, 300, 0), 0);
	assert_true(thread_history_now(&h, 1, 300, &now));
	assert_int_equal(now.state, THREAD_BLOCKED);
	assert_int_equal(now.since, 200);
	assert_int_equal(now.to, 300);
	assert_false(thread_history_now(&h, 3, 300, &now));
	assert_int_equal(thread_history_end(&h), 0);
	thread_history_free(&h);
	qsort(r.list.items, r.list.n, sizeof *r.list.items, by_place);
	static const struct stretch want[] = {
		{.thread = 1, .from = 100, .to = 110, .state = THREAD_RUNNABLE, .delivery = NO_DELIVERY},
		{.thread = 1, .from = 110, .to = 200, .state = THREAD_RUNNING},
		{.thread = 1, .from = 200, .to = 500, .state = THREAD_BLOCKED, .waker = 2},
		{.thread = 1, .from = 500, .to = 600, .state = THREAD_RUNNABLE, .waker = 2, .delivery = 30},
		{.thread = 1, .from = 600, .to = 700, .state = THREAD_RUNNING},
		{.thread = 1, .from = 700, .to = 900, .state = THREAD_UNKNOWN},
		{.thread = 2, .from = 100, .to = 900, .state = THREAD_RUNNING},
		{.thread = 3, .from = 100, .to = 700, .state = THREAD_UNKNOWN},
		{.thread = 3, .from = 700, .to = 800, .state = THREAD_RUNNING},
	};
	assert_int_equal(r.list.n, countof(want));
	for (size_t i = 0; i < countof(want); i++) {
		const struct stretch *s = &r.list.items[i];
		assert_int_equal(s->thread, want[i].thread);
		assert_int_equal(s->from, want[i].from);
		assert_int_equal(s->to, want[i].to);
		assert_int_equal(s->state, want[i].state);
		if (s->state == THREAD_BLOCKED || s->state == THREAD_RUNNABLE)
			assert_int_equal(s->waker, want[i].waker);
		if (s->state == THREAD_RUNNABLE)
			assert_int_equal(s->delivery, want[i].delivery);
	}
	assert_int_equal(r.list.items[4].ready, 500);
	free(r.list.items);
	done(log, &b);
}

/* A stop of thread 1 is lost: it ends with the collection that cap 0 starts, and not that of cap 1. Thread 2 is found again by
 * its next stop, and the wake-up of thread 3 in between is by no thread. */
static void lost_stops(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 100);
	put_run(&b, 100, 1);
	put(&b, 300, EVL_GC_START, "");
	put(&b, 350, EVL_THREAD_WAKEUP, "42", 3u, 0u);
	put(&b, 400, EVL_GC_END, "");
	put_run(&b, 500, 2);
	put(&b, 600, EVL_GC_START, "");
	put_stop(&b, 700, 2, STOP_YIELD);
	put(&b, 800, EVL_GC_START, "");
	put_run(&b, 850, 1);
	block_end(&b, 900);
	block_begin(&b, 1, 100);
	put_run(&b, 150, 3);
	put_stop(&b, 180, 3, STOP_MVAR);
	put(&b, 200, EVL_GC_START, "");
	put(&b, 900, EVL_GC_END, "");
	block_end(&b, 900);
	log_end(&b);
	struct evl_log *log = walked(&b);
	static struct slow s;
	slow_read(&s, log);
	compare("lost stops", log, &s, s.first, UINT64_MAX);
	compare("lost stops", log, &s, 250, 650);
	slow_free(&s);
	struct reader r = {0};
	struct thread_history_sink sink = sink_of;
	sink.ctx = &r;
	struct thread_history_ask ask = ask_of(log, &sink);
	assert_int_equal(thread_history_run(&ask), 0);
	qsort(r.list.items, r.list.n, sizeof *r.list.items, by_place);
	static const struct stretch want[] = {
		{.thread = 1, .from = 100, .to = 300, .state = THREAD_RUNNING},
		{.thread = 1, .from = 300, .to = 850, .state = THREAD_UNKNOWN},
		{.thread = 1, .from = 850, .to = 900, .state = THREAD_RUNNING},
	};
	for (size_t i = 0; i < countof(want); i++) {
		assert_int_equal(r.list.items[i].thread, want[i].thread);
		assert_int_equal(r.list.items[i].from, want[i].from);
		assert_int_equal(r.list.items[i].to, want[i].to);
		assert_int_equal(r.list.items[i].state, want[i].state);
	}
	free(r.list.items);
	done(log, &b);
}

static void cancelled(void **state)
{
	(void)state;
	struct evl_log *log = walked_file("assets/bazaar.eventlog");
	struct reader r = {0};
	struct thread_history_sink sink = sink_of;
	atomic_bool cancel = true;
	sink.ctx = &r;
	struct thread_history_ask ask = ask_of(log, &sink);
	ask.watch = &(struct progress){.cancel = &cancel};
	assert_int_equal(thread_history_run(&ask), EVL_CANCELLED);
	free(r.list.items);
	evl_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_caps),
		cmocka_unit_test(lost_stops),
		cmocka_unit_test(real_logs),
		cmocka_unit_test(cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
