/* sparks.h - spark counters over time: pool size, sparks created and converted.
 *
 * GHC posts them for each capability, after collections: totals, and the size of its pool. Rates are differences,
 * spread evenly over the time between two samples of a capability. A total that decreases has been reset. 48 bytes
 * per sample, by the rules of series.h. One writer per chain, any number of readers. */
#ifndef EVL_SPARKS_H
#define EVL_SPARKS_H

#include "index/blocks.h"
#include "index/points.h"
#include "index/series.h"

/* What one capability's counters say. */
struct spark_chain {
	struct series pool;               /* sparks that wait */
	struct series created, converted; /* totals; dud and overflowed sparks are not among the created ones */
	struct counter n_created, n_converted;
	uint64_t t, off; /* of the writer: the last sample; */
	bool busy;       /* sparks were created before it */
};

struct sparks {
	_Atomic(struct spark_chain *) *chains; /* made by the first event of each */
	size_t n;
	struct points samples; /* of all capabilities: the events have more counters than are kept */
	struct points bursts;  /* a capability begins to create sparks: the last sample before */
};

int sparks_init(struct sparks *s, const struct blocks *blocks) EVL_MUST_USE;
void sparks_free(struct sparks *s);

/* Is this an event that sparks_event asks for? */
bool sparks_wants(uint16_t tag);
void sparks_event(struct sparks *s, uint32_t chain, const struct frame *f);

struct spark_column {
	uint64_t pool;               /* the pools of all capabilities, each at its fullest within the column */
	uint64_t created, converted; /* within the column */
};

/* The columns of [t0, t1) cut into n equal parts. */
void sparks_columns(const struct sparks *s, uint64_t t0, uint64_t t1, int n, struct spark_column *out);

/* At moment t: the pools of all capabilities, and the totals. */
void sparks_at(const struct sparks *s, uint64_t t, struct spark_column *out);

#endif
