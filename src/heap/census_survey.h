/* census_survey.h - scan all samples of a heap profile once: its bands, their sizes and stacking order, the total of
 * each sample.
 *
 * A band is one label or cost-centre stack of the profile. A survey costs as much as reading all samples. Callers run
 * it on the thread of a background job and can cancel it. */
#ifndef EVL_CENSUS_SURVEY_H
#define EVL_CENSUS_SURVEY_H

#include "heap/breakdown.h"
#include "heap/census_values.h"

/* The profile to read, and how to report progress and cancel. */
struct census_run {
	const struct census *census;
	const struct blocks *blocks;
	uint8_t profile;           /* id of the heap profile; GHC only uses 0 */
	const atomic_bool *cancel; /* may be NULL */
	_Atomic uint64_t *done;    /* number of samples read so far; may be NULL */
	void (*tell)(void *ctx);   /* called after each change of *done; may be NULL */
	void *ctx;
};

struct census_survey {
	struct bands bands; /* with their ranks; no more bands are added */
	uint32_t *samples;  /* numbers in the census of the samples of this profile */
	uint64_t *totals;   /* bytes of each sample */
	size_t n;
	uint64_t largest; /* largest element of totals */
};

/* Store the number of samples read in *run->done and call run->tell. */
void census_done(const struct census_run *run, uint64_t done);

/* Scan the samples. Return 0, or EVL_CANCELLED or EVL_NOMEM with nothing to free. */
int census_survey(struct census_survey *s, const struct census_run *run) EVL_MUST_USE;
void census_survey_free(struct census_survey *s);

/* Return the kind of a profile, determined from its HEAP_PROF_BEGIN, the program's arguments and its first bands. */
struct breakdown_found census_breakdown(
	const struct census *c, const struct blocks *b, const struct program_facts *facts, uint8_t profile);

/* Return the first profile id, from `from` on, that has a HEAP_PROF_BEGIN or has bands in the first samples;
 * CENSUS_PROFILES if there is none. */
unsigned census_profile_from(const struct census *c, const struct blocks *b, unsigned from);

/* Positions of samples on the time axis: their times or, if these are not known (by_index), evenly spaced over the run.
 * In the functions below, sample i is the one whose number in the census is samples[i]. */
struct census_axis {
	const struct census *census;
	const uint32_t *samples; /* samples of the profile (census_survey.samples); n of them */
	size_t n;
	uint64_t first, last; /* times of the first and last event, ns */
	bool by_index;
};

/* Return the position of sample i in ns, or the number of samples before time t. */
uint64_t census_axis_time(const struct census_axis *a, size_t i);
size_t census_axis_before(const struct census_axis *a, uint64_t t);

/* Return the index of the last sample at or before t, or 0 if all are later. n must not be 0. */
size_t census_axis_at(const struct census_axis *a, uint64_t t);

#endif
