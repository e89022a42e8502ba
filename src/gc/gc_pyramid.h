/* gc_pyramid.h - pyramid over GC rows for range queries: longest pause, time and count per generation.
 *
 * A node of level 0 summarises PYRAMID_FAN rows, a node of level k PYRAMID_FAN nodes of level k - 1. A range of any
 * length is answered from at most 2 * PYRAMID_FAN nodes per level. The pyramid grows as rows are appended; one writer,
 * any number of readers. */
#ifndef EVL_GC_PYRAMID_H
#define EVL_GC_PYRAMID_H

#include "base/image.h"
#include "base/rows.h"

enum { PYRAMID_BITS = 7, PYRAMID_FAN = 1 << PYRAMID_BITS, PYRAMID_LEVELS = 6, PYRAMID_GENS = 4 };

struct gc_pyramid_node {
	uint64_t longest; /* longest pause, ns */
	uint64_t sync;    /* time from requests to starts, ns */
	/* ns from start to end, by generation; the last element includes all older generations */
	uint64_t ns[PYRAMID_GENS];
	uint32_t n[PYRAMID_GENS]; /* collections by generation */
};

struct gc_pyramid_level {
	struct rows nodes;
	struct gc_pyramid_node open; /* the incomplete node, for the writer only */
	uint32_t filled;
};
struct gc_pyramid {
	_Atomic(struct gc_pyramid_level *) levels; /* PYRAMID_LEVELS elements; NULL: empty */
};

/* Add row i of the caller's table to *sum. The functions below call this for rows that are not in a complete node. */
typedef void gc_pyramid_leaf(const void *rows, size_t i, struct gc_pyramid_node *sum);

/* Free the nodes. A zeroed pyramid is empty and ready for use. */
void gc_pyramid_free(struct gc_pyramid *p);

/* Return the memory taken by all nodes, in bytes. */
size_t gc_pyramid_bytes(const struct gc_pyramid *p);

/* Append the summary of the next row. Return false if memory ran out. */
bool gc_pyramid_add(struct gc_pyramid *p, const struct gc_pyramid_node *leaf) EVL_MUST_USE;

/* Return the summary of the PYRAMID_FAN rows from row i on; NULL: none starts there, or not all of them are in the table. */
const struct gc_pyramid_node *gc_pyramid_at(const struct gc_pyramid *p, size_t i);

/* Add the summary of rows [from, to) to *sum, which the caller has initialised. */
void gc_pyramid_sum(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	struct gc_pyramid_node *sum);

/* Return the first row of [from, to) that passes the test, or `to`; gc_pyramid_prev returns the last such row, or `to`.
 * The test receives a node, or one row converted to a node; it must pass if any of its rows may pass. */
typedef bool gc_pyramid_test(const struct gc_pyramid_node *node, const void *ctx);
size_t gc_pyramid_next(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	gc_pyramid_test *test, const void *ctx);
size_t gc_pyramid_prev(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	gc_pyramid_test *test, const void *ctx);

/* Save or load a pyramid over n rows (image.h). */
void gc_pyramid_image(struct image *im, struct gc_pyramid *p, size_t n);

#endif
