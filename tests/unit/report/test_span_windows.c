/* Figures over the windows that all spans of a name cover are what slow code finds that cuts every stretch of every thread. */
#include "base/idmap.h"
#include "report/figures.h"
#include "report/findings.h"
#include "slow_threads.h"

#include <glob.h>
#include <math.h>

enum { WINDOWS_MOST = 1 << 12, PAUSES_MOST = 1 << 13, NAMES = 4, LEVELS = 16, FINDING_LEAST = 5000000 };

struct ranges {
	struct time_window items[PAUSES_MOST];
	size_t n;
};

static int by_from(const void *a, const void *b)
{
	const struct time_window *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static void merge(struct ranges *r)
{
	size_t n = 0;
	qsort(r->items, r->n, sizeof *r->items, by_from);
	for (size_t i = 1; i < r->n; i++)
		if (r->items[i].from <= r->items[n].to)
			r->items[n].to = max_u64(r->items[n].to, r->items[i].to);
		else
			r->items[++n] = r->items[i];
	r->n = r->n ? n + 1 : 0;
}

static uint64_t covered(const struct ranges *r, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < r->n && r->items[i].from < to; i++)
		ns += sub_or_0(min_u64(r->items[i].to, to), max_u64(r->items[i].from, from));
	return ns;
}

/* From the requests of collections on, or from their starts on. */
static void find_pauses(struct ranges *out, const struct evl_log *log, bool requests)
{
	out->n = 0;
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *r = rows_at(&log->gcs.tables[c].rows, i);
			assert_true(out->n < PAUSES_MOST);
			out->items[out->n++] = (struct time_window){requests ? gc_requested(r) : r->start, gc_end(r)};
		}
	merge(out);
}

static void find_windows(struct ranges *out, const struct evl_log *log, struct evl_str name)
{
	const struct span_table *t = spans_table(&log->spans);
	out->n = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct evl_str of = spans_name(&log->blocks, &t->items[i]);
		if (of.len != name.len || memcmp(of.p, name.p, of.len) != 0 || t->items[i].end == t->items[i].start)
			continue;
		assert_true(out->n < WINDOWS_MOST);
		out->items[out->n++] = (struct time_window){t->items[i].start, t->items[i].end};
	}
	merge(out);
}

struct sums {
	uint64_t state[THREAD_STATES], runnable_gc, latencies;
	uint64_t reason[STOP_REASONS], reason_n[STOP_REASONS], level[LEVELS];
};

static void add_window(
	struct sums *s, const struct slow *slow, const struct ranges *pauses, const struct time_window *w)
{
	for (size_t i = 0; i < slow->list.n; i++) {
		const struct stretch *x = &slow->list.items[i];
		uint64_t from = max_u64(x->since, w->from), to = min_u64(x->to, w->to);
		bool runs = x->state == THREAD_RUNNING;
		if (from >= to)
			continue;
		s->state[x->state] += to - from;
		s->runnable_gc += x->state == THREAD_RUNNABLE ? covered(pauses, from, to) : 0;
		s->latencies += runs && x->since >= w->from && x->ready < x->since;
		if (x->state != THREAD_BLOCKED)
			continue;
		s->reason[thread_block_reason(x->stop)] += to - from;
		s->reason_n[thread_block_reason(x->stop)]++;
	}
}

static int by_time_of(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* How many run at once between any two changes in the window. */
static void add_levels(
	struct sums *s, const struct slow *slow, const struct ranges *pauses, const struct time_window *w)
{
	uint64_t *edges = calloc(2 * slow->list.n + 2, sizeof *edges);
	struct stretch *runs = calloc(slow->list.n + 1, sizeof *runs);
	size_t n = 0, n_runs = 0;
	edges[n++] = w->from;
	edges[n++] = w->to;
	for (size_t i = 0; i < slow->list.n; i++) {
		const struct stretch *x = &slow->list.items[i];
		if (x->state != THREAD_RUNNING || x->to <= w->from || x->since >= w->to)
			continue;
		runs[n_runs++] = *x;
		edges[n++] = max_u64(x->since, w->from);
		edges[n++] = min_u64(x->to, w->to);
	}
	qsort(edges, n, sizeof *edges, by_time_of);
	for (size_t i = 0; i + 1 < n; i++) {
		size_t level = 0;
		uint64_t paused = covered(pauses, edges[i], edges[i + 1]);
		for (size_t k = 0; k < n_runs; k++)
			level += runs[k].since <= edges[i] && runs[k].to >= edges[i + 1];
		assert_true(level < LEVELS);
		if (edges[i] == edges[i + 1])
			continue;
		s->level[level] += edges[i + 1] - edges[i] - paused;
		s->level[0] += paused;
	}
	free(edges);
	free(runs);
}

/* The worst window of this width starts or ends with a window of spans or a pause. */
static double worst(const struct ranges *windows, const struct ranges *pauses, uint64_t width)
{
	uint64_t most = 0;
	bool any = false;
	for (size_t i = 0; i < windows->n; i++) {
		const struct time_window *w = &windows->items[i];
		if (w->to - w->from < width)
			continue;
		any = true;
		most = max_u64(most, covered(pauses, w->from, w->from + width));
		most = max_u64(most, covered(pauses, w->to - width, w->to));
		for (size_t k = 0; k < pauses->n; k++) {
			uint64_t from = pauses->items[k].from, to = pauses->items[k].to;
			if (from >= w->from && from + width <= w->to)
				most = max_u64(most, covered(pauses, from, from + width));
			if (to <= w->to && to >= w->from + width)
				most = max_u64(most, covered(pauses, to - width, to));
		}
	}
	return any ? 1 - (double)most / (double)width : (double)NAN;
}

/* --- capabilities and collections ---------------------------------------------------------------------------------- */

static bool starts_in(const struct ranges *windows, uint64_t t)
{
	for (size_t i = 0; i < windows->n; i++)
		if (t >= windows->items[i].from && t < windows->items[i].to)
			return true;
	return false;
}

/* A capability in the windows, by its events in order: GC from GC_START, or the first sign of its part in one, on. */
static void expect_cap(const struct cap_figures *got, const struct slow *slow, const struct ranges *windows,
	uint64_t collected, uint64_t total)
{
	uint64_t ns[3] = {0}, switches = 0, since = 0;
	enum { IDLE, RUN, GC } is = IDLE;
	bool runs = false, collects = false;
	for (size_t i = 0; i <= slow->n; i++) {
		const struct event *e = i < slow->n ? &slow->events[i] : NULL;
		int now = is;
		runs = runs || (e && e->f.tag == EVL_RUN_THREAD);
		collects = collects || (e && e->f.tag == EVL_GC_START);
		if (e && e->cap != got->cap)
			continue;
		if (e && e->f.tag == EVL_RUN_THREAD)
			now = RUN;
		else if (e && (e->f.tag == EVL_STOP_THREAD || e->f.tag == EVL_GC_END))
			now = IDLE;
		else if (e && (e->f.tag == EVL_GC_START || (e->f.tag >= EVL_GC_IDLE && e->f.tag <= EVL_GC_DONE)))
			now = GC;
		else if (e)
			continue;
		ns[is] += covered(windows, since, e ? e->f.t : slow->last);
		switches += e && now != (int)is && starts_in(windows, e->f.t);
		is = now == RUN ? RUN : now == GC ? GC : IDLE;
		since = e ? e->f.t : 0;
	}
	assert_int_equal(got->run, ns[RUN]);
	assert_int_equal(got->switches, switches);
	if (!runs || !collects) /* test_cap_figures.c compares the rest */
		return;
	assert_true(got->exact && got->gc <= min_u64(ns[GC], collected)); /* a helper may log its end late */
	assert_int_equal(got->run + got->gc + got->sync + got->stopped + got->idle + got->off, total);
}

/* L: the last moment between request and start at which another capability ran a thread, after the request. */
static uint64_t slow_late(const struct slow *slow, const struct gc_row *gc)
{
	uint64_t late = 0;
	for (size_t i = 0; i < slow->list.n; i++) {
		const struct stretch *x = &slow->list.items[i];
		if (x->state == THREAD_RUNNING && x->cap != gc->cap && x->since < gc->start)
			late = max_u64(late, sub_or_0(min_u64(x->to, gc->start), gc_requested(gc)));
	}
	return late;
}

static size_t cut; /* sums of which a part lies outside of the windows */

static void expect_collections(
	const struct figures *f, const struct evl_log *log, const struct slow *slow, const struct ranges *windows)
{
	uint64_t n = 0, pauses = 0, thread = 0, wakeup = 0, longest = 0, late[SYNC_MOST] = {0}, sync_max = 0;
	uint64_t thread_in = 0, wakeup_in = 0; /* the windows */
	struct gc_gen gens[GC_GENS] = {0};
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			uint64_t l = gc->sync ? slow_late(slow, gc) : 0;
			thread_in += covered(windows, gc_requested(gc), gc_requested(gc) + l);
			wakeup_in += covered(windows, gc_requested(gc) + l, gc->start);
			if (!starts_in(windows, gc->start))
				continue;
			struct gc_gen *gen = &gens[gc->gen == GC_GEN_UNKNOWN ? GC_GENS - 1 : gc->gen];
			n++;
			pauses += gc_pause(gc);
			longest = max_u64(longest, gc_pause(gc));
			sync_max = max_u64(sync_max, gc->sync);
			thread += l;
			wakeup += gc->sync - l;
			gen->n++;
			gen->elapsed += gc->elapsed;
			gen->max = max_u64(gen->max, gc->elapsed);
			for (size_t k = 0; k < f->sync.n; k++)
				if (f->sync.rows[k].gc.start == gc->start)
					late[k] = l;
		}
	if (isnan(f->values[METRIC_GC_N])) /* not recorded */
		assert_true(n == 0 && !log->event_counts.tags.n[EVL_GC_START]);
	else
		assert_true(f->values[METRIC_GC_N] == (double)n && f->values[METRIC_GC_PAUSE_TOTAL] == (double)pauses);
	assert_int_equal(f->sync.thread_ns, thread);
	assert_int_equal(f->sync.wakeup_ns, wakeup);
	if (census_count(&log->census) == 0) {
		assert_int_equal(f->blamed.thread_ns, thread_in);
		assert_int_equal(f->blamed.wakeup_ns, wakeup_in);
		cut += thread_in != thread || wakeup_in != wakeup;
	}
	assert_int_equal(f->n_longest ? gc_pause(&f->longest[0]) : 0, longest);
	assert_int_equal(f->sync.n ? f->sync.rows[0].gc.sync : 0, sync_max);
	for (size_t k = 0; k < f->sync.n; k++)
		assert_int_equal(f->sync.rows[k].late.run.late, late[k]);
	for (size_t i = 0; i < f->n_gens; i++) {
		const struct gen_figures *g = &f->gens[i];
		const struct gc_gen *want = &gens[g->gen == GC_GEN_UNKNOWN ? GC_GENS - 1 : g->gen];
		assert_int_equal(g->sum.n, want->n);
		assert_int_equal(g->sum.elapsed, want->elapsed);
		assert_int_equal(g->sum.max, want->max);
		n -= g->sum.n;
	}
	assert_int_equal(n, 0);
}

/* The path of each window ends with the thread that ended the span that ends with it, of several the first to begin. */
static void expect_path(const struct figures *f, const struct evl_log *log, const struct ranges *windows)
{
	const struct span_table *t = spans_table(&log->spans);
	uint64_t ns[PATH_PART_COUNT] = {0}, hops = 0, all = 0;
	for (size_t w = 0; w < windows->n; w++) {
		const struct span *end = NULL;
		struct path p;
		for (size_t i = 0; i < t->n; i++)
			if (t->items[i].end == windows->items[w].to
				&& str_order(spans_name(&log->blocks, &t->items[i]), f->windows.name) == 0
				&& (!end || t->items[i].start < end->start))
				end = &t->items[i];
		assert_non_null(end);
		struct path_ask ask = {.from = windows->items[w].from,
			.to = windows->items[w].to,
			.thread = end->ended_by ? end->ended_by : end->thread};
		assert_int_equal(path_make(&p, log, &ask, NULL), 0);
		for (int part = 0; part < PATH_PART_COUNT; part++)
			ns[part] += p.ns[part];
		hops += p.hops;
		path_free(&p);
	}
	for (int part = 0; part < PATH_PART_COUNT; part++)
		all += ns[part];
	assert_memory_equal(f->path.ns, ns, sizeof ns);
	assert_int_equal(f->path.hops, hops);
	assert_int_equal(all, f->windows.covered);
}

static size_t places; /* of findings */

/* Each finding with a stake in ns has at most the time of the windows at stake, and those of syncs are the sums. Its place is in a
 * window, at least in part: a pause may start before it, and a wait. */
static void expect_findings(struct figures *f, const struct evl_log *log, const struct ranges *windows)
{
	struct findings found;
	findings_make(&found, log, f);
	for (size_t i = 0; i < found.n; i++) {
		const struct finding *x = &found.items[i];
		const struct gc_row *gc = x->has_place ? gcs_at(&log->gcs, x->t) : NULL;
		assert_true(x->stake_kind != STAKE_NS || x->stake <= f->windows.covered);
		if (x->has_place && covered(windows, x->t, max_u64(x->until, x->t + 1)) == 0
			&& !(gc && starts_in(windows, gc->start)))
			fail_msg("%s at %llu to %llu", finding_name(x->id), (unsigned long long)x->t,
				(unsigned long long)x->until);
		places += x->has_place;
		if (x->id == FINDING_GC_SYNC_THREAD)
			assert_int_equal(x->stake, f->blamed.thread_ns);
	}
	bool blames = f->blamed.has_worst && (double)f->blamed.thread_ns >= FINDING_LEAST
		&& (double)f->blamed.thread_ns > 0.02 * (f->values[METRIC_TIME_TOTAL] - f->values[METRIC_TIME_IDLE]);
	bool blamed = false;
	for (size_t i = 0; i < found.n; i++)
		blamed = blamed || found.items[i].id == FINDING_GC_SYNC_THREAD;
	assert_int_equal(blamed, blames);
}

static void expect(
	const struct figures *f, const struct sums *s, const struct ranges *windows, const struct ranges *pauses)
{
	const struct waits *w = f->waits;
	assert_int_equal(f->windows.n, windows->n);
	assert_int_equal(f->windows.covered, covered(windows, 0, UINT64_MAX));
	assert_int_equal(w->run_ns, s->state[THREAD_RUNNING]);
	assert_int_equal(w->runnable_ns, s->state[THREAD_RUNNABLE]);
	assert_int_equal(w->runnable_gc_ns, s->runnable_gc);
	assert_int_equal(w->blocked_ns, s->state[THREAD_BLOCKED]);
	assert_int_equal(w->foreign_ns, s->state[THREAD_FOREIGN]);
	assert_int_equal(w->latency.n, s->latencies);
	for (size_t i = 0; i < w->n_reasons; i++) {
		assert_int_equal(w->reasons[i].ns, s->reason[w->reasons[i].reason]);
		assert_int_equal(w->reasons[i].n, s->reason_n[w->reasons[i].reason]);
	}
	for (size_t i = 0; i < w->n_levels; i++)
		assert_int_equal(w->levels[i], s->level[i]);
	assert_int_equal(f->values[METRIC_TIME_RUN], s->state[THREAD_RUNNING]);
	for (int i = 0; i < MMU_WINDOWS && f->stats.pauses.n; i++) { /* shown if there are pauses */
		double want = worst(windows, pauses, f->mmu[i].window);
		assert_true(isnan(want) ? isnan(f->mmu[i].share) : fabs(f->mmu[i].share - want) < 1e-9);
	}
}

static void as_slow_code_finds(void **state)
{
	(void)state;
	glob_t logs;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &logs), 0);
	assert_int_equal(glob("assets/bazaar.eventlog", GLOB_APPEND, NULL, &logs), 0);
	static struct ranges windows, pauses, collections;
	static struct slow slow;
	size_t compared = 0;
	for (size_t l = 0; l < logs.gl_pathc; l++) {
		struct evl_log *log = walked_file(logs.gl_pathv[l]);
		if (!spans_table(&log->spans)) {
			evl_close(log);
			continue;
		}
		struct figures all;
		memset(&slow, 0, sizeof slow);
		slow_read(&slow, log);
		find_pauses(&pauses, log, true);
		find_pauses(&collections, log, false);
		assert_int_equal(figures_make(&all, log, &(struct figures_ask){.to = UINT64_MAX}), 0);
		for (size_t i = 0; i < all.spans.n && i < NAMES; i++) {
			struct figures f;
			struct sums sums = {0};
			struct evl_str name = all.spans.items[i].name;
			struct figures_ask ask = {.to = UINT64_MAX, .deep = true, .label = idmap_key(name)};
			find_windows(&windows, log, name);
			if (windows.n == 0)
				continue;
			for (size_t k = 0; k < windows.n; k++) {
				add_window(&sums, &slow, &pauses, &windows.items[k]);
				add_levels(&sums, &slow, &pauses, &windows.items[k]);
			}
			assert_int_equal(figures_make(&f, log, &ask), 0);
			assert_int_equal(f.windows.spans, all.spans.items[i].n);
			expect(&f, &sums, &windows, &pauses);
			expect_collections(&f, log, &slow, &windows);
			expect_path(&f, log, &windows);
			expect_findings(&f, log, &windows);
			assert_int_equal(f.n_caps, log->n_caps);
			uint64_t collected = 0;
			for (size_t k = 0; k < windows.n; k++)
				collected += covered(&collections, windows.items[k].from, windows.items[k].to);
			for (size_t k = 0; k < f.n_caps; k++)
				expect_cap(&f.caps[k], &slow, &windows, collected, f.windows.covered);
			compared += f.waits->blocked_ns > 0;
			figures_free(&f);
		}
		figures_free(&all);
		slow_free(&slow);
		evl_close(log);
	}
	globfree(&logs);
	assert_true(compared >= 3 && places > 20 && cut > 0);
}

static void of_no_spans(void **state)
{
	(void)state;
	struct evl_log *log = walked_file("assets/bazaar.eventlog");
	struct figures f;
	struct figures_ask ask = {.to = UINT64_MAX, .deep = true, .label = idmap_key(EVL_STR("no such span"))};
	assert_int_equal(figures_make(&f, log, &ask), 0);
	assert_int_equal(f.windows.spans, 0);
	assert_int_equal(f.windows.covered, 0);
	assert_true(isnan(f.values[METRIC_TIME_PRODUCTIVITY]));
	figures_free(&f);
	evl_close(log);
}

/* Events outside of blocks that are later than the last flush are read, but not part of the range: a span may end there. */
static void spans_past_the_last_event(void **state)
{
	enum { MS = 1000000 };
	(void)state;
	const uint64_t far = (uint64_t)1000000 * MS;
	struct built b = log_begin();
	struct figures f;
	const struct figures_ask ask = {.to = UINT64_MAX, .deep = true, .label = idmap_key(EVL_STR("x"))};
	block_begin(&b, 0, MS);
	put_run(&b, MS + 1, 1);
	put(&b, MS + 10, EVL_USER_MSG, "s", "START x");
	put(&b, 5 * MS, EVL_USER_MSG, "s", "STOP x");
	put_stop(&b, 6 * MS, 1, STOP_MVAR);
	put_run(&b, 150 * MS, 1);
	put(&b, 160 * MS, EVL_USER_MSG, "s", "START x");
	put_stop(&b, 161 * MS, 1, STOP_MVAR);
	block_end(&b, 200 * MS);
	put(&b, far, EVL_USER_MSG, "s", "STOP x");
	put(&b, far + 20, EVL_USER_MSG, "s", "START x");
	put(&b, far + MS, EVL_USER_MSG, "s", "STOP x");
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(figures_make(&f, log, &ask), 0);
	assert_true(f.values[METRIC_TIME_MUTATOR] <= f.values[METRIC_TIME_TOTAL]);
	assert_true(f.values[METRIC_TIME_RUN] <= f.values[METRIC_TIME_TOTAL]);
	figures_free(&f);
	evl_close(log);
	free(b.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_slow_code_finds), cmocka_unit_test(of_no_spans),
		cmocka_unit_test(spans_past_the_last_event)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
