/* sqlite_pages.h - write ordered rows as pages of a table and its index in SQLite's file format, ten times faster than
 * INSERT.
 *
 * Each page is filled once, from its first cell to its last, and written when it is full; the pages on the levels above
 * grow in the same way. SQLite creates the empty table and index first and checks the complete file afterwards; it must
 * not have the file open while rows are added. */
#ifndef EVL_SQLITE_PAGES_H
#define EVL_SQLITE_PAGES_H

#include "base/cell.h"

enum { SQLITE_PAGE = 16384 };

/* The file; n is the number of its last page, counted from 1. */
struct sqlite_pages {
	int fd;
	uint32_t n;
	int error;        /* 0, or EVL_IO (with errno set) or EVL_NOMEM; then nothing more is written */
	uint32_t *unused; /* numbers of unused pages */
	size_t n_unused, room;
};

/* The page that is being filled on one level of a tree. */
struct sqlite_level {
	uint8_t *page;
	unsigned n, low; /* number of cells; offset in the page of the last cell */
};

/* A tree of pages (B-tree): a table, or an index of one column. The caller sets file, root and is_index, and zeroes the
 * rest. */
struct sqlite_tree {
	struct sqlite_pages *file;
	uint32_t root;
	bool is_index;
	struct sqlite_level levels[20]; /* leaves first */
	unsigned n;
	uint64_t rowid; /* table: rowid of the last row */
	struct buf cell, record;
	uint32_t *pages; /* index: numbers of the pages written, except the root */
	size_t n_pages, room;
};

/* The affinity of a column, by which SQLite converts the values stored in it. */
enum sqlite_affinity { SQLITE_TEXTUAL, SQLITE_NUMERICAL, SQLITE_REALS };

/* Append a row of n cells to a table, under the next rowid; or append the key of that row to the index. affinity[n] are
 * those of the columns (enum sqlite_affinity). Keys must be in ascending order; equal keys are allowed. Errors are kept
 * in sqlite_pages.error. */
void sqlite_tree_row(struct sqlite_tree *t, const struct datum *cells, const uint8_t *affinity, int n);
void sqlite_tree_key(struct sqlite_tree *t, uint64_t key, uint64_t rowid);

/* Write the remaining pages, the root last; nothing if the tree is empty. Call sqlite_tree_free in any case. */
void sqlite_tree_end(struct sqlite_tree *t);
void sqlite_tree_free(struct sqlite_tree *t);

/* Discard an index: its pages written so far become unused pages of the file, and the tree is freed. */
void sqlite_tree_drop(struct sqlite_tree *t);

/* Write the number of pages and the list of unused pages into the file. */
void sqlite_pages_end(struct sqlite_pages *p);

#endif
