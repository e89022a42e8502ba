/* The longest idle time of a capability, its idle time with and without runnable threads, and the time in which threads wait for
 * the owner of a black hole, against a look at every single nanosecond, and against all stretches of all threads of the real
 * logs. */
#include "cap_events.h"
#include "each_log.h"
#include "query/idle_why.h"
#include "query/thread_waits.h"
#include "slow_gcs.h"

static uint64_t seed;
static uint64_t any(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % below;
}

/* Two capabilities run a thread each, with breaks in which it is blocked or could run; the first also collects. */
static struct built random_log(unsigned n)
{
	struct built b = log_begin();
	for (uint16_t cap = 0; cap < 2; cap++) {
		unsigned thread = 5u + cap;
		uint64_t t = 10 + any(40);
		block_begin(&b, cap, t);
		put(&b, t, EVL_CREATE_THREAD, "4", thread);
		for (unsigned i = 0; i < n; i++) {
			put_run(&b, t += any(30), thread);
			t += 1 + any(30);
			put_stop(&b, t, thread, any(2) ? (unsigned)(7 + t % 2) : 3);
			if (cap == 0 && any(3) == 0) {
				uint64_t request = t + any(20), start = request + any(10), end = start + 1 + any(20);
				put_gc(&b, request, start, end, (unsigned)any(2));
				t = end + 3;
			}
			if (any(2))
				put(&b, t += any(60), EVL_THREAD_WAKEUP, "42", thread, (unsigned)any(2));
			if (any(3) == 0)
				put(&b, t += any(20), EVL_MIGRATE_THREAD, "42", thread, (unsigned)any(2));
		}
		block_end(&b, t + 1);
	}
	if (any(3)) { /* setNumCapabilities */
		uint64_t t = any(60);
		block_begin(&b, EVL_NO_CAP, t);
		if (any(2))
			put(&b, t, EVL_CAP_CREATE, "2", 1u);
		for (unsigned i = 0; i < n / 2; i++) {
			uint64_t cap = any(4) == 0;
			put(&b, t += any(80), EVL_CAP_DISABLE, "2", (unsigned)cap);
			put(&b, t += any(80), EVL_CAP_ENABLE, "2", (unsigned)cap);
		}
		block_end(&b, t + 1);
	}
	log_end(&b);
	return b;
}

/* By the events CAP_* up to t, in the order in which they were written; without a CAP_CREATE, it exists from the start. */
static bool can_run(const struct evl_log *log, uint16_t cap, uint64_t t)
{
	struct cap_events e = {.log = log, .cap = cap};
	bool can = true, first = true;
	for (struct frame f; cap_events_next(&e, &f); first = false) {
		if (first && f.tag == EVL_CAP_CREATE)
			can = false;
		if (f.t <= t)
			can = f.tag == EVL_CAP_CREATE || f.tag == EVL_CAP_ENABLE;
	}
	return can;
}

static bool is_idle(const struct evl_log *log, uint32_t chain, uint64_t t)
{
	struct cap_moment now;
	uint64_t first, last;
	caps_at(&log->blocks, &log->tiles[chain], chain, t, &now);
	return evl_range(log, &first, &last) && t < last && now.known && now.state == CAP_IDLE && !gcs_at(&log->gcs, t)
		&& can_run(log, log->blocks.chains[chain].cap, t);
}

static struct idle_gap by_each_ns(const struct evl_log *log, uint32_t chain, uint64_t from, uint64_t to)
{
	struct idle_gap best = {from, from};
	for (uint64_t t = from, since = from; t <= to; t++) {
		if (t < to && is_idle(log, chain, t))
			continue;
		if (t - since > best.to - best.from)
			best = (struct idle_gap){since, t};
		since = t + 1;
	}
	return best;
}

static void the_longest_is_found(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		seed = round;
		struct built b = random_log(round < 38 ? 2 + round % 20 : 400); /* the last of several tiles */
		struct evl_log *log = walked(&b);
		uint64_t first, last;
		assert_true(evl_range(log, &first, &last));
		for (unsigned i = 0; i < 6; i++) {
			uint64_t from = i ? first + any(last - first) : 0,
				 to = i ? from + any(last - from + 20) : UINT64_MAX;
			for (size_t cap = 0; cap < log->n_caps; cap++) {
				struct idle_gap got,
					want = by_each_ns(log, log->cap_chains[cap], from, min_u64(to, last + 2));
				assert_int_equal(idle_longest(&got, &log->blocks, log->tiles, &log->gcs, &log->cap_life,
							 log->cap_chains[cap], from, to, NULL),
					0);
				assert_int_equal(got.to - got.from, want.to - want.from);
				if (want.to > want.from)
					assert_int_equal(got.from, want.from);
			}
		}
		done(log, &b);
	}
}

/* --- with and without runnable threads ---------------------------------------------------------------------------- */

enum { CAPS = 64 };

static void waits_of(struct waits *w, const struct evl_log *log, uint64_t from, uint64_t to)
{
	assert_true(log->n_caps <= CAPS);
	assert_int_equal(thread_waits_run(w, log, from, to, UINT64_MAX, NULL, NULL, NULL), 0);
	assert_true(w->all_threads);
}

static bool runs(const struct evl_log *log, uint32_t chain, uint64_t t)
{
	struct cap_moment now;
	caps_at(&log->blocks, &log->tiles[chain], chain, t, &now);
	return now.state == CAP_RUN;
}

/* Does the capability run nothing, outside of all pauses? */
static bool rests(const struct evl_log *log, uint32_t chain, uint64_t t)
{
	return !runs(log, chain, t) && !gcs_at(&log->gcs, t);
}

/* The states of the threads: whether one could run, one ran, and one was in any other known state. */
struct crowd {
	bool runnable, run, exist;
};

static void add(struct cap_idle *sum, bool can, const struct crowd *is, bool here, uint64_t ns)
{
	sum->here_ns += can && here ? ns : 0;
	sum->off_ns += can ? 0 : ns;
	sum->ns += can ? ns : 0;
	sum->ready_ns += can && is->runnable ? ns : 0;
	sum->others_ns += can && !is->runnable && is->run ? ns : 0;
	sum->none_ns += can && !is->exist && !is->run ? ns : 0;
}

static void same_stretch(
	const char *name, const char *what, const struct idle_stretch *got, const struct idle_stretch *want)
{
	if (got->ns != want->ns || got->at != want->at || got->to != want->to)
		fail_msg("%s: %s for %llu at a time, [%llu, %llu), not %llu, [%llu, %llu)", name, what,
			(unsigned long long)got->ns, (unsigned long long)got->at, (unsigned long long)got->to,
			(unsigned long long)want->ns, (unsigned long long)want->at, (unsigned long long)want->to);
}

/* With a pause at its start, or without: a thread may be in a collection before it stops. The range may begin before the log. */
static void same_idle(const struct evl_log *log, const char *name, const char *what, const struct idle_stretch *got,
	const struct idle_stretch *want)
{
	struct idle_stretch same = *got;
	uint64_t first, last;
	assert_true(evl_range(log, &first, &last));
	same.at = got->ns ? max_u64(got->at, first) : 0;
	while (same.at > want->at && gcs_at(&log->gcs, same.at - 1))
		same.at--;
	while (same.at < want->at && gcs_at(&log->gcs, same.at))
		same.at++;
	same_stretch(name, what, &same, want);
}

static void equal(const struct evl_log *log, const char *name, const struct cap_idle *got, const struct cap_idle *want)
{
	if (got->others_ns != want->others_ns || got->none_ns != want->none_ns)
		fail_msg("%s: idle while others ran for %llu, without threads for %llu, not %llu, %llu", name,
			(unsigned long long)got->others_ns, (unsigned long long)got->none_ns,
			(unsigned long long)want->others_ns, (unsigned long long)want->none_ns);
	if (got->here_ns != want->here_ns)
		fail_msg("%s: idle with threads in the queue for %llu, not %llu", name,
			(unsigned long long)got->here_ns, (unsigned long long)want->here_ns);
	if (got->kept_ns != want->kept_ns || got->kept_threads_ns != want->kept_threads_ns)
		fail_msg("%s: kept threads for %llu (%llu), not %llu (%llu)", name, (unsigned long long)got->kept_ns,
			(unsigned long long)got->kept_threads_ns, (unsigned long long)want->kept_ns,
			(unsigned long long)want->kept_threads_ns);
	same_stretch(name, "kept threads", &got->kept_most, &want->kept_most);
	same_stretch(name, "idle with threads in the queue", &got->here_most, &want->here_most);
	static const char *const parts[IDLE_REASONS] = {"idle with threads in other queues", "idle while others ran",
		"idle while all threads waited", "idle without threads"};
	for (int i = 0; i < IDLE_REASONS; i++)
		same_idle(log, name, parts[i], &got->most[i], &want->most[i]);
	if (got->here_n != want->here_n)
		fail_msg("%s: %llu times idle with threads in the queue, not %llu", name,
			(unsigned long long)got->here_n, (unsigned long long)want->here_n);
	if (got->ns != want->ns || got->ready_ns != want->ready_ns || got->off_ns != want->off_ns)
		fail_msg("%s: idle for %llu (%llu with runnable threads), off for %llu, not %llu (%llu), %llu", name,
			(unsigned long long)got->ns, (unsigned long long)got->ready_ns, (unsigned long long)got->off_ns,
			(unsigned long long)want->ns, (unsigned long long)want->ready_ns,
			(unsigned long long)want->off_ns);
}

/* The capabilities: whether it runs a thread, could run one, and how many threads wait in its queue. Add ns to those that run one
 * while others wait, if another rests, and return whether there are any. */
struct busy_cap {
	bool runs, can;
	uint64_t queued;
};
/* The stretches of each, with threads in its queue: in which it runs one, ns: in which another rests; and in which it rests. Those
 * in which it rests at all, by part of its idle time. */
struct queue_stretches {
	struct idle_stretch kept, here, idle[IDLE_REASONS];
};

static void end_stretch(struct idle_stretch *most, const struct idle_stretch *x)
{
	*most = x->ns > most->ns ? *x : *most;
}

static void end_stretches(struct cap_idle *sum, const struct queue_stretches *x)
{
	end_stretch(&sum->kept_most, &x->kept);
	end_stretch(&sum->here_most, &x->here);
	sum->here_n += x->here.ns > 0;
	for (int i = 0; i < IDLE_REASONS; i++)
		end_stretch(&sum->most[i], &x->idle[i]);
}

/* The part that an idle nanosecond belongs to; IDLE_REASONS: one is in the queue of the capability. */
static int part_of(const struct crowd *is, bool here)
{
	if (is->runnable)
		return here ? IDLE_REASONS : IDLE_ELSEWHERE;
	return is->run ? IDLE_OTHERS : is->exist ? IDLE_BLOCKED : IDLE_UNALIVE;
}

static void add_stretches(struct cap_idle *sum, struct queue_stretches *now, const struct busy_cap *cap, int part,
	uint64_t from, uint64_t to, uint64_t ns)
{
	const bool idle = !cap->runs && cap->can;
	for (int i = 0; i < IDLE_REASONS; i++) {
		struct idle_stretch *x = &now->idle[i];
		if (!idle || x->to != from) {
			end_stretch(&sum->most[i], x);
			*x = (struct idle_stretch){.at = from};
		}
		x->ns += idle && i == part ? ns : 0;
		x->to = idle ? to : 0;
	}
}

/* The time [from, to), of which ns are outside of pauses. */
static bool add_kept(struct cap_idle *sums, struct queue_stretches *now, const struct busy_cap *caps, size_t n,
	uint64_t from, uint64_t to, uint64_t ns)
{
	bool rest = false, kept = false;
	for (size_t i = 0; i < n; i++)
		rest = rest || (!caps[i].runs && caps[i].can);
	for (size_t i = 0; i < n; i++) {
		bool keeps = caps[i].runs && caps[i].queued;
		uint64_t more = keeps && rest ? ns : 0;
		kept = kept || more;
		sums[i].kept_ns += more;
		sums[i].kept_threads_ns += more * caps[i].queued;
		if (!keeps || now[i].kept.to != from) {
			end_stretch(&sums[i].kept_most, &now[i].kept);
			now[i].kept = (struct idle_stretch){.at = from};
		}
		now[i].kept.ns += more;
		now[i].kept.to = keeps ? to : 0;
		bool waits = !caps[i].runs && caps[i].can && caps[i].queued;
		if (!waits || now[i].here.to != from) {
			end_stretch(&sums[i].here_most, &now[i].here);
			sums[i].here_n += now[i].here.ns > 0;
			now[i].here = (struct idle_stretch){.at = from};
		}
		now[i].here.ns += waits ? ns : 0;
		now[i].here.to = waits ? to : 0;
	}
	return kept;
}

static void idle_time_is_that_of_each_ns(void **state)
{
	unsigned met[6] = {0};
	(void)state;
	for (unsigned round = 0; round < 24; round++) {
		seed = 100 + round;
		struct built b = random_log(4 + round % 4);
		struct evl_log *log = walked(&b);
		uint64_t first, last;
		assert_true(evl_range(log, &first, &last));
		uint64_t from = round % 2 ? first + any(last - first) : first,
			 to = round % 2 ? from + any(last - from) : last;
		struct cap_idle want[CAPS] = {0};
		struct queue_stretches stretches[CAPS] = {0};
		struct waits w;
		uint64_t kept = 0;
		waits_of(&w, log, from, round % 2 ? to : UINT64_MAX);
		for (uint64_t t = from; t < to; t++) {
			struct idle_why why;
			assert_int_equal(idle_why_at(&why, log, t, NULL), 0);
			struct crowd is = {.runnable = why.runnable, .exist = why.runnable + why.blocked + why.foreign};
			for (size_t cap = 0; cap < log->n_caps; cap++)
				is.run = is.run || runs(log, log->cap_chains[cap], t);
			struct busy_cap caps[CAPS] = {{0}};
			for (size_t cap = 0; cap < log->n_caps; cap++) {
				uint32_t chain = log->cap_chains[cap];
				uint16_t number = log->blocks.chains[chain].cap;
				for (uint32_t i = 0; i < why.runnable; i++)
					caps[cap].queued += why.ready[i].cap == number;
				caps[cap].runs = runs(log, chain, t);
				caps[cap].can = can_run(log, number, t);
				if (rests(log, chain, t))
					add(&want[cap], caps[cap].can, &is, caps[cap].queued, 1);
				add_stretches(&want[cap], &stretches[cap], &caps[cap], part_of(&is, caps[cap].queued),
					t, t + 1, !gcs_at(&log->gcs, t));
			}
			kept += add_kept(want, stretches, caps, log->n_caps, t, t + 1, !gcs_at(&log->gcs, t));
		}
		assert_int_equal(w.kept_ns, kept);
		met[5] += kept > 0;
		for (size_t cap = 0; cap < log->n_caps; cap++) {
			end_stretches(&want[cap], &stretches[cap]);
			equal(log, "a random log", &w.idle[cap], &want[cap]);
			const struct cap_idle *is = &want[cap];
			met[0] += is->ready_ns > 0;
			met[1] += is->others_ns > 0;
			met[2] += is->ns > is->ready_ns + is->others_ns + is->none_ns;
			met[3] += is->here_ns > 0;
			met[4] += is->ready_ns > is->here_ns;
		}
		thread_waits_free(&w);
		done(log, &b);
	}
	for (size_t i = 0; i < countof(met); i++)
		assert_true(met[i] > 10);
}

/* --- owners of black holes ------------------------------------------------------------------------------------------ */

enum { THREADS = 4, RUN_NS = 1500 };

/* The state of each nanosecond. */
struct holes {
	uint8_t owner[THREADS + 1][RUN_NS]; /* that a thread waits for; 0: none */
	bool paused[RUN_NS], within[RUN_NS];
};

/* Threads that are blocked on black holes of each other, or of thread 9, of which nothing else is known; and collections. */
static struct built holes_log(struct holes *is)
{
	struct built b = log_begin();
	memset(is, 0, sizeof *is);
	for (unsigned thread = 1; thread <= THREADS; thread++) {
		block_begin(&b, (uint16_t)thread, 10);
		put(&b, 10, EVL_CREATE_THREAD, "4", thread);
		for (uint64_t t = 11 + any(30), until; t < RUN_NS - 250; t = until + 1 + any(40)) {
			bool hole = any(4) > 0;
			unsigned owner = hole ? (any(3) ? 1 + (thread + (unsigned)any(3)) % THREADS : 9u) : 0;
			put_run(&b, t, thread);
			put(&b, t += 1 + any(20), EVL_STOP_THREAD, "424", thread, hole ? 8u : 7u, owner);
			until = t + 1 + any(150);
			memset(&is->owner[thread][t], (int)owner, until - t);
			put(&b, until, EVL_THREAD_WAKEUP, "42", thread, thread);
		}
		block_end(&b, RUN_NS - 1);
	}
	block_begin(&b, 0, 10);
	for (uint64_t t = 20 + any(100), end; t < RUN_NS - 100; t = end + 1 + any(200)) {
		uint64_t start = t + any(10);
		end = start + 1 + any(60);
		put_gc(&b, t, start, end, 0);
		memset(&is->paused[t], true, end - t);
	}
	put(&b, RUN_NS - 1, EVL_REQUEST_SEQ_GC, "");
	block_end(&b, RUN_NS - 1);
	log_end(&b);
	return b;
}

static size_t random_windows(struct holes *is, struct time_window *out, size_t most, uint64_t *from, uint64_t *to)
{
	size_t n = 0;
	*from = any(2) ? 10 : 10 + any(300);
	*to = any(2) ? RUN_NS - 1 : RUN_NS - 1 - any(300);
	for (uint64_t t = *from + any(50); n < most && t < *to; n++) {
		out[n] = (struct time_window){t, min_u64(t + 1 + any(200), *to)};
		t = out[n].to + 1 + any(200); /* adjacent ones divide a wait */
		memset(&is->within[out[n].from], true, out[n].to - out[n].from);
	}
	return n;
}

/* As thread_waits_run, with windows. */
static void waits_in(struct waits *w, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct time_window *windows, size_t n)
{
	struct thread_history pass = {0};
	struct waits_reader *r;
	struct gc_pauses pauses = {0};
	assert_int_equal(waits_reader_open(&r, w, log, &pass, UINT64_MAX, NULL, NULL), 0);
	assert_int_equal(gc_pauses_make(&pauses, &log->gcs, 0, UINT64_MAX, NULL), 0);
	struct thread_history_ask ask = {.log = log,
		.from = from,
		.to = to,
		.readers = {waits_reader_sink(r)},
		.n_readers = 1,
		.pauses = &pauses,
		.windows = windows,
		.n_windows = n};
	assert_int_equal(thread_history_begin(&pass, &ask), 0);
	assert_int_equal(thread_history_end(&pass), 0);
	assert_int_equal(waits_reader_close(r), 0);
	thread_history_free(&pass);
	gc_pauses_free(&pauses);
}

static struct wait_who by_look(const struct holes *is, uint32_t owner)
{
	struct wait_who who = {.thread = owner};
	uint64_t since[THREADS + 1] = {0};
	for (uint64_t t = 1; t < RUN_NS; t++) {
		bool waits = false;
		for (unsigned i = 1; i <= THREADS; i++) {
			bool one = is->within[t] && is->owner[i][t] == owner;
			bool was = is->within[t - 1] && is->owner[i][t - 1] == owner;
			waits = waits || one;
			who.ns += one;
			since[i] = one && !was ? t : since[i];
			uint64_t ns = one ? t + 1 - since[i] : 0;
			if (ns > who.longest || (ns && ns == who.longest && since[i] < who.longest_at)) {
				who.longest = ns;
				who.longest_at = since[i];
				who.longest_thread = i;
			}
		}
		who.once_ns += waits && !is->paused[t];
	}
	return who;
}

static bool any_waits(const struct holes *is, uint32_t owner, uint64_t t)
{
	bool any = false;
	for (unsigned i = 1; i <= THREADS; i++)
		any = any || is->owner[i][t] == owner;
	return any;
}

/* The threads of the list waited for the owner in the time around the longest wait in which any did, all that waited during it
 * among them. */
static void expect_with(const struct holes *is, const struct wait_who *got)
{
	uint64_t from = got->longest_at, to = got->longest_at + got->longest, start = from, end = to;
	while (start > 0 && any_waits(is, got->thread, start - 1))
		start--;
	while (end < RUN_NS && any_waits(is, got->thread, end))
		end++;
	for (unsigned i = 1; i <= THREADS; i++) {
		bool may = false, must = false, listed = false;
		for (uint64_t t = start; t < end; t++) {
			bool waits = is->owner[i][t] == got->thread;
			may = may || waits;
			must = must || (waits && t >= from && t < to);
		}
		for (unsigned k = 0; k < got->n_with; k++)
			listed = listed || got->with[k] == i;
		assert_true(listed ? may : !must);
	}
	assert_true(is->owner[got->longest_thread][from] == got->thread);
	assert_true(is->owner[got->longest_thread][to - 1] == got->thread);
}

static void owners_are_those_of_each_ns(void **state)
{
	static struct holes is;
	unsigned shared = 0;
	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		struct time_window windows[20];
		struct waits w;
		uint64_t from, to;
		seed = 1000 + round;
		struct built b = holes_log(&is);
		struct evl_log *log = walked(&b);
		size_t n = random_windows(&is, windows, 20, &from, &to);
		bool whole = round % 2;
		if (whole)
			memset(&is.within[from], true, to - from);
		for (uint64_t t = whole ? to : RUN_NS; t < RUN_NS; t++)
			is.within[t] = false;
		waits_in(&w, log, from, to, whole ? NULL : windows, n);
		const struct wait_reason *r = w.reasons;
		while (r < w.reasons + w.n_reasons && r->reason != STOP_BLACK_HOLE)
			r++;
		for (size_t i = 0; r < w.reasons + w.n_reasons && i < r->n_owners; i++) {
			struct wait_who want = by_look(&is, r->owners[i].thread);
			assert_int_equal(r->owners[i].ns, want.ns);
			assert_int_equal(r->owners[i].once_ns, want.once_ns);
			assert_int_equal(r->owners[i].longest, want.longest);
			assert_int_equal(r->owners[i].longest_at, want.longest_at);
			expect_with(&is, &r->owners[i]);
			shared += want.once_ns > 0 && want.once_ns < want.ns;
		}
		thread_waits_free(&w);
		done(log, &b);
	}
	assert_true(shared > 300);
}

/* More owners than are counted one by one: five threads wait for the last of them, at once and until the end. */
static void time_of_uncounted_owners_is_bounded(void **state)
{
	enum { COUNTED = 1 << 14, LAST = 7, WAITING = 5, AFTER = 1000000 };
	(void)state;
	struct waits w;
	struct built b = log_begin();
	uint64_t t = 10;
	block_begin(&b, 0, t);
	for (unsigned i = 0; i < COUNTED + WAITING; i++) {
		unsigned owner = i < COUNTED ? 100000 + i : LAST;
		put_run(&b, ++t, 100 + i);
		put(&b, ++t, EVL_STOP_THREAD, "424", 100 + i, (unsigned)STOP_BLACK_HOLE, owner);
	}
	put(&b, t + AFTER, EVL_REQUEST_SEQ_GC, "");
	block_end(&b, t + AFTER);
	log_end(&b);
	struct evl_log *log = walked(&b);
	waits_of(&w, log, 0, UINT64_MAX);
	assert_int_equal(w.n_reasons, 1);
	const struct wait_who *who = &w.reasons[0].owners[0];
	assert_int_equal(who->thread, LAST);
	assert_true(who->ns >= (uint64_t)WAITING * AFTER);
	assert_true(who->once_ns >= AFTER && who->once_ns <= t + AFTER);
	thread_waits_free(&w);
	done(log, &b);
}

/* Between two adjacent edges of anything, nothing changes. */
static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static size_t all_edges(const struct evl_log *log, const struct slow *s, uint64_t *out)
{
	size_t n = 0;
	for (size_t i = 0; i < s->list.n; i++) {
		out[n++] = s->list.items[i].since;
		out[n++] = s->list.items[i].to;
	}
	for (size_t cap = 0; cap < log->n_caps; cap++) {
		struct cap_events e = {.log = log, .cap = log->blocks.chains[log->cap_chains[cap]].cap};
		for (struct frame f; cap_events_next(&e, &f);)
			out[n++] = f.t;
	}
	for (size_t i = 0; i < s->n; i++) /* the same thread may go to another queue */
		if (s->events[i].f.tag == EVL_MIGRATE_THREAD || s->events[i].f.tag == EVL_THREAD_WAKEUP)
			out[n++] = s->events[i].f.t;
	out[n++] = s->first;
	out[n++] = s->last;
	qsort(out, n, sizeof *out, by_value);
	return n;
}

/* In whose queue each thread waits, if it can run: the capability where it was created, woken or moved to, or ran last. */
struct homes {
	uint16_t *of;      /* by thread: the number + 1 */
	bool *runs;        /* by thread */
	uint32_t *running; /* by capability */
	size_t n;          /* events taken */
};

static void homes_until(struct homes *h, const struct slow *s, uint64_t t)
{
	for (; h->n < s->n && s->events[h->n].f.t <= t; h->n++) {
		const struct event *e = &s->events[h->n];
		const uint8_t *p = e->f.payload.p;
		if (e->cap < 0 || e->f.tag > EVL_THREAD_WAKEUP || e->f.payload.len < 4)
			continue;
		uint32_t id = be32(p);
		bool sent = e->f.tag == EVL_MIGRATE_THREAD || e->f.tag == EVL_THREAD_WAKEUP;
		if (e->f.tag == EVL_RUN_THREAD || e->f.tag == EVL_STOP_THREAD) {
			h->runs[h->running[e->cap]] = false;
			h->runs[id] = e->f.tag == EVL_RUN_THREAD;
			h->running[e->cap] = h->runs[id] ? id : 0;
		}
		if (e->f.tag == EVL_RUN_THREAD || (!h->runs[id] && e->f.tag != EVL_STOP_THREAD))
			h->of[id] = (uint16_t)(1 + (sent ? be16(p + 4) : e->cap));
	}
}

static unsigned without_threads, with_queue,
	with_kept; /* capabilities that were idle before the first thread, or after the last */

static void compare(const char *name, const struct evl_log *log, struct slow *s)
{
	struct cap_idle want[CAPS] = {0};
	struct queue_stretches stretches[CAPS] = {{.kept = {0}}};
	struct waits w;
	uint64_t kept = 0;
	uint64_t *edges = calloc(2 * s->list.n + s->n + 1000, sizeof *edges);
	struct pauses p = slow_pauses(s, log);
	assert_non_null(edges);
	waits_of(&w, log, 0, UINT64_MAX);
	qsort(s->events, s->n, sizeof *s->events, by_time);
	size_t n = all_edges(log, s, edges);
	uint64_t *once = calloc(1 << 16, sizeof *once);
	struct homes homes = {.of = calloc(MOST_THREADS, sizeof *homes.of),
		.runs = calloc(MOST_THREADS, sizeof *homes.runs),
		.running = calloc(1 << 16, sizeof *homes.running)};
	assert_true(once && homes.of && homes.runs && homes.running);
	for (size_t i = 0; i + 1 < n; i++) {
		uint64_t a = edges[i], b = edges[i + 1], ns = b - a - covered(&p, a, b);
		struct crowd is = {0};
		bool runs[1 << 16] = {false}, waited[1 << 16] = {false};
		uint64_t queued[CAPS] = {0};
		homes_until(&homes, s, a);
		for (size_t k = 0; k < s->list.n && a < b; k++) {
			const struct stretch *x = &s->list.items[k];
			if (x->since > a || x->to < b)
				continue;
			is.runnable = is.runnable || x->state == THREAD_RUNNABLE;
			uint16_t home = homes.of[x->thread];
			if (x->state == THREAD_RUNNABLE && home && home <= CAPS)
				queued[home - 1]++;
			is.run = is.run || x->state == THREAD_RUNNING;
			is.exist = is.exist || (x->state != THREAD_ABSENT && x->state != THREAD_UNKNOWN);
			bool hole = x->state == THREAD_BLOCKED && x->stop == STOP_BLACK_HOLE && x->info < 1 << 16;
			once[hole ? x->info : 0] += hole && !waited[x->info] ? ns : 0;
			waited[hole ? x->info : 0] = true;
			if (x->state == THREAD_RUNNING)
				runs[x->cap] = true;
		}
		struct busy_cap caps[CAPS] = {{0}};
		for (size_t cap = 0; cap < log->n_caps && a < b; cap++) {
			uint16_t number = log->blocks.chains[log->cap_chains[cap]].cap;
			caps[cap] = (struct busy_cap){
				runs[number], can_run(log, number, a), number < CAPS ? queued[number] : 0};
			if (!runs[number])
				add(&want[cap], caps[cap].can, &is, caps[cap].queued, ns);
			add_stretches(
				&want[cap], &stretches[cap], &caps[cap], part_of(&is, caps[cap].queued), a, b, ns);
		}
		kept += a < b && add_kept(want, stretches, caps, log->n_caps, a, b, ns) ? ns : 0;
	}
	for (size_t cap = 0; cap < log->n_caps; cap++) {
		end_stretches(&want[cap], &stretches[cap]);
		equal(log, name, &w.idle[cap], &want[cap]);
		without_threads += want[cap].none_ns > 0;
		with_queue += want[cap].here_ns > 0;
	}
	if (w.kept_ns != kept)
		fail_msg("%s: threads kept for %llu, not %llu", name, (unsigned long long)w.kept_ns,
			(unsigned long long)kept);
	with_kept += kept > 0;
	for (size_t i = 0; i < w.n_reasons; i++)
		for (size_t k = 0; k < w.reasons[i].n_owners; k++) {
			const struct wait_who *who = &w.reasons[i].owners[k];
			if (who->thread && who->thread < 1 << 16 && who->once_ns != once[who->thread])
				fail_msg("%s: threads waited for thread %u for %llu, not %llu", name, who->thread,
					(unsigned long long)who->once_ns, (unsigned long long)once[who->thread]);
		}
	free(once);
	free(homes.of);
	free(homes.runs);
	free(homes.running);
	thread_waits_free(&w);
	slow_pauses_free(&p);
	free(edges);
}

static size_t compared;

static void compare_log(const struct evl_log *log, const char *name)
{
	enum { MOST = 1 << 11 }; /* it is quadratic */
	static struct slow s;
	memset(&s, 0, sizeof s);
	slow_read(&s, log);
	if (s.n && log->n_caps && s.list.n < MOST) {
		compare(name, log, &s);
		compared++;
	}
	slow_free(&s);
}

static void idle_time_of_real_logs(void **state)
{
	(void)state;
	each_log_of((char *[]){NULL}, compare_log);
	assert_true(compared > 60 && without_threads > 60 && with_queue > 30 && with_kept > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_is_found),
		cmocka_unit_test(idle_time_is_that_of_each_ns),
		cmocka_unit_test(owners_are_those_of_each_ns),
		cmocka_unit_test(time_of_uncounted_owners_is_bounded),
		cmocka_unit_test(idle_time_of_real_logs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
