/* perf.h - the name and the sample times of each hardware counter or tracepoint of perf.
 *
 * The first PERF_COUNTERS counters are kept, in the order of their first events. Samples of further counters are only
 * counted (`more`), and so are samples of a counter after the first PERF_POINTS (points.more). A chain is all blocks of
 * one capability. */
#ifndef EVL_PERF_H
#define EVL_PERF_H

#include "index/blocks.h"
#include "index/points.h"

enum { PERF_COUNTERS = 8, PERF_POINTS = 1 << 17 };

struct perf_counter {
	uint32_t id;
	_Atomic uint64_t name; /* file offset of the event that names it; 0: none */
	struct points samples;
};

struct perf {
	const struct blocks *blocks;
	struct perf_counter counters[PERF_COUNTERS];
	_Atomic size_t n;
	_Atomic uint64_t more; /* number of events (names and samples) of further counters */
};

void perf_init(struct perf *p, const struct blocks *blocks);
void perf_free(struct perf *p);

/* Report whether perf_event uses events with this tag. */
bool perf_wants(uint16_t tag);

/* Process the next event of a chain. */
void perf_event(struct perf *p, uint32_t chain, const struct frame *f);

/* Return the number of counters that have samples, or counter i of these (NULL if there are fewer). */
size_t perf_count(const struct perf *p);
const struct perf_counter *perf_at(const struct perf *p, size_t i);

/* The contents of a sample. */
struct perf_sample {
	uint64_t period;     /* events of the counter since its previous sample; 0: a tracepoint, which has none */
	uint64_t kernel_tid; /* operating-system id of the thread */
};

/* Read the sample at a file offset. Return false if there is none, or while its bytes are read from the disk in the
 * background. */
bool perf_sample(const struct blocks *b, uint64_t off, struct perf_sample *out);

/* Save or load all counters (image.h). */
void perf_image(struct image *im, struct perf *p, const struct blocks *blocks);

#endif
