/* downsample.h - thin frequent samples of big logs: keep the largest per section of the file.
 *
 * A log of more than 16 MiB is divided into sections of 1 << shift bytes. If a capability posts several samples of one
 * kind in a section, only the largest is kept, so tables of samples stay small compared to the log and no spike is
 * lost. Which are kept does not depend on how the log is divided into parts. A smaller log keeps all samples. */
#ifndef EVL_DOWNSAMPLE_H
#define EVL_DOWNSAMPLE_H

#include "format/frame.h"

enum {
	THIN_KINDS = 5,
	THIN_ALL_BYTES = 16 << 20 /* smaller logs keep all samples */,
	THIN_LONG_SHIFT = 14,
	THIN_MOST_SHIFT = 18
};

/* The largest sample of a kind in the current section. */
struct downsample_pick {
	uint64_t off, value; /* file offset of the event (0: none) and its value */
};

/* State while indexing one part of a chain (the blocks of one capability), or of all parts joined so far. Initialise with zeros. */
struct downsample {
	struct downsample_pick picks[THIN_KINDS];
	struct downsample_pick
		firsts[THIN_KINDS]; /* of a part: those kept first, if later ones are in other sections */
};

/* Return the binary logarithm of the section size for a log of this size with this number of chains (capabilities); 0
 * keeps all samples. */
unsigned downsample_shift(uint64_t log_bytes, uint64_t chains);

/* Report whether events with this tag are samples to be thinned. */
bool downsample_wants(uint16_t tag);

/* Return the offset of the value in the payload, or the index in downsample.picks, for a tag that is thinned. */
unsigned downsample_value_at(uint16_t tag);
unsigned downsample_kind(uint16_t tag);

/* Process the next sample. If it starts a new section, return the file offset of the sample to keep from the section
 * before; otherwise return 0. */
static inline uint64_t downsample_take(
	struct downsample *thin, unsigned shift, unsigned kind, uint64_t off, uint64_t value)
{
	struct downsample_pick *pick = &thin->picks[kind];
	bool next = (pick->off ^ off) >> shift;
	uint64_t kept = next ? pick->off : 0;
	if (kept && !thin->firsts[kind].off)
		thin->firsts[kind] = *pick;
	if (next || value >= pick->value)
		*pick = (struct downsample_pick){off, value};
	return kept;
}

/* Join the samples of a part to those before it: a section that both have samples in has one largest. Return the file offset of a
 * sample to keep before those of the part, or 0. *drop: the offset of a sample of the part that is not kept, or 0. */
uint64_t downsample_join(
	struct downsample *before, const struct downsample *part, unsigned shift, unsigned kind, uint64_t *drop);

/* After the last sample, return the file offset of one more sample to keep and remove it, or return 0 if none is
 * left. */
uint64_t downsample_rest(struct downsample *thin);

#endif
