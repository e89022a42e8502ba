/* questions.h - SQL questions with names: those of assets/queries, which are compiled in, and those of the user's folder. */
#ifndef EVL_QUESTIONS_H
#define EVL_QUESTIONS_H

#include "base/buf.h"

struct question {
	const char *name;  /* of the file, without .sql */
	const char *about; /* the comment on its first line; "" for none */
	const char *text;
};

struct questions {
	struct question *items; /* by name */
	size_t n;
	char **kept; /* texts that the items point into, freed with them */
	size_t n_kept;
};

/* All questions; one of the folder (NULL: none) takes the place of another of its name. Files above 64 KB, and more than
 * 1,000 of them, are left out. Return 0 or EVL_NOMEM; free it in either case. */
int questions_open(struct questions *q, const char *folder) EVL_MUST_USE;
void questions_free(struct questions *q);

/* NULL: none has that name. */
const struct question *questions_find(const struct questions *q, const char *name);

/* Can the text be nothing but a name: one word of letters, digits, - and _? */
bool questions_is_name(const char *text);

#endif
