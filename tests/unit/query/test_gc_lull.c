/* The time in a collection in which no capability worked, and the GC thread that was late: against every event in order of time,
 * on every log of the tests. */
#include "each_log.h"
#include "query/gc_detail.h"
#include "slow_gcs.h"

#include <stdio.h>

enum { CAPS = GC_DETAIL_CAPS };

static struct slow slow;
static struct pauses pauses;
static size_t n_late, n_done, n_lulls, n_censuses, n_pruned, n_work, n_joined;

/* The part of a capability in one collection. */
struct share {
	bool in, works, over;
	uint64_t began, done;
};

static bool any_works(const struct share *parts)
{
	for (size_t i = 0; i < CAPS; i++)
		if (parts[i].works)
			return true;
	return false;
}

static void take(struct share *p, const struct event *e, const struct slow_gc *gc)
{
	uint16_t tag = e->f.tag;
	if (p->over)
		return;
	if (tag == EVL_GC_START && e->f.t >= gc->request && e->f.t <= gc->end)
		p->in = true;
	if (!p->in)
		return;
	if (tag == EVL_GC_START || tag == EVL_GC_IDLE || tag == EVL_GC_DONE || tag == EVL_GC_END)
		p->works = false;
	if (tag == EVL_GC_WORK) {
		p->works = true;
		p->began = p->began ? p->began : e->f.t;
	}
	if (tag == EVL_GC_DONE)
		p->done = e->f.t;
	p->over = tag == EVL_GC_END || (tag == EVL_RUN_THREAD && !p->works);
}

/* From one event to the next it is known whether any capability works. Pieces without work that follow each other are one. */
static struct gc_lull lull_of(const struct slow_gc *gc)
{
	static struct share parts[CAPS];
	struct gc_lull longest = {0};
	uint64_t since = gc->start, first = UINT64_MAX;
	memset(parts, 0, sizeof parts);
	bool worked = false;
	for (size_t i = 0; i < slow.n && slow.events[i].f.t <= gc->end; i++) {
		const struct event *e = &slow.events[i];
		if (e->cap < 0 || e->cap >= CAPS || e->f.t < gc->request || e->f.tag > EVL_GC_DONE)
			continue;
		bool before = any_works(parts);
		take(&parts[e->cap], e, gc);
		bool now = any_works(parts);
		if (!before && now && e->f.t > since && e->f.t - since > longest.to - longest.from)
			longest = (struct gc_lull){.from = since, .to = e->f.t};
		if (before && !now)
			since = max_u64(e->f.t, gc->start);
		worked = worked || now;
	}
	if (!any_works(parts) && gc->end - since > longest.to - longest.from)
		longest = (struct gc_lull){.from = since, .to = gc->end};
	if (!worked || longest.to - longest.from == 0 || 4 * (longest.to - longest.from) < gc->end - gc->start)
		return (struct gc_lull){0};
	for (size_t i = 0; i < CAPS; i++)
		if (parts[i].began && parts[i].began < first) {
			first = parts[i].began;
			longest.first = (uint16_t)i;
		}
	for (size_t i = CAPS; i-- > 0;)
		if (parts[i].began == longest.to && first < longest.to) {
			longest.cause = BEGAN_LATE;
			longest.cap = (uint16_t)i;
			longest.late_ns = longest.to - first;
		}
	if (longest.cause != BEGAN_LATE)
		longest.first = 0;
	uint64_t waits = gc->cap < CAPS && parts[gc->cap].done ? parts[gc->cap].done : longest.to;
	for (size_t i = CAPS; i-- > 0 && longest.cause != BEGAN_LATE && 2 * waits < longest.from + longest.to;)
		if ((int)i != gc->cap && parts[i].done && parts[i].done <= longest.to
			&& 2 * parts[i].done >= longest.from + longest.to && parts[i].done > longest.from
			&& parts[i].done - longest.from >= longest.late_ns) {
			longest.cause = DONE_LATE;
			longest.cap = (uint16_t)i;
			longest.late_ns = parts[i].done - longest.from;
		}
	return longest;
}

/* Does a sample of the heap profile begin in the lull? Not known of biographical profiles, which are written at the exit. */
static bool has_sample(const struct gc_lull *l)
{
	bool any = false;
	for (size_t i = 0; i < slow.n && !any; i++) {
		const struct event *e = &slow.events[i];
		any = e->f.tag == EVL_HEAP_PROF_SAMPLE_BEGIN && e->f.t >= l->from && e->f.t <= l->to;
	}
	return any;
}

static bool is_pruned(const struct event *e) { return e->f.tag == EVL_SPARK_FIZZLE || e->f.tag == EVL_SPARK_GC; }

/* Pruning of sparks, if no GC thread was late. */
static void look_for_sparks(struct gc_lull *l)
{
	uint64_t first = UINT64_MAX, last = 0, n = 0;
	for (size_t i = 0; i < slow.n && slow.events[i].f.t <= l->to; i++)
		if (is_pruned(&slow.events[i]) && slow.events[i].f.t >= l->from && slow.events[i].cap >= 0) {
			first = min_u64(first, slow.events[i].f.t);
			last = slow.events[i].f.t;
			n++;
		}
	if (l->cause == LULL_UNKNOWN && n && 2 * (last - first) >= l->to - l->from) {
		l->cause = PRUNES_SPARKS;
		l->sparks = n;
	}
}

/* From the last GC_DONE of a capability that takes part, until its end. */
static uint64_t after_work_of(const struct slow_gc *gc)
{
	static struct share parts[CAPS];
	uint64_t done = 0;
	memset(parts, 0, sizeof parts);
	for (size_t i = 0; i < slow.n; i++) {
		const struct event *e = &slow.events[i];
		if (e->cap < 0 || e->cap >= CAPS || e->f.t < gc->request || e->f.tag > EVL_GC_DONE)
			continue;
		if (e->f.t > gc->end && !parts[e->cap].in)
			continue;
		take(&parts[e->cap], e, gc);
		done = max_u64(done, parts[e->cap].done);
	}
	return done && gc->end > done ? gc->end - done : 0;
}

/* The other capabilities that start from the request on, and not after the leader; the time to the last of them. */
static size_t joined_of(const struct slow_gc *gc, uint64_t *ns)
{
	static bool joined[CAPS];
	size_t n = 0;
	memset(joined, 0, sizeof joined);
	*ns = 0;
	for (size_t i = 0; i < slow.n && slow.events[i].f.t <= gc->start; i++) {
		const struct event *e = &slow.events[i];
		if (e->f.tag != EVL_GC_START || e->f.t < gc->request || e->cap < 0 || e->cap >= CAPS
			|| e->cap == gc->cap || joined[e->cap])
			continue;
		joined[e->cap] = true;
		n++;
		*ns = e->f.t - gc->request;
	}
	return n;
}

static const struct gc_row *row_of(const struct evl_log *log, const struct slow_gc *gc)
{
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *row = rows_at(&log->gcs.tables[c].rows, i);
			if (row->cap == gc->cap && row->start == gc->start)
				return row;
		}
	return NULL;
}

static void check(const struct evl_log *log, const char *name, const struct slow_gc *gc, bool cut)
{
	struct gc_lull got, want = lull_of(gc);
	look_for_sparks(&want);
	const struct gc_row *row = row_of(log, gc);
	if (!row && cut)
		return;
	assert_non_null(row);
	bool any = gc_lull(log, row, &got);
	uint64_t work = gc_after_work(log, row), want_work = after_work_of(gc);
	if (work != want_work && !(cut && work == 0))
		fail_msg("%s: %d collection at %llu: %llu after the work, not %llu", name, cut,
			(unsigned long long)gc->start, (unsigned long long)work, (unsigned long long)want_work);
	n_work += work > 0;
	uint64_t ns, want_ns;
	size_t joined = gc_joined(log, row, &ns), want_joined = joined_of(gc, &want_ns);
	if (!cut && (joined != want_joined || ns != want_ns))
		fail_msg("%s: collection at %llu: %zu joined by %llu, not %zu by %llu", name,
			(unsigned long long)gc->start, joined, (unsigned long long)ns, want_joined,
			(unsigned long long)want_ns);
	n_joined += joined > 0;
	if (cut && !any) /* the rest of a capability is not known */
		return;
	if (any != (want.to > 0)
		|| (any
			&& (got.from != want.from || got.to != want.to || got.cause != want.cause || got.cap != want.cap
				|| got.first != want.first || got.late_ns != want.late_ns
				|| got.sparks != want.sparks)))
		fail_msg("%s: %d collection at %llu: %d [%llu, %llu) late %d cap %u by %llu, not [%llu, %llu) late %d "
			 "cap %u by "
			 "%llu",
			name, cut, (unsigned long long)gc->start, any, (unsigned long long)got.from,
			(unsigned long long)got.to, got.cause, got.cap, (unsigned long long)got.late_ns,
			(unsigned long long)want.from, (unsigned long long)want.to, want.cause, want.cap,
			(unsigned long long)want.late_ns);
	bool census = any && gc_lull_is_census(log, &got), wants = any && got.cause == LULL_UNKNOWN && has_sample(&got);
	if (!cut && census != wants)
		fail_msg("%s: the lull of the collection at %llu is %sa census", name, (unsigned long long)gc->start,
			wants ? "" : "not ");
	n_censuses += census;
	n_lulls += any;
	n_late += any && got.cause == BEGAN_LATE;
	n_done += any && got.cause == DONE_LATE;
	n_pruned += any && got.cause == PRUNES_SPARKS;
}

/* A part of a log must say of a collection what the whole log says of it, or nothing. */
static void check_log(const struct evl_log *log, const char *name)
{
	static char whole[4096];
	bool cut = strcmp(name, whole) == 0;
	if (!cut) {
		free(slow.events);
		free(slow.threads);
		free(slow.list.items);
		slow_pauses_free(&pauses);
		memset(&slow, 0, sizeof slow);
		read_events(&slow, log);
		pauses = slow_pauses(&slow, log);
		if (slow.n)
			qsort(slow.events, slow.n, sizeof *slow.events, by_time);
		snprintf(whole, sizeof whole, "%s", name);
	}
	for (size_t i = 0; i < pauses.n_gcs; i++)
		check(log, name, &pauses.gcs[i], cut);
}

static char **files;

static void on_every_log(void **state)
{
	(void)state;
	each_log_of(files, check_log);
	if (!*files)
		assert_true(n_late > 8 && n_done > 8 && n_lulls > 100 && n_censuses > 8 && n_pruned > 0 && n_work > 100
			&& n_joined > 100);
}

/* Two collections led by cap 0, of 100 each. In the first cap 1 begins 80 after cap 0; in the second it is done 60 after the last
 * work, `earlier` less, and the leader at once, or `later`. The log has no work of the third. */
static void expect_made_up(unsigned earlier, unsigned later)
{
	const struct {
		uint64_t t;
		uint16_t cap, tag;
	} events[] = {{90, 0, EVL_REQUEST_PAR_GC}, {100, 0, EVL_GC_START}, {110, 0, EVL_GC_WORK}, {130, 0, EVL_GC_IDLE},
		{131, 0, EVL_GC_DONE}, {199, 0, EVL_GC_STATS_GHC}, {200, 0, EVL_GC_END}, {600, 0, EVL_REQUEST_PAR_GC},
		{610, 0, EVL_GC_START}, {612, 0, EVL_GC_WORK}, {630, 0, EVL_GC_IDLE}, {631 + later, 0, EVL_GC_DONE},
		{709, 0, EVL_GC_STATS_GHC}, {710, 0, EVL_GC_END}, {95, 1, EVL_GC_START}, {190, 1, EVL_GC_WORK},
		{195, 1, EVL_GC_IDLE}, {196, 1, EVL_GC_DONE}, {197, 1, EVL_GC_END}, {605, 1, EVL_GC_START},
		{613, 1, EVL_GC_WORK}, {619, 1, EVL_GC_IDLE}, {690 - earlier, 1, EVL_GC_DONE}, {695, 1, EVL_GC_END}};
	struct built b = log_begin();
	for (uint16_t cap = 0; cap < 2; cap++) {
		block_begin(&b, cap, 0);
		for (size_t i = 0; i < countof(events); i++)
			if (events[i].cap == cap && events[i].tag == EVL_GC_STATS_GHC)
				put(&b, events[i].t, EVL_GC_STATS_GHC, "428884888", 0u, 0u, (uint64_t)1, (uint64_t)2,
					(uint64_t)3, 2u, (uint64_t)4, (uint64_t)5, (uint64_t)6);
			else if (events[i].cap == cap)
				put(&b, events[i].t, events[i].tag, "");
		if (cap == 0)
			put_gc(&b, 800, 810, 900, 0);
		block_end(&b, 1000);
	}
	log_end(&b);
	struct evl_log *log = walked(&b);
	const struct gc_row *gc = gcs_after(&log->gcs, 0, GC_ALL);
	struct gc_lull l;
	assert_true(gc_lull(log, gc, &l));
	assert_true(l.from == 130 && l.to == 190 && l.cause == BEGAN_LATE);
	assert_true(l.cap == 1 && l.first == 0 && l.late_ns == 80);
	gc = gcs_after(&log->gcs, gc->start, GC_ALL);
	assert_true(gc_lull(log, gc, &l));
	assert_true(l.from == 630 && l.to == 710);
	bool known = earlier <= 20 && 631 + later < 670;
	assert_int_equal(l.cause, known ? DONE_LATE : LULL_UNKNOWN);
	assert_true(!known || (l.cap == 1 && l.late_ns == 60 - earlier));
	assert_false(gc_lull(log, gcs_after(&log->gcs, gc->start, GC_ALL), &l));
	done(log, &b);
}

static void as_made_up(void **state)
{
	(void)state;
	expect_made_up(0, 0);
	expect_made_up(20, 0);
	expect_made_up(21, 0);
	expect_made_up(0, 38);
	expect_made_up(0, 39);
	expect_made_up(0, 70);
}

/* Capabilities of which 2 take part in a collection, in the first half of which neither works. */
static struct evl_log *of_many(struct built *b, unsigned caps)
{
	*b = log_begin();
	for (unsigned cap = 0; cap < caps; cap++) {
		block_begin(b, (uint16_t)cap, 0);
		if (cap < 2) {
			put(b, 100, EVL_GC_START, "");
			put(b, 150, EVL_GC_WORK, "");
			put(b, 198, EVL_GC_DONE, "");
		}
		if (cap == 0)
			put(b, 199, EVL_GC_STATS_GHC, "428884888", 0u, 0u, (uint64_t)1, (uint64_t)2, (uint64_t)3, 2u,
				(uint64_t)4, (uint64_t)5, (uint64_t)6);
		if (cap < 2)
			put(b, 200, EVL_GC_END, "");
		put_run(b, 300, cap + 1);
		block_end(b, 1000);
	}
	log_end(b);
	return walked(b);
}

/* It is looked for while keys are pressed: not in more capabilities than there may be. */
static void not_in_too_many(void **state)
{
	(void)state;
	for (unsigned caps = GC_DETAIL_CAPS; caps <= GC_DETAIL_CAPS + 1; caps++) {
		struct built b;
		struct gc_lull l = {0};
		struct evl_log *log = of_many(&b, caps);
		const struct gc_row *gc = gcs_after(&log->gcs, 0, GC_ALL);
		assert_int_equal(gc_lull(log, gc, &l), caps == GC_DETAIL_CAPS);
		assert_int_equal(l.to, caps == GC_DETAIL_CAPS ? 150 : 0);
		done(log, &b);
	}
}

/* A difference of a few percent makes none of them the one that did the work. */
static void work_is_mostly_of_one_or_equal(void **state)
{
	static const struct {
		uint64_t work[4], elapsed;
		size_t n, most;
		enum gc_divided is;
	} cases[] = {
		{{1580, 1530}, 1610, 2, 0, GC_DIVIDED_EQUAL},
		{{80, 100}, 100, 2, 1, GC_DIVIDED_EQUAL},
		{{79, 100}, 100, 2, 1, GC_DIVIDED_SOME},
		{{67, 100}, 100, 2, 1, GC_DIVIDED_SOME},
		{{66, 100}, 100, 2, 1, GC_DIVIDED_ONE},
		{{66, 100}, 200, 2, 1, GC_DIVIDED_SOME},
		{{100, 100, 100, 79}, 100, 4, 0, GC_DIVIDED_SOME},
		{{10, 20, 30, 100}, 100, 4, 3, GC_DIVIDED_ONE},
		{{0, 0}, 100, 2, 0, GC_DIVIDED_SOME},
		{{100}, 100, 1, 0, GC_DIVIDED_ONE},
		{{0}, 100, 0, 0, GC_DIVIDED_SOME},
	};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct gc_worker w[4] = {{0}};
		size_t most;
		for (size_t k = 0; k < cases[i].n; k++)
			w[k].work_ns = cases[i].work[k];
		assert_int_equal(gc_divided(w, cases[i].n, cases[i].elapsed, &most), cases[i].is);
		assert_int_equal(most, cases[i].most);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_made_up), cmocka_unit_test(on_every_log),
		cmocka_unit_test(not_in_too_many), cmocka_unit_test(work_is_mostly_of_one_or_equal)};
	files = argv + (argc > 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
