/* rows.h - append-only table whose rows never move: one writer, any number of readers, no locks.
 *
 * A row is written, then published by one release store of the count; readers that see the count see the row. Chunk
 * k holds ROWS_FIRST << k rows, so a row's address follows from its index. An empty table takes 32 bytes, and a small one
 * little more: a log may have thousands of chains, most of which have no or few rows in most tables. */
#ifndef EVL_ROWS_H
#define EVL_ROWS_H

#include "base/base.h"

#include <stdatomic.h>

enum { ROWS_FIRST = 8, ROWS_CHUNKS = 40, ROWS_FEW = 4 };

struct rows {
	size_t width;
	_Atomic size_t n;
	_Atomic(uint8_t **) chunks; /* the first ROWS_FEW; NULL: there is no row */
	_Atomic(uint8_t **) more;   /* ROWS_CHUNKS: those after them; NULL: there are none */
};

void rows_init(struct rows *r, size_t width);
void rows_free(struct rows *r);

/* Make memory for the row after the last; NULL when it is out. rows_add calls it where a chunk begins. */
void *rows_grow(struct rows *r);

/* Copy a row to the end and publish it. Return false if memory ran out. rows_put: the same, with the width given by
 * the caller. */
bool rows_add(struct rows *r, const void *row) EVL_MUST_USE;
static inline bool rows_put(struct rows *r, const void *row, size_t width) EVL_MUST_USE;

static inline size_t rows_count(const struct rows *r)
{
	return atomic_load_explicit(&((struct rows *)(uintptr_t)r)->n, memory_order_acquire);
}

/* Row i < rows_count(r). */
static inline void *rows_at(const struct rows *r, size_t i)
{
	unsigned k = 63u - (unsigned)__builtin_clzll((i + ROWS_FIRST) / ROWS_FIRST);
	size_t at = i + ROWS_FIRST - ((size_t)ROWS_FIRST << k);
	struct rows *t = (struct rows *)(uintptr_t)r;
	return atomic_load_explicit(k < ROWS_FEW ? &t->chunks : &t->more, memory_order_relaxed)[k] + at * r->width;
}

/* Return the number of rows that are contiguous in memory from row i on, published or not. */
static inline size_t rows_beside(size_t i)
{
	unsigned k = 63u - (unsigned)__builtin_clzll((i + ROWS_FIRST) / ROWS_FIRST);
	return ((size_t)ROWS_FIRST << (k + 1)) - (i + ROWS_FIRST);
}

static inline bool rows_put(struct rows *r, const void *row, size_t width)
{
	size_t n = atomic_load_explicit(&r->n, memory_order_relaxed);
	bool begins = ((n + ROWS_FIRST) & (n + ROWS_FIRST - 1)) == 0; /* a chunk */
	uint8_t *at = begins ? (uint8_t *)rows_grow(r) : (uint8_t *)rows_at(r, n);
	if (!at)
		return false;
	memcpy(at, row, width);
	atomic_store_explicit(&r->n, n + 1, memory_order_release);
	return true;
}

/* The first row whose time (the u64 at `offset` in the row) is at least t, among the first n; n where none is. Rows are
 * ordered by that time. */
size_t rows_first_at(const struct rows *r, size_t n, size_t offset, uint64_t t);

/* The same among rows [from, n); fast if the answer is about `stride` rows after `from`. */
size_t rows_next_at(const struct rows *r, size_t from, size_t n, size_t offset, size_t stride, uint64_t t);

#endif
