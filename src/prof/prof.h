/* prof.h - time profile: samples of call stacks, summed by page during the walk.
 *
 * A profiled program (+RTS -p -l) posts one sample per capability at every tick: the stack of its cost centres. The
 * walk turns stacks into ids (stacks.h) and sums the samples of every page: PAGE_SAMPLES consecutive ones of a
 * chain. So a range of any size is whole pages, which are added up, and at most two that are read again
 * (prof_samples.h). Sums take 8 bytes per page, capability and stack, and at most 2 MiB and 1/256 of the log; pages
 * past that have none and are read again.
 *
 * A program may also sample itself with ghc-stack-profiler; its call stacks (stack_profiler.h) are a second profile.
 * They have no ticks, and the time that each represents is unknown.
 *
 * Rules of the format: a stack is written innermost first and without its root, MAIN, so an empty one is MAIN
 * itself. A sample represents one interval. Ticks are also counted while profiling is stopped: a jump is a gap. */
#ifndef EVL_PROF_H
#define EVL_PROF_H

#include "prof/cost_centres.h"
#include "prof/stack_profiler.h"
#include "prof/stacks.h"

enum { PAGE_SAMPLES = 1 << 15, MAX_PROF_GAPS = 1 << 14, PROF_CAPS = 1 << 16 };

/* Number of samples of a stack on a capability. */
struct prof_sum {
	uint32_t node;
	uint16_t cap;
	uint16_t n;
};

struct prof_page {
	uint64_t first_t, last_t; /* of its samples */
	uint64_t off;             /* of the first */
	uint64_t sums;            /* index of the first in the chain's sums */
	uint32_t samples, n_sums; /* n_sums is 0 if they were not kept */
};

/* Missing ticks between two samples of a chain. */
struct prof_gap {
	uint64_t from, to, ticks;
};

struct prof_chain {
	struct rows pages;          /* struct prof_page */
	struct rows sums;           /* struct prof_sum */
	uint64_t last_t, last_tick; /* of its last sample so far */
};

enum prof_source { PROF_CENTRES, PROF_CALLS, PROF_SOURCES };

struct prof {
	enum prof_source source;
	struct stacks stacks;     /* their frames are ids of cost centres, or those of `calls` */
	struct call_frames calls; /* of PROF_CALLS */
	struct prof_chain *chains;
	size_t n_chains;
	struct rows gaps;                           /* struct prof_gap */
	uint64_t more_gaps;                         /* gaps that were not kept */
	uint64_t sums_left;                         /* sums that may still be kept */
	_Atomic uint64_t samples, empty, last_tick; /* all; with an empty stack; the largest tick */
	_Atomic uint64_t interval;                  /* ns from tick to tick; 0: unknown */
	_Atomic uint64_t *by_cap;                   /* samples by capability; PROF_CAPS of them */
	struct by_id on_top;                        /* samples by innermost frame */
	_Atomic uint64_t others;                    /* samples of frames without room in on_top */
};

#define PROF_EMPTY UINT64_MAX /* no centre */

/* One sample as it is read from an event. */
struct prof_sample {
	uint64_t t, tick, off;
	uint32_t node;
	uint64_t innermost; /* PROF_EMPTY if the stack is empty; 64 bits, since a centre may have any 32-bit number */
	uint16_t cap;
	bool cut; /* the node is only a part of the stack */
};

/* Sequential reader of samples in chain order. Initialise with zeros; owns its cache. */
struct prof_reader {
	struct stack_cache *cache;  /* NULL: none */
	uint32_t ring[STACK_DEPTH]; /* innermost frames of a stack whose parts are being read */
	uint64_t n_ring, off;       /* number of frames read; offset of its first part, or 0 */
};

/* Partial results of one part of a chain. Initialise with zeros. */
struct prof_partial {
	struct prof_reader reader;
	uint32_t *slots;       /* index into open_sums + 1 by capability and stack; 0: free */
	struct prof_sum *open; /* of the page that is being filled */
	struct prof_page page;
	struct prof_page *pages;
	struct prof_sum *sums;
	struct prof_gap *gaps;
	size_t n_pages, pages_room, n_sums, sums_room, n_gaps, gaps_room;
	struct prof_sample first, last; /* node and t are 0 if there was none */
	bool any, failed;
};

int prof_init(struct prof *p, enum prof_source source, const struct blocks *blocks) EVL_MUST_USE;
void prof_free(struct prof *p);

/* Return whether the walk must pass events of this type to prof_now. */
bool prof_wants(uint16_t tag);
void prof_now(struct prof *p, struct prof_partial *s, const struct frame *f);

/* Complete a part that has been walked; then join it, as the next part of its chain, or drop it. */
void prof_walked(struct prof *p, struct prof_partial *s);
void prof_join(struct prof *p, uint32_t chain, struct prof_partial *s);
void prof_drop(struct prof_partial *s);

/* Read the sample that an event is, or completes; its stack is known from the walk. Return false if it is not a sample. */
bool prof_read(const struct prof *p, struct prof_reader *r, const struct frame *f, struct prof_sample *out);

static inline uint64_t prof_samples(const struct prof *p)
{
	return atomic_load_explicit(&((struct prof *)(uintptr_t)p)->samples, memory_order_relaxed);
}

/* Return ns per sample, or 0 if unknown. */
static inline uint64_t prof_interval(const struct prof *p)
{
	return atomic_load_explicit(&((struct prof *)(uintptr_t)p)->interval, memory_order_relaxed);
}

/* Find the frames with most samples on top: most samples first, then lower ids; frames without samples are left out. Write at
 * most n ids to out and their numbers of samples to samples. Return the number written. */
size_t prof_top(const struct prof *p, uint32_t *out, uint64_t *samples, size_t n);

/* To or from a file (image.h). */
void prof_image(struct image *im, struct prof *p, enum prof_source source, const struct blocks *blocks);

#endif
