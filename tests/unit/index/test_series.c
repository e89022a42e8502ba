/* Series: the extremes of any range, totals between samples, what is kept of very many; points; counters. */
#include "index/points.h"
#include "index/series.h"
#include "logs.h"

static uint64_t value_of(size_t i) { return (i * 2654435761u) % 1000003; }

static void extremes_of_any_range(void **state)
{
	enum { N = 20000 };
	struct series s;
	(void)state;
	series_init(&s);
	for (size_t i = 0; i < N; i++)
		series_add(&s, i * 10, value_of(i));
	for (size_t from = 0; from < N; from += 331) {
		struct series_peaks want = {UINT64_MAX, 0};
		for (size_t to = from + 1; to <= N; to++) {
			want.min = min_u64(want.min, value_of(to - 1));
			want.max = max_u64(want.max, value_of(to - 1));
			if (to % 17 && to != N && to > from + 40)
				continue;
			struct series_peaks got = series_peaks(&s, from, to);
			assert_int_equal(got.min, want.min);
			assert_int_equal(got.max, want.max);
		}
	}
	assert_int_equal(series_before(&s, 0), 0);
	assert_int_equal(series_before(&s, 1), 1);
	assert_int_equal(series_before(&s, UINT64_MAX), N);
	series_free(&s);
}

static void out_of_order_is_left_out(void **state)
{
	struct series s;
	(void)state;
	series_init(&s);
	series_add(&s, 100, 1);
	series_add(&s, 99, 2);
	series_add(&s, 100, 3);
	assert_int_equal(rows_count(&s.rows), 2);
	assert_int_equal(s.dropped, 1);
	assert_int_equal(series_row(&s, 1)->value, 3);
	series_free(&s);
}

/* After the dense part only the largest of every group is kept, with its time. */
static void very_many(void **state)
{
	struct series s;
	(void)state;
	series_init(&s);
	size_t n = SERIES_DENSE + 3 * SERIES_THIN + 5;
	for (size_t i = 0; i < n; i++)
		series_add(&s, i, i == SERIES_DENSE + SERIES_THIN + 7 ? 999 : i % 2);
	assert_int_equal(rows_count(&s.rows), SERIES_DENSE + 3);
	assert_int_equal(series_row(&s, SERIES_DENSE + 1)->value, 999);
	assert_int_equal(series_row(&s, SERIES_DENSE + 1)->t, SERIES_DENSE + SERIES_THIN + 7);
	assert_int_equal(series_peaks(&s, 0, SERIES_DENSE + 3).max, 999);
	assert_int_equal(series_peaks(&s, 0, SERIES_DENSE + 1).max, 1);
	series_free(&s);
}

/* Samples equal to both neighbours are omitted, and nothing that is asked of the others shows it. */
static void steady_samples(void **state)
{
	enum { N = 4000 };
	struct series all;
	struct steady few = {0};
	uint64_t random = 1, value = 0, total = 0;
	(void)state;
	series_init(&all);
	series_init(&few.series);
	for (uint64_t i = 1; i <= N; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		value = random >> 61 ? 0 : random >> 50 & 7; /* most samples do not grow */
		total += value;
		series_add(&all, 10 * i, total);
		steady_add(&few, 10 * i, total);
	}
	assert_true(rows_count(&few.series.rows) < N / 2);
	for (uint64_t t = 0; t < 10 * N + 50; t += 3) {
		size_t a = series_before(&all, t + 1), b = series_before(&few.series, t + 1);
		assert_int_equal(series_total(&all, t), series_total(&few.series, t));
		assert_int_equal(a > 0, b > 0);
		if (a > 0)
			assert_int_equal(series_row(&all, a - 1)->value, series_row(&few.series, b - 1)->value);
	}
	for (uint64_t step = 1; step < 20 * N; step *= 7) { /* asked in order, the last answer leads to the next */
		size_t row = 0;
		for (uint64_t t = 0; t < 10 * N + 50; t += step)
			assert_int_equal(series_total_next(&all, &row, t), series_total(&all, t));
	}
	steady_add(&few, 10 * N - 1, 5);
	assert_int_equal(few.series.dropped, 1);
	series_free(&all);
	series_free(&few.series);
}

/* Products of more than 64 bits, and the largest that fit. */
static void columns_of_long_windows(void **state)
{
	const uint64_t lengths[] = {1, 7, 1000, UINT64_MAX / 200, UINT64_MAX / 200 + 1, UINT64_MAX / 7, UINT64_MAX};
	(void)state;
	for (size_t k = 0; k < countof(lengths); k++)
		for (int n = 1; n < 1000; n += 199)
			for (int i = 0; i <= n; i++) {
				unsigned __int128 exact = (unsigned __int128)lengths[k] * (unsigned)i / (unsigned)n;
				assert_true(column_edge(0, lengths[k], n, i) == (uint64_t)exact);
			}
}

static void totals_between_samples(void **state)
{
	struct series s;
	(void)state;
	series_init(&s);
	assert_int_equal(series_total(&s, 5), 0);
	series_add(&s, 100, 1000);
	series_add(&s, 200, 1000);
	series_add(&s, 300, 4000);
	series_add(&s, 300, 5000);
	assert_int_equal(series_total(&s, 0), 0);
	assert_int_equal(series_total(&s, 10), 100);
	assert_int_equal(series_total(&s, 100), 1000);
	assert_int_equal(series_total(&s, 150), 1000);
	assert_int_equal(series_total(&s, 250), 2500);
	assert_int_equal(series_total(&s, 301), 5000);
	assert_int_equal(series_total(&s, UINT64_MAX), 5000);
	series_free(&s);
}

static void counters_that_fall_back(void **state)
{
	struct counter c = {0};
	(void)state;
	assert_int_equal(counter_take(&c, 10), 10);
	assert_int_equal(counter_take(&c, 25), 25);
	assert_int_equal(counter_take(&c, 5), 30);
	assert_int_equal(counter_take(&c, 6), 31);
	assert_int_equal(counter_take(&c, UINT64_MAX), UINT64_MAX); /* and no way back to small numbers */
	assert_int_equal(counter_take(&c, 7), UINT64_MAX);
}

static void points_over_chains(void **state)
{
	struct points p;
	struct point at;
	(void)state;
	assert_int_equal(points_init(&p, 3, MAX_POINTS), 0);
	assert_false(points_after(&p, 0, &at));
	assert_false(points_before(&p, UINT64_MAX, &at));
	for (uint64_t i = 0; i < 300; i++)
		points_add(&p, (uint32_t)(i % 3), 10 + i, 1000 + i);
	points_add(&p, 0, 5, 1); /* earlier than what is there */
	assert_int_equal(points_count(&p), 300);
	assert_int_equal(p.more, 1);
	assert_int_equal(points_in(&p, 0, UINT64_MAX, NULL), 300);
	assert_int_equal(points_in(&p, 20, 30, NULL), 10);
	uint64_t t = 0, n = 0;
	for (; points_after(&p, t, &at); t = at.t, n++)
		assert_int_equal(at.off, 1000 + n);
	assert_int_equal(n, 300);
	for (t = UINT64_MAX; points_before(&p, t, &at); t = at.t)
		assert_int_equal(at.off, 1000 + --n);
	assert_int_equal(n, 0);
	points_free(&p);
}

/* Parts of chains give the same tables as their events one by one; of what is past the limit the earliest time is known. */
static void points_of_parts(void **state)
{
	enum { MOST = 100, N = 90, PART = 40, OVER = 130 };
	struct points one, parts;
	struct points_partial part = {0};
	(void)state;
	assert_int_equal(points_init(&one, 1, MOST), 0);
	assert_int_equal(points_init(&parts, 1, MOST), 0);
	for (uint64_t i = 0; i < N + OVER; i++) {
		const struct frame f = {.t = i == N ? 3 : 10 + i, .off = 1000 + i}; /* one of them is too early */
		points_add(&one, 0, f.t, f.off);
		points_now(&parts, &part, &f);
		if ((i < N && i % PART == PART - 1) || i + 1 == N + OVER)
			points_join(&parts, 0, &part);
	}
	assert_null(part.items);
	assert_int_equal(points_count(&parts), MOST);
	assert_int_equal(points_count(&one), MOST);
	assert_int_equal(parts.more, one.more);
	assert_int_equal(parts.more, N + OVER - MOST);
	assert_int_equal(parts.kept_until, 3);
	assert_int_equal(one.kept_until, 3);
	for (size_t i = 0; i < MOST; i++)
		assert_memory_equal(rows_at(&one.tables[0], i), rows_at(&parts.tables[0], i), sizeof(struct point));
	points_free(&one);
	points_free(&parts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(extremes_of_any_range),
		cmocka_unit_test(out_of_order_is_left_out),
		cmocka_unit_test(very_many),
		cmocka_unit_test(steady_samples),
		cmocka_unit_test(columns_of_long_windows),
		cmocka_unit_test(totals_between_samples),
		cmocka_unit_test(counters_that_fall_back),
		cmocka_unit_test(points_over_chains),
		cmocka_unit_test(points_of_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
