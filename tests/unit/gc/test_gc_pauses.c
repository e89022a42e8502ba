/* The union of pauses, what it covers, the worst windows: against counting single nanoseconds. */
#include "gc/gc_pauses.h"
#include "log/run_stats.h"
#include "logs.h"

#include <math.h>

enum { END = 600 };

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Two capabilities that lead collections, which may overlap; still[t]: the program is stopped at t. */
static struct evl_log *random_log(struct built *b, uint64_t seed, bool *still)
{
	*b = log_begin();
	memset(still, 0, END * sizeof *still);
	for (uint16_t cap = 0; cap < 2; cap++) {
		uint64_t t = 1 + next_random(&seed) % 40;
		block_begin(b, cap, 0);
		put_run(b, 0, 1);
		put_stop(b, 0, 1, 1);
		while (t + 60 < END) {
			uint64_t request = t, start = request + 1 + next_random(&seed) % 10,
				 end = start + next_random(&seed) % 30;
			put_gc(b, request, start, end, 0);
			for (uint64_t i = request; i < end; i++)
				still[i] = true;
			t = end + 1 + next_random(&seed) % 60;
		}
		put(b, END, EVL_USER_MSG, "s", "end");
		block_end(b, END);
	}
	return walked(b);
}

static uint64_t count(const bool *still, uint64_t from, uint64_t to)
{
	uint64_t n = 0;
	for (uint64_t t = from; t < to; t++)
		n += still[t];
	return n;
}

/* One after another, each searched in all tables. */
static void compare_list(const struct gcs *g, uint64_t from, uint64_t to)
{
	size_t n, i = 0;
	const struct gc_row **rows = gcs_list(g, from, to, &n), *row = gcs_at(g, from);
	assert_non_null(rows);
	for (row = row ? row : gcs_after(g, from, GC_ALL); row && gc_requested(row) < to;
		row = gcs_after(g, row->start, GC_ALL))
		assert_true(i < n && rows[i++] == row);
	assert_int_equal(i, n);
	free(rows);
}

static void compare(const struct evl_log *log, const bool *still, uint64_t from, uint64_t to)
{
	compare_list(&log->gcs, from, to);
	struct gc_range range = {.gcs = &log->gcs, .from = from, .to = to};
	struct gc_pauses p;
	assert_int_equal(gc_pauses_make(&p, &log->gcs, from, to, NULL), 0);
	for (size_t i = 0; i < p.n; i++) {
		struct pause pause = gc_pauses_at(&p, i);
		assert_true(pause.from < pause.to);
		assert_true(i == 0 || gc_pauses_at(&p, i - 1).to < pause.from);
		assert_int_equal(pause.before, count(still, from, pause.from));
		assert_int_equal(gc_pauses_before(&p, pause.from), pause.before);
	}
	for (uint64_t t = from; t <= to; t += 7)
		assert_int_equal(gc_pauses_within(&p, t, to), count(still, t, to));
	for (uint64_t width = 1; width <= to - from; width += 3) {
		struct mmu m;
		uint64_t most = 0;
		for (uint64_t t = from; t + width <= to; t++)
			most = max_u64(most, count(still, t, t + width));
		assert_int_equal(gc_pauses_worst(&range, &width, 1, &m), 0);
		assert_true(fabs(m.share - (1 - (double)most / (double)width)) < 1e-12);
		assert_int_equal(count(still, m.at, m.at + width), most);
		assert_true(m.at >= from && m.at + width <= to);
	}
	gc_pauses_free(&p);
}

static void random_pauses(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 12; seed++) {
		struct built b;
		bool still[END];
		struct evl_log *log = random_log(&b, seed, still);
		compare(log, still, 0, END);
		compare(log, still, 100 + seed, 300);
		done(log, &b);
	}
}

static void windows_longer_than_the_range(void **state)
{
	(void)state;
	struct built b;
	bool still[END];
	struct evl_log *log = random_log(&b, 5, still);
	struct gc_range range = {.gcs = &log->gcs, .from = 100, .to = 200};
	struct gc_pauses p;
	struct mmu m[3];
	assert_int_equal(gc_pauses_worst(&range, (const uint64_t[]){101, 100, 0}, 3, m), 0);
	assert_true(isnan(m[0].share) && !isnan(m[1].share) && isnan(m[2].share));
	assert_int_equal(m[1].at, 100);
	assert_int_equal(gc_pauses_make(&p, &log->gcs, 100, 100, NULL), 0);
	assert_int_equal(p.n, 0);
	gc_pauses_free(&p);
	done(log, &b);
}

/* --- enough pauses to share among workers --- */

enum { MANY = 400000, LEADERS = 2 };

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Collections of two leaders, some of them very long; lengths of pauses and of syncs. */
static void fill(struct gc_table *tables, uint64_t *pauses, uint64_t *syncs, uint64_t *end)
{
	uint64_t seed = 77, n = 0;
	*end = 0;
	for (size_t c = 0; c < LEADERS; c++) {
		rows_init(&tables[c].rows, sizeof(struct gc_row));
		for (uint64_t t = 1000, i = 0; i < MANY / LEADERS; i++) {
			struct gc_row row = {
				.start = t += 1000 + next_random(&seed) % 20000, .gen = next_random(&seed) % 2};
			row.sync = (next_random(&seed) % 1000) & 0xffffffffffff;
			row.elapsed = next_random(&seed) % (i % 1000 == 0 ? 1 << 24 : 1 << 13);
			assert_true(rows_add(&tables[c].rows, &row));
			pauses[n] = gc_pause(&row);
			syncs[n++] = row.sync;
			*end = max_u64(*end, t += row.elapsed);
		}
	}
	qsort(pauses, n, sizeof *pauses, by_value);
	qsort(syncs, n, sizeof *syncs, by_value);
}

static void expect_quantiles(const struct gc_range *range, bool of_syncs, const uint64_t *sorted)
{
	const unsigned percents[GC_QUANTILES] = {50, 90, 99};
	uint64_t found[GC_QUANTILES];
	assert_int_equal(gc_quantiles(range, of_syncs, MANY, sorted[MANY - 1], percents, GC_QUANTILES, found), 0);
	for (int i = 0; i < GC_QUANTILES; i++)
		assert_int_equal(found[i], sorted[(size_t)MANY * percents[i] / 100 - 1]);
}

/* The worst of all windows that start with a pause, or end with the range. */
static uint64_t most_paused(const struct gc_pauses *p, uint64_t width)
{
	uint64_t most = gc_pauses_within(p, p->to - width, p->to);
	for (size_t i = 0; i < p->n && gc_pauses_at(p, i).from <= p->to - width; i++) {
		uint64_t t = gc_pauses_at(p, i).from;
		most = max_u64(most, gc_pauses_within(p, t, t + width));
	}
	return most;
}

static int by_request(const void *a, const void *b)
{
	const struct gc_row *x = a, *y = b;
	uint64_t i = gc_requested(x), k = gc_requested(y);
	return (i > k) - (i < k);
}

/* More than are kept at once, asked for from end to begin, from begin to end and anywhere. */
static void expect_any_order(const struct gc_pauses *p, const struct gcs *gcs, uint64_t end)
{
	enum { ASKS = 3000 };
	struct gc_row *rows = calloc(MANY, sizeof *rows);
	uint64_t *before = calloc(MANY + 1, sizeof *before), *until = calloc(MANY + 1, sizeof *until), seed = 5;
	struct gc_pauses other;
	size_t n = 0;
	assert_true(rows && before && until);
	for (size_t c = 0; c < LEADERS; c++)
		for (size_t i = 0; i < rows_count(&gcs->tables[c].rows); i++)
			rows[n++] = *(const struct gc_row *)rows_at(&gcs->tables[c].rows, i);
	qsort(rows, n, sizeof *rows, by_request);
	for (size_t i = 0; i < n; i++) { /* what the first i cover, and up to where */
		uint64_t from = max_u64(gc_requested(&rows[i]), until[i]);
		before[i + 1] = before[i] + sub_or_0(gc_end(&rows[i]), from);
		until[i + 1] = max_u64(until[i], gc_end(&rows[i]));
	}
	assert_int_equal(gc_pauses_borrow(&other, p), 0);
	for (uint64_t i = 0; i < 3 * ASKS; i++) {
		uint64_t k = i % ASKS, t = i < ASKS ? end / ASKS * (ASKS - k) : end / ASKS * k;
		size_t low = 0;
		t = i < 2 * ASKS ? t : next_random(&seed) % end;
		for (size_t high = n; low < high;) { /* those requested before t */
			size_t mid = (low + high) / 2;
			low = gc_requested(&rows[mid]) < t ? mid + 1 : low;
			high = gc_requested(&rows[mid]) < t ? high : mid;
		}
		uint64_t want = before[low] - sub_or_0(until[low], t);
		assert_int_equal(gc_pauses_before(i % 2 ? p : &other, t), want);
		size_t after = gc_pauses_after(p, t);
		assert_true(after == p->n || gc_pauses_at(p, after).to > t);
		assert_true(after == 0 || gc_pauses_at(p, after - 1).to <= t);
	}
	gc_pauses_free(&other);
	free(rows);
	free(before);
	free(until);
}

static void many_pauses(void **state)
{
	static const uint64_t windows[] = {1000, 100000, 30000000, 2000000000, UINT64_MAX};
	uint64_t *lengths = calloc(MANY, sizeof *lengths), *syncs = calloc(MANY, sizeof *syncs), end;
	struct gc_table tables[LEADERS];
	struct gcs gcs = {.tables = tables, .n = LEADERS, .generations = 2};
	struct pause_stats sums[2];
	struct gc_pauses p;
	(void)state;
	assert_true(lengths && syncs);
	fill(tables, lengths, syncs, &end);
	assert_int_equal(gc_pauses_make(&p, &gcs, 0, end, NULL), 0);
	expect_any_order(&p, &gcs, end);
	for (int workers = 1; workers <= 4; workers += 3) {
		struct gc_range range = {.gcs = &gcs, .to = end, .workers = workers};
		struct mmu m[countof(windows)];
		expect_quantiles(&range, false, lengths);
		expect_quantiles(&range, true, syncs);
		assert_int_equal(run_stats_pauses(&range, &sums[workers > 1]), 0);
		assert_int_equal(gc_pauses_worst(&range, windows, countof(windows), m), 0);
		assert_true(isnan(m[countof(windows) - 1].share));
		for (size_t i = 0; i + 1 < countof(windows); i++) {
			uint64_t most = most_paused(&p, windows[i]);
			assert_true(fabs(m[i].share - (1 - (double)most / (double)windows[i])) < 1e-12);
			assert_int_equal(gc_pauses_within(&p, m[i].at, m[i].at + windows[i]), most);
		}
	}
	assert_memory_equal(&sums[0], &sums[1], sizeof sums[0]);
	assert_int_equal(sums[0].n, MANY);
	assert_int_equal(sums[0].max, lengths[MANY - 1]);
	assert_int_equal(sums[0].p99, lengths[(size_t)MANY * 99 / 100 - 1]);
	gc_pauses_free(&p);
	for (size_t c = 0; c < LEADERS; c++)
		rows_free(&tables[c].rows);
	free(lengths);
	free(syncs);
}

static void classes(void **state)
{
	(void)state;
	assert_int_equal(pause_class_of(0), 0);
	assert_int_equal(pause_class_of(99999), 0);
	assert_int_equal(pause_class_of(100000), 1);
	assert_int_equal(pause_class_of(UINT64_MAX), PAUSE_CLASSES - 1);
	assert_string_equal(pause_class(PAUSE_CLASSES - 1)->name, "≥ 100 ms");
}

static void heat_counts_every_pause_once(void **state)
{
	(void)state;
	struct built b;
	bool still[END];
	struct evl_log *log = random_log(&b, 3, still);
	uint32_t cells[17][PAUSE_HEATS], sum = 0;
	struct gc_sum all;
	gcs_sum(&log->gcs, 0, END, &all);
	pause_heat(&log->gcs, 0, END, 17, cells);
	for (int i = 0; i < 17; i++)
		for (int k = 0; k < PAUSE_HEATS; k++)
			sum += cells[i][k];
	assert_int_equal(sum, all.n);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_pauses),
		cmocka_unit_test(many_pauses),
		cmocka_unit_test(windows_longer_than_the_range),
		cmocka_unit_test(classes),
		cmocka_unit_test(heat_counts_every_pause_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
