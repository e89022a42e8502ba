/* questions.h - named SQL queries: those compiled in (assets/queries), and those of the user's folder */
#ifndef EVL_QUESTIONS_H
#define EVL_QUESTIONS_H

#include "base/buf.h"

/* A named query. */
struct question {
	const char *name;  /* name of the file without .sql */
	const char *about; /* comment on the first line; "": none */
	const char *text;  /* the SQL statement */
};

struct questions {
	struct question *items; /* sorted by name */
	size_t n;
	char **kept; /* allocated strings that the items point to */
	size_t n_kept;
};

/* Load all questions. A file of the folder (NULL: none) replaces a compiled-in question of the same name. Files
 * above 64 KB are ignored, and so are files after the first 1,000. Return 0 or EVL_NOMEM; free it in either case. */
int questions_open(struct questions *q, const char *folder) EVL_MUST_USE;
void questions_free(struct questions *q);

/* Return the question with this name, or NULL. */
const struct question *questions_find(const struct questions *q, const char *name);

/* Return whether the text can be a name: one word of letters, digits, - and _, as opposed to a statement. */
bool questions_is_name(const char *text);

#endif
