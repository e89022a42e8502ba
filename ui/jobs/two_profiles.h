/* two_profiles.h - merge the samples of two logs into common stacks and names, to compare them
 *
 * Cost centres are the same if label and module are equal. If several of `now` match one of `base`, the one with the
 * same source location is taken, else the first. */
#ifndef EVTUI_TWO_PROFILES_H
#define EVTUI_TWO_PROFILES_H

#include "prof/prof_names.h"

/* A profile to merge. */
struct one_profile {
	const struct stacks *stacks;
	const struct prof_names *names;
	const uint64_t *self; /* samples, indexed by node; n elements */
	uint32_t n;
};

/* The merged profiles. */
struct two_profiles {
	struct stacks stacks; /* merged stacks; their frames are names */
	/* Names of these stacks: of_node is for their nodes; items and text are borrowed from the argument `names`. */
	struct prof_names names;
	uint64_t *self, *base; /* samples of `now` and of `base`, indexed by node */
	uint32_t n;
};

/* Merge two profiles. *names, which must be zeros, receives a copy of the names of `now` and those that only `base`
 * has; the caller frees it (prof_names_free), but not before *two. Return 0, or EVL_NOMEM with *two and *names
 * empty. */
int two_profiles_make(struct two_profiles *two, struct prof_names *names, const struct one_profile *now,
	const struct one_profile *base) EVL_MUST_USE;
void two_profiles_free(struct two_profiles *two);

#endif
