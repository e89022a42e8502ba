/* census_survey.h - scan all samples of a heap profile once: its bands, their sizes and stacking order, the total of
 * each sample.
 *
 * Costs as much as reading the samples; callers run it on a job's thread and can cancel it. */
#ifndef EVL_CENSUS_SURVEY_H
#define EVL_CENSUS_SURVEY_H

#include "heap/breakdown.h"
#include "heap/census_values.h"

/* Reader of samples, and its progress. */
struct census_run {
	const struct census *census;
	const struct blocks *blocks;
	uint8_t profile;
	const atomic_bool *cancel; /* may be NULL */
	_Atomic uint64_t *done;    /* samples so far; may be NULL */
	void (*tell)(void *ctx);   /* called after each sample that is counted so */
	void *ctx;
};

struct census_survey {
	struct bands bands; /* ranked and frozen */
	uint32_t *samples;  /* of this profile: their places in the census */
	uint64_t *totals;   /* bytes of each */
	size_t n;
	uint64_t largest; /* of the totals */
};

/* Report the number of samples done. */
void census_done(const struct census_run *run, uint64_t done);

/* 0, EVL_CANCELLED or EVL_NOMEM; then there is nothing to free. */
int census_survey(struct census_survey *s, const struct census_run *run) EVL_MUST_USE;
void census_survey_free(struct census_survey *s);

/* Return the breakdown of a profile, from its begin event, the arguments and its first bands. */
struct breakdown_found census_breakdown(
	const struct census *c, const struct blocks *b, const struct program_facts *facts, uint8_t profile);

/* The first profile from id `from` on that was begun or has bands in the first samples; CENSUS_PROFILES: there is none. */
unsigned census_profile_from(const struct census *c, const struct blocks *b, unsigned from);

/* Where samples lie on the axis of time: at their times, or, where these are not known, evenly in the run. */
struct census_axis {
	const struct census *census;
	const uint32_t *samples; /* of the profile, n of them: samples are counted as there from here on */
	size_t n;
	uint64_t first, last; /* of the run */
	bool by_index;
};
uint64_t census_axis_time(const struct census_axis *a, size_t i);
size_t census_axis_before(const struct census_axis *a, uint64_t t); /* how many lie before t */

/* Return the sample for time t: the latest that is not later, or else the first. n > 0. */
size_t census_axis_at(const struct census_axis *a, uint64_t t);

#endif
