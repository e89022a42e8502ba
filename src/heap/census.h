/* census.h - index of heap-profile samples: where and when each is in the log, and how each profile started.
 *
 * 16 bytes per sample; its contents are read on demand (census_read.h). The time of a sample is that of its first
 * event, or, in a biographical profile, the one it states. Only the first MOST_SAMPLES are kept; the others are
 * counted. GHC writes samples to the global buffer; if the first sample is in another chain, that chain is read as well.
 * One writer, any number of readers. */
#ifndef EVL_CENSUS_H
#define EVL_CENSUS_H

#include "base/rows.h"
#include "index/blocks.h"

enum { MOST_SAMPLES = 1 << 18, CENSUS_PROFILES = 256 };

struct census_sample {
	uint64_t t;         /* ns; never less than that of the sample before */
	uint64_t off : 48;  /* of the event that starts it */
	uint64_t ended : 1; /* has an end event; GHC before 8.10 wrote none */
	uint64_t timed : 1; /* states its time */
};
_Static_assert(sizeof(struct census_sample) == 16, "16 bytes a sample");

/* How a profile was started; all zeros if the log does not say. */
struct census_profile {
	uint64_t off;       /* of its HEAP_PROF_BEGIN; 0: the log has none */
	uint64_t period;    /* requested ns between samples; the next collection after that takes one */
	uint32_t breakdown; /* number */
	bool filtered;      /* only a part of the heap is counted */
	bool biography; /* only objects in certain phases of their life; samples are then written at the end of the run */
};

struct census {
	struct rows samples; /* struct census_sample, by time */
	_Atomic uint64_t more;
	uint32_t chain;                                  /* that holds the samples; UINT32_MAX: no samples */
	struct census_profile profiles[CENSUS_PROFILES]; /* by id, complete after the walk; GHC writes id 0 only */
	bool ends;                                       /* samples have ends */
	struct census_sample open;                       /* during the walk: the sample that has no end yet */
	bool is_open;
};

void census_init(struct census *c);
void census_free(struct census *c);

bool census_wants(uint16_t tag);
void census_event(struct census *c, const struct header *h, uint32_t chain, const struct frame *f);

/* Complete the index after the walk. */
void census_end(struct census *c);

static inline size_t census_count(const struct census *c) { return rows_count(&c->samples); }
static inline const struct census_sample *census_at(const struct census *c, size_t i)
{
	return rows_at(&c->samples, i);
}

/* Report whether the sample may lack bands. unfinished: the log has no end. */
bool census_is_cut(const struct census *c, size_t i, bool unfinished);

/* To or from a file (image.h). */
void census_image(struct image *im, struct census *c, const struct blocks *blocks);

#endif
