/* gallop.h - galloping (exponential) search in a sorted array, fast when the answer is close to a guess. */
#ifndef EVL_GALLOP_H
#define EVL_GALLOP_H

#include "base/base.h"

/* Report whether item i precedes the result of a search for t. Must be true for all items up to some index and false
 * from there on. */
typedef bool gallop_before(const void *items, size_t i, uint64_t t);

/* Return the first item of [low, high) for which `before` is false, or `high`, by binary search. */
static inline size_t gallop_between(const void *items, size_t low, size_t high, uint64_t t, gallop_before *before)
{
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (before(items, mid, t))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Declare `low` and set it to the first number in [0, n) for which is_before, an expression in `mid`, is false; n if
 * there is none. */
#define BISECT(low, n, is_before)                                                                                      \
	size_t low = 0;                                                                                                \
	for (size_t high = (n), mid; low < high;)                                                                      \
		if (mid = low + (high - low) / 2, (is_before))                                                         \
			low = mid + 1;                                                                                 \
		else                                                                                                   \
			high = mid

/* Return the first item of [from, n) for which `before` is false, or n. The search starts at from + stride, the
 * expected result, and doubles its steps forwards or backwards. */
static inline size_t gallop(const void *items, size_t from, size_t n, size_t stride, uint64_t t, gallop_before *before)
{
	size_t low = from, high = n, at = from + (stride < n - from ? stride : n - from), step = stride / 16 + 1;
	if (at == from || before(items, at - 1, t)) {
		for (low = at; step <= n - low && before(items, low + step - 1, t); step *= 2)
			low += step;
		high = step <= n - low ? low + step - 1 : n;
	} else {
		for (high = at - 1; step <= high - from && !before(items, high - step, t); step *= 2)
			high -= step;
		low = step <= high - from ? high - step + 1 : from;
	}
	return gallop_between(items, low, high, t, before);
}

#endif
