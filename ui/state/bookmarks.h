/* bookmarks.h - marks (times under the letters a to z) and named ranges, in memory; bookmarks_file.h saves them
 *
 * Times are in ns. */
#ifndef EVTUI_BOOKMARKS_H
#define EVTUI_BOOKMARKS_H

#include "base/base.h"

enum { BOOKMARKS = 26, RANGES = 64, RANGE_NAME = 32 };

/* A named range of time. */
struct named_range {
	char name[RANGE_NAME]; /* UTF-8, NUL-terminated, without blanks and control characters */
	uint64_t from, to;     /* from < to */
};

struct bookmarks {
	uint64_t t[BOOKMARKS];
	bool set[BOOKMARKS];
	struct named_range ranges[RANGES]; /* in the order of creation */
	int n_ranges;
};

/* Set, get or remove the mark of a letter. Return false if the letter is not in a to z, or, for bookmarks_get, has
 * no mark. */
bool bookmarks_set(struct bookmarks *b, char letter, uint64_t t);
bool bookmarks_get(const struct bookmarks *b, char letter, uint64_t *t);
void bookmarks_remove(struct bookmarks *b, char letter);

/* Return whether both have the same marks and ranges. */
bool bookmarks_equal(const struct bookmarks *a, const struct bookmarks *b);

/* Write the letters that are set, in alphabetical order, to out (BOOKMARKS + 1 bytes, NUL-terminated). Return their
 * number. */
int bookmarks_letters(const struct bookmarks *b, char *out);

/* Return the letter of the mark nearest to t, or 0 if there is none. If two are equally near, return the earlier
 * letter. */
char bookmarks_nearest(const struct bookmarks *b, uint64_t t);

/* Store a range under a name, replacing a range of that name. Return NULL or an error message. */
const char *bookmarks_add_range(struct bookmarks *b, const char *name, uint64_t from, uint64_t to);

/* Return the range with this name, or NULL. */
const struct named_range *bookmarks_range(const struct bookmarks *b, const char *name);
void bookmarks_remove_range(struct bookmarks *b, const char *name);

#endif
