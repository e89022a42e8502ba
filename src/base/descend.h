/* descend.h - search a table through a pyramid of summaries, skipping whole nodes that cannot match.
 *
 * A node of level k summarises 1 << (bits * (k + 1)) consecutive items. A search visits a few dozen nodes, whatever the
 * size of the table. */
#ifndef EVL_DESCEND_H
#define EVL_DESCEND_H

#include "base/base.h"

struct descent {
	unsigned bits;
	int levels; /* number of levels; level 0 has the smallest nodes */
	/* Return the number of complete nodes of a level. */
	size_t (*nodes)(const void *ctx, int level);
	/* Report whether node i of a level may contain a match; on level -1, whether item i matches. */
	bool (*may)(const void *ctx, int level, size_t i);
	const void *ctx;
};

/* Return the first (next) or the last (prev) matching item of [from, to), or `to` if there is none. */
size_t descend_next(const struct descent *d, size_t from, size_t to);
size_t descend_prev(const struct descent *d, size_t from, size_t to);

#endif
