/* intern.h - texts as numbers: 1, 2, … in the order in which they are first seen. */
#ifndef EVL_INTERN_H
#define EVL_INTERN_H

#include "base/base.h"

struct interned;

/* Zeros are ready for use. */
struct interns {
	struct interned *texts;
	uint64_t n;
};

/* The number of a text; 0: memory is out. *is_new: it was not seen before. */
uint64_t intern(struct interns *all, struct evl_str text, bool *is_new);
bool interns_have(const struct interns *all, struct evl_str text);
void interns_free(struct interns *all);

#endif
