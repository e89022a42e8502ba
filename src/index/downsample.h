/* downsample.h - thin frequent samples of big logs: keep the largest per stretch of the file.
 *
 * Of the samples of one kind that a capability posts within a given number of bytes of the log the largest is kept,
 * so tables of samples stay a small part of any log and no spike is lost. In small logs all samples are kept. */
#ifndef EVL_DOWNSAMPLE_H
#define EVL_DOWNSAMPLE_H

#include "format/frame.h"

enum {
	THIN_KINDS = 5,
	THIN_ALL_BYTES = 16 << 20 /* logs up to this size keep all */,
	THIN_LONG_SHIFT = 14,
	THIN_MOST_SHIFT = 18
};

/* The largest sample of a kind since its stretch of the log began. */
struct downsample_pick {
	uint64_t off, value; /* off 0: none */
};

/* State of one part of a chain; starts as zeros. */
struct downsample {
	struct downsample_pick picks[THIN_KINDS];
};

/* Return the stretch for a log of log_bytes in `chains` chains, as a shift: each chain keeps a sample per 1 <<
 * shift bytes. */
unsigned downsample_shift(uint64_t log_bytes, uint64_t chains);

/* Does the event carry such a number? */
bool downsample_wants(uint16_t tag);

/* Where the number is in the payload, and which of the picks it belongs to. */
unsigned downsample_value_at(uint16_t tag);
unsigned downsample_kind(uint16_t tag);

/* Take the next sample of a kind. Return the file offset of the sample to keep, which may be an earlier one, or 0. */
static inline uint64_t downsample_take(
	struct downsample *thin, unsigned shift, unsigned kind, uint64_t off, uint64_t value)
{
	struct downsample_pick *pick = &thin->picks[kind];
	bool next = (pick->off ^ off) >> shift;
	uint64_t kept = next ? pick->off : 0;
	if (next || value >= pick->value)
		*pick = (struct downsample_pick){off, value};
	return kept;
}

/* No more come: the offset of one that is to be kept still, and forget it; 0: there is none. */
uint64_t downsample_rest(struct downsample *thin);

#endif
