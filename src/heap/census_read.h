/* census_read.h - read one heap-profile sample from the log, band by band (a band is a label or stack with its bytes).
 *
 * A sample ends at its end event or, without one, where the next sample starts. Other events in between are skipped.
 * Bands with equal labels are not summed here. */
#ifndef EVL_CENSUS_READ_H
#define EVL_CENSUS_READ_H

#include "heap/census.h"
#include "index/cursor.h"

struct census_band {
	uint64_t bytes;
	uint64_t off; /* file offset of its event */
	/* label, or for a stack its cost centres (big-endian u32), innermost first; borrowed from the log */
	struct evl_str key;
	uint8_t profile; /* id of the heap profile; GHC only uses 0 */
	bool is_stack;
};

struct census_reader {
	const struct header *header;
	struct cursor cursor;
};

/* Start to read a sample. */
void census_read(
	struct census_reader *r, const struct census *c, const struct blocks *b, const struct census_sample *s);

/* Store the next band. Return false at the end of the sample. */
bool census_next(struct census_reader *r, struct census_band *out);

#endif
