/* prof.h - time profile: samples of call stacks, summed by page during the walk.
 *
 * A profiled program (+RTS -p -l) posts one sample per capability at every tick: the stack of its cost centres. The
 * walk turns stacks into ids (stacks.h) and sums the samples of every page: PAGE_SAMPLES consecutive ones of a
 * chain. So a range of any size is whole pages, which are added up, and at most two that are read again
 * (prof_samples.h). Sums take 8 bytes per page, capability and stack, and at most 2 MiB and 1/256 of the log; pages
 * past that have none and are read again.
 *
 * A program may also sample itself with ghc-stack-profiler; its call stacks (stack_profiler.h) are a second profile.
 * They have no ticks, and nothing says how much time each represents.
 *
 * Rules of the format: a stack is written innermost first and without its root, MAIN, so an empty one is MAIN
 * itself. A sample represents one interval. Ticks go on while profiling is stopped: where they jump there is a gap. */
#ifndef EVL_PROF_H
#define EVL_PROF_H

#include "prof/cost_centres.h"
#include "prof/stack_profiler.h"
#include "prof/stacks.h"

enum { PAGE_SAMPLES = 1 << 15, MAX_PROF_GAPS = 1 << 14, PROF_CAPS = 1 << 16 };

/* A number of samples of a stack on a capability. */
struct prof_sum {
	uint32_t node;
	uint16_t cap;
	uint16_t n;
};

struct prof_page {
	uint64_t first_t, last_t; /* of its samples */
	uint64_t off;             /* of the first */
	uint64_t sums;            /* where its sums begin in the chain's */
	uint32_t samples, n_sums; /* n_sums 0: they were not kept */
};

/* Between two samples of a chain ticks are missing. */
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
	uint64_t more_gaps;                         /* not kept */
	uint64_t sums_left;                         /* that may still be kept */
	_Atomic uint64_t samples, empty, last_tick; /* all; with an empty stack; the largest tick */
	_Atomic uint64_t interval;                  /* ns from tick to tick; 0: unknown */
	_Atomic uint64_t *by_cap;                   /* samples by capability; PROF_CAPS of them */
	struct by_id on_top;                        /* samples by innermost frame */
	_Atomic uint64_t others;                    /* of frames that have no room there */
};

#define PROF_EMPTY UINT64_MAX /* no centre at all */

/* One sample as it is read from an event. */
struct prof_sample {
	uint64_t t, tick, off;
	uint32_t node;
	uint64_t innermost; /* PROF_EMPTY where the stack is empty: a centre may have any number of 32 bits */
	uint16_t cap;
	bool cut; /* the node is only a part of the stack */
};

/* A sequential reader of samples, in the order of a chain. Starts as zeros; owns its cache. */
struct prof_reader {
	struct stack_cache *cache;  /* NULL: none */
	uint32_t ring[STACK_DEPTH]; /* the innermost frames of a stack of which parts have come so far */
	uint64_t n_ring, off;       /* how many frames came; where its first part stands, 0: there is none */
};

/* Partial results of one part of a chain. Starts as zeros. */
struct prof_partial {
	struct prof_reader reader;
	uint32_t *slots;       /* index into open_sums + 1 by capability and stack; 0: free */
	struct prof_sum *open; /* of the page that is being filled */
	struct prof_page page;
	struct prof_page *pages;
	struct prof_sum *sums;
	struct prof_gap *gaps;
	size_t n_pages, pages_room, n_sums, sums_room, n_gaps, gaps_room;
	struct prof_sample first, last; /* node 0 and t 0 where there was none */
	bool any, failed;
};

int prof_init(struct prof *p, enum prof_source source, const struct blocks *blocks) EVL_MUST_USE;
void prof_free(struct prof *p);

/* Events that prof_now asks for: to be handed on at once. */
bool prof_wants(uint16_t tag);
void prof_now(struct prof *p, struct prof_partial *s, const struct frame *f);

/* The part is walked; it is joined, the next of its chain; it never will be. */
void prof_walked(struct prof *p, struct prof_partial *s);
void prof_join(struct prof *p, uint32_t chain, struct prof_partial *s);
void prof_drop(struct prof_partial *s);

/* The sample that an event is, or ends; its stack is known since the walk. False: it is none. */
bool prof_read(const struct prof *p, struct prof_reader *r, const struct frame *f, struct prof_sample *out);

static inline uint64_t prof_samples(const struct prof *p)
{
	return atomic_load_explicit(&((struct prof *)(uintptr_t)p)->samples, memory_order_relaxed);
}

/* ns per sample; 0: unknown. */
static inline uint64_t prof_interval(const struct prof *p)
{
	return atomic_load_explicit(&((struct prof *)(uintptr_t)p)->interval, memory_order_relaxed);
}

/* The frames that were on top of most samples, most first, lower ids first among equals; those without a sample
 * never. Put their ids into out[n] and how often each was into samples[n]; return how many there are. */
size_t prof_top(const struct prof *p, uint32_t *out, uint64_t *samples, size_t n);

#endif
