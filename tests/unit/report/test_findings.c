/* Each finding has a real log that raises it, and one that does not; what it says names its figure. */
#include "log/rts_flags.h"
#include "logs.h"
#include "report/figures.h"
#include "report/findings.h"

#include <glob.h>
#include <stdio.h>

static const struct {
	enum finding_id id;
	const char *raised, *quiet; /* tests/logs/NAME.eventlog */
} logs[] = {
	{FINDING_DAMAGED, "9.10.3-messages-fsize", "9.10.3-messages"},
	{FINDING_GC_SHARE, "9.0.2-trouble-leak", "9.0.2-mixer-N2"},
	{FINDING_GC_PAUSES, "9.6.6-leaky-hT", "9.0.2-mixer-N2"},
	{FINDING_GC_SYNC_THREAD, "9.0.2-trouble-late", "9.0.2-trouble-leak"},
	{FINDING_GC_CENSUS, "9.6.6-leaky-hT", "9.0.2-mixer-N2"},
	{FINDING_OVERSUBSCRIBED, "9.0.2-trouble-late", "9.0.2-mixer-N2"},
	{FINDING_GC_MINOR, "9.0.2-trouble-late", "9.0.2-trouble-sparks"},
	{FINDING_GC_BALANCE, "9.0.2-mixer-N4-full", "9.0.2-gcstorm-seqgc"},
	{FINDING_CAP_ALONE, "9.0.2-trouble-leak", "9.0.2-trouble-late"},
	{FINDING_SPARKS_LOST, "9.0.2-trouble-sparks", "9.0.2-mixer-N2"},
	{FINDING_SPARKS_FIZZLED, "9.10.3-sparkler-N2-sampled", "9.0.2-trouble-late"},
	{FINDING_SPARKS_DUD, "9.0.2-trouble-sparks", "9.0.2-mixer-N2"},
	{FINDING_SPARKS_GCD, "9.0.2-mixer-N2", "9.0.2-trouble-late"},
	{FINDING_HEAP_GROWS, "9.0.2-trouble-leak", "9.0.2-trouble-late"},
	{FINDING_THREADS_STUCK, "9.0.2-shares-p", "9.10.3-flush-interval-hung"}, /* killed */
	{FINDING_TIMER_BOUND, "9.10.3-capdance-N4", "9.0.2-trouble-leak"},
	{FINDING_EXTERNAL_WAITS, "9.6.6-leaky-hT", "9.10.3-capdance-N4"}, /* timer-bound */
	{FINDING_SERIAL, "9.10.3-gcstorm-N64", "9.0.2-mixer-N2"},
	{FINDING_STM_CONTENTION, "../../assets/bazaar", "9.0.2-mixer-N2"},
	{FINDING_DEADLOCK, "deadlock", "9.10.3-conczoo-thr-N2"}, /* there it is not certain */
	{FINDING_UNFINISHED, "9.10.3-idler-killed-flush", "9.0.2-mixer-N2"},
	{FINDING_NO_SCHED, "9.10.3-leaky-hi-live", "9.0.2-mixer-N2"},
	{FINDING_NO_GC, "9.10.3-conczoo-nothing", "9.0.2-mixer-N2"},
	{FINDING_NO_SPARKS, "9.10.3-conczoo-nothing", "9.0.2-mixer-N2"},
	{FINDING_NO_HEAP, "9.0.2-trouble-leak", "9.6.6-leaky-hT"},
};

/* The findings of tests/logs/NAME.eventlog. */
static void find_in(const char *name, struct findings *out)
{
	struct evl_log *log;
	struct figures f;
	char path[128];
	snprintf(path, sizeof path, "tests/logs/%s.eventlog", name);
	assert_int_equal(evl_open(&log, path, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(out, log, &f);
	for (size_t i = 0; i < out->n; i++) {
		const struct finding *x = &out->items[i];
		assert_true(!x->has_place || (x->t >= f.from && x->t <= f.to));
		assert_true(!x->until || (x->has_place && x->until >= x->t && x->until <= f.until));
	}
	figures_free(&f);
	evl_close(log);
}

static bool find(const char *name, enum finding_id id, struct finding *out)
{
	struct findings findings;
	find_in(name, &findings);
	for (size_t i = 0; i < findings.n; i++)
		if (findings.items[i].id == id) {
			*out = findings.items[i];
			return true;
		}
	return false;
}

/* The text says under which assumption its cost would be saved. */
static void expect_gain(const struct finding *f)
{
	char gain[TEXT_ROOM + 64];
	snprintf(gain, sizeof gain, " could be divided among all, it would take %s less",
		as_value(UNIT_NS, (double)f->stake));
	assert_non_null(strstr(f->text, gain));
}

static void each_is_raised_by_a_log_and_not_by_another(void **state)
{
	bool seen[FINDING_IDS] = {false};
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct finding f, other;
		if (!find(logs[i].raised, logs[i].id, &f))
			fail_msg("%s does not raise %s", logs[i].raised, finding_name(logs[i].id));
		if (find(logs[i].quiet, logs[i].id, &other))
			fail_msg("%s raises %s: %s", logs[i].quiet, finding_name(logs[i].id), other.text);
		assert_true(strlen(f.text) > 20 && strlen(f.text) < FINDING_TEXT - 1);
		assert_null(strstr(f.text, "unknown"));
		if (f.id == FINDING_CAP_ALONE || f.id == FINDING_SERIAL)
			expect_gain(&f);
		seen[logs[i].id] = true;
	}
	seen[FINDING_THREADS_LATENCY] = seen[FINDING_STACK_GROWTH] = seen[FINDING_HEAP_SUMS] =
		seen[FINDING_FOREIGN_BLOCKING] = seen[FINDING_BLACKHOLE_CONTENTION] =
			true;                 /* by a log of a later test */
	seen[FINDING_LOCK_CONTENTION] = true; /* in test_findings_threads.c */
	for (int id = 0; id < FINDING_IDS; id++)
		if (!seen[id] && id != FINDING_HEAP_STEPS) /* below */
			fail_msg("no log for %s", finding_name((enum finding_id)id));
}

/* The findings of a log that was built, which is freed. */
static void find_all(struct built *b, struct findings *out)
{
	struct figures f;
	struct evl_log *log = walked(b);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(out, log, &f);
	figures_free(&f);
	done(log, b);
}

/* Each deadlock names its own threads. */
static void deadlocks_are_told_apart(void **state)
{
	struct finding f;
	(void)state;
	assert_true(find("deadlock", FINDING_DEADLOCK, &f));
	assert_string_equal(f.text,
		"deadlock: a cycle of black holes: thread 4 \"chicken\", thread 5 \"egg\"; 2 more threads in other "
		"deadlocks");
	assert_true(f.has_place && f.t == 16000000 && f.thread == 4);
}

static const struct finding *get(const struct findings *f, enum finding_id id)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->items[i].id == id)
			return &f->items[i];
	return NULL;
}

static void expect_threads(const struct finding *f, const uint32_t *want, uint32_t n)
{
	assert_int_equal(f->n_threads, n);
	assert_memory_equal(f->threads, want, n * sizeof *want);
}

/* Each of these waits for the next one, on an MVar or in STM; a major collection finds them. */
static void a_deadlock_names_its_reasons(void **state)
{
	enum { MS = 1000000 };
	struct built b = log_begin();
	struct findings found;
	(void)state;
	for (unsigned thread = 1; thread <= 3; thread++) {
		block_begin(&b, (uint16_t)thread, MS);
		put_run(&b, MS * thread, thread);
		put_stop(&b, MS * thread + 1000, thread, thread == 1 ? STOP_STM : STOP_MVAR);
		put_run(&b, 62 * MS + thread, thread);
		put_stop(&b, 63 * MS, thread, STOP_FINISHED);
		block_end(&b, 70 * MS);
	}
	block_begin(&b, 0, MS);
	put_gc(&b, 60 * MS, 60 * MS + 10, 61 * MS, 1);
	block_end(&b, 70 * MS);
	log_end(&b);
	find_all(&b, &found);
	const struct finding *got = get(&found, FINDING_DEADLOCK);
	assert_non_null(got);
	assert_string_equal(got->text,
		"deadlock on STM and MVars: thread 1, thread 2, thread 3; found by a major collection 57.0 ms after "
		"the last of them blocked; the log does not tell which thread held which lock");
	assert_string_equal(got->advice,
		"name the threads (labelThread), and call traceEventIO around the locks, to see which thread holds "
		"which");
	assert_true(got->has_place && got->t == 3 * MS + 1000 && got->thread == 3);
	expect_threads(got, (const uint32_t[]){3, 1, 2}, 3);
}

/* Threads 3 and 4 wait for thread 1 at the same time, thread 5 for thread 2 for longer than each of them. The longest wait told
 * is one for thread 1, and time in which both wait is lost once. Waits for two owners of one label add up. */
static void expect_owner(const char *label, const char *text, uint64_t stake)
{
	enum { MS = 1000000 };
	static const struct {
		unsigned thread, owner, from, to;
	} waits[] = {{3, 1, 10, 30}, {4, 1, 20, 35}, {5, 2, 40, 65}};
	struct built b = log_begin();
	struct findings found;
	for (size_t i = 0; i < countof(waits); i++) {
		block_begin(&b, (uint16_t)i, MS);
		put_run(&b, MS, waits[i].thread);
		put(&b, waits[i].from * MS, EVL_STOP_THREAD, "424", waits[i].thread, (unsigned)STOP_BLACK_HOLE,
			waits[i].owner);
		put(&b, waits[i].to * MS, EVL_THREAD_WAKEUP, "42", waits[i].thread, (unsigned)i);
		put_run(&b, 90 * MS, waits[i].thread);
		block_end(&b, 100 * MS);
	}
	block_begin(&b, countof(waits), MS);
	for (unsigned owner = 1; owner <= 2 && *label; owner++)
		put(&b, MS, EVL_THREAD_LABEL, "4s", owner, label);
	block_end(&b, MS);
	log_end(&b);
	find_all(&b, &found);
	const struct finding *got = get(&found, FINDING_BLACKHOLE_CONTENTION);
	assert_non_null(got);
	assert_string_equal(got->text, text);
	assert_true(got->thread == 1 && got->t == 10 * MS && got->until == 30 * MS);
	assert_int_equal(got->stake, stake);
	expect_threads(got, (const uint32_t[]){3, 1, 4}, 3);
}

static void waits_for_the_owner_are_its_own(void **state)
{
	(void)state;
	expect_owner("",
		"2 waits for black holes of thread 1 (values that it evaluates), 35.0 ms in total, within 25.0 ms of "
		"the run; longest wait "
		"20.0 ms; for those of all threads 3, 60.0 ms",
		25000000);
	expect_owner("owner",
		"3 waits for black holes of 2 threads \"owner\" (values that they evaluate), 60.0 ms in total, within "
		"50.0 ms of the run; 2 of "
		"these, 35.0 ms, for thread 1 \"owner\", at most 20.0 ms at a time",
		50000000);
}

/* Four workers read one Chan. Thread 1, of this label, puts a job into it every 10 ms and wakes the worker at the head of
 * the queue, which wakes the next, and so on. Is that called lock contention? */
static bool queue(const char *name)
{
	enum { MS = 1000000, TIMES = 10, FIRST = 2, WORKERS = 4 };
	struct built b = log_begin();
	struct findings found;
	block_begin(&b, 0, MS);
	for (unsigned i = 1; i < FIRST + WORKERS; i++) {
		put(&b, MS, EVL_CREATE_THREAD, "4", i);
		put(&b, MS, EVL_THREAD_LABEL, "4s", i, i == 1 ? name : "worker");
	}
	for (unsigned i = 0; i < TIMES; i++) {
		uint64_t t = (2 + 10 * i) * MS;
		for (unsigned k = FIRST; k < FIRST + WORKERS; k++, t += MS / 4) {
			put_run(&b, t, k);
			if (i > 0 && k > FIRST && k + 1 < FIRST + WORKERS)
				put(&b, t + MS / 4 - 1, EVL_THREAD_WAKEUP, "42", k + 1, 0u);
			put(&b, t + MS / 4, EVL_STOP_THREAD, "424", k, (unsigned)STOP_MVAR, 0u);
		}
		t = (11 + 10 * i) * MS;
		put(&b, t - MS / 4 - 1, EVL_THREAD_WAKEUP, "42", 1u, 0u); /* no thread runs: not known who woke it */
		put_run(&b, t - MS / 4, 1);
		put(&b, t + 1, EVL_THREAD_WAKEUP, "42", (unsigned)FIRST, 0u);
		put(&b, t + 2, EVL_STOP_THREAD, "424", 1u, (unsigned)STOP_MVAR, 0u);
		put_run(&b, t + 3, FIRST);
		put(&b, t + 4, EVL_THREAD_WAKEUP, "42", FIRST + 1u, 0u);
		put_stop(&b, t + 5, FIRST, STOP_YIELD);
	}
	block_end(&b, 110 * MS);
	log_end(&b);
	find_all(&b, &found);
	return get(&found, FINDING_LOCK_CONTENTION) != NULL;
}

static void idle_workers_are_held_up_by_no_lock(void **state)
{
	(void)state;
	assert_false(queue("boss"));
	assert_true(queue("worker")); /* thread 1 waits for them like them */
}

/* The text for a log without findings: how many kinds were looked for, and why there may be more. */
static void no_findings_say_what_was_looked_for(void **state)
{
	static const struct {
		double ms;
		bool whole, deep;
		const char *more;
	} cases[] = {{100, true, true, ""}, {5, true, true, ""}, {4, true, true, "; this run has only 4.00 ms"},
		{4, false, true, "; this range has only 4.00 ms"}, {0, false, true, "; this range has only 0 s"},
		{100, false, false, "; how threads waited is not read yet"},
		{4, true, false, "; this run has only 4.00 ms; how threads waited is not read yet"}};
	unsigned kinds = 0;
	(void)state;
#define FINDING(id, name, about, ...) kinds += strcmp(#about, "PROGRAM") == 0;
#include "report/findings.def"
#undef FINDING
	for (size_t i = 0; i < countof(cases); i++) {
		static struct figures f;
		char got[FINDING_TEXT], want[FINDING_TEXT];
		f.values[METRIC_TIME_TOTAL] = cases[i].ms * 1e6;
		f.whole = cases[i].whole;
		f.deep = cases[i].deep;
		snprintf(want, sizeof want,
			"no findings: none of %u kinds of problem is proved; most must cost at least 5 ms, pauses last "
			"10 "
			"ms%s",
			kinds, cases[i].more);
		assert_string_equal(findings_none(&f, got), want);
	}
}

/* Four workers take turns for 18 ms, each woken by the one before, then all wait for jobs of thread 1 at the same
 * time, for `apart` ms; then none of them waits for another. */
static bool turns_and_jobs(unsigned apart)
{
	enum { US = 1000, MS = 1000 * US, TIMES = 10, FIRST = 2, WORKERS = 4, ROUND = 20, TURNS = 36 };
	struct built b = log_begin();
	struct findings found;
	block_begin(&b, 0, MS);
	for (unsigned i = 1; i < FIRST + WORKERS; i++) {
		put(&b, MS, EVL_CREATE_THREAD, "4", i);
		put(&b, MS, EVL_THREAD_LABEL, "4s", i, i == 1 ? "boss" : "worker");
	}
	for (unsigned i = 0; i < TIMES; i++) {
		uint64_t t = (uint64_t)(2 + (ROUND + apart) * i) * MS;
		for (unsigned k = 0; k < TURNS; k++, t += MS / 2) { /* from which a capability is free for half */
			put_run(&b, t, FIRST + k % WORKERS);
			put(&b, t + MS / 2 - 2, EVL_THREAD_WAKEUP, "42", FIRST + (k + 1) % WORKERS, 0u);
			put(&b, t + MS / 2 - 1, EVL_STOP_THREAD, "424", FIRST + k % WORKERS, (unsigned)STOP_MVAR, 0u);
		}
		put_run(&b, t, FIRST);
		for (unsigned k = FIRST + 1; k < FIRST + WORKERS; k++) /* they go on to the next wait */
			put(&b, t + k, EVL_THREAD_WAKEUP, "42", k, 0u);
		put(&b, t + 20, EVL_STOP_THREAD, "424", (unsigned)FIRST, (unsigned)STOP_MVAR, 0u);
		for (unsigned k = FIRST + 1; k < FIRST + WORKERS; k++) {
			put_run(&b, t + 10 * (uint64_t)k, k);
			put(&b, t + 10 * (uint64_t)k + 5, EVL_STOP_THREAD, "424", k, (unsigned)STOP_MVAR, 0u);
		}
		t += apart * MS;
		put_run(&b, t + 100, 1);
		for (unsigned k = FIRST; k < FIRST + WORKERS; k++)
			put(&b, t + 100 + k, EVL_THREAD_WAKEUP, "42", k, 0u);
		put_stop(&b, t + 200, 1, STOP_YIELD);
		for (unsigned k = FIRST + 1; k < FIRST + WORKERS; k++) {
			put_run(&b, t + 200 + 10 * (uint64_t)k, k);
			put(&b, t + 200 + 10 * (uint64_t)k + 5, EVL_STOP_THREAD, "424", k, (unsigned)STOP_MVAR, 0u);
		}
	}
	block_end(&b, (uint64_t)(4 + (ROUND + apart) * TIMES) * MS);
	block_begin(&b, 1, MS);
	block_end(&b, (uint64_t)(4 + (ROUND + apart) * TIMES) * MS);
	log_end(&b);
	find_all(&b, &found);
	return get(&found, FINDING_LOCK_CONTENTION) != NULL;
}

static void waits_for_jobs_at_other_times_excuse_no_lock(void **state)
{
	(void)state;
	assert_true(turns_and_jobs(0));
	assert_true(turns_and_jobs(5));
}

/* Three threads take turns of 1 ms on cap 0, each woken by the one before; cap 1 runs another thread, but for `gap` ms. */
static void locks_cost_what_capabilities_are_free(void **state)
{
	enum { MS = 1000000, TURNS = 90, THREADS = 3 };
	(void)state;
	for (unsigned gap = 0; gap <= TURNS; gap += 10) {
		struct built b = log_begin();
		struct findings found;
		struct figures f;
		block_begin(&b, 0, MS);
		for (unsigned i = 0; i < THREADS; i++)
			put(&b, MS, EVL_THREAD_LABEL, "4s", i + 1, i == 0 ? "w-1" : i == 1 ? "w-2" : "w-3");
		for (unsigned i = 0; i < TURNS; i++) {
			uint64_t t = (uint64_t)(i + 1) * MS;
			put_run(&b, t, 1 + i % THREADS);
			put(&b, t + MS - 2, EVL_THREAD_WAKEUP, "42", 1 + (i + 1) % THREADS, 0u);
			put(&b, t + MS, EVL_STOP_THREAD, "424", 1 + i % THREADS, (unsigned)STOP_MVAR, 0u);
		}
		block_end(&b, (TURNS + 1) * MS);
		block_begin(&b, 1, MS);
		put_run(&b, MS, 9);
		put_stop(&b, (uint64_t)(TURNS + 1 - gap) * MS, 9, STOP_FINISHED);
		block_end(&b, (TURNS + 1) * MS);
		log_end(&b);
		struct evl_log *log = walked(&b);
		assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
		findings_make(&found, log, &f);
		const struct finding *got = get(&found, FINDING_LOCK_CONTENTION);
		assert_non_null(got);
		assert_int_equal(strstr(got->text, "no capability was free") != NULL, gap == 0);
		/* what each does not run of the time in which cap 1 is free, from its first run on */
		uint64_t room = 0;
		for (unsigned i = 0; i < THREADS; i++)
			for (unsigned turn = TURNS - gap; turn < TURNS; turn++)
				room += turn > i && turn % THREADS != i ? MS : 0;
		if (got->stake > room / THREADS || got->stake + MS / 10 < room / THREADS)
			fail_msg("gap %u: %llu at stake, not %llu", gap, (unsigned long long)got->stake,
				(unsigned long long)room / THREADS);
		assert_true(gap == 0 || got->t + (uint64_t)(gap + THREADS) * MS >= (uint64_t)(TURNS + 1) * MS);
		figures_free(&f);
		done(log, &b);
	}
}

enum { TURN = 11000000, TURNS = 220 };

/* Two threads take turns of 11 ms; the stack of one grows. In GC pauses no thread waits for a capability. */
static struct findings turns(bool in_pauses)
{
	struct built b = log_begin();
	struct findings found;
	block_begin(&b, 0, 0);
	for (unsigned i = 0; i < TURNS; i++) {
		uint64_t t = (uint64_t)i * TURN;
		put_run(&b, t + 1, 1 + i % 2);
		if (in_pauses)
			put(&b, t + 2, EVL_STOP_THREAD, "424", 1 + i % 2, (unsigned)STOP_HEAP, 0u);
		else
			put(&b, t + TURN, EVL_STOP_THREAD, "424", 1 + i % 2, (unsigned)STOP_STACK,
				i == 9 ? 2u << 20 : 100u);
		if (in_pauses)
			put_gc(&b, t + 3, t + 4, t + TURN, 0);
	}
	block_end(&b, (uint64_t)TURNS * TURN);
	log_end(&b);
	find_all(&b, &found);
	return found;
}

/* A thread is in foreign calls for most of its life; in each of them there is a pause of this length. */
static struct findings abroad(uint64_t pause)
{
	enum { CALLS = 10, CALL = 20000000 };
	struct built b = log_begin();
	struct findings found;
	block_begin(&b, 0, 0);
	put(&b, 1, EVL_CREATE_THREAD, "4", 1u);
	for (unsigned i = 0; i < CALLS; i++) {
		uint64_t t = 2 + (uint64_t)i * CALL;
		put_run(&b, t, 1);
		put(&b, t + CALL / 10, EVL_STOP_THREAD, "424", 1u, (unsigned)STOP_FOREIGN, 0u);
		if (pause)
			put_gc(&b, t + CALL / 10, t + CALL / 10 + 1, t + CALL / 10 + pause, 0);
	}
	put_run(&b, 2 + (uint64_t)CALLS * CALL, 1);
	put(&b, 3 + (uint64_t)CALLS * CALL, EVL_STOP_THREAD, "424", 1u, (unsigned)STOP_FINISHED, 0u);
	block_end(&b, 4 + (uint64_t)CALLS * CALL);
	log_end(&b);
	find_all(&b, &found);
	return found;
}

static bool has(const struct findings *f, enum finding_id id) { return get(f, id); }

/* Two capabilities allocate `bytes` each. */
static struct findings two_allocate(uint64_t bytes)
{
	struct built b = log_begin();
	struct findings found;
	struct figures f;
	for (unsigned cap = 0; cap < 2; cap++) {
		block_begin(&b, (uint16_t)cap, 1);
		put(&b, 10 + cap, EVL_HEAP_ALLOCATED, "48", cap, bytes);
		block_end(&b, 100);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(heap_allocated(&log->heap), bytes > UINT64_MAX / 2 ? UINT64_MAX : 2 * bytes);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&found, log, &f);
	figures_free(&f);
	done(log, &b);
	return found;
}

static void sums_that_stop_are_noted(void **state)
{
	(void)state;
	struct findings cut = two_allocate(UINT64_MAX - 5), whole = two_allocate(1ull << 40);
	assert_true(has(&cut, FINDING_HEAP_SUMS));
	assert_false(has(&whole, FINDING_HEAP_SUMS));
}

static void waits_and_stacks(void **state)
{
	(void)state;
	struct findings wait = turns(false), pauses = turns(true);
	assert_true(has(&wait, FINDING_THREADS_LATENCY));
	/* of the second thread: all turns of the first, and the nanosecond after each but one */
	assert_int_equal(get(&wait, FINDING_THREADS_LATENCY)->stake, (uint64_t)TURNS / 2 * TURN + TURNS / 2 - 1);
	assert_non_null(strstr(get(&wait, FINDING_THREADS_LATENCY)->text, ", and all of them together 2.41 s"));
	assert_true(has(&wait, FINDING_STACK_GROWTH));
	const struct finding *stack = get(&wait, FINDING_STACK_GROWTH); /* its place is said after the text */
	assert_non_null(strstr(stack->advice, "bang patterns"));
	assert_true(stack->has_place && !strstr(stack->text, as_value(UNIT_MOMENT, (double)stack->t)));
	assert_false(has(&pauses, FINDING_THREADS_LATENCY));
	assert_false(has(&pauses, FINDING_STACK_GROWTH));
}

/* A stack may be larger than what collections found live: that is no share. */
static void a_cost_beyond_peak_live_has_no_share(void **state)
{
	char text[FINDING_STAKE_TEXT];
	(void)state;
	struct finding f = {.stake_kind = STAKE_BYTES, .stake = 25000000, .stake_share = 1};
	assert_string_equal(finding_stake_text(&f, text), "25 MB");
	f.stake_share = 0.5;
	assert_string_equal(finding_stake_text(&f, text), "25 MB, 50.0% of peak live");
	f.stake_kind = STAKE_NS;
	assert_string_equal(finding_stake_text(&f, text), "25.0 ms, 50.0% of the time");
	assert_string_equal(finding_cost(&f, text), "costs 50.0% of the time");
}

/* A foreign call that waits for a collection does not hold the path by itself: performGC is one. */
static void pauses_are_no_foreign_calls(void **state)
{
	(void)state;
	struct findings calls = abroad(0), some = abroad(5000000), most = abroad(17000000);
	assert_true(has(&calls, FINDING_FOREIGN_BLOCKING));
	assert_int_equal(get(&calls, FINDING_FOREIGN_BLOCKING)->stake, 180000000);
	assert_null(strstr(get(&calls, FINDING_FOREIGN_BLOCKING)->text, "not counting"));
	assert_true(has(&some, FINDING_FOREIGN_BLOCKING));
	assert_int_equal(get(&some, FINDING_FOREIGN_BLOCKING)->stake, 130000000);
	assert_non_null(strstr(get(&some, FINDING_FOREIGN_BLOCKING)->text, "not counting 50.0 ms of GC pauses"));
	assert_false(has(&most, FINDING_FOREIGN_BLOCKING));
}

static void the_late_one_is_named(void **state)
{
	struct finding f;
	(void)state;
	assert_true(find("9.0.2-trouble-late", FINDING_GC_SYNC_THREAD, &f));
	assert_non_null(strstr(f.text, "\"spinner\""));
	assert_non_null(strstr(f.advice, "-fno-omit-yields"));
	assert_true(f.has_place && f.thread > 0);
}

/* Thread 9 runs for 40 ms after the request, and thread 4 for 1 ms after it. */
static void the_one_that_ran_longest_is_named(void **state)
{
	enum { MS = 1000000 };
	struct built b = log_begin();
	struct findings found;
	(void)state;
	block_begin(&b, 0, MS);
	put_run(&b, MS, 7);
	put_stop(&b, 10 * MS, 7, 1);
	put_gc(&b, 10 * MS, 51 * MS, 52 * MS, 0);
	put_run(&b, 53 * MS, 7);
	put_stop(&b, 90 * MS, 7, 5);
	block_end(&b, 91 * MS);
	block_begin(&b, 1, MS);
	put_run(&b, 2 * MS, 9);
	put_stop(&b, 50 * MS, 9, 2);
	put_run(&b, 50 * MS + 1, 4);
	put_stop(&b, 51 * MS - 1, 4, 2);
	block_end(&b, 91 * MS);
	log_end(&b);
	find_all(&b, &found);
	const struct finding *got = get(&found, FINDING_GC_SYNC_THREAD);
	assert_non_null(got);
	assert_int_equal(got->thread, 4);
	assert_non_null(strstr(got->text,
		"most for thread 4, the last to stop in 1 of them; it ran for 1.00 ms of that, 1.00 ms at most "
		"(on cap 1, where thread 9 ran for 40.0 ms of it)"));
	assert_int_equal(got->t, 50 * MS + 1); /* when it runs */
	assert_non_null(strstr(got->text, "; for the rest, its capability was idle, ran other threads or was still"));
	assert_string_equal(got->advice, "");
}

/* Four collections are delayed while the other capability is in the previous one, each for 9 ms, before thread 4 runs for 1 ms; in
 * one, most of the wait comes after it. */
static void the_previous_collection_is_not_its_fault(void **state)
{
	enum { MS = 1000000, GCS = 4, APART = 30 };
	struct built b = log_begin();
	struct findings found;
	(void)state;
	block_begin(&b, 0, MS);
	for (uint64_t t = 10 * MS; t < (uint64_t)GCS * APART * MS; t += APART * MS)
		put_gc(&b, t, t + 10 * MS, t + 11 * MS, 0);
	put_gc(&b, (GCS * APART + 10) * MS, (GCS * APART + 25) * MS, (GCS * APART + 26) * MS, 0);
	block_end(&b, (GCS + 1) * APART * MS);
	block_begin(&b, 1, MS);
	for (uint64_t t = 10 * MS; t < (uint64_t)GCS * APART * MS; t += APART * MS) {
		put(&b, t - 2 * MS, EVL_GC_START, "");
		put(&b, t + 9 * MS, EVL_GC_END, "");
		put_run(&b, t + 9 * MS, 4);
		put_stop(&b, t + 10 * MS - 1, 4, 1);
	}
	put_run(&b, (GCS * APART + 9) * MS, 5);
	put_stop(&b, (GCS * APART + 16) * MS, 5, 1);
	put_run(&b, (GCS * APART + 27) * MS, 5);
	put_stop(&b, (GCS * APART + 28) * MS, 5, 1);
	block_end(&b, (GCS + 1) * APART * MS);
	log_end(&b);
	find_all(&b, &found);
	const struct finding *got = get(&found, FINDING_GC_SYNC_THREAD);
	assert_non_null(got);
	assert_int_equal(got->thread, 4);
	assert_non_null(strstr(got->text,
		"waited 46.0 ms for threads to stop, 40.0 ms of it for thread 4, the last to stop in 4 of them; it ran "
		"for 4.00 ms of that, 1.00 ms at most"));
	assert_non_null(strstr(got->text, "; its capability was still in the previous GC for 9.00 ms of 10.0 ms then"));
	assert_string_equal(got->advice, "");
}

/* Each of six collections starts 2 ms after its request, the third 3 ms, and no thread runs meanwhile; some are in foreign calls
 * from 25 ms on. */
static void expect_rests(unsigned caps, unsigned calls, const char *advice, const char *called)
{
	enum { MS = 1000000, GCS = 6 };
	struct built b = log_begin();
	struct findings found;
	for (unsigned cap = 0; cap < caps; cap++) {
		block_begin(&b, (uint16_t)cap, MS);
		put_run(&b, MS, 7 + cap);
		put_stop(&b, 10 * MS, 7 + cap, 2);
		for (unsigned i = 1; i <= GCS && cap == 0; i++) {
			for (unsigned k = 0; k < calls && i == 3; k++) {
				put_run(&b, 25 * MS + k, 20 + k);
				put_stop(&b, 25 * MS + k, 20 + k, STOP_FOREIGN);
			}
			put_gc(&b, 10 * i * MS, (10 * i + 2 + (i == 3)) * MS, (10 * i + 4) * MS, 0);
		}
		for (unsigned k = 0; k < calls && cap == 0; k++) {
			put_run(&b, 80 * MS + k, 20 + k);
			put_stop(&b, 80 * MS + k, 20 + k, STOP_FINISHED);
		}
		block_end(&b, 91 * MS);
	}
	log_end(&b);
	find_all(&b, &found);
	const struct finding *got = get(&found, FINDING_OVERSUBSCRIBED);
	assert_non_null(got);
	assert_non_null(strstr(got->text, " most likely waited for a processor ("));
	assert_int_equal(got->t, 30 * MS);
	assert_string_equal(got->advice, advice);
	assert_string_equal(strchr(got->text, ')') + 1, called);
}

/* The caller of performGC is in a safe foreign call, and waits for its collection. */
static void who_asks_for_a_collection_uses_no_processor(void **state)
{
	enum { MS = 1000000, N = 20 };
	(void)state;
	struct built b = log_begin();
	struct findings found;
	block_begin(&b, 0, 0);
	put(&b, 1, EVL_CREATE_THREAD, "4", 1u);
	put(&b, 1, EVL_THREAD_LABEL, "4s", 1u, "main");
	for (uint64_t i = 0, t = 10; i < N; i++, t += (uint64_t)10 * MS) {
		put_run(&b, t, 1);
		put_stop(&b, t + 2 * MS, 1, STOP_FOREIGN);
		put_gc(&b, t + 2 * MS + 1000, t + 5 * MS, t + 6 * MS, 1);
	}
	put_run(&b, (uint64_t)201 * MS, 1);
	put_stop(&b, (uint64_t)202 * MS, 1, STOP_FINISHED);
	block_end(&b, (uint64_t)202 * MS);
	log_end(&b);
	find_all(&b, &found);
	const struct finding *got = get(&found, FINDING_OVERSUBSCRIBED);
	assert_non_null(got);
	assert_null(strstr(got->text, "foreign call"));
}

static void one_capability_has_no_fewer(void **state)
{
	(void)state;
	expect_rests(1, 0, "", "");
	expect_rests(2, 0, "fewer capabilities (-N)", "");
	expect_rests(2, 1, "fewer capabilities (-N), or fewer foreign calls at once",
		"; in the longest, thread 20 was in a safe foreign call, which may use a processor, too");
	expect_rests(2, 3, "fewer capabilities (-N), or fewer foreign calls at once",
		"; in the longest, 3 threads were in safe foreign calls (thread 20 …), which may use processors, too");
}

/* The log of a program with these arguments, each followed by a NUL, and this run-time system. */
static struct evl_log *log_of(struct built *b, const char *args, size_t len, const char *rts)
{
	struct evl_log *log;
	*b = log_begin();
	put(b, 1, EVL_RTS_IDENTIFIER, "4s", 0, rts);
	add_number(b, EVL_PROGRAM_ARGS, 2);
	add_number(b, 1, 8);
	add_number(b, 4 + len, 2);
	add_number(b, 0, 4);
	add_bytes(b, args, len);
	log_end(b);
	assert_int_equal(evl_open_memory(&log, b->data, b->len, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

/* Collections by `took_part` of as many threads as there are capabilities, whose work balance is a quarter; `working`
 * capabilities post that they worked. */
static const char *advised_threads(unsigned caps, unsigned took_part, unsigned working)
{
	enum { GCS = 20, MS = 1000000 };
	struct built b = log_begin();
	struct findings found;
	const char *flag = NULL;
	for (unsigned cap = 1; cap < caps; cap++) {
		block_begin(&b, (uint16_t)cap, 1);
		put_run(&b, 1 + cap, 1 + cap);
		put_stop(&b, 100 + cap, 1 + cap, STOP_FINISHED);
		for (uint64_t i = 1; i <= GCS && cap < working; i++) {
			put(&b, i * MS + 1, EVL_GC_START, "");
			put(&b, i * MS + 2, EVL_GC_WORK, "");
			put(&b, i * MS + 3, EVL_GC_DONE, "");
			put(&b, i * MS + MS / 2, EVL_GC_END, "");
		}
		block_end(&b, (GCS + 2) * (uint64_t)MS);
	}
	block_begin(&b, 0, 1);
	for (uint64_t i = 1; i <= GCS; i++) {
		put(&b, i * MS, EVL_GC_START, "");
		if (working)
			put(&b, i * MS + 1, EVL_GC_WORK, "");
		put(&b, i * MS + MS / 2, EVL_GC_GLOBAL_SYNC, "");
		put(&b, i * MS + MS / 2, EVL_GC_STATS_GHC, "428884888", 0u, 0u, (uint64_t)4000, (uint64_t)0,
			(uint64_t)0, took_part, (uint64_t)3000, (uint64_t)4000, (uint64_t)1000);
		put(&b, i * MS + MS / 2, EVL_GC_END, "");
	}
	block_end(&b, (GCS + 2) * (uint64_t)MS);
	log_end(&b);
	find_all(&b, &found);
	for (size_t i = 0; i < found.n; i++)
		flag = found.items[i].id == FINDING_GC_BALANCE ? found.items[i].flag : flag;
	return flag;
}

static void threads_of_collections_are_advised(void **state)
{
	(void)state;
	assert_string_equal(advised_threads(4, 4, 0), "-qn2");
	assert_string_equal(advised_threads(16, 16, 0), "-qn4"); /* 4.75 of 16 are busy */
	assert_string_equal(advised_threads(16, 4, 0), "-qn2");  /* 4 took part: the program's own -qn4 was not seen */
	assert_string_equal(advised_threads(64, 64, 0), "-qn");  /* 16.75 of 64 */
	assert_string_equal(advised_threads(4, 4, 3), "-qn2");   /* two of the three that worked would do */
	assert_string_equal(advised_threads(4, 4, 2), "");       /* no more worked */
}

/* Ten collections of 1 ms that copy 1 MB, then four of 20 ms. known: the log declares and has their generations. */
static void long_collections_of(bool known, struct finding *out, unsigned short_gen, unsigned gen, uint64_t long_bytes)
{
	const uint64_t MS = 1000000, MB = 1000000;
	struct built b = log_begin();
	struct findings found;
	uint64_t t = MS;
	block_begin(&b, 0, 1);
	for (unsigned i = 0; i < 14; i++) {
		uint64_t ns = i < 10 ? MS : 20 * MS, bytes = i < 10 ? MB : long_bytes;
		put(&b, t, EVL_GC_START, "");
		if (known)
			put(&b, t + ns, EVL_GC_STATS_GHC, "428884888", 0u, i < 10 ? short_gen : gen, bytes, (uint64_t)0,
				(uint64_t)0, 1u, (uint64_t)0, (uint64_t)0, (uint64_t)0);
		put(&b, t + ns, EVL_GC_END, "");
		t += 50 * MS;
	}
	block_end(&b, t);
	uint8_t type[] = {'e', 't', 'b', 0, 0, EVL_GC_STATS_GHC}, *declared = memmem(b.data, b.len, type, sizeof type);
	assert_non_null(declared);
	declared[5] = known ? EVL_GC_STATS_GHC : 250; /* of no event */
	log_end(&b);
	find_all(&b, &found);
	*out = (struct finding){0};
	for (size_t i = 0; i < found.n; i++)
		if (found.items[i].id == FINDING_GC_PAUSES)
			*out = found.items[i];
}

static void long_collections(struct finding *out, unsigned gen, uint64_t long_bytes)
{
	long_collections_of(true, out, 0, gen, long_bytes);
}

static void kinds_of_pauses_are_told_if_they_are_known(void **state)
{
	struct finding found;
	(void)state;
	long_collections_of(false, &found, 0, 0, 0);
	assert_non_null(strstr(found.text, "4 pauses of 10 ms or more (80.0 ms in total, the longest 20.0 ms)"));
	assert_null(strstr(found.text, "minor"));
}

/* At 1 MB in 1 ms, as fast as half of all bytes or more were copied, 80 MB take all of 80 ms, 4 MB 4 ms of them. */
static void long_minor_collections_are_explained(void **state)
{
	struct finding found;
	(void)state;
	long_collections(&found, 0, 20000000);
	assert_non_null(strstr(found.text,
		", all minor; the minor ones copied 20 MB each, 3.1 times the mean of all minor ones, which at the "
		"usual rate explains 100.0% of"));
	assert_null(strstr(found.text, "mutable arrays"));
	long_collections(&found, 0, 1000000);
	assert_non_null(strstr(found.text,
		"copied 1.0 MB each, 1.0 times the mean of all minor ones, which at the usual rate explains 5.0% of"));
	assert_non_null(strstr(found.text, "mutable arrays"));
	long_collections(&found, 1, 20000000);
	assert_non_null(strstr(found.text, ", all major"));
	assert_null(strstr(found.text, "the minor ones"));
	assert_null(strstr(found.text, "explains")); /* all of it */
	long_collections_of(true, &found, 1, 1, 1000000);
	assert_non_null(strstr(
		found.text, ", all major; copying at the usual rate explains 5.0% of the time of the major ones"));
	assert_true(*found.flag == '\0');
}

/* Without threads, the nonmoving collector marks in a pause. */
static void the_nonmoving_collector_is_advised_to_the_threaded_rts(void **state)
{
	struct finding threaded, single;
	(void)state;
	assert_true(find("9.6.6-leaky-hT", FINDING_GC_PAUSES, &threaded));
	assert_true(find("9.10.3-leaky-hc-late", FINDING_GC_PAUSES, &single));
	assert_string_equal(threaded.flag, "--nonmoving-gc");
	assert_string_equal(single.flag, "");
	assert_string_equal(threaded.advice, "");
	assert_string_equal(single.advice, "build with -threaded, run with +RTS --nonmoving-gc");
}

static void flags_the_program_ran_with_are_not_advised(void **state)
{
	static const struct {
		const char *args, *flag;
		bool helps;
	} cases[] = {
		{"p|-qn2|+RTS|-l", "-qn", true}, /* the program's own */
		{"p|+RTS|-qn2", "-qn", false},
		{"p|+RTS|-l|-RTS|-qn2", "-qn", true},
		{"p|+RTS|-l|--RTS|+RTS|-qn2", "-qn", true},
		{"p|--|+RTS|-qn2", "-qn", true},
		{"p|+RTS|-xn", "--nonmoving-gc", false},
		{"p|+RTS|-A64m", "-A64m", false},
		{"p|+RTS|-A1m", "-A64m", true},
		{"p|+RTS|-A1m", "-F4", true},
		{"p|+RTS|-F1.5", "-F4", false},
		{"p|+RTS|-M1g", "-F4", false},
		{"p|+RTS|-hc", "-hT", false},
		{"p|+RTS|-l", "-N", true},
		{"p|+RTS|-l", "-lg", false},
		{"p|+RTS|-l-g", "-lg", true},
		{"p|+RTS|-l-as", "-lg", true},
		{"p|+RTS|-l-as", "-ls", false},
		{"p|+RTS|-l", "-lsg", false},
		{"p|+RTS|-l-g", "-lsg", true},
		{"p|+RTS|-la", "-lf", false},
		{"p|+RTS|-l", "-lf", true},
		{"p", "-ls", true},
		{"p", "", false},
	};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		char args[64];
		struct built b;
		size_t len = strlen(cases[i].args) + 1;
		memcpy(args, cases[i].args, len);
		for (size_t k = 0; k < len; k++)
			args[k] = args[k] == '|' ? '\0' : args[k];
		struct evl_log *log = log_of(&b, args, len, "GHC-9.6.6 rts_thr");
		if (rts_flag_helps(log, cases[i].flag) != cases[i].helps)
			fail_msg("%s: %s %s", cases[i].args, cases[i].flag, cases[i].helps ? "helps" : "does not help");
		evl_close(log);
		free(b.data);
	}
	struct built b;
	struct evl_log *log = log_of(&b, "p", 2, "GHC-9.6.6 rts_v");
	assert_false(rts_is_threaded(log));
	assert_false(rts_flag_helps(log, "-N"));
	evl_close(log);
	free(b.data);
}

/* A program whose GHCRTS asks for a heap profile, which is not among its arguments, and which ends before the first sample. */
static void a_profile_without_samples_was_asked_for(void **state)
{
	struct built b = log_begin();
	struct evl_log *log;
	struct figures f;
	struct findings all;
	bool said = false;
	(void)state;
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 3, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 4u, "", 0u, "", 0u, "", 0u, "", 0u, "",
		0u, "", 0u, "", 0u);
	block_end(&b, 4);
	block_begin(&b, 0, 4);
	for (uint64_t i = 0; i < 8; i++) {
		put(&b, 100 * i + 10, EVL_GC_START, "");
		put(&b, 100 * i + 20, EVL_GC_STATS_GHC, "428884888", 0u, 1u, (uint64_t)0, (uint64_t)0, (uint64_t)0, 1u,
			(uint64_t)0, (uint64_t)0, (uint64_t)0);
		put(&b, 100 * i + 20, EVL_HEAP_LIVE, "48", 0u, (i + 1) << 20);
		put(&b, 100 * i + 20, EVL_GC_END, "");
	}
	block_end(&b, 1000);
	log_end(&b);
	assert_int_equal(evl_open_memory(&log, b.data, b.len, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	assert_true(rts_flag_given(log, "-h") && rts_flag_given(log, "-hy"));
	assert_false(rts_flag_given(log, "-hT"));
	assert_false(rts_flag_helps(log, "-hT"));
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&all, log, &f);
	for (size_t k = 0; k < all.n; k++)
		if (all.items[k].id == FINDING_NO_HEAP) {
			said = strstr(all.items[k].text, "no sample");
			assert_string_equal(all.items[k].flag, "");
		}
	assert_true(said);
	figures_free(&f);
	evl_close(log);
	free(b.data);
}

/* The log of a heap profile: 40 samples 10 ms apart, "Rise" of as many MB as the shape says. */
static struct evl_log *profile_of(struct built *b, unsigned (*shape)(unsigned i))
{
	struct evl_log *log;
	*b = log_begin();
	block_begin(b, EVL_NO_CAP, 1);
	put(b, 3, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 4u, "", 0u, "", 0u, "", 0u, "", 0u, "",
		0u, "", 0u, "", 0u);
	for (unsigned i = 0; i < 40; i++) {
		uint64_t t = 10000000 * (uint64_t)(i + 1);
		put(b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		put(b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)shape(i) << 20, "Rise", 0u);
		put(b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)1 << 20, "Base", 0u);
		put(b, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	}
	block_end(b, 500000000);
	log_end(b);
	assert_int_equal(evl_open_memory(&log, b->data, b->len, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

static unsigned flat(unsigned i) { return 5 + i % 2; }
static unsigned step(unsigned i) { return i < 14 ? 0 : i < 15 ? 1 : i < 17 ? 10 : 20; }
static unsigned slope(unsigned i) { return i < 10 ? 0 : i - 10; }
static unsigned peak(unsigned i) { return i < 15 ? 0 : i < 30 ? 8 : 0; }

static void a_step_is_no_growth(void **state)
{
	static const struct {
		unsigned (*shape)(unsigned i);
		bool rises, step;
		unsigned since, until; /* samples; until: of a step */
	} cases[] = {{flat, false, false, 0, 0}, {step, true, true, 14, 17}, {slope, true, false, 10, 0},
		{peak, false, false, 0, 0}};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct built b;
		struct figures f;
		struct findings all;
		struct evl_log *log = profile_of(&b, cases[i].shape);
		bool steps = false;
		assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
		findings_make(&all, log, &f);
		assert_true(f.trend.known);
		assert_int_equal(f.trend.rises, cases[i].rises);
		assert_int_equal(f.trend.step, cases[i].step);
		if (cases[i].rises) {
			assert_int_equal(f.trend.since, 10000000 * (uint64_t)(cases[i].since + 1));
			if (cases[i].step) {
				assert_int_equal(f.trend.until, 10000000 * (uint64_t)(cases[i].until + 1));
				uint64_t before = cases[i].shape(cases[i].since),
					 after = cases[i].shape(cases[i].until);
				assert_int_equal(f.trend.before, (before + 1) << 20);
				assert_int_equal(f.trend.after, (after + 1) << 20);
				assert_int_equal(f.trend.bands[0].before, before << 20);
				assert_int_equal(f.trend.bands[0].after, after << 20);
			}
			assert_int_equal(f.trend.n_bands, 1);
			assert_string_equal(f.trend.bands[0].name, "Rise");
		}
		for (size_t k = 0; k < all.n; k++) {
			steps = steps || all.items[k].id == FINDING_HEAP_STEPS;
			assert_true(all.items[k].id != FINDING_HEAP_STEPS || strstr(all.items[k].text, "Rise"));
		}
		assert_int_equal(steps, cases[i].step);
		figures_free(&f);
		evl_close(log);
		free(b.data);
	}
}

/* Every promise of findings.h about the order of one log's findings. */
static void check_order(const char *path)
{
	struct evl_log *log;
	struct figures f;
	struct findings all;
	double before = 2;
	assert_int_equal(evl_open(&log, path, NULL), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&all, log, &f);
	for (size_t i = 0; i < all.n; i++) {
		const struct finding *one = &all.items[i];
		bool of_log =
			one->id == FINDING_DAMAGED || one->id == FINDING_UNFINISHED || one->severity == FINDING_HINT;
		bool outside = one->id == FINDING_EXTERNAL_WAITS; /* no fault of the program */
		double share = one->stake_kind == STAKE_UNKNOWN || outside ? -1 : one->stake_share;
		if (!of_log && share > before)
			fail_msg("%s: %s with %g after %g", path, finding_name(one->id), share, before);
		before = of_log ? before : share;
		assert_true(share <= 1 && (share >= 0 || outside || one->stake_kind == STAKE_UNKNOWN));
		assert_true(!of_log || one->stake_kind == STAKE_UNKNOWN);
		assert_true(one->id == FINDING_DAMAGED ? i == 0 : true);
		assert_false(one->severity == FINDING_WARN && one->stake_kind == STAKE_NS && share < 0.01);
	}
	figures_free(&f);
	evl_close(log);
}

static void they_are_ordered_by_stake(void **state)
{
	glob_t paths;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &paths), 0);
	for (size_t i = 0; i < paths.gl_pathc; i++)
		check_order(paths.gl_pathv[i]);
	globfree(&paths);
}

static bool is_grave(const struct finding *f)
{
	bool much = f->stake_kind == STAKE_NS && f->stake_share > 0.5 && f->id != FINDING_GC_CENSUS
		&& f->id != FINDING_EXTERNAL_WAITS;
	return f->severity == FINDING_WARN || (f->severity == FINDING_NOTE && much);
}

/* 0 comes first. */
static int gravity(const struct finding *f)
{
	if (f->id == FINDING_DAMAGED)
		return 0;
	if (f->severity == FINDING_HINT)
		return 5;
	if (f->stake_kind == STAKE_UNKNOWN || f->stake == 0)
		return is_grave(f) ? 3 : 4;
	return is_grave(f) && f->stake_kind == STAKE_NS && f->stake_share > 0.5 ? 1 : 2;
}

/* For people, what costs most comes first, whether it is a warning or a note. */
static double share_of(const struct finding *f) { return f->stake_kind == STAKE_UNKNOWN ? -1 : f->stake_share; }

static void they_are_ranked_by_gravity(void **state)
{
	size_t moved = 0;
	(void)state;
	for (size_t i = 0; i < countof(logs); i++) {
		struct findings all, ranked;
		find_in(logs[i].raised, &ranked);
		all = (struct findings){0};
		for (size_t k = 0; k < ranked.n; k++) /* people do not read those that repeat another */
			if (!ranked.items[k].repeats)
				all.items[all.n++] = ranked.items[k];
		findings_rank(&ranked);
		assert_int_equal(ranked.n, all.n);
		size_t grave = 0;
		for (size_t k = 0; k < all.n; k++)
			grave += is_grave(&all.items[k]);
		assert_int_equal(ranked.warnings, grave);
		for (size_t k = 0, n = 0; k < all.n;
			k++) { /* each is as many places from the start as others go before it */
			size_t before = 0;
			for (size_t m = 0; m < all.n; m++)
				before += gravity(&all.items[m]) < gravity(&all.items[k])
					|| (gravity(&all.items[m]) == gravity(&all.items[k])
						&& (share_of(&all.items[m]) > share_of(&all.items[k])
							|| (share_of(&all.items[m]) == share_of(&all.items[k])
								&& m < k)));
			assert_int_equal(ranked.items[before].id, all.items[k].id);
			moved += before != k;
			n += ranked.items[k].severity != FINDING_HINT;
			if (ranked.items[k].severity != FINDING_HINT) {
				assert_int_equal(findings_number_of(&ranked, &ranked.items[k]), n);
				assert_ptr_equal(findings_number(&ranked, n), &ranked.items[k]);
			}
		}
	}
	assert_true(moved > 0);
}

/* Three threads take turns, on one capability or on two. */
static void expect_serial(bool shares, bool on_one, const char *text)
{
	enum { MS = 1000000, SLICES = 6, THREADS = 3, EACH = 20 * MS };
	struct built b = log_begin();
	struct findings found;
	for (unsigned cap = 0; cap < 2; cap++) {
		block_begin(&b, (uint16_t)cap, MS);
		for (unsigned i = 0; cap == 0 && i < THREADS; i++)
			put(&b, MS, EVL_THREAD_LABEL, "4s", i + 1,
				shares           ? "chunk"
					: i == 0 ? "a"
					: i == 1 ? "b"
						 : "c");
		if (cap == 1) { /* it is there */
			put_run(&b, MS, 9);
			put_stop(&b, MS + 1, 9, 2);
		}
		for (unsigned i = 0; i < SLICES; i++) {
			if ((on_one ? 0 : i % 2) != cap)
				continue;
			put_run(&b, (uint64_t)MS + i * EACH, i % THREADS + 1);
			put_stop(&b, (uint64_t)MS + (i + 1) * EACH, i % THREADS + 1, 2);
		}
		if (cap == 0) /* else it is not known what is idle */
			put_gc(&b, (uint64_t)MS + SLICES * EACH, (uint64_t)MS + SLICES * EACH + 1,
				(uint64_t)MS + SLICES * EACH + 2, 0);
		block_end(&b, (uint64_t)2 * MS + SLICES * EACH);
	}
	log_end(&b);
	find_all(&b, &found);
	findings_rank(&found);
	/* one capability ran all: that is told instead */
	const struct finding *got = get(&found, on_one ? FINDING_CAP_ALONE : FINDING_SERIAL);
	assert_false(has(&found, on_one ? FINDING_SERIAL : FINDING_CAP_ALONE));
	assert_non_null(got);
	assert_int_equal(got->has_cap, on_one);
	if (!strstr(got->text, text))
		fail_msg("%s", got->text);
}

static void who_ran_alone_is_named(void **state)
{
	(void)state;
	expect_serial(true, true,
		"cap 0 ran >99.9% of all thread time (120 ms); the other capability was almost unused; if ");
	expect_serial(true, false,
		"only one of 2 capabilities ran, for 120 ms, >99.9% of the active time; 100.0% of "
		"that in 3 "
		"threads "
		"\"chunk\"; if ");
	expect_serial(false, false, "ran, for 120 ms, >99.9% of the active time; 33.3% of that in thread 2 \"b\"; ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_raised_by_a_log_and_not_by_another),
		cmocka_unit_test(deadlocks_are_told_apart),
		cmocka_unit_test(a_deadlock_names_its_reasons),
		cmocka_unit_test(waits_for_the_owner_are_its_own),
		cmocka_unit_test(a_cost_beyond_peak_live_has_no_share),
		cmocka_unit_test(pauses_are_no_foreign_calls),
		cmocka_unit_test(waits_and_stacks),
		cmocka_unit_test(sums_that_stop_are_noted),
		cmocka_unit_test(the_late_one_is_named),
		cmocka_unit_test(idle_workers_are_held_up_by_no_lock),
		cmocka_unit_test(no_findings_say_what_was_looked_for),
		cmocka_unit_test(waits_for_jobs_at_other_times_excuse_no_lock),
		cmocka_unit_test(who_asks_for_a_collection_uses_no_processor),
		cmocka_unit_test(one_capability_has_no_fewer),
		cmocka_unit_test(the_one_that_ran_longest_is_named),
		cmocka_unit_test(the_previous_collection_is_not_its_fault),
		cmocka_unit_test(threads_of_collections_are_advised),
		cmocka_unit_test(flags_the_program_ran_with_are_not_advised),
		cmocka_unit_test(a_profile_without_samples_was_asked_for),
		cmocka_unit_test(the_nonmoving_collector_is_advised_to_the_threaded_rts),
		cmocka_unit_test(they_are_ordered_by_stake),
		cmocka_unit_test(a_step_is_no_growth),
		cmocka_unit_test(locks_cost_what_capabilities_are_free),
		cmocka_unit_test(who_ran_alone_is_named),
		cmocka_unit_test(long_minor_collections_are_explained),
		cmocka_unit_test(kinds_of_pauses_are_told_if_they_are_known),
		cmocka_unit_test(they_are_ranked_by_gravity),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
