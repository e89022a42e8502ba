/* elfutils.c - for a static program: functions that libdw.a and libelf.a of elfutils 0.192 call and that Debian 13 does not package. */
#include "base/base.h"

#if defined STATIC_PROGRAM
#include <search.h>

/* A tree of search.h, as in elfutils: its lock is used only in a build for several threads, which Debian's is not. */
struct search_tree {
	void *root;
	int lock;
};

typedef int order(const void *a, const void *b);

/* Weak: libraries that have these functions use their own. */
#define WEAK __attribute__((weak))
void tdestroy(void *root, void (*free_node)(void *));
WEAK void eu_search_tree_init(struct search_tree *tree);
WEAK void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *));
WEAK void *eu_tsearch(const void *key, struct search_tree *tree, order *compare);
WEAK void *eu_tfind(const void *key, struct search_tree *tree, order *compare);
WEAK void *eu_tdelete(const void *key, struct search_tree *tree, order *compare);
WEAK void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *));

void eu_search_tree_init(struct search_tree *tree) { tree->root = NULL; }
void *eu_tsearch(const void *key, struct search_tree *tree, order *compare)
{
	return tsearch(key, &tree->root, compare);
}
void *eu_tfind(const void *key, struct search_tree *tree, order *compare) { return tfind(key, &tree->root, compare); }
void *eu_tdelete(const void *key, struct search_tree *tree, order *compare)
{
	return tdelete(key, &tree->root, compare);
}

void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *))
{
	tdestroy(tree->root, free_node);
	tree->root = NULL;
}

void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *)) { eu_tdestroy(tree, free_node); }
#else
typedef int elfutils_is_not_used;
#endif
