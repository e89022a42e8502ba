/* census_roots.h - heap profiles by root set: bytes held by each root alone, and shared with others.
 *
 * A band of such a profile is what exactly one set of roots reaches; its label joins their names. */
#ifndef EVL_CENSUS_ROOTS_H
#define EVL_CENSUS_ROOTS_H

#include "heap/census_values.h"

enum { MOST_ROOTS = 256 };

struct census_root {
	struct evl_str name;  /* belongs to the map */
	uint64_t own, shared; /* bytes that it alone reaches, and that others reach too */
};

struct census_roots {
	struct census_root roots[MOST_ROOTS]; /* the larger in all first */
	size_t n;
	bool more; /* there are others */
};

/* The roots of a sample whose labels are joined by `join`; 0: each label is one root. */
void census_roots(struct census_roots *out, const struct census_values *v, const struct bands *bands, char join);

/* Bytes that each root of *all shares with a root, into shared[all->n]; its own place is 0. */
void census_roots_shared(const struct census_roots *all, const struct census_values *v, const struct bands *bands,
	char join, struct evl_str root, uint64_t *shared);

/* Take the next name of a set from *rest; false at the end. */
bool census_root_next(struct evl_str *rest, char join, struct evl_str *name);

#endif
