/* rows.h - append-only table whose rows never move: one writer, any number of readers, no locks.
 *
 * A row is written first and then published by one release store of the count, so a reader that sees the count sees the
 * row. Chunk k holds ROWS_FIRST << k rows, so the address of a row follows from its index. An empty table takes
 * 32 bytes and a small one little more, because a log may have thousands of capabilities, most with few or no rows in
 * most tables. */
#ifndef EVL_ROWS_H
#define EVL_ROWS_H

#include "base/base.h"

/* ROWS_FIRST: rows of the first chunk; ROWS_CHUNKS: largest number of chunks; ROWS_FEW: number of chunks in
 * rows.chunks. */
enum { ROWS_FIRST = 8, ROWS_CHUNKS = 40, ROWS_FEW = 4 };

struct rows {
	size_t width; /* bytes per row */
	_Atomic size_t n;
	_Atomic(uint8_t **) chunks; /* the first ROWS_FEW chunks; NULL: there are no rows */
	_Atomic(uint8_t **) more;   /* the later chunks, indexed by k (room for ROWS_CHUNKS); NULL: there are none */
};

/* Initialise an empty table whose rows have `width` bytes. */
void rows_init(struct rows *r, size_t width);
void rows_free(struct rows *r);

/* Allocate the chunk that the next row starts, and return its address, or NULL if memory ran out. Only rows_add and
 * rows_put call this. */
void *rows_grow(struct rows *r);

/* Append a copy of a row and publish it. Return false if memory ran out. rows_put is faster if the caller passes the
 * width of a row, which must equal r->width, as a constant. */
bool rows_add(struct rows *r, const void *row) EVL_MUST_USE;
static inline bool rows_put(struct rows *r, const void *row, size_t width) EVL_MUST_USE;

/* Return the number of published rows. */
static inline size_t rows_count(const struct rows *r) { return load_acquire(&r->n); }

/* Return row i, i < rows_count(r). Its address stays valid until rows_free. */
static inline void *rows_at(const struct rows *r, size_t i)
{
	unsigned k = 63u - (unsigned)__builtin_clzll((i + ROWS_FIRST) / ROWS_FIRST);
	size_t at = i + ROWS_FIRST - ((size_t)ROWS_FIRST << k);
	return load_relaxed(k < ROWS_FEW ? &r->chunks : &r->more)[k] + at * r->width;
}

/* Return the number of rows, published or not, that are contiguous in memory from row i on. */
static inline size_t rows_beside(size_t i)
{
	unsigned k = 63u - (unsigned)__builtin_clzll((i + ROWS_FIRST) / ROWS_FIRST);
	return ((size_t)ROWS_FIRST << (k + 1)) - (i + ROWS_FIRST);
}

static inline bool rows_put(struct rows *r, const void *row, size_t width)
{
	size_t n = load_relaxed(&r->n);
	bool begins = ((n + ROWS_FIRST) & (n + ROWS_FIRST - 1)) == 0; /* a chunk starts here */
	uint8_t *at = begins ? (uint8_t *)rows_grow(r) : (uint8_t *)rows_at(r, n);
	if (!at)
		return false;
	memcpy(at, row, width);
	store_release(&r->n, n + 1);
	return true;
}

/* Return the index of the first row with a time of at least t among the first n rows, or n if there is none. The time
 * is the u64 at `offset` in the row; rows must be ordered by it. */
size_t rows_first_at(const struct rows *r, size_t n, size_t offset, uint64_t t);

/* Return the index of the first row of [from, n) with a time of at least t, or n. Fast if the result is about `stride`
 * rows after `from`. */
size_t rows_next_at(const struct rows *r, size_t from, size_t n, size_t offset, size_t stride, uint64_t t);

#endif
