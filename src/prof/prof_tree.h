/* prof_tree.h - profile tree in any shape (top-down, bottom-up, flat, callers, callees) from the samples of a range.
 *
 *   PROF_TREE       from MAIN inwards: time of a centre, by its callers
 *   PROF_BOTTOM_UP  from the innermost centre outwards: by its callers
 *   PROF_FLAT       one row per centre
 *   PROF_CALLERS    of one centre: from it outwards;   PROF_CALLEES: from it inwards
 *
 * A sample counts for its innermost centre (self) and once for every centre of its stack (inclusive), also where the
 * centre occurs twice; callers and callees are those of its outermost occurrence, so they are parts of its
 * inclusive. */
#ifndef EVL_PROF_TREE_H
#define EVL_PROF_TREE_H

#include "prof/prof_names.h"

enum prof_shape { PROF_TREE, PROF_BOTTOM_UP, PROF_FLAT, PROF_CALLERS, PROF_CALLEES };
enum prof_order {
	PROF_BY_INCL,
	PROF_BY_SELF,
	PROF_BY_NAME,
	PROF_BY_MODULE,
	PROF_ORDERS,
	PROF_BY_CHANGE = PROF_ORDERS /* of a compared tree: the largest change of the share first, up or down */
};

struct prof_item {
	uint32_t name;
	uint32_t parent, child, next; /* items: the first child, the next of the parent's; 0: none */
	uint32_t kids, depth;
	uint32_t times; /* of a folded tree: times that the centre calls itself directly, itself included; else 0 */
	uint64_t self, incl;           /* samples */
	uint64_t base_self, base_incl; /* the same of what it is compared with (prof_tree_compare); else 0 */
};

struct prof_tree {
	struct prof_item *items; /* 0 is the root; n = 0: there is no tree */
	uint32_t n;
	bool by_self;  /* of a compared tree: changes are of self, not of incl */
	uint64_t unit; /* of a compared tree of times: ns of a sample, for chance; 0: it counts samples */
	uint64_t cut;  /* samples whose stack continues below this node: the tree is full */
};

/* self: samples by node of `stacks`, as long as names->n_nodes. centre: the name, of PROF_CALLERS and PROF_CALLEES.
 * Unsorted. Return 0, or EVL_NOMEM without a tree. */
int prof_tree_make(struct prof_tree *t, enum prof_shape shape, const struct stacks *stacks,
	const struct prof_names *names, const uint64_t *self, uint32_t centre) EVL_MUST_USE;
void prof_tree_free(struct prof_tree *t);

/* The same of a trie whose frames are names: a tree from a root of this name inwards. */
int prof_tree_of_trie(
	struct prof_tree *t, const struct stacks *trie, const uint64_t *self, uint32_t root_name) EVL_MUST_USE;

/* Fold direct recursion in a PROF_TREE: calls of a centre by itself become one item, with the largest number of them in
 * `times`. Sort it afterwards. Return 0, or EVL_NOMEM with the tree unchanged. */
int prof_tree_fold(struct prof_tree *t) EVL_MUST_USE;

/* Compare: t was made of the samples of two ranges together, base of those of one of them, in the same shape. Afterwards the
 * samples of t are those of the other range, and base_self and base_incl those of base. Return 0 or EVL_NOMEM. */
int prof_tree_compare(struct prof_tree *t, struct prof_tree *base, const struct prof_names *names) EVL_MUST_USE;

/* How an item's share changed, -1 … 1, and whether that is within chance (prof_is_noise). */
double prof_tree_change(const struct prof_tree *t, const struct prof_item *item, bool *noise);

/* Order the children of every item: most first, or names from a to z. Return 0, or EVL_NOMEM with the order unchanged. */
int prof_tree_sort(struct prof_tree *t, const struct prof_names *names, enum prof_order order) EVL_MUST_USE;

/* Inclusive samples of every name, recursion counted once, and those it is innermost of: arrays as long as names->n. */
int prof_sums(const struct stacks *stacks, const struct prof_names *names, const uint64_t *self, uint64_t *incl,
	uint64_t *own) EVL_MUST_USE;

#endif
