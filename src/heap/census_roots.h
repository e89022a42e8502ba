/* census_roots.h - heap profiles by root set: bytes held by each root alone, and bytes shared with other roots.
 *
 * A band of such a profile counts the bytes that exactly one set of roots reaches; its label joins the names of the
 * set. */
#ifndef EVL_CENSUS_ROOTS_H
#define EVL_CENSUS_ROOTS_H

#include "heap/census_values.h"

enum { MOST_ROOTS = 256 };

struct census_root {
	struct evl_str name;  /* borrowed from the log */
	uint64_t own, shared; /* bytes that only this root reaches, and bytes that others reach, too */
};

struct census_roots {
	struct census_root roots[MOST_ROOTS]; /* by own + shared, largest first */
	size_t n;
	bool more; /* there were more than MOST_ROOTS roots */
};

/* Compute the roots of a sample. `join` separates the names in a label; 0: each label is one root. */
void census_roots(struct census_roots *out, const struct census_values *v, const struct bands *bands, char join);

/* Store in shared[all->n] the bytes that each root of *all shares with `root`; 0 for that root itself. */
void census_roots_shared(const struct census_roots *all, const struct census_values *v, const struct bands *bands,
	char join, struct evl_str root, uint64_t *shared);

/* Remove the next name of a set from *rest and store it in *name. Return false at the end. */
bool census_root_next(struct evl_str *rest, char join, struct evl_str *name);

#endif
