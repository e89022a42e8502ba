/* select.h - move the k items that sort first to the front of an array, faster than by sorting all of it */
#ifndef EVL_SELECT_H
#define EVL_SELECT_H

#include "base/base.h"

enum { SELECT_WIDTH = 64 }; /* largest item, in bytes */

/* Rearrange an array of n items of `width` bytes so that none of the first k comes after any of the others; `compare` as for
 * qsort. The order within the two parts is unspecified, but the same for the same array. Takes time proportional to n as a
 * rule, and never much more than qsort. */
void select_first(void *items, size_t n, size_t width, size_t k, int (*compare)(const void *, const void *));

#endif
