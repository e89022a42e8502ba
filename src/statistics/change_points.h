/* change_points.h - where a series of values changed its level: rank statistics of all splits, tested by permutation.
 *
 * The statistic of a split is Mann-Whitney's U of the values before and after it, divided by its standard deviation; that of
 * a series is the largest of all splits. p is the share of permutations whose statistic is at least as large. A series
 * that changed is cut there, and both pieces are tested again. */
#ifndef EVL_CHANGE_POINTS_H
#define EVL_CHANGE_POINTS_H

#include "base/base.h"

enum { CHANGES_MOST = 32 };

struct change {
	size_t at;            /* the first step of the new level */
	double p;             /* of this split in its piece of the series */
	double before, after; /* medians of the pieces on both sides */
};

struct changes {
	struct change items[CHANGES_MOST]; /* in order */
	size_t n;
	double p;  /* of the whole series */
	bool more; /* further changes did not fit */
};

/* Find changes with p at most alpha. steps[n_steps + 1]: step i has the values [steps[i], steps[i + 1]); changes lie between
 * steps. Return 0 or EVL_NOMEM. */
int change_points(
	struct changes *out, const double *values, const size_t *steps, size_t n_steps, double alpha) EVL_MUST_USE;

#endif
