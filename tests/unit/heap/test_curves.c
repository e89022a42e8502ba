/* The tables of the curves and of the nonmoving collector on real logs, against a walk over all events, at any zoom. */
#include "heap/alloc_rate.h"
#include "logs.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>

enum { WINDOWS = 12, COLS = 23, MAX_SAMPLES = 1 << 16, MOST_PAUSES = 4096 };

/* A sample of any of the kinds that are compared. */
struct sample {
	uint64_t t, value;
	uint32_t chain;
};

struct samples {
	struct sample *items;
	size_t n;
};

static uint64_t seed = 1;
static uint64_t any(uint64_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return below ? (seed >> 11) % below : 0;
}

/* All events with a tag; value: the u64 at `at` in the payload. Chain by chain, in file order. */
static struct samples collect(const struct evl_log *log, uint16_t tag, size_t at)
{
	struct samples s = {calloc(MAX_SAMPLES, sizeof(struct sample)), 0};
	assert_non_null(s.items);
	for (uint32_t chain = 0; chain < log->blocks.n_chains; chain++) {
		struct cursor c;
		struct frame f;
		const struct block *block;
		cursor_begin(&c, &log->blocks, &log->blocks.chains[chain], UINT64_MAX);
		while (cursor_next(&c, &f, &block)) {
			if (f.tag != tag || !event_readable(&log->header, &f))
				continue;
			assert_true(s.n < MAX_SAMPLES);
			s.items[s.n++] =
				(struct sample){f.t, f.payload.len >= at + 8 ? be64(f.payload.p + at) : 0, chain};
		}
	}
	return s;
}

/* --- the heap --- */

static void check_curve(
	const struct evl_log *log, const struct samples *s, enum heap_curve curve, uint64_t t0, uint64_t t1)
{
	struct heap_column cols[COLS];
	heap_columns(&log->heap, curve, t0, t1, COLS, cols);
	for (int i = 0; i < COLS; i++) {
		uint64_t from = column_edge(t0, t1, COLS, i), to = column_edge(t0, t1, COLS, i + 1), carried_t = 0;
		uint64_t min = UINT64_MAX, max = 0, carried = 0;
		bool fresh = false, known = false;
		for (size_t k = 0; k < s->n; k++) {
			const struct sample *x = &s->items[k];
			if (x->t < from && (!known || x->t >= carried_t)) {
				carried = x->value;
				carried_t = x->t;
				known = true;
			}
			if (x->t < from || x->t >= to)
				continue;
			fresh = true;
			min = min_u64(min, x->value);
			max = max_u64(max, x->value);
		}
		assert_int_equal(cols[i].fresh, fresh);
		assert_int_equal(cols[i].known, fresh || known);
		if (fresh || known) {
			assert_int_equal(cols[i].max, known ? max_u64(max, carried) : max);
			assert_int_equal(cols[i].min, known ? min_u64(min, carried) : min);
		}
	}
}

/* --- running totals: what is added between two samples of a chain is spread over the time between --- */

/* The union of all pauses. */
struct all_pauses {
	struct pause_time {
		uint64_t from, to;
	} items[MOST_PAUSES];
	size_t n;
	bool more;
};

static bool add_pause(void *ctx, const struct gc_row *gc)
{
	struct all_pauses *all = ctx;
	if (all->n < MOST_PAUSES)
		all->items[all->n++] = (struct pause_time){gc_requested(gc), gc_end(gc)};
	else
		all->more = true;
	return !all->more;
}

static int by_from(const void *a, const void *b)
{
	uint64_t x = ((const struct pause_time *)a)->from, y = ((const struct pause_time *)b)->from;
	return (x > y) - (x < y);
}

/* The length of [from, to) without pauses. */
static double unpaused(const struct all_pauses *all, uint64_t from, uint64_t to)
{
	double ns = (double)(to - from);
	uint64_t end = 0;
	for (size_t i = 0; i < all->n; i++) {
		uint64_t start = max_u64(max_u64(all->items[i].from, end), from);
		ns -= (double)sub_or_0(min_u64(all->items[i].to, to), start);
		end = max_u64(end, all->items[i].to);
	}
	return ns;
}

/* pauses: NULL: they count as other time. */
static double total_at(const struct samples *s, const struct all_pauses *pauses, uint64_t t)
{
	double sum = 0;
	for (size_t k = 0; k < s->n; k++) {
		const struct sample *x = &s->items[k];
		bool first = k == 0 || s->items[k - 1].chain != x->chain;
		uint64_t from = first ? 0 : s->items[k - 1].t, before = first ? 0 : s->items[k - 1].value;
		double more = (double)(x->value >= before ? x->value - before : x->value);
		double ran = t > from && t < x->t && pauses ? unpaused(pauses, from, x->t) : 0;
		if (t >= x->t)
			sum += more;
		else if (t > from && ran > 0)
			sum += more * unpaused(pauses, from, t) / ran;
		else if (t > from)
			sum += more * (double)(t - from) / (double)(x->t - from);
	}
	return sum;
}

static void check_total(const struct samples *s, const struct all_pauses *pauses, uint64_t from, uint64_t to,
	double got, double rounded)
{
	double after = total_at(s, pauses, to), want = after - total_at(s, pauses, from), off = want - got;
	double allowed = 2.0 * rounded + want * 1e-9 + after * 1e-12;
	if (off > allowed || off < -allowed)
		fail_msg("%.4f wanted, %.4f found", want, got);
}

static void check_totals(
	const struct evl_log *log, const struct samples *bytes, const struct samples *created, uint64_t t0, uint64_t t1)
{
	uint64_t allocated[COLS];
	struct spark_column sparks[COLS];
	heap_allocations(&log->heap, t0, t1, COLS, allocated);
	sparks_columns(&log->sparks, t0, t1, COLS, sparks);
	for (int i = 0; i < COLS; i++) {
		uint64_t from = column_edge(t0, t1, COLS, i), to = column_edge(t0, t1, COLS, i + 1);
		check_total(bytes, NULL, from, to, (double)allocated[i], (double)log->blocks.n_chains);
		if (!spark_events_any(&log->sparks.events)) /* else test_spark_events */
			check_total(created, NULL, from, to, (double)sparks[i].created, (double)log->blocks.n_chains);
	}
}

/* --- allocation while threads ran --- */

/* The time that threads ran on a capability in [from, to), run by run. */
static double ran_in(const struct evl_log *log, uint32_t chain, uint64_t from, uint64_t to)
{
	struct cap_runs runs;
	uint64_t a, b;
	double ns = 0;
	caps_runs_begin(&runs, &log->blocks, &log->tiles[chain], chain, from, to);
	while (caps_runs_next(&runs, &a, &b) && a < to)
		ns += (double)sub_or_0(min_u64(b, to), max_u64(a, from));
	return ns;
}

static double total_in_runs(const struct evl_log *log, const struct samples *s, uint64_t t)
{
	double sum = 0;
	for (size_t k = 0; k < s->n; k++) {
		const struct sample *x = &s->items[k];
		bool first = k == 0 || s->items[k - 1].chain != x->chain;
		uint64_t from = first ? 0 : s->items[k - 1].t, before = first ? 0 : s->items[k - 1].value;
		double more = (double)(x->value >= before ? x->value - before : x->value), ran = 0;
		if (t >= x->t)
			sum += more;
		else if (t > from && (ran = ran_in(log, x->chain, from, x->t)) > 0)
			sum += more * ran_in(log, x->chain, from, t) / ran;
		else if (t > from)
			sum += more * (double)(t - from) / (double)(x->t - from);
	}
	return sum;
}

static double idle_seen, shifted; /* ranges where nothing ran; where the spread over all time is another */

static void check_in_runs(const struct evl_log *log, const struct samples *s, uint64_t t0, uint64_t t1)
{
	uint64_t got = alloc_in_runs(&log->heap, &log->blocks, log->tiles, t0, t1), even;
	double after = total_in_runs(log, s, t1), want = after - total_in_runs(log, s, t0), ran = 0;
	if (fabs(want - (double)got) > 2.0 * (double)log->blocks.n_chains + want * 1e-9 + after * 1e-12)
		fail_msg("%s [%llu, %llu): %.1f wanted, %.1f found", log->path, (unsigned long long)t0,
			(unsigned long long)t1, want, (double)got);
	for (uint32_t chain = 0; chain < log->blocks.n_chains; chain++)
		ran += ran_in(log, chain, t0, t1);
	heap_allocations(&log->heap, t0, t1, 1, &even);
	idle_seen += ran == 0 && even > 0 && got == 0;
	shifted += even != got;
}

/* --- in the lane --- */

/* The runs in the column that t lies in. */
static double ran_around(const struct evl_log *log, uint32_t chain, const struct time_window *w, uint64_t t)
{
	for (int i = 0; i < COLS; i++)
		if (t >= column_edge(w->from, w->to, COLS, i) && t < column_edge(w->from, w->to, COLS, i + 1))
			return ran_in(log, chain, column_edge(w->from, w->to, COLS, i),
				column_edge(w->from, w->to, COLS, i + 1));
	return 0;
}

/* The allocation in [from, to), a column of a window, by runs; else without pauses; else evenly. *vague: by how much it may
 * differ if runs are spread over the columns that samples lie in. */
static double in_runs(const struct evl_log *log, const struct samples *s, const struct all_pauses *pauses,
	uint64_t from, uint64_t to, const struct time_window *w, double *vague)
{
	double sum = 0;
	*vague = 0;
	for (size_t k = 0; k < s->n; k++) {
		const struct sample *x = &s->items[k];
		bool first = k == 0 || s->items[k - 1].chain != x->chain;
		uint64_t begin = first ? 0 : s->items[k - 1].t, before = first ? 0 : s->items[k - 1].value;
		uint64_t a = max_u64(from, begin), b = min_u64(to, x->t);
		double more = (double)(x->value >= before ? x->value - before : x->value), all;
		if (x->t >= from && x->t < to && x->t == begin)
			sum += more;
		if (a >= b)
			continue;
		if ((all = ran_in(log, x->chain, begin, x->t)) > 0) {
			sum += more * ran_in(log, x->chain, a, b) / all;
			*vague += more
				* fmin(1,
					(ran_around(log, x->chain, w, begin) + ran_around(log, x->chain, w, x->t))
						/ all);
		} else if ((all = unpaused(pauses, begin, x->t)) > 0) {
			sum += more * unpaused(pauses, a, b) / all;
		} else {
			sum += more * (double)(b - a) / (double)(x->t - begin);
		}
	}
	return sum;
}

static double placed; /* columns without a run in which another spread has allocation, as seen by the test */

static void check_columns_in_runs(const struct evl_log *log, const struct samples *bytes, const struct all_pauses *all,
	const struct alloc_pauses *pauses, uint64_t t0, uint64_t t1)
{
	enum { CHAINS = 128 };
	static struct cap_column columns[CHAINS][COLS];
	const struct cap_column *by_chain[CHAINS];
	uint64_t allocated[COLS], even[COLS];
	if (log->blocks.n_chains > CHAINS)
		return;
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		bool cap = log->blocks.chains[c].cap != EVL_NO_CAP;
		if (cap)
			caps_columns(&log->blocks, &log->tiles[c], c, t0, t1, COLS, columns[c]);
		by_chain[c] = cap ? columns[c] : NULL;
	}
	alloc_rate_columns(
		&log->heap, pauses, &(struct alloc_runs){&log->blocks, log->tiles, by_chain}, t0, t1, COLS, allocated);
	alloc_rate_columns(&log->heap, pauses, NULL, t0, t1, COLS, even);
	for (int i = 0; i < COLS; i++) {
		double vague,
			want = in_runs(log, bytes, all, column_edge(t0, t1, COLS, i), column_edge(t0, t1, COLS, i + 1),
				&(struct time_window){t0, t1}, &vague);
		double got = (double)allocated[i] / ALLOC_PARTS, allowed = 2 + vague + want * 1e-6;
		if (fabs(want - got) > allowed)
			fail_msg("%s column %d: %.4f wanted, %.4f found, %.4f allowed", log->path, i, want, got,
				allowed);
		placed += allocated[i] == 0 && even[i] > 0;
	}
}

/* The window, as the lane of the allocation rate asks for it. */
static void check_unpaused(const struct evl_log *log, const struct samples *bytes, uint64_t t0, uint64_t t1)
{
	static struct all_pauses all;
	static const struct gc_row *rows[MOST_PAUSES];
	uint64_t allocated[COLS];
	size_t n = 0;
	all.n = 0;
	all.more = false;
	gcs_each(&log->gcs, 0, UINT64_MAX, add_pause, &all);
	if (all.more || bytes->n == 0)
		return;
	qsort(all.items, all.n, sizeof *all.items, by_from);
	const struct gc_row *gc = gcs_at(&log->gcs, t0);
	for (gc = gc ? gc : gcs_after(&log->gcs, t0, GC_ALL); gc && gc_requested(gc) < t1;
		gc = gcs_after(&log->gcs, gc->start, GC_ALL))
		rows[n++] = gc;
	alloc_rate_columns(&log->heap, &(struct alloc_pauses){&log->gcs, rows, n}, NULL, t0, t1, COLS, allocated);
	for (int i = 0; i < COLS; i++)
		check_total(bytes, &all, column_edge(t0, t1, COLS, i), column_edge(t0, t1, COLS, i + 1),
			(double)allocated[i] / ALLOC_PARTS, 1.0 / ALLOC_PARTS * (double)log->blocks.n_chains);
	check_columns_in_runs(log, bytes, &all, &(struct alloc_pauses){&log->gcs, rows, n}, t0, t1);
}

/* --- the nonmoving collector: a start opens unless open, an end closes if open; a sync stops what else is open --- */

static uint64_t sync_ns(const struct samples *begins, const struct samples *ends, uint64_t t0, uint64_t t1)
{
	uint64_t sum = 0, closed = 0;
	for (size_t b = 0, e = 0; b < begins->n; b++) {
		if (b > 0 && begins->items[b].t < closed)
			continue;
		while (e < ends->n && ends->items[e].t < begins->items[b].t)
			e++;
		closed = e < ends->n ? ends->items[e].t : UINT64_MAX;
		sum += sub_or_0(min_u64(closed, t1), max_u64(begins->items[b].t, t0));
	}
	return sum;
}

static void check_syncs(
	const struct evl_log *log, const struct samples *begins, const struct samples *ends, uint64_t t0, uint64_t t1)
{
	for (int i = 0; i < COLS; i++) {
		uint64_t from = column_edge(t0, t1, COLS, i), to = column_edge(t0, t1, COLS, i + 1);
		struct nm_column col;
		nonmoving_column(&log->nonmoving, from, to, &col);
		assert_int_equal(col.ns[NM_SYNC], sync_ns(begins, ends, from, to));
		assert_true(col.ns[NM_MARK] + col.ns[NM_SYNC] + col.ns[NM_SWEEP] <= to - from);
	}
}

static void check_log(const struct evl_log *log)
{
	static const uint16_t tags[] = {EVL_HEAP_LIVE, EVL_HEAP_SIZE, EVL_BLOCKS_SIZE};
	struct samples curves[HEAP_CURVES], bytes = collect(log, EVL_HEAP_ALLOCATED, 4);
	struct samples created = collect(log, EVL_SPARK_COUNTERS, 0), begins = collect(log, EVL_CONC_SYNC_BEGIN, 0);
	struct samples ends = collect(log, EVL_CONC_SYNC_END, 0);
	uint64_t first, last;
	for (enum heap_curve c = 0; c < HEAP_CURVES; c++)
		curves[c] = collect(log, tags[c], 4);
	for (int i = 0; evl_range(log, &first, &last) && i < WINDOWS; i++) {
		uint64_t t0 = i ? first + any(last - first) : 0,
			 t1 = t0 + COLS + (i ? any((last - t0) >> any(12)) : last);
		for (enum heap_curve c = 0; c < HEAP_CURVES; c++)
			check_curve(log, &curves[c], c, t0, t1);
		check_totals(log, &bytes, &created, t0, t1);
		check_unpaused(log, &bytes, t0, t1);
		check_in_runs(log, &bytes, t0, t1);
		check_syncs(log, &begins, &ends, t0, t1);
	}
	for (enum heap_curve c = 0; c < HEAP_CURVES; c++)
		free(curves[c].items);
	free(bytes.items);
	free(created.items);
	free(begins.items);
	free(ends.items);
}

static void every_log(void **state)
{
	glob_t found;
	unsigned checked = 0, nonmoving = 0;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &found), 0);
	assert_int_equal(glob("assets/*.eventlog", GLOB_APPEND, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct evl_log *log;
		struct evl_err err;
		if (evl_open(&log, found.gl_pathv[i], &err) < 0)
			continue;
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		check_log(log);
		checked++;
		nonmoving += nonmoving_any(&log->nonmoving);
		evl_close(log);
	}
	globfree(&found);
	assert_true(checked > 25);
	assert_true(nonmoving >= 3);
	assert_true(idle_seen > 0 && shifted > 10);
	assert_true(placed > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_log)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
