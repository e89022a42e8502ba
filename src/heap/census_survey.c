#include "heap/census_survey.h"

#include "base/gallop.h"

#include <stdlib.h>

void census_survey_free(struct census_survey *s)
{
	bands_free(&s->bands);
	free_all(s->samples, s->totals);
	*s = (struct census_survey){0};
}

void census_done(const struct census_run *run, uint64_t done)
{
	if (!run->done)
		return;
	store_relaxed(run->done, done);
	if (run->tell)
		run->tell(run->ctx);
}

static int take_sample(struct census_survey *s, struct census_values *v, const struct census_run *run, size_t i)
{
	int result = census_values_read(v, &s->bands, run->census, run->blocks, i, run->profile, run->cancel);
	for (size_t k = 0; k < v->n; k++) {
		struct band *band = bands_at(&s->bands, v->numbers[k]);
		band->sum = add_or_max(band->sum, v->bytes[v->numbers[k]]);
		band->peak = max_u64(band->peak, v->bytes[v->numbers[k]]);
	}
	if (result == 0 && !census_is_foreign(v)) {
		s->samples[s->n] = (uint32_t)i;
		s->totals[s->n++] = v->total;
		s->largest = max_u64(s->largest, v->total);
	}
	census_done(run, i + 1);
	return result;
}

int census_survey(struct census_survey *s, const struct census_run *run)
{
	struct census_values v = {0};
	size_t n = census_count(run->census);
	*s = (struct census_survey){0};
	bands_init(&s->bands);
	s->samples = calloc(n ? n : 1, sizeof *s->samples);
	s->totals = calloc(n ? n : 1, sizeof *s->totals);
	int result = s->samples && s->totals ? 0 : EVL_NOMEM;
	for (size_t i = 0; result == 0 && i < n; i++) {
		result = take_sample(s, &v, run, i);
		if (result == 0 && bands_count(&s->bands) == MOST_BANDS) {
			census_values_free(&v); /* its numbers are those of before */
			result = bands_prune(&s->bands);
		}
	}
	result = result ? result : bands_rank(&s->bands);
	s->bands.frozen = true;
	census_values_free(&v);
	if (result < 0)
		census_survey_free(s);
	return result;
}

/* --- telling ------------------------------------------------------------------------------------------------------- */

enum { SNIFF_SAMPLES = 8, SNIFF_BANDS = 4096 };

/* The first bands of the first samples. */
static void sniff(
	const struct census *c, const struct blocks *b, void (*take)(void *ctx, const struct census_band *), void *ctx)
{
	struct census_reader reader;
	struct census_band band;
	for (size_t i = 0; i < census_count(c) && i < SNIFF_SAMPLES; i++) {
		census_read(&reader, c, b, census_at(c, i));
		for (int k = 0; k < SNIFF_BANDS && census_next(&reader, &band); k++)
			take(ctx, &band);
	}
}

struct look {
	struct breakdown_looks looks;
	uint8_t profile;
};

static void look_at(void *ctx, const struct census_band *band)
{
	struct look *look = ctx;
	if (band->profile == look->profile)
		breakdown_look(&look->looks, band);
}

struct breakdown_found census_breakdown(
	const struct census *c, const struct blocks *b, const struct program_facts *facts, uint8_t profile)
{
	struct look look = {.profile = profile};
	sniff(c, b, look_at, &look);
	bool timed = census_count(c) && census_at(c, 0)->timed;
	return breakdown_tell(&c->profiles[profile], facts, &look.looks, timed);
}

static void note_profile(void *ctx, const struct census_band *band)
{
	bool *seen = ctx;
	seen[band->profile] = true;
}

unsigned census_profile_from(const struct census *c, const struct blocks *b, unsigned from)
{
	bool seen[CENSUS_PROFILES] = {false};
	sniff(c, b, note_profile, seen);
	for (; from < CENSUS_PROFILES; from++)
		if (seen[from] || c->profiles[from].off)
			break;
	return from;
}

/* --- the axis ------------------------------------------------------------------------------------------------------ */

uint64_t census_axis_time(const struct census_axis *a, size_t i)
{
	unsigned __int128 run = a->last - a->first;
	return a->by_index ? a->first + (uint64_t)(run * (2 * i + 1) / (2 * a->n))
			   : census_at(a->census, a->samples[i])->t;
}

size_t census_axis_before(const struct census_axis *a, uint64_t t)
{
	BISECT(low, a->n, census_axis_time(a, mid) < t);
	return low;
}

size_t census_axis_at(const struct census_axis *a, uint64_t t)
{
	size_t before = census_axis_before(a, t == UINT64_MAX ? t : t + 1);
	return before ? before - 1 : 0;
}
