/* bookmarks.h - marks: times under the letters a to z. Pure data; bookmarks_file.h keeps them. */
#ifndef EVTUI_BOOKMARKS_H
#define EVTUI_BOOKMARKS_H

#include "base.h"

enum { BOOKMARKS = 26 };

struct bookmarks {
	uint64_t t[BOOKMARKS];
	bool set[BOOKMARKS];
};

/* Letters outside of a…z: false. */
bool bookmarks_set(struct bookmarks *b, char letter, uint64_t t);
bool bookmarks_get(const struct bookmarks *b, char letter, uint64_t *t);
void bookmarks_remove(struct bookmarks *b, char letter);

/* The letters that are set, in order, into out (BOOKMARKS + 1 bytes, NUL-terminated); how many. */
int bookmarks_letters(const struct bookmarks *b, char *out);

/* The mark nearest to t; 0: there is none. Of equals the earlier letter. */
char bookmarks_nearest(const struct bookmarks *b, uint64_t t);

#endif
