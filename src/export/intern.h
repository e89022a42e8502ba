/* intern.h - number texts 1, 2, … in the order in which they are first seen, for formats that refer to texts by
 * number. */
#ifndef EVL_INTERN_H
#define EVL_INTERN_H

#include "base/base.h"

struct interned;

/* A set of numbered texts. Initialise with zeros. */
struct interns {
	struct interned *texts;
	uint64_t n;
};

/* Return the number of a text, adding a copy if the text is new; 0 if memory ran out. *is_new reports whether it was
 * added. */
uint64_t intern(struct interns *all, struct evl_str text, bool *is_new);

/* Return the number of a text, or 0 if it has none. */
uint64_t interns_find(const struct interns *all, struct evl_str text);
void interns_free(struct interns *all);

#endif
