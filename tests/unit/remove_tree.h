/* remove_tree.h - remove a folder with all that is in it */
#ifndef TESTS_REMOVE_TREE_H
#define TESTS_REMOVE_TREE_H

#include <ftw.h>
#include <stdio.h>

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

/* Return 0, or -1 with errno set. */
static inline int remove_tree(const char *dir) { return nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS); }

#endif
