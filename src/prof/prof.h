/* prof.h - time profile: samples of call stacks, summed by page while the log is indexed.
 *
 * A profiled program (+RTS -p -l) posts one sample per capability at every tick: the stack of its cost centres. While
 * the log is indexed, stacks become ids (stacks.h), and the samples of each page, PAGE_SAMPLES consecutive samples of a
 * chain (the blocks of one capability), are summed. The samples of a time range are then the sums of its whole pages
 * plus at most two partly covered pages, which are read again (prof_samples.h). Sums take 8 bytes per page, capability
 * and stack, at most 2 MiB and 1/256 of the log in total; pages past that limit have no sums and are read again.
 *
 * A program may also sample itself with ghc-stack-profiler; its call stacks (stack_profiler.h) are a second profile.
 * They have no ticks, and the time that a sample represents is unknown.
 *
 * Format: a stack is written innermost first and without its root, MAIN, so an empty stack is MAIN itself. A sample
 * represents one interval. Ticks are also counted while profiling is stopped, so a jump in them is a gap. */
#ifndef EVL_PROF_H
#define EVL_PROF_H

#include "prof/cost_centres.h"
#include "prof/stack_profiler.h"
#include "prof/stacks.h"

enum { PAGE_SAMPLES = 1 << 15, MAX_PROF_GAPS = 1 << 14, PROF_CAPS = 1 << 16 };

/* Number of samples (n) of a stack on a capability. `node` is the node of the stack (stacks.h). */
struct prof_sum {
	uint32_t node;
	uint16_t cap;
	uint16_t n;
};

struct prof_page {
	uint64_t first_t, last_t; /* times of its first and last sample */
	uint64_t off;             /* file offset of its first sample */
	uint64_t sums;            /* index of its first sum in the chain's `sums` */
	uint32_t samples, n_sums; /* n_sums is 0 if its sums were not kept */
};

/* Missing ticks between two samples of a chain. */
struct prof_gap {
	uint64_t from, to, ticks;
};

struct prof_chain {
	struct rows pages;          /* struct prof_page */
	struct rows sums;           /* struct prof_sum */
	uint64_t last_t, last_tick; /* of the last sample so far */
};

enum prof_source { PROF_CENTRES, PROF_CALLS, PROF_SOURCES };

struct prof {
	enum prof_source source;
	struct stacks stacks;     /* frames are ids of cost centres, or of `calls` */
	struct call_frames calls; /* PROF_CALLS only */
	struct prof_chain *chains;
	size_t n_chains;
	struct rows gaps;   /* struct prof_gap */
	uint64_t more_gaps; /* number of gaps not kept */
	uint64_t sums_left; /* number of sums that may still be kept */
	/* number of all samples, of those with an empty stack; the largest tick */
	_Atomic uint64_t samples, empty, last_tick;
	_Atomic uint64_t interval; /* ns between ticks; 0: unknown */
	_Atomic uint64_t *by_cap;  /* samples by capability; PROF_CAPS of them */
	struct by_id on_top;       /* samples by innermost frame */
	_Atomic uint64_t others;   /* samples whose innermost frame has no room in on_top */
};

#define PROF_EMPTY UINT64_MAX /* an empty stack */

/* One sample, as read from an event. */
struct prof_sample {
	uint64_t t, tick, off; /* time in ns, tick, file offset */
	uint32_t node;
	uint64_t innermost; /* innermost frame, or PROF_EMPTY; 64 bits wide because any 32-bit value is a valid frame */
	uint16_t cap;
	bool cut; /* the node is only the outer part of the stack */
};

/* Reader of samples in chain order. Initialise with zeros; the caller allocates and frees the cache. */
struct prof_reader {
	struct stack_cache *cache;  /* may be NULL */
	uint32_t ring[STACK_DEPTH]; /* innermost frames of a stack whose parts are being read */
	uint64_t n_ring, off;       /* number of frames read; file offset of the first part, or 0 */
};

/* Results of one part of a chain. Initialise with zeros. */
struct prof_partial {
	struct prof_reader reader;
	uint32_t *slots;       /* hash table by capability and stack: index into `open` + 1; 0: free */
	struct prof_sum *open; /* sums of the page being filled */
	struct prof_page page;
	struct prof_page *pages;
	struct prof_sum *sums;
	struct prof_gap *gaps;
	size_t n_pages, pages_room, n_sums, sums_room, n_gaps, gaps_room;
	struct prof_sample first, last; /* all 0 if there was none */
	bool any, failed;
};

/* Initialise an empty profile. Return 0 or EVL_NOMEM. */
int prof_init(struct prof *p, enum prof_source source, const struct blocks *blocks) EVL_MUST_USE;
void prof_free(struct prof *p);

/* Allow for more sums, because the log, which had log_bytes, has grown. */
void prof_extend(struct prof *p, uint64_t log_bytes, uint64_t more);

/* Report whether prof_now uses events with this tag. prof_now processes the next event of a part. */
bool prof_wants(uint16_t tag);
void prof_now(struct prof *p, struct prof_partial *s, const struct frame *f);

/* Complete a part after its last event (prof_walked); then join it as the next part of its chain, or discard it. */
void prof_walked(struct prof *p, struct prof_partial *s);
void prof_join(struct prof *p, uint32_t chain, struct prof_partial *s);
void prof_drop(struct prof_partial *s);

/* Read the sample that an event completes; its stack must be known from indexing. Return false if the event does not
 * complete a sample. */
bool prof_read(const struct prof *p, struct prof_reader *r, const struct frame *f, struct prof_sample *out);

/* Return the number of samples. */
static inline uint64_t prof_samples(const struct prof *p) { return load_relaxed(&p->samples); }

/* Return ns per sample, or 0 if unknown. */
static inline uint64_t prof_interval(const struct prof *p) { return load_relaxed(&p->interval); }

/* Find the innermost frames with the most samples; most samples first, then by id. Frames without samples are omitted.
 * Write at most n ids to `out` and their numbers of samples to `samples`. Return the number written. */
size_t prof_top(const struct prof *p, uint32_t *out, uint64_t *samples, size_t n);

/* Save or load a profile (image.h). */
void prof_image(struct image *im, struct prof *p, enum prof_source source, const struct blocks *blocks);

#endif
