#include "base/rows.h"

#include "base/gallop.h"

#include <stdlib.h>

void rows_init(struct rows *r, size_t width) { *r = (struct rows){.width = width}; }

static void free_chunks(uint8_t **chunks, size_t n)
{
	for (size_t k = 0; chunks && k < n; k++)
		free(chunks[k]);
	free(chunks);
}

void rows_free(struct rows *r)
{
	free_chunks(atomic_load(&r->chunks), ROWS_FEW);
	free_chunks(atomic_load(&r->more), ROWS_CHUNKS);
	rows_init(r, r->width);
}

/* Readers look at a chunk only after a row of it was published. */
static bool make_chunk(struct rows *r, unsigned k)
{
	_Atomic(uint8_t **) *list = k < ROWS_FEW ? &r->chunks : &r->more;
	uint8_t **chunks = load_relaxed(list);
	size_t n = k < ROWS_FEW ? ROWS_FEW : ROWS_CHUNKS;
	if (!chunks && (chunks = oom_note(calloc(n, sizeof *chunks))))
		store_relaxed(list, chunks);
	if (chunks && !chunks[k])
		chunks[k] = oom_note(malloc(((size_t)ROWS_FIRST << k) * r->width));
	return chunks && chunks[k];
}

void *rows_grow(struct rows *r)
{
	size_t n = load_relaxed(&r->n);
	unsigned k = 63u - (unsigned)__builtin_clzll((n + ROWS_FIRST) / ROWS_FIRST);
	return k < ROWS_CHUNKS && make_chunk(r, k) ? rows_at(r, n) : NULL;
}

bool rows_add(struct rows *r, const void *row) { return rows_put(r, row, r->width); }

/* Times at an offset in the rows. */
struct times {
	const struct rows *rows;
	size_t offset;
};

static bool is_before(const void *items, size_t i, uint64_t t)
{
	const struct times *times = items;
	uint64_t of_row;
	memcpy(&of_row, (const uint8_t *)rows_at(times->rows, i) + times->offset, sizeof of_row);
	return of_row < t;
}

size_t rows_first_at(const struct rows *r, size_t n, size_t offset, uint64_t t)
{
	return gallop_between(&(struct times){r, offset}, 0, n, t, is_before);
}

size_t rows_next_at(const struct rows *r, size_t from, size_t n, size_t offset, size_t stride, uint64_t t)
{
	return gallop(&(struct times){r, offset}, from, n, stride, t, is_before);
}
