/* two_profiles.h - samples of two logs by the same stacks and names, to be compared.
 *
 * Cost centres are the same if label and module are; where several have the same, by their place in the source. */
#ifndef EVTUI_TWO_PROFILES_H
#define EVTUI_TWO_PROFILES_H

#include "prof/prof_names.h"

struct one_profile {
	const struct stacks *stacks;
	const struct prof_names *names;
	const uint64_t *self; /* by node, n of them */
	uint32_t n;
};

struct two_profiles {
	struct stacks stacks; /* of both; frames are names */
	struct prof_names
		names; /* as those of the picture, by node of these stacks; texts and items are borrowed from it */
	uint64_t *self, *base; /* by node */
	uint32_t n;
};

/* Bring both together. names: those of `now`, with the same numbers, and then those that `base` alone has. 0 or EVL_NOMEM; then
 * both hold nothing. */
int two_profiles_make(struct two_profiles *two, struct prof_names *names, const struct one_profile *now,
	const struct one_profile *base) EVL_MUST_USE;
void two_profiles_free(struct two_profiles *two);

#endif
