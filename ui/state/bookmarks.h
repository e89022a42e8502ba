/* bookmarks.h - marks (times under the letters a to z) and named ranges, as data; kept on disk by bookmarks_file.h. */
#ifndef EVTUI_BOOKMARKS_H
#define EVTUI_BOOKMARKS_H

#include "base/base.h"

enum { BOOKMARKS = 26, RANGES = 64, RANGE_NAME = 32 };

struct named_range {
	char name[RANGE_NAME]; /* UTF-8 without blanks and controls */
	uint64_t from, to;     /* from < to */
};

struct bookmarks {
	uint64_t t[BOOKMARKS];
	bool set[BOOKMARKS];
	struct named_range ranges[RANGES]; /* in the order in which they were made */
	int n_ranges;
};

/* Letters outside of a…z: false. */
bool bookmarks_set(struct bookmarks *b, char letter, uint64_t t);
bool bookmarks_get(const struct bookmarks *b, char letter, uint64_t *t);
void bookmarks_remove(struct bookmarks *b, char letter);

/* The letters that are set, in order, into out (BOOKMARKS + 1 bytes, NUL-terminated); how many. */
int bookmarks_letters(const struct bookmarks *b, char *out);

/* The mark nearest to t; 0: there is none. Of equals the earlier letter. */
char bookmarks_nearest(const struct bookmarks *b, uint64_t t);

/* Keep a range under a name, in the place of a former one of that name. NULL, or why not. */
const char *bookmarks_add_range(struct bookmarks *b, const char *name, uint64_t from, uint64_t to);

/* Return NULL if there is none of that name. */
const struct named_range *bookmarks_range(const struct bookmarks *b, const char *name);
void bookmarks_remove_range(struct bookmarks *b, const char *name);

#endif
