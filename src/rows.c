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
		uint8_t *chunk = evl_noted(malloc(((size_t)ROWS_FIRST << k) * r->width));
		if (!chunk)
			return false;
		atomic_store_explicit(&r->chunk[k], chunk, memory_order_relaxed);
	}
	memcpy(rows_at(r, n), row, r->width);
	atomic_store_explicit(&r->n, n + 1, memory_order_release);
	return true;
}

static uint64_t time_at(const struct rows *r, size_t i, size_t offset)
{
	uint64_t t;
	memcpy(&t, (const uint8_t *)rows_at(r, i) + offset, sizeof t);
	return t;
}

static size_t first_between(const struct rows *r, size_t low, size_t high, size_t offset, uint64_t t)
{
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (time_at(r, mid, offset) < t)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t rows_first_at(const struct rows *r, size_t n, size_t offset, uint64_t t)
{
	return first_between(r, 0, n, offset, t);
}

size_t rows_next_at(const struct rows *r, size_t from, size_t n, size_t offset, uint64_t t)
{
	size_t step = 1;
	while (step <= n - from && time_at(r, from + step - 1, offset) < t) {
		from += step;
		step *= 2;
	}
	return first_between(r, from, step <= n - from ? from + step - 1 : n, offset, t);
}
