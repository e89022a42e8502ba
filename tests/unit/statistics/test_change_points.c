/* Change points: found where a series was built with them, at the right step, and not in series without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "statistics/change_points.h"

#include <math.h>

enum { STEPS = 60, MOST = 3 * STEPS };

static uint64_t state;

static double noise(void)
{
	double sum = 0;
	for (int i = 0; i < 12; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(state >> 11) / 9007199254740992.0;
	}
	return sum - 6;
}

static size_t steps[STEPS + 1];

/* runs: values per step. */
static void even_steps(size_t runs)
{
	for (size_t i = 0; i <= STEPS; i++)
		steps[i] = i * runs;
}

static void found_where_they_are(void **unused)
{
	(void)unused;
	for (size_t runs = 1; runs <= 3; runs++) {
		double values[MOST];
		struct changes c;
		state = runs;
		even_steps(runs);
		for (size_t i = 0; i < STEPS * runs; i++)
			values[i] = 100 + noise() + (i / runs >= 20 ? 10 : 0) + (i / runs >= 45 ? -5 : 0);
		assert_int_equal(change_points(&c, values, steps, STEPS, 0.001), 0);
		assert_int_equal(c.n, 2);
		assert_int_equal(c.items[0].at, 20);
		assert_int_equal(c.items[1].at, 45);
		assert_true(fabs(c.items[0].before - 100) < 1 && fabs(c.items[0].after - 110) < 1);
		assert_true(fabs(c.items[1].before - 110) < 1 && fabs(c.items[1].after - 105) < 1);
		assert_true(c.items[0].p <= 0.001 && c.p <= 0.001);
	}
}

static void none_where_there_are_none(void **unused)
{
	(void)unused;
	int alarms = 0;
	state = 7;
	even_steps(1);
	for (int round = 0; round < 200; round++) {
		double values[MOST];
		struct changes c;
		for (size_t i = 0; i < STEPS; i++)
			values[i] = round % 2 ? noise() : floor(2 * noise());
		assert_int_equal(change_points(&c, values, steps, STEPS, 0.05), 0);
		alarms += c.n > 0;
	}
	print_message("# of 200 series without a change %d raise an alarm at 0.05\n", alarms);
	assert_true(alarms <= 19); /* P(more) < 0.005 */
}

/* The p of a short series from all of its permutations. */
static double best(const double *v, size_t n)
{
	double most = 0;
	for (size_t k = 2; k + 2 <= n; k++) {
		double sum = 0;
		for (size_t i = 0; i < k; i++)
			for (size_t j = 0; j < n; j++)
				sum += (v[j] < v[i]) - (v[j] > v[i]);
		double is = fabs(sum) / sqrt((double)k * (double)(n - k));
		most = is > most ? is : most;
	}
	return most;
}

static void permute(double *v, size_t n, size_t at, double is, size_t *larger, size_t *all)
{
	if (at == n) {
		++*all;
		*larger += best(v, n) >= is * (1 - 1e-12);
		return;
	}
	for (size_t i = at; i < n; i++) {
		double swap = v[at];
		v[at] = v[i];
		v[i] = swap;
		permute(v, n, at + 1, is, larger, all);
		v[i] = v[at];
		v[at] = swap;
	}
}

static void p_is_that_of_all_permutations(void **unused)
{
	(void)unused;
	enum { N = 8 };
	state = 3;
	even_steps(1);
	for (int round = 0; round < 6; round++) {
		double values[N], copy[N];
		struct changes c;
		size_t larger = 0, all = 0;
		for (size_t i = 0; i < N; i++)
			copy[i] = values[i] = noise() + (i >= 4 ? round : 0);
		permute(copy, N, 0, best(values, N), &larger, &all);
		double want = (double)larger / (double)all;
		assert_int_equal(change_points(&c, values, steps, N, 1e-5), 0);
		/* Early ends are known to within a fifth or so of p; the others to 9,999 permutations and more. */
		assert_true(fabs(c.p - want) < 0.02 + want / 2);
	}
}

static void same_values_never_change(void **unused)
{
	(void)unused;
	double values[STEPS] = {0};
	struct changes c;
	even_steps(1);
	assert_int_equal(change_points(&c, values, steps, STEPS, 0.05), 0);
	assert_int_equal(c.n, 0);
	assert_true(fabs(c.p - 1) < 1e-15);
	assert_int_equal(change_points(&c, values, steps, 1, 0.05), 0);
	assert_int_equal(c.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(found_where_they_are),
		cmocka_unit_test(none_where_there_are_none), cmocka_unit_test(p_is_that_of_all_permutations),
		cmocka_unit_test(same_values_never_change)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
