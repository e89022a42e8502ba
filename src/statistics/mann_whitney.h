/* mann_whitney.h - Mann-Whitney test (Wilcoxon rank sum) of two sets: p, shift with its interval, Holm's correction.
 *
 * p is two-sided: exact where both sets have fewer than MANN_WHITNEY_EXACT values and no two are equal, else the normal
 * approximation, corrected for ties and for continuity. All values must be finite. */
#ifndef EVL_MANN_WHITNEY_H
#define EVL_MANN_WHITNEY_H

#include "base/base.h"

enum { MANN_WHITNEY_EXACT = 50 };

struct mann_whitney {
	double u; /* pairs in which a is greater than b; equal ones count half */
	double p; /* 1 where all values are equal */
	bool exact;
};

/* Test a[m] against b[n]; m, n > 0. Return 0 or EVL_NOMEM. */
int mann_whitney(struct mann_whitney *out, const double *a, size_t m, const double *b, size_t n) EVL_MUST_USE;

/* The least p that sets of these sizes can give: 2 / C(m + n, m). */
double mann_whitney_least(size_t m, size_t n);

/* How much greater b is than a (Hodges and Lehmann): the median of all differences, and an interval that holds the shift
 * with confidence 1 - alpha. */
struct shift {
	double by, low, high;
	bool bounded; /* so few values allow such an interval; else low and high are those of all differences */
};

/* Estimate the shift from a[m] to b[n]. Return 0 or EVL_NOMEM. */
int shift_of(struct shift *out, const double *a, size_t m, const double *b, size_t n, double alpha) EVL_MUST_USE;

/* The median; the order of the values is changed. n > 0. */
double median_of(double *values, size_t n);

/* Write Holm's correction of n values of p to out, in the same order. Return 0 or EVL_NOMEM. */
int holm(double *out, const double *p, size_t n) EVL_MUST_USE;

#endif
