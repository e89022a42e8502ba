/* prof_tree.h - profile tree in any shape (top-down, bottom-up, flat, callers, callees) from the samples of a range.
 *
 *   PROF_TREE       from MAIN inwards: each item is a centre, its children are its callees
 *   PROF_BOTTOM_UP  from the innermost centre outwards: the children are its callers
 *   PROF_FLAT       one item per centre
 *   PROF_CALLERS    of one centre: from it outwards
 *   PROF_CALLEES    of one centre: from it inwards
 *
 * A sample counts for its innermost centre (self), and once for every centre of its stack (inclusive), even if the
 * centre occurs twice. Callers and callees of a centre are those of its outermost occurrence, so they are parts of its
 * inclusive samples. Bottom-up, `incl` of an item is not inclusive: it has the self samples of the item of the first
 * level above it whose stacks lead through the item. */
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
	PROF_BY_CHANGE = PROF_ORDERS /* for a compared tree: the largest change of the share first, up or down */
};

struct prof_item {
	uint32_t name;                /* index into prof_names */
	uint32_t parent, child, next; /* items: parent, first child, next sibling; 0: none */
	uint32_t kids, depth;         /* kids: number of children; depth: 0 for the root */
	/* in a folded tree: items in the longest chain that was folded into this one, 1 if there was no recursion;
	 * in other trees: 0 */
	uint32_t times;
	uint64_t self, incl;           /* samples */
	uint64_t base_self, base_incl; /* the same for the base of a comparison (prof_tree_compare); else 0 */
};

struct prof_tree {
	struct prof_item *items; /* item 0 is the root; n is 0 if there is no tree */
	uint32_t n;
	bool by_self; /* in a compared tree: changes refer to self, except of the root, not to incl */
	/* in a compared tree of times: ns that count as one sample in the significance test; 0: the tree counts samples */
	uint64_t unit;
	uint64_t cut; /* samples whose stacks are incomplete because the tree was full */
};

/* Build a tree, unsorted. self[names->n_nodes] are samples by node of `stacks`. centre is the name for PROF_CALLERS and
 * PROF_CALLEES. Return 0, or EVL_NOMEM without a tree. */
int prof_tree_make(struct prof_tree *t, enum prof_shape shape, const struct stacks *stacks,
	const struct prof_names *names, const uint64_t *self, uint32_t centre) EVL_MUST_USE;
void prof_tree_free(struct prof_tree *t);

/* The samples of an item in a compared tree that its change refers to, and those of the base. */
static inline uint64_t prof_tree_now(const struct prof_tree *t, const struct prof_item *i)
{
	return t->by_self && i->depth ? i->self : i->incl;
}
static inline uint64_t prof_tree_base(const struct prof_tree *t, const struct prof_item *i)
{
	return t->by_self && i->depth ? i->base_self : i->base_incl;
}

/* Return the next item in the order of the tree, children first; 0 at its end. */
static inline uint32_t prof_tree_after(const struct prof_tree *t, uint32_t item)
{
	if (t->items[item].child)
		return t->items[item].child;
	while (item && !t->items[item].next)
		item = t->items[item].parent;
	return item ? t->items[item].next : 0;
}

/* Build a PROF_TREE from a trie whose frames are names; its root gets the name root_name. Return 0, or EVL_NOMEM
 * without a tree. */
int prof_tree_of_trie(
	struct prof_tree *t, const struct stacks *trie, const uint64_t *self, uint32_t root_name) EVL_MUST_USE;

/* Fold direct recursion in a PROF_TREE: a chain of items of the same centre becomes one item, and `times` is the length
 * of the longest such chain. Sort the tree afterwards. Return 0, or EVL_NOMEM with the tree unchanged. */
int prof_tree_fold(struct prof_tree *t) EVL_MUST_USE;

/* Compare two trees of the same shape: t contains the samples of two time ranges together, base those of one of them.
 * Afterwards the samples of t are those of the other range, and base_self and base_incl those of base. Return 0 or
 * EVL_NOMEM. */
int prof_tree_compare(struct prof_tree *t, struct prof_tree *base, const struct prof_names *names) EVL_MUST_USE;

/* Return the change of an item's share, -1 to 1. *noise reports whether it may be chance (prof_is_noise). */
double prof_tree_change(const struct prof_tree *t, const struct prof_item *item, bool *noise);

/* Sort the children of every item: most first, or names from a to z. Return 0, or EVL_NOMEM with the order
 * unchanged. */
int prof_tree_sort(struct prof_tree *t, const struct prof_names *names, enum prof_order order) EVL_MUST_USE;

#endif
