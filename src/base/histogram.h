/* histogram.h - histogram of durations for quantiles (p50, p99) within 1 %, and exact quantiles of an array.
 *
 * Values below 128 are exact. Above that, a bucket is 1/64 of a power of two wide, so the middle of a bucket differs by
 * at most 0.8 % from any value in it. A histogram has a fixed size of 31 KB. */
#ifndef EVL_HISTOGRAM_H
#define EVL_HISTOGRAM_H

#include "base/base.h"

enum { HISTOGRAM_BITS = 6, HISTOGRAM_CLASSES = (64 - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS };

struct histogram {
	uint64_t n, total, max;
	uint64_t counts[HISTOGRAM_CLASSES];
};

enum { HISTOGRAM_EXACT = 2 << HISTOGRAM_BITS }; /* each smaller value has a class to itself */

/* Add a value. */
static inline void histogram_add(struct histogram *h, uint64_t value)
{
	const unsigned shift = value < HISTOGRAM_EXACT ? 0 : 63u - (unsigned)__builtin_clzll(value) - HISTOGRAM_BITS;
	h->counts[(shift << HISTOGRAM_BITS) + (unsigned)(value >> shift)]++;
	h->n++;
	h->total += value;
	h->max = max_u64(h->max, value);
}

/* Add all values of another histogram. */
void histogram_join(struct histogram *h, const struct histogram *more);

/* Return the percentile: the smallest value v such that at least `percent` percent of the values are <= v, to within
 * 0.8 %. The maximum is exact. Return 0 if there are no values. */
uint64_t histogram_quantile(const struct histogram *h, unsigned percent);

/* Return the exact percentile of values[n], which are reordered, or 0 if n is 0. */
uint64_t quantile_of(uint64_t *values, size_t n, unsigned percent);

/* Return the value that has this index, less than n, when values[n] are sorted; they are reordered. */
uint64_t value_of_rank(uint64_t *values, size_t n, size_t rank);

#endif
