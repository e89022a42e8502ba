/* histogram.h - histogram of durations for quantiles (p50, p99) within 1 %, and exact quantiles of an array.
 *
 * Buckets are 1/64 of a power of two wide (exact below 128), so the middle of a bucket is at most 0.8 % off any
 * value in it. 31 KB, whatever is added. */
#ifndef EVL_HISTOGRAM_H
#define EVL_HISTOGRAM_H

#include "base/base.h"

enum { HISTOGRAM_BITS = 6, HISTOGRAM_CLASSES = (64 - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS };

struct histogram {
	uint64_t n, total, max;
	uint64_t counts[HISTOGRAM_CLASSES];
};

void histogram_add(struct histogram *h, uint64_t value);

/* Add all values of another one. */
void histogram_join(struct histogram *h, const struct histogram *more);

/* Return the percentile: the least value that `percent` of all do not exceed. The largest is exact; 0 if there are
 * no values. */
uint64_t histogram_quantile(const struct histogram *h, unsigned percent);

/* The same of values[n], exactly; their order is changed. 0 where n is 0. */
uint64_t quantile_of(uint64_t *values, size_t n, unsigned percent);

#endif
