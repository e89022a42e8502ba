/* prof_samples.h - scan the profile samples of a range: count per stack and capability in each of n equal parts.
 *
 * Pages that lie in one part are added up, the others are read again: the cost is the pages of the range, and the
 * events of at most one page per part. May wait for the disk: do not call it from the drawing thread. */
#ifndef EVL_PROF_SAMPLES_H
#define EVL_PROF_SAMPLES_H

#include "prof/prof.h"

/* A number of samples of a stack on a capability in a part. The same three may occur more than once. */
struct prof_count {
	uint32_t node, n;
	uint16_t cap, part;
};

struct prof_samples {
	uint64_t from, to;         /* [from, to) */
	int parts;                 /* 1 … 65536 */
	const atomic_bool *cancel; /* NULL: never */
	void (*take)(void *ctx, const struct prof_count *count);
	void *ctx;
};

/* Count the samples. Return 0, EVL_CANCELLED or EVL_NOMEM. The walk must be over. */
int prof_scan(const struct prof *p, const struct blocks *b, const struct prof_samples *ask) EVL_MUST_USE;

/* Pass each sample of a range to `take`, one chain after another, in chain order, until it returns false. */
struct prof_each {
	uint64_t from, to;
	const atomic_bool *cancel;
	bool (*take)(void *ctx, const struct prof_sample *sample);
	void *ctx;
};
int prof_each(const struct prof *p, const struct blocks *b, const struct prof_each *ask) EVL_MUST_USE;

#endif
