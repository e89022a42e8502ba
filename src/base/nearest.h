/* nearest.h - the names most like one that is unknown, for "did you mean": by edit distance.
 *
 * A letter more, less or other, or two swapped, count one each. Only the first NEAREST_LEN bytes of a name are compared. */
#ifndef EVL_NEAREST_H
#define EVL_NEAREST_H

#include "base/buf.h"

enum { NEAREST_MOST = 3, NEAREST_LEN = 64 };

struct nearest {
	struct evl_str wanted;
	struct evl_str names[NEAREST_MOST]; /* nearest first; of equals the first offered */
	unsigned distances[NEAREST_MOST];
	size_t n;
};

/* Consider a name, which outlives it. Names that differ in more than half of the letters are not near. */
void nearest_offer(struct nearest *n, struct evl_str name);

/* The edit distance, as far as it is at most `most`; else more than that. */
unsigned edit_distance(struct evl_str a, struct evl_str b, unsigned most);

#endif
