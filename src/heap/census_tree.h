/* census_tree.h - cost-centre stacks of one heap sample as a tree: bytes held by each call path itself, and including
 * its callees. */
#ifndef EVL_CENSUS_TREE_H
#define EVL_CENSUS_TREE_H

#include "heap/census_values.h"

enum { MOST_TREE_NODES = 1 << 16 };

struct census_node {
	uint32_t centre; /* id of the cost centre; 0: MAIN, the root, which stacks omit */
	uint32_t depth;
	uint64_t self, inclusive; /* bytes */
};

struct census_tree {
	struct census_node *nodes; /* in display order: each node is followed by its callees, largest first */
	size_t n;
	/* bytes of stacks for which there was no more room; they are added to the deepest existing node of their
	 * path */
	uint64_t more;
};

/* Build the tree of a sample; bands that are not stacks are skipped. Return 0, or EVL_NOMEM with nothing to free. */
int census_tree(struct census_tree *t, const struct census_values *v, const struct bands *bands) EVL_MUST_USE;
void census_tree_free(struct census_tree *t);

#endif
