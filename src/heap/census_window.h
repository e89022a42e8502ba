/* census_window.h - bands of a heap profile in a range of time: mean, peak, growth rate, curve.
 *
 * A band is one label or cost-centre stack of the profile. Growth is the slope of the least-squares line through the
 * samples of the range, in bytes per second; a band absent from a sample counts as 0 there. r2 is the share of the
 * variance that the line explains. */
#ifndef EVL_CENSUS_WINDOW_H
#define EVL_CENSUS_WINDOW_H

#include "heap/census_survey.h"

enum { CENSUS_SPARK = 16 };

/* Sums for one band over the samples of the range, for bytes x and time t in seconds from the middle of the range. */
struct band_course {
	double x, xx, tx;
	double area; /* integral in byte-seconds, interpolated linearly between samples */
	uint64_t peak;
	uint32_t peak_at; /* sample with the peak */
	uint32_t n;       /* number of samples that contain the band */
	/* sparkline: largest value in each of 16 parts of the range, converted by census_rough */
	uint16_t spark[CENSUS_SPARK];
};

struct census_window {
	size_t from, to;             /* samples [from, to) */
	struct band_course *courses; /* by band number */
	size_t n_bands;
	struct band_course all; /* of the totals of the samples */
	double t, tt;           /* sum of the times, sum of their squares */
	bool timed;             /* the times are known */
};

/* Compute the sums from samples [from, to), as numbered on the time axis (census_survey.h). Return 0, or EVL_CANCELLED
 * or EVL_NOMEM with nothing to free. */
int census_window(struct census_window *w, struct census_survey *s, const struct census_axis *axis, size_t from,
	size_t to, const struct census_run *run) EVL_MUST_USE;
void census_window_free(struct census_window *w);

struct census_growth {
	double slope, r2; /* slope in bytes per second; r2 is NaN if all values are equal */
	bool known;       /* at least three samples, at known times */
};

/* Return the growth of a band in the window. */
struct census_growth census_growth(const struct census_window *w, const struct band_course *course);

/* Return the standard deviation, in bytes, over all samples of the window. */
double census_deviation(const struct census_window *w, const struct band_course *course);

/* Return the mean, in bytes, over all samples of the window. */
double census_mean(const struct census_window *w, const struct band_course *course);

/* Convert a number of bytes to 16 bits with an error of at most 1/512, and back. */
uint16_t census_rough(uint64_t bytes);
uint64_t census_smooth(uint16_t rough);

/* --- stacked bands over time, to be drawn ------------------------------------------------------------------------ */

/* Slots, the parts of a drawn stack: one for each of the largest bands; the last slot is for all other bands. */
enum { CENSUS_SLOTS = 14 };

/* A knot, one point of the drawn curves: its time, the total, and the bytes of each slot. */
struct census_knot {
	uint64_t t, total;
	uint64_t parts[CENSUS_SLOTS];
};

/* Choose the samples to draw for [t0, t1) in `cols` columns: the largest sample of each column, and the last sample
 * before and the first after the range. Store their times and totals in `out` and their indices on the time axis in
 * `which`, both with room for cols + 2. The bytes of the slots are left 0. Return the number of samples. */
size_t census_knots(const struct census_survey *s, const struct census_axis *axis, uint64_t t0, uint64_t t1, int cols,
	struct census_knot *out, size_t *which);

/* Store the bytes of each slot in the column [from, to): those of the first knot in it, or else interpolated linearly
 * between the knots around it. Return false before the first knot and after the last. */
bool census_knots_at(const struct census_knot *knots, size_t n, uint64_t from, uint64_t to, double *values);

/* The bands to draw. */
struct census_slots {
	uint32_t bands[CENSUS_SLOTS];
	int n;              /* number of bands with their own slot; all others share the last slot */
	bool alone;         /* show only these bands: the others are omitted */
	const bool *hidden; /* by band number: omitted bands; may be NULL */
};

/* Read the samples of the knots, fill in their parts and recompute their totals. Return 0, EVL_CANCELLED or
 * EVL_NOMEM. */
int census_knots_fill(struct census_knot *knots, const size_t *which, size_t n_knots, const struct census_slots *slots,
	struct census_survey *s, const struct census_run *run) EVL_MUST_USE;

#endif
