/* perf.h - samples of hardware counters and tracepoints (events of perf), by counter: their times and names.
 *
 * The first PERF_COUNTERS counters are kept, in order of their first event; samples of more are only counted, and so are
 * samples past the ceiling of points.h. */
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
	_Atomic uint64_t more; /* events of other counters */
};

void perf_init(struct perf *p, const struct blocks *blocks);
void perf_free(struct perf *p);

bool perf_wants(uint16_t tag);
void perf_event(struct perf *p, uint32_t chain, const struct frame *f);

/* How many counters have samples, and the i-th of them; NULL: there are fewer. */
size_t perf_count(const struct perf *p);
const struct perf_counter *perf_at(const struct perf *p, size_t i);

/* The content of a sample. */
struct perf_sample {
	uint64_t period; /* events of the counter since its last sample; 0: a tracepoint, which has none */
	uint64_t kernel_tid;
};

/* Read a sample's event. Return false if there is none at the offset, or while its bytes
 * are fetched from the disk. */
bool perf_sample(const struct blocks *b, uint64_t off, struct perf_sample *out);

/* To or from a file (image.h). */
void perf_image(struct image *im, struct perf *p, const struct blocks *blocks);

#endif
