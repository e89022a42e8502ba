/* descend.h - search a table from the top of a pyramid of summaries, skipping whole nodes that cannot match.
 *
 * A node of level k covers 1 << bits * (k + 1) items. A search visits a few dozen nodes, whatever the size of the
 * table. */
#ifndef EVL_DESCEND_H
#define EVL_DESCEND_H

#include "base/base.h"

struct descent {
	unsigned bits;
	int levels;
	/* How many nodes of a level are complete. */
	size_t (*nodes)(const void *ctx, int level);
	/* May node i contain a match? On level -1: does item i match? */
	bool (*may)(const void *ctx, int level, size_t i);
	const void *ctx;
};

/* Return the first matching item of [from, to), and the last; `to` if there is none. */
size_t descend_next(const struct descent *d, size_t from, size_t to);
size_t descend_prev(const struct descent *d, size_t from, size_t to);

#endif
