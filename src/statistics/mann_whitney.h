/* mann_whitney.h - Mann-Whitney test (Wilcoxon rank sum) of two samples, shift between them, Holm's correction
 *
 * p is two-sided. It is exact if both samples have fewer than MANN_WHITNEY_EXACT values and there are no ties;
 * otherwise it is the normal approximation with tie and continuity corrections. All values must be finite. */
#ifndef EVL_MANN_WHITNEY_H
#define EVL_MANN_WHITNEY_H

#include "base/base.h"

enum { MANN_WHITNEY_EXACT = 50 };

/* Result of the test. */
struct mann_whitney {
	double u;   /* number of pairs with a > b; ties count half */
	double p;   /* 1 if all values are equal */
	bool exact; /* p is exact, not approximated */
};

/* Test a[m] against b[n]; m, n > 0. Return 0 or EVL_NOMEM. */
int mann_whitney(struct mann_whitney *out, const double *a, size_t m, const double *b, size_t n) EVL_MUST_USE;

/* Return the smallest p that samples of these sizes can give: 2 / C(m + n, m). */
double mann_whitney_least(size_t m, size_t n);

/* Hodges-Lehmann estimate of how much greater b is than a: the median of all differences, and its confidence
 * interval [low, high] of level 1 - alpha. */
struct shift {
	double by, low, high; /* median, and ends of the interval */
	/* False: too few values for such an interval; low and high are then the smallest and the largest difference. */
	bool bounded;
};

/* Estimate the shift from a[m] to b[n]. Return 0 or EVL_NOMEM. */
int shift_of(struct shift *out, const double *a, size_t m, const double *b, size_t n, double alpha) EVL_MUST_USE;

/* Return the median of values[n], n > 0. Reorders the values. */
double median_of(double *values, size_t n);

/* Write the n p values, adjusted for multiple tests by Holm's method, to out, in the same order. Return 0 or
 * EVL_NOMEM. */
int holm(double *out, const double *p, size_t n) EVL_MUST_USE;

#endif
