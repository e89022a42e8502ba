/* nearest.h - find the known names most similar to an unknown one by edit distance, for "did you mean" messages.
 *
 * Each byte inserted, removed or replaced, and each swap of two neighbours, counts 1. Only the first NEAREST_LEN bytes
 * of a name are compared. */
#ifndef EVL_NEAREST_H
#define EVL_NEAREST_H

#include "base/buf.h"

enum { NEAREST_MOST = 3, NEAREST_LEN = 64 };

struct nearest {
	struct evl_str wanted;
	struct evl_str names[NEAREST_MOST]; /* nearest first; of equal distances, the one offered first */
	unsigned distances[NEAREST_MOST];
	size_t n;
};

/* Add a name if it is among the nearest so far. Names that differ in more than half of the bytes of `wanted` are
 * ignored. The name is borrowed. */
void nearest_offer(struct nearest *n, struct evl_str name);

/* Return the edit distance if it is at most `most`, otherwise any larger number. */
unsigned edit_distance(struct evl_str a, struct evl_str b, unsigned most);

#endif
