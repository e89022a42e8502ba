#include "base/histogram.h"

enum { EXACT = HISTOGRAM_EXACT };

/* The middle of what falls into a class. */
static uint64_t middle_of(unsigned class)
{
	if (class < EXACT)
		return class;
	unsigned shift = (class >> HISTOGRAM_BITS) - 1;
	uint64_t first = (uint64_t)((class & ((1u << HISTOGRAM_BITS) - 1)) + (1u << HISTOGRAM_BITS)) << shift;
	return first + ((1ull << shift) - 1) / 2;
}

void histogram_join(struct histogram *h, const struct histogram *more)
{
	h->n += more->n;
	h->total += more->total;
	h->max = max_u64(h->max, more->max);
	for (unsigned i = 0; more->n && i < HISTOGRAM_CLASSES; i++)
		h->counts[i] += more->counts[i];
}

/* Return the index, among n values in order, of the percentile: the first value that `percent` of all do not exceed. */
static uint64_t rank_of(uint64_t n, unsigned percent)
{
	uint64_t rank = n / 100 * percent + (n % 100 * percent + 99) / 100;
	return rank ? rank - 1 : 0;
}

uint64_t histogram_quantile(const struct histogram *h, unsigned percent)
{
	uint64_t rank = rank_of(h->n, percent), below = 0;
	if (h->n == 0 || rank == h->n - 1)
		return h->max;
	for (unsigned i = 0; i < HISTOGRAM_CLASSES; i++)
		if ((below += h->counts[i]) > rank)
			return min_u64(middle_of(i), h->max);
	return h->max;
}

/* Return the value that divides values[low..high]: the middle one. A crafted log can make the middle one the smallest every
 * time, so after 64 rounds return the mean of the smallest and the largest, which halves their distance in each round. */
static uint64_t pivot_of(const uint64_t *values, size_t low, size_t high, unsigned round)
{
	if (round < 64)
		return values[low + (high - low) / 2];
	uint64_t min = UINT64_MAX, max = 0;
	for (size_t i = low; i <= high; i++) {
		min = min_u64(min, values[i]);
		max = max_u64(max, values[i]);
	}
	return min + (max - min) / 2;
}

/* Quickselect (Hoare): put the value of that rank at its place, smaller ones before it, larger ones after it. */
uint64_t value_of_rank(uint64_t *values, size_t n, size_t rank)
{
	size_t low = 0, high = n - 1;
	for (unsigned round = 0; low < high; round++) {
		uint64_t pivot = pivot_of(values, low, high, round);
		size_t i = low, k = high;
		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[k] > pivot)
				k--;
			if (i >= k)
				break;
			uint64_t swap = values[i];
			values[i++] = values[k];
			values[k--] = swap;
		}
		if (rank <= k)
			high = k;
		else
			low = k + 1;
	}
	return values[rank];
}

uint64_t quantile_of(uint64_t *values, size_t n, unsigned percent)
{
	return n ? value_of_rank(values, n, rank_of(n, percent)) : 0;
}
