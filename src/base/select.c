#include "base/select.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void swap(uint8_t *a, uint8_t *b, size_t width)
{
	uint8_t held[SELECT_WIDTH];
	memcpy(held, a, width);
	memcpy(a, b, width);
	memcpy(b, held, width);
}

void select_first(void *items, size_t n, size_t width, size_t k, int (*compare)(const void *, const void *))
{
	enum { FEW = 16 };
	uint8_t *base = items, pivot[SELECT_WIDTH];
	size_t low = 0, high = n; /* the boundary k lies in [low, high) */
	assert(width <= SELECT_WIDTH);
	for (size_t spent = 0; k > low && k < high; spent += high - low) {
		if (high - low <= FEW || spent > 8 * n) { /* pivots that divide badly, as chosen by an adversary */
			qsort(base + low * width, high - low, width, compare);
			return;
		}
		uint8_t *first = base + low * width, *middle = base + (low + (high - low) / 2) * width,
			*last = base + (high - 1) * width;
		if (compare(middle, first) < 0)
			swap(middle, first, width);
		if (compare(last, first) < 0)
			swap(last, first, width);
		if (compare(last, middle) < 0)
			swap(last, middle, width);
		memcpy(pivot, middle, width);
		/* Those before i do not come after the pivot, those after j not before it. */
		size_t i = low, j = high - 1;
		while (i <= j) {
			while (compare(base + i * width, pivot) < 0)
				i++;
			while (compare(base + j * width, pivot) > 0)
				j--;
			if (i <= j)
				swap(base + i++ * width, base + j-- * width, width);
		}
		if (k <= j + 1)
			high = j + 1;
		else if (k >= i)
			low = i;
		else
			return; /* between them are only equals of the pivot */
	}
}
