/* census_values.h - one heap-profile sample in memory: the bytes of each band; bands with equal labels are combined.
 *
 * A band is a label or cost-centre stack; census_bands.h numbers the bands of a profile. In a profile by closure type
 * (-hT) the run-time system may write a band twice, so the larger value counts. In other profiles equal labels are
 * different bands that GHC truncated to the same text, so their sum counts. */
#ifndef EVL_CENSUS_VALUES_H
#define EVL_CENSUS_VALUES_H

#include "heap/census_bands.h"

/* The contents of one sample. bytes[i] is 0 for each band i that is not listed in `numbers`. Initialise with zeros. */
struct census_values {
	uint64_t *bytes;   /* by band number; `room` elements */
	uint32_t *numbers; /* numbers of the bands present; n elements */
	size_t n, room;
	uint64_t rest; /* bytes of bands that have no number */
	uint64_t total;
	uint64_t bands;   /* number of bands of this profile in the sample */
	uint64_t foreign; /* number of bands of other profiles */
	/* contents by single band, from the last sample read with grouped bands (bands->members); NULL: none; owned */
	struct census_values *members;
};

void census_values_free(struct census_values *v);

/* Replace the contents of v by sample number `sample` of the census, without the bands of profiles other than number
 * `profile`, which are only counted. Bands that are not yet in `bands` are added to it. cancel may be NULL. Return 0,
 * or EVL_CANCELLED or EVL_NOMEM with v empty. */
int census_values_read(struct census_values *v, struct bands *bands, const struct census *c, const struct blocks *b,
	size_t sample, uint8_t profile, const atomic_bool *cancel) EVL_MUST_USE;

/* Report whether the sample belongs to another profile: it has only bands of others. */
static inline bool census_is_foreign(const struct census_values *v) { return v->bands == 0 && v->foreign > 0; }

/* Return the bytes of a band, 0 if it is absent. */
static inline uint64_t census_bytes(const struct census_values *v, uint32_t number)
{
	return number < v->room ? v->bytes[number] : 0;
}

#endif
