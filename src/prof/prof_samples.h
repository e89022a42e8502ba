/* prof_samples.h - scan the profile samples of a time range: count per stack and capability in each of n equal parts.
 *
 * Pages (prof.h) that lie in one part are summed from the index; the others are read again. The cost is the number of
 * pages in the range, plus the events of at most one page per part and capability. May wait for the disk: do not call
 * these functions from the drawing thread. */
#ifndef EVL_PROF_SAMPLES_H
#define EVL_PROF_SAMPLES_H

#include "prof/prof.h"

/* The number of samples (n) of a stack on a capability in a part of the range. The same node, cap and part may be
 * reported more than once; add up n. */
struct prof_count {
	uint32_t node, n;
	uint16_t cap, part;
};

struct prof_samples {
	uint64_t from, to;         /* time range [from, to) in ns */
	int parts;                 /* number of equal parts, 1 to 65,536 */
	const atomic_bool *cancel; /* may be NULL */
	void (*take)(void *ctx, const struct prof_count *count);
	void *ctx;
};

/* Call ask->take with counts of all samples. Return 0, EVL_CANCELLED or EVL_NOMEM. The log must be indexed. */
int prof_scan(const struct prof *p, const struct blocks *b, const struct prof_samples *ask) EVL_MUST_USE;

/* Pass each sample of a time range to `take`, capability by capability, in file order within one, until `take` returns
 * false. Return 0, EVL_CANCELLED or EVL_NOMEM. */
struct prof_each {
	uint64_t from, to;
	const atomic_bool *cancel;
	bool (*take)(void *ctx, const struct prof_sample *sample);
	void *ctx;
};
int prof_each(const struct prof *p, const struct blocks *b, const struct prof_each *ask) EVL_MUST_USE;

#endif
