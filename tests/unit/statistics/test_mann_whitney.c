/* The Mann-Whitney test against counting all orders one by one, and against a table of p from R's wilcox.test; Holm's
 * correction against its definition; how often equal sets raise an alarm, and a shift is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "statistics/mann_whitney.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 1;

static uint64_t draw(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static double uniform(void) { return ((double)(draw() >> 11) + 0.5) / 9007199254740992.0; }
static double gauss(void) { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()); }

/* Pairs in which a is greater, equal ones half: straight from the definition. */
static double pairs(const double *a, size_t m, const double *b, size_t n)
{
	double u = 0;
	for (size_t i = 0; i < m; i++)
		for (size_t k = 0; k < n; k++)
			u += a[i] > b[k] ? 1 : a[i] < b[k] ? 0 : 0.5;
	return u;
}

/* Of all ways to choose which m of the values are a: the share with U at most as far in the same tail, doubled. */
static double enumerated(const double *a, size_t m, const double *b, size_t n)
{
	double all[16], one[16], other[16], u = pairs(a, m, b, n), middle = (double)m * (double)n / 2;
	size_t total = m + n, far = 0, ways = 0;
	for (size_t i = 0; i < total; i++)
		all[i] = i < m ? a[i] : b[i - m];
	for (uint32_t set = 0; set < 1u << total; set++) {
		size_t i = 0, k = 0;
		if ((size_t)__builtin_popcount(set) != m)
			continue;
		for (size_t x = 0; x < total; x++)
			*(set >> x & 1 ? &one[i++] : &other[k++]) = all[x];
		double is = pairs(one, m, other, n);
		ways++;
		far += u > middle ? is >= u : is <= u;
	}
	double p = 2 * (double)far / (double)ways;
	return p < 1 ? p : 1;
}

static void exact_is_what_all_orders_give(void **unused)
{
	(void)unused;
	for (int round = 0; round < 200; round++) {
		double a[8], b[8];
		size_t m = 1 + draw() % 6, n = 1 + draw() % 6;
		struct mann_whitney is;
		for (size_t i = 0; i < m; i++)
			a[i] = gauss();
		for (size_t i = 0; i < n; i++)
			b[i] = gauss() + (round % 3 ? 1 : 0);
		assert_int_equal(mann_whitney(&is, a, m, b, n), 0);
		assert_true(is.exact);
		assert_true(fabs(is.u - pairs(a, m, b, n)) < 1e-9);
		assert_true(fabs(is.p - enumerated(a, m, b, n)) < 1e-12);
		assert_true(is.p >= mann_whitney_least(m, n) - 1e-15);
	}
}

/* The correction for ties from the variance of shared ranks, by its definition. */
static double approximate(const double *a, size_t m, const double *b, size_t n)
{
	double ranks[200], mean = 0, squares = 0, u = pairs(a, m, b, n);
	size_t total = m + n;
	for (size_t i = 0; i < total; i++) {
		double x = i < m ? a[i] : b[i - m];
		ranks[i] = 0.5;
		for (size_t k = 0; k < total; k++) {
			double y = k < m ? a[k] : b[k - m];
			ranks[i] += y < x ? 1 : y > x ? 0 : 0.5;
		}
		mean += ranks[i] / (double)total;
	}
	for (size_t i = 0; i < total; i++)
		squares += (ranks[i] - mean) * (ranks[i] - mean);
	double variance = (double)m * (double)n * squares / ((double)total * (double)(total - 1)),
	       z = u - (double)(m * n) / 2;
	if (!(variance > 1e-12))
		return 1;
	z = z > 0 ? z - 0.5 : z < 0 ? z + 0.5 : 0;
	double p = erfc(fabs(z) / sqrt(2 * variance));
	return p < 1 ? p : 1;
}

static void ties_and_large_sets_are_normal(void **unused)
{
	(void)unused;
	for (int round = 0; round < 300; round++) {
		double a[90], b[90];
		bool large = round % 3 == 0;
		size_t m = large ? 50 + draw() % 40 : 1 + draw() % 12, n = large ? 1 + draw() % 90 : 1 + draw() % 12;
		struct mann_whitney is;
		for (size_t i = 0; i < m; i++)
			a[i] = large ? gauss() : floor(3 * gauss());
		for (size_t i = 0; i < n; i++)
			b[i] = large ? gauss() + 0.3 : floor(3 * gauss() + 1);
		assert_int_equal(mann_whitney(&is, a, m, b, n), 0);
		if (!is.exact)
			assert_true(fabs(is.p - approximate(a, m, b, n)) < 1e-9);
		else
			assert_false(large);
	}
}

static void equal_values_give_one(void **unused)
{
	(void)unused;
	double a[] = {7, 7, 7}, b[] = {7, 7};
	struct mann_whitney is;
	struct shift s;
	assert_int_equal(mann_whitney(&is, a, 3, b, 2), 0);
	assert_true(fabs(is.p - 1) < 1e-15 && fabs(is.u - 3) < 1e-15);
	assert_int_equal(shift_of(&s, a, 3, b, 2, 0.05), 0);
	assert_true(fabs(s.by) < 1e-15 && !s.bounded);
}

/* --- R ------------------------------------------------------------------------------------------------------------ */

/* Lines of wilcoxon.tsv: p, then the values of a, "|", those of b; made by tests/tools/wilcoxon.R. */
static void equals_r(void **unused)
{
	(void)unused;
	FILE *file = fopen("tests/unit/statistics/wilcoxon.tsv", "r");
	char line[8192];
	int rows = 0, tied = 0;
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		double sets[2][100], p;
		size_t n[2] = {0, 0};
		int side = 0;
		char *rest;
		if (*line == '#')
			continue;
		p = strtod(line, &rest);
		for (char *word = strtok(rest, "\t\n"); word; word = strtok(NULL, "\t\n")) {
			if (*word == '|')
				side = 1;
			else
				sets[side][n[side]++] = strtod(word, NULL);
		}
		struct mann_whitney is;
		assert_int_equal(mann_whitney(&is, sets[0], n[0], sets[1], n[1]), 0);
		assert_true(fabs(is.p - p) <= 1e-9);
		rows++;
		tied += !is.exact;
	}
	fclose(file);
	assert_true(rows >= 50 && tied >= 15 && tied <= rows - 15);
}

/* --- the shift ---------------------------------------------------------------------------------------------------- */

/* The interval holds those shifts that the test does not refuse. */
static void interval_is_what_the_test_accepts(void **unused)
{
	(void)unused;
	for (int round = 0; round < 100; round++) {
		double a[12], b[12], moved[12];
		size_t m = 4 + draw() % 8, n = 4 + draw() % 8;
		struct shift s;
		struct mann_whitney is;
		for (size_t i = 0; i < m; i++)
			a[i] = gauss();
		for (size_t i = 0; i < n; i++)
			b[i] = gauss() + 2;
		assert_int_equal(shift_of(&s, a, m, b, n, 0.05), 0);
		assert_true(s.low <= s.by && s.by <= s.high);
		double tries[] = {s.low + 1e-9, s.high - 1e-9, s.low - 1e-9, s.high + 1e-9};
		for (size_t k = 0; k < countof(tries); k++) {
			for (size_t i = 0; i < n; i++)
				moved[i] = b[i] - tries[k];
			assert_int_equal(mann_whitney(&is, a, m, moved, n), 0);
			if (s.bounded)
				assert_true(is.exact && (is.p > 0.05) == (k < 2));
		}
	}
}

static void few_values_bound_nothing(void **unused)
{
	(void)unused;
	double a[] = {1, 2, 3}, b[] = {4, 5, 6};
	struct shift s;
	assert_int_equal(shift_of(&s, a, 3, b, 3, 0.05), 0);
	assert_false(s.bounded); /* the least p is 0.1 */
	assert_true(fabs(s.by - 3) < 1e-12 && fabs(s.low - 1) < 1e-12 && fabs(s.high - 5) < 1e-12);
}

/* --- Holm --------------------------------------------------------------------------------------------------------- */

/* A hypothesis is refused at alpha if and only if all with a p at most as large are, one after another, each at
 * alpha / (number left). */
static bool refused(const double *p, size_t n, size_t which, double alpha)
{
	bool done[64] = {false};
	for (size_t left = n; left > 0; left--) {
		size_t least = n;
		for (size_t i = 0; i < n; i++)
			if (!done[i] && (least == n || p[i] < p[least]))
				least = i;
		if (p[least] * (double)left > alpha)
			return false;
		if (least == which)
			return true;
		done[least] = true;
	}
	return false;
}

static void holm_steps_down(void **unused)
{
	(void)unused;
	for (int round = 0; round < 200; round++) {
		double p[20], out[20], alpha = 0.001 + 0.3 * uniform();
		size_t n = 1 + draw() % 20;
		for (size_t i = 0; i < n; i++)
			p[i] = uniform() * uniform() * uniform();
		assert_int_equal(holm(out, p, n), 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(out[i] <= alpha, refused(p, n, i, alpha));
	}
}

/* --- alarms ------------------------------------------------------------------------------------------------------- */

enum { FIGURES = 60, RUNS = 10 };

/* Figures of a run are related: they share the speed of the machine. Some are whole numbers with many ties. */
static void run_of(double *values, double shift)
{
	double speed = 0.01 * gauss();
	for (int f = 0; f < FIGURES; f++) {
		double x = 1e6 * exp(speed + 0.01 * gauss() + (f == 0 ? shift : 0));
		values[f] = f % 4 == 1 ? floor(x / 1e4) : f % 4 == 2 ? 5 : x;
	}
}

/* How many figures the family accuses; *first: is the first one among them? */
static int alarms(double shift, bool *first)
{
	double runs[2 * RUNS][FIGURES], p[FIGURES], corrected[FIGURES];
	int n = 0;
	for (int i = 0; i < 2 * RUNS; i++)
		run_of(runs[i], i < RUNS ? 0 : shift);
	for (int f = 0; f < FIGURES; f++) {
		double a[RUNS], b[RUNS];
		struct mann_whitney is;
		for (int i = 0; i < RUNS; i++) {
			a[i] = runs[i][f];
			b[i] = runs[RUNS + i][f];
		}
		assert_int_equal(mann_whitney(&is, a, RUNS, b, RUNS), 0);
		p[f] = is.p;
	}
	assert_int_equal(holm(corrected, p, FIGURES), 0);
	for (int f = 0; f < FIGURES; f++)
		n += corrected[f] <= 0.05;
	*first = corrected[0] <= 0.05;
	return n;
}

static void equal_sets_raise_few_alarms(void **unused)
{
	(void)unused;
	int families = 0;
	bool first;
	state = 20;
	for (int i = 0; i < 1000; i++)
		families += alarms(0, &first) > 0;
	print_message("# of 1,000 pairs of equal sets %d raise an alarm\n", families);
	assert_true(families <= 50);
}

static void five_per_cent_are_found(void **unused)
{
	(void)unused;
	int found = 0;
	bool first;
	state = 30;
	for (int i = 0; i < 1000; i++) {
		alarms(log(1.05), &first);
		found += first;
	}
	print_message("# +5 %% in 10 against 10 runs with 1.4 %% of spread: found in %d of 1,000\n", found);
	assert_true(found >= 950);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(exact_is_what_all_orders_give),
		cmocka_unit_test(ties_and_large_sets_are_normal), cmocka_unit_test(equal_values_give_one),
		cmocka_unit_test(equals_r), cmocka_unit_test(interval_is_what_the_test_accepts),
		cmocka_unit_test(few_values_bound_nothing), cmocka_unit_test(holm_steps_down),
		cmocka_unit_test(equal_sets_raise_few_alarms), cmocka_unit_test(five_per_cent_are_found)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
