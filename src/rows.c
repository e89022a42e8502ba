#include "rows.h"

#include <stdlib.h>

void rows_init(struct rows *r, size_t width)
{
	*r = (struct rows){.width = width};
}

void rows_free(struct rows *r)
{
	for (size_t k = 0; k < ROWS_CHUNKS; k++)
		free(atomic_load(&r->chunk[k]));
	rows_init(r, r->width);
}

bool rows_add(struct rows *r, const void *row)
{
	size_t n = atomic_load_explicit(&r->n, memory_order_relaxed);
	unsigned k = 63u - (unsigned)__builtin_clzll((n + ROWS_FIRST) / ROWS_FIRST);
	if (!atomic_load_explicit(&r->chunk[k], memory_order_relaxed)) {
		uint8_t *chunk = malloc(((size_t)ROWS_FIRST << k) * r->width);
		if (!chunk)
			return false;
		atomic_store_explicit(&r->chunk[k], chunk, memory_order_relaxed);
	}
	memcpy(rows_at(r, n), row, r->width);
	atomic_store_explicit(&r->n, n + 1, memory_order_release);
	return true;
}

size_t rows_first_at(const struct rows *r, size_t n, size_t offset, uint64_t t)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		uint64_t at;
		memcpy(&at, (const uint8_t *)rows_at(r, mid) + offset, sizeof at);
		if (at < t)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}
