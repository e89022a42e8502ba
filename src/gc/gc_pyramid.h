/* gc_pyramid.h - pyramid over GC rows for range queries: longest pause, time and count per generation.
 *
 * A node of level 0 covers PYRAMID_FAN rows, one of level k as many nodes of level k - 1. A range of any length is
 * answered from at most 2 * PYRAMID_FAN nodes per level. Grows as rows are appended; one writer, any number of
 * readers. */
#ifndef EVL_GC_PYRAMID_H
#define EVL_GC_PYRAMID_H

#include "base/image.h"
#include "base/rows.h"

enum { PYRAMID_BITS = 7, PYRAMID_FAN = 1 << PYRAMID_BITS, PYRAMID_LEVELS = 6, PYRAMID_GENS = 4 };

struct gc_pyramid_node {
	uint64_t longest;          /* ns */
	uint64_t sync;             /* from requests to starts, ns */
	uint64_t ns[PYRAMID_GENS]; /* elapsed by generation; the last is for it and all older ones */
	uint32_t n[PYRAMID_GENS];  /* collections by generation */
};

struct gc_pyramid_level {
	struct rows nodes;
	struct gc_pyramid_node open; /* of the writer: an incomplete node */
	uint32_t filled;
};
struct gc_pyramid {
	_Atomic(struct gc_pyramid_level *) levels; /* PYRAMID_LEVELS; NULL: nothing was added */
};

/* Add a row of the caller's table to a node. */
typedef void gc_pyramid_leaf(const void *rows, size_t i, struct gc_pyramid_node *sum);

/* Starts as zeros. */
void gc_pyramid_free(struct gc_pyramid *p);

/* Return the bytes of all nodes. */
size_t gc_pyramid_bytes(const struct gc_pyramid *p);

/* Append a row's node. False when memory is out. */
bool gc_pyramid_add(struct gc_pyramid *p, const struct gc_pyramid_node *leaf) EVL_MUST_USE;

/* Add rows [from, to) to *sum (which the caller zeroed). */
void gc_pyramid_sum(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	struct gc_pyramid_node *sum);

/* Return the first (last) row of [from, to) that passes the test, or `to` (`from`). If a node fails the test, all of
 * its rows do: testing a node tests the best row in it. */
typedef bool gc_pyramid_test(const struct gc_pyramid_node *node, const void *ctx);
size_t gc_pyramid_next(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	gc_pyramid_test *test, const void *ctx);
size_t gc_pyramid_prev(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	gc_pyramid_test *test, const void *ctx);

/* To or from a file (image.h). n: rows of the table. */
void gc_pyramid_image(struct image *im, struct gc_pyramid *p, size_t n);

#endif
