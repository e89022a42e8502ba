/* change_points.h - find where a series of measurements changed its level, by rank statistics and a permutation test
 *
 * The statistic of a split is the distance of Mann-Whitney's U, of the values before and after the split, from its
 * mean, in standard deviations (up to a factor that is the same for all splits of a series). The statistic of a series
 * is the largest of all its splits. p is the share of permutations of the series with a statistic at least as large. A
 * series that changed is cut at its best split, and both pieces are tested again. */
#ifndef EVL_CHANGE_POINTS_H
#define EVL_CHANGE_POINTS_H

#include "base/base.h"

enum { CHANGES_MOST = 32 };

/* A change of level. */
struct change {
	size_t at;            /* index of the first step with the new level */
	double p;             /* p of the piece of the series that this change splits */
	double before, after; /* medians of the pieces on its two sides */
};

struct changes {
	struct change items[CHANGES_MOST]; /* ordered by `at` */
	size_t n;
	double p;  /* p of the whole series */
	bool more; /* further changes did not fit into items */
};

/* Find the changes with p <= alpha. A series has n_steps steps, each with one or more values: step i has
 * values[steps[i]] up to, but not including, values[steps[i + 1]]. Changes lie between steps. Return 0 or EVL_NOMEM. */
int change_points(
	struct changes *out, const double *values, const size_t *steps, size_t n_steps, double alpha) EVL_MUST_USE;

#endif
