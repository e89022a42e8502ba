/* minheap.h - binary heap in an array of any type, with the element that precedes all others at index 0. */
#ifndef EVL_MINHEAP_H
#define EVL_MINHEAP_H

#include <stddef.h>

/* Restore the heap of n elements after element `at` was replaced by a later one. before(a, b) reports whether a must be
 * nearer to the top than b. */
#define MINHEAP_SIFT(items, n, at, before)                                                                             \
	do {                                                                                                           \
		size_t hole = (at);                                                                                    \
		__typeof__(*(items)) moving = (items)[hole];                                                           \
		for (size_t child; (child = 2 * hole + 1) < (n); hole = child) {                                       \
			child += child + 1 < (n) && before((items)[child + 1], (items)[child]);                        \
			if (!before((items)[child], moving))                                                           \
				break;                                                                                 \
			(items)[hole] = (items)[child];                                                                \
		}                                                                                                      \
		if ((n) > 0)                                                                                           \
			(items)[hole] = moving;                                                                        \
	} while (0)

/* Turn an array of n elements in any order into a heap. */
#define MINHEAP_MAKE(items, n, before)                                                                                 \
	for (size_t last = (n) / 2; last-- > 0;)                                                                       \
	MINHEAP_SIFT(items, n, last, before)

#endif
