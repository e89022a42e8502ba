/* census_read.h - read one heap-profile sample from the log, band by band.
 *
 * A sample extends to its end event or, without one, to the start of the next; other events of the chain in between
 * are skipped. Equal bands are not summed here. */
#ifndef EVL_CENSUS_READ_H
#define EVL_CENSUS_READ_H

#include "heap/census.h"
#include "index/cursor.h"

struct census_band {
	uint64_t bytes;
	uint64_t off;       /* of its event */
	struct evl_str key; /* the label; of a stack its cost centres, u32s in big-endian order, innermost first */
	uint8_t profile;
	bool is_stack;
};

struct census_reader {
	const struct header *header;
	struct cursor cursor;
};

/* Move to the first band of a sample. */
void census_read(
	struct census_reader *r, const struct census *c, const struct blocks *b, const struct census_sample *s);

/* The next one; false at the end. */
bool census_next(struct census_reader *r, struct census_band *out);

#endif
