#include "statistics/mann_whitney.h"

#include "base/order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Enough for C(98, 49), and for that times 98. */
typedef unsigned __int128 ways;

/* Count the orders of m and n values that give U = 0 … last: the first coefficients of a Gaussian binomial, the product
 * of (1 - q^(n+i)) / (1 - q^i). Negative intermediate values wrap and come back. */
static ways *make_ways(size_t m, size_t n, size_t last)
{
	ways *table = calloc(last + 1, sizeof *table);
	if (!table)
		return NULL;
	table[0] = 1;
	for (size_t i = 1; i <= m; i++) {
		for (size_t u = last; u >= n + i && u <= last; u--)
			table[u] -= table[u - n - i];
		for (size_t u = i; u <= last; u++)
			table[u] += table[u - i];
	}
	return table;
}

/* The sum of all of them. */
static ways all_ways(size_t m, size_t n)
{
	ways all = 1;
	for (size_t i = 1; i <= m; i++)
		all = all * (n + i) / i;
	return all;
}

static double all_orders(size_t m, size_t n)
{
	double orders = 1;
	for (size_t i = 1; i <= m && orders < 1e300; i++)
		orders = orders * (double)(n + i) / (double)i;
	return orders;
}

double mann_whitney_least(size_t m, size_t n)
{
	double least = 2 / all_orders(m, n);
	return least < 1 ? least : 1;
}

/* --- p ------------------------------------------------------------------------------------------------------------ */

struct ranked {
	double value;
	bool of_a;
};

ORDER_BY(by_value, struct ranked, value);

/* The sum of the ranks of a, equal values sharing theirs; *ties: the sum of t^3 - t over groups of t equal values. */
static double rank_sum(const struct ranked *both, size_t n, double *ties)
{
	double sum = 0;
	*ties = 0;
	for (size_t i = 0, j; i < n; i = j) {
		size_t of_a = 0;
		for (j = i; j < n && both[j].value <= both[i].value; j++)
			of_a += both[j].of_a;
		double t = (double)(j - i);
		sum += (double)of_a * (double)(i + 1 + j) / 2;
		*ties += t * t * t - t;
	}
	return sum;
}

/* The smaller tail, twice; both are the same. */
static int exact_p(double *p, double u, size_t m, size_t n)
{
	size_t at = (size_t)u, last = m * n - at < at ? m * n - at : at;
	ways *table = make_ways(m, n, last), tail = 0;
	if (!table)
		return EVL_NOMEM;
	for (size_t i = 0; i <= last; i++)
		tail += table[i];
	free(table);
	*p = 2 * ((double)tail / (double)all_ways(m, n));
	return 0;
}

static double normal_p(double u, double m, double n, double ties)
{
	double z = u - m * n / 2, all = m + n;
	double variance = m * n / 12 * (all + 1 - ties / (all * (all - 1)));
	if (!(variance > 0))
		return 1;
	z = z > 0 ? z - 0.5 : z < 0 ? z + 0.5 : 0;
	return erfc(fabs(z) / sqrt(variance) / sqrt(2));
}

int mann_whitney(struct mann_whitney *out, const double *a, size_t m, const double *b, size_t n)
{
	struct ranked *both = malloc((m + n) * sizeof *both);
	double ties;
	int result = 0;
	if (!both)
		return EVL_NOMEM;
	for (size_t i = 0; i < m + n; i++)
		both[i] = (struct ranked){i < m ? a[i] : b[i - m], i < m};
	qsort(both, m + n, sizeof *both, by_value);
	*out = (struct mann_whitney){.u = rank_sum(both, m + n, &ties) - (double)m * (double)(m + 1) / 2};
	free(both);
	out->exact = !(ties > 0) && m < MANN_WHITNEY_EXACT && n < MANN_WHITNEY_EXACT;
	if (out->exact)
		result = exact_p(&out->p, out->u, m, n);
	else
		out->p = normal_p(out->u, (double)m, (double)n, ties);
	out->p = out->p < 1 ? out->p : 1;
	return result;
}

/* --- the shift ---------------------------------------------------------------------------------------------------- */

static double middle(const double *sorted, size_t n)
{
	return n % 2 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
}

double median_of(double *values, size_t n)
{
	assert(n > 0);
	qsort(values, n, sizeof *values, by_double);
	return middle(values, n);
}

/* z with P(Z < -z) = tail. */
static double normal_quantile(double tail)
{
	enum { STEPS = 60 };
	double low = 0, high = 40;
	for (int i = 0; i < STEPS; i++) {
		double z = (low + high) / 2;
		if (erfc(z / sqrt(2)) / 2 > tail)
			low = z;
		else
			high = z;
	}
	return high;
}

/* The largest k with P(U < k) <= tail: the k lowest and the k highest differences are outside. */
static int outside(size_t *k, size_t m, size_t n, double tail)
{
	double pairs = (double)m * (double)n;
	*k = 0;
	if (m >= MANN_WHITNEY_EXACT || n >= MANN_WHITNEY_EXACT) {
		double at = pairs / 2 - 0.5 - normal_quantile(tail) * sqrt(pairs * (double)(m + n + 1) / 12);
		*k = at > 0 ? (size_t)at : 0;
		return 0;
	}
	/* below half of it tail is reached */
	size_t last = m * n / 2;
	ways *table = make_ways(m, n, last), all = all_ways(m, n), below = 0;
	if (!table)
		return EVL_NOMEM;
	while (*k < last && (double)(below + table[*k]) / (double)all <= tail)
		below += table[(*k)++];
	free(table);
	return 0;
}

int shift_of(struct shift *out, const double *a, size_t m, const double *b, size_t n, double alpha)
{
	size_t pairs = m * n, k;
	double *all = malloc(pairs * sizeof *all);
	int result = all ? outside(&k, m, n, alpha / 2) : EVL_NOMEM;
	if (result == 0) {
		for (size_t i = 0; i < pairs; i++)
			all[i] = b[i % n] - a[i / n];
		qsort(all, pairs, sizeof *all, by_double);
		size_t cut = k > 0 ? k - 1 : 0;
		*out = (struct shift){
			.by = middle(all, pairs), .low = all[cut], .high = all[pairs - 1 - cut], .bounded = k > 0};
	}
	free(all);
	return result;
}

/* --- many tests --------------------------------------------------------------------------------------------------- */

struct placed {
	double p;
	size_t place;
};

COMPARE_BY(by_p, struct placed, RISING(p) ?: RISING(place));

int holm(double *out, const double *p, size_t n)
{
	struct placed *order = malloc((n ? n : 1) * sizeof *order);
	double most = 0;
	if (!order)
		return EVL_NOMEM;
	for (size_t i = 0; i < n; i++)
		order[i] = (struct placed){p[i], i};
	qsort(order, n, sizeof *order, by_p);
	for (size_t i = 0; i < n; i++) {
		double corrected = (double)(n - i) * order[i].p;
		most = corrected > most ? corrected : most;
		out[order[i].place] = most < 1 ? most : 1;
	}
	free(order);
	return 0;
}
