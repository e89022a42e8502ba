/* sqlite_pages.h - rows in order as the pages of a table and its index in SQLite's file format, at a tenth of what INSERT costs.
 *
 * Each page is filled once, from its first cell to its last, and written when it is full; the pages above it grow in the
 * same way. The empty table and index were created by SQLite, which reads and checks the whole afterwards; while rows are
 * added it must not have the file open. */
#ifndef EVL_SQLITE_PAGES_H
#define EVL_SQLITE_PAGES_H

#include "base/cell.h"

enum { SQLITE_PAGE = 16384 };

/* The file, whose last page is n so far. */
struct sqlite_pages {
	int fd;
	uint32_t n;
	int error; /* EVL_IO (errno says why) or EVL_NOMEM; 0: none */
	uint32_t *unused;
	size_t n_unused, room;
};

struct sqlite_level {
	uint8_t *page;
	unsigned n, low; /* cells; where the content of the last one starts */
};

/* A tree of pages: a table, or an index of one column. */
struct sqlite_tree {
	struct sqlite_pages *file;
	uint32_t root;
	bool is_index;
	struct sqlite_level levels[20]; /* leaves first */
	unsigned n;
	uint64_t rowid; /* of the last row of a table */
	struct buf cell, record;
	uint32_t *pages; /* of an index: those that are written */
	size_t n_pages, room;
};

/* How a column converts what is put into it. */
enum sqlite_affinity { SQLITE_TEXTUAL, SQLITE_NUMERICAL, SQLITE_REALS };

/* Add a row to a table, with the next rowid; the key of that row to its index: keys must not fall. */
void sqlite_tree_row(struct sqlite_tree *t, const struct datum *cells, const uint8_t *affinity, int n);
void sqlite_tree_key(struct sqlite_tree *t, uint64_t key, uint64_t rowid);

/* Write what is left, the root last, unless the tree is empty. Free it in any case. */
void sqlite_tree_end(struct sqlite_tree *t);
void sqlite_tree_free(struct sqlite_tree *t);

/* Give the pages of an index back, to be empty: those that are written already become unused ones of the file. */
void sqlite_tree_drop(struct sqlite_tree *t);

/* Write the number of pages and the list of unused ones into the file. */
void sqlite_pages_end(struct sqlite_pages *p);

#endif
