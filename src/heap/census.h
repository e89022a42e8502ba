/* census.h - index of heap-profile samples: the time of each sample and its position in the log, and the start of each
 * profile.
 *
 * A sample takes 16 bytes; its contents are read on request (census_read.h). Its time is that of its first event or, in
 * a biographical profile, the time that it states. Only the first MOST_SAMPLES are kept; the others are counted. GHC
 * writes samples to the global buffer, which belongs to no capability. If the first sample is in another chain (the
 * blocks of one capability), all samples are read from that chain. One writer, any number of readers. */
#ifndef EVL_CENSUS_H
#define EVL_CENSUS_H

#include "base/rows.h"
#include "index/blocks.h"

enum { MOST_SAMPLES = 1 << 18, CENSUS_PROFILES = 256 };

struct census_sample {
	uint64_t t;         /* ns; not less than in the previous sample */
	uint64_t off : 48;  /* file offset of the event that starts the sample */
	uint64_t ended : 1; /* has an end event; GHC before 8.10 wrote none */
	uint64_t timed : 1; /* states its time */
};
_Static_assert(sizeof(struct census_sample) == 16, "16 bytes a sample");

/* The start of a profile; all zeros if the log does not describe it. */
struct census_profile {
	uint64_t off; /* file offset of HEAP_PROF_BEGIN; 0: none */
	/* requested ns between samples; a sample is taken by the first collection after that time */
	uint64_t period;
	uint32_t breakdown; /* kind of profile, as a number (breakdown.h) */
	bool filtered;      /* only part of the heap is counted */
	/* only objects in certain phases of their life are counted; samples are written at the end of the run */
	bool biography;
};

struct census {
	struct rows samples;   /* struct census_sample, by time */
	_Atomic uint64_t more; /* number of samples not kept */
	uint32_t chain;        /* chain that contains the samples; UINT32_MAX: none */
	/* by id; complete once the log is indexed; GHC only uses id 0 */
	struct census_profile profiles[CENSUS_PROFILES];
	bool ends;                 /* samples have end events */
	struct census_sample open; /* while indexing: the sample that has no end yet */
	bool is_open;
};

void census_init(struct census *c);
void census_free(struct census *c);

/* Report whether census_event uses events with this tag. */
bool census_wants(uint16_t tag);

/* Process the next event of a chain. */
void census_event(struct census *c, const struct header *h, uint32_t chain, const struct frame *f);

/* Close the last sample after all events. */
void census_end(struct census *c);

/* Return the number of samples, or sample i. */
static inline size_t census_count(const struct census *c) { return rows_count(&c->samples); }
static inline const struct census_sample *census_at(const struct census *c, size_t i)
{
	return rows_at(&c->samples, i);
}

/* Report whether sample i may lack bands because its end is missing. unfinished: the log ends without an end marker. */
bool census_is_cut(const struct census *c, size_t i, bool unfinished);

/* Save or load the index (image.h). */
void census_image(struct image *im, struct census *c, const struct blocks *blocks);

#endif
