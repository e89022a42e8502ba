/* prof_centres.h - samples of a time range by cost centre. */
#ifndef EVL_PROF_CENTRES_H
#define EVL_PROF_CENTRES_H

#include "prof/prof_window.h"

struct prof_centres {
	struct prof_names names;
	uint64_t *self, *incl; /* by name: samples with the centre innermost; with it anywhere in the stack */
	uint64_t all;          /* number of all samples */
	uint64_t program; /* without those whose innermost centre is the run-time system's (GC, IDLE, SYSTEM, …) */
};

/* Sum the samples of [from, to); those of the run-time system only if rts is true. Return 0, or EVL_CANCELLED or
 * EVL_NOMEM with *c empty. cancel may be NULL. The log must be indexed; may wait for the disk. */
int prof_centres_make(struct prof_centres *c, const struct prof *p, const struct prof_naming *naming, uint64_t from,
	uint64_t to, bool rts, const atomic_bool *cancel) EVL_MUST_USE;
void prof_centres_free(struct prof_centres *c);

/* Compare two names by self, then incl, the larger first, then as prof_names_compare does. centres: struct prof_centres. */
int prof_centres_order(const void *a, const void *b, void *centres);

/* Store, for each name, the samples with it anywhere in the stack (incl, counted once per sample) and with it innermost
 * (own); both arrays have names->n elements. self: by node of the stacks. Return 0 or EVL_NOMEM. */
int prof_sums(const struct stacks *stacks, const struct prof_names *names, const uint64_t *self, uint64_t *incl,
	uint64_t *own) EVL_MUST_USE;

#endif
