/* census_values.h - one heap sample by band number; equal bands summed, by closure type (-hT) the larger kept.
 *
 * By closure type the run-time system may write a band twice; in other profiles, equal bands are what GHC cut to equal
 * texts. */
#ifndef EVL_CENSUS_VALUES_H
#define EVL_CENSUS_VALUES_H

#include "heap/census_bands.h"

/* The bytes of bands that are not named in `numbers` are 0, in between samples too. Zeros are ready for use. */
struct census_values {
	uint64_t *bytes;   /* by number, room of them */
	uint32_t *numbers; /* of the bands that are there, n of them */
	size_t n, room;
	uint64_t rest; /* bytes of bands without a number */
	uint64_t total;
	uint64_t bands;                /* that the sample has in this profile */
	uint64_t foreign;              /* and in others */
	struct census_values *members; /* of groups: what their bands hold; NULL: not needed yet */
};

void census_values_free(struct census_values *v);

/* Read a sample of a profile. cancel may be NULL. EVL_CANCELLED, EVL_NOMEM: then v holds nothing. */
int census_values_read(struct census_values *v, struct bands *bands, const struct census *c, const struct blocks *b,
	size_t sample, uint8_t profile, const atomic_bool *cancel) EVL_MUST_USE;

/* A sample that has bands of other profiles only is not one of this. */
static inline bool census_is_foreign(const struct census_values *v) { return v->bands == 0 && v->foreign > 0; }

static inline uint64_t census_bytes(const struct census_values *v, uint32_t number)
{
	return number < v->room ? v->bytes[number] : 0;
}

#endif
