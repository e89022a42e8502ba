/* census_window.h - bands of a heap profile in a range of time: mean, peak, growth rate, curve.
 *
 * Growth is the slope of the least-squares line through the samples of the range, in bytes per second, a band absent
 * from a sample counting as 0; r2 is the share of its variance that the line explains. */
#ifndef EVL_CENSUS_WINDOW_H
#define EVL_CENSUS_WINDOW_H

#include "heap/census_survey.h"

enum { CENSUS_SPARK = 16 };

/* Statistics of one band: sums over bytes x and times t, in seconds from the middle of the range. */
struct band_course {
	double x, xx, tx;
	double area; /* bytes times seconds, straight from sample to sample */
	uint64_t peak;
	uint32_t peak_at;             /* sample */
	uint32_t n;                   /* samples that name it */
	uint16_t spark[CENSUS_SPARK]; /* the largest value in each part of the stretch, as census_rough */
};

struct census_window {
	size_t from, to;             /* samples [from, to) */
	struct band_course *courses; /* by number */
	size_t n_bands;
	struct band_course all; /* of the totals */
	double t, tt;           /* sums of times, and of their squares */
	bool timed;             /* the times are real */
};

/* 0, EVL_CANCELLED or EVL_NOMEM; then there is nothing to free. */
int census_window(struct census_window *w, struct census_survey *s, const struct census_axis *axis, size_t from,
	size_t to, const struct census_run *run) EVL_MUST_USE;
void census_window_free(struct census_window *w);

struct census_growth {
	double slope, r2; /* bytes per second; r2 is NAN if all values are the same */
	bool known;       /* three samples or more, at times that are known */
};
struct census_growth census_growth(const struct census_window *w, const struct band_course *course);

/* The standard deviation over all samples of the window. */
double census_deviation(const struct census_window *w, const struct band_course *course);

/* The mean over all samples of the window. */
double census_mean(const struct census_window *w, const struct band_course *course);

/* A number of bytes in 16 bits, right to 1/512, and back. */
uint16_t census_rough(uint64_t bytes);
uint64_t census_smooth(uint16_t rough);

/* --- the picture --------------------------------------------------------------------------------------------------- */

enum { CENSUS_SLOTS = 14 }; /* bands that are drawn separately, the last for all others */

/* A moment of the picture: what each slot holds then. */
struct census_knot {
	uint64_t t, total;
	uint64_t parts[CENSUS_SLOTS];
};

/* Choose the samples for a picture of `cols` columns, into out (cols + 2 of them): the largest sample of each
 * column, and the neighbours of the window; which = their number. Their parts are not filled in. */
size_t census_knots(const struct census_survey *s, const struct census_axis *axis, uint64_t t0, uint64_t t1, int cols,
	struct census_knot *out, size_t *which);

/* What each slot holds in the column [from, to): of the knot in it, or between two of them straight from one to the next. Return
 * false before the first and after the last. */
bool census_knots_at(const struct census_knot *knots, size_t n, uint64_t from, uint64_t to, double *values);

/* Meaning of the slots of a picture. */
struct census_slots {
	uint32_t bands[CENSUS_SLOTS];
	int n;              /* separate bands; all others go to the last slot */
	bool alone;         /* but not if they are all that is to be seen */
	const bool *hidden; /* by number: bands that are left out; NULL: none */
};

/* Fill in the parts of knots, and recompute their totals. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int census_knots_fill(struct census_knot *knots, const size_t *which, size_t n_knots, const struct census_slots *slots,
	struct census_survey *s, const struct census_run *run) EVL_MUST_USE;

#endif
