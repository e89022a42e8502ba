/* sparks.h - sparks over time: by their single events where the log has them, else by the counters of capabilities.
 *
 * GHC posts counters for each capability, after collections: totals, and the size of its pool. Rates are differences,
 * spread evenly over the time between two samples of a capability. A total that decreases has been reset. 48 bytes
 * per sample, by the rules of series.h. One writer per chain, any number of readers. */
#ifndef EVL_SPARKS_H
#define EVL_SPARKS_H

#include "index/blocks.h"
#include "index/points.h"
#include "index/series.h"
#include "sched/spark_events.h"

/* Counters of one capability. */
struct spark_chain {
	struct series pool;               /* sparks that wait */
	struct series created, converted; /* totals; dud and overflowed sparks are not among the created ones */
	struct counter n_created, n_converted;
	uint64_t t, off; /* of the writer: the last sample; */
	bool busy;       /* sparks were created before it */
};

struct sparks {
	struct spark_events events;            /* where it has any, the rest is not asked */
	_Atomic(struct spark_chain *) *chains; /* made by the first event of each */
	size_t n;
	struct points bursts; /* a capability begins to create sparks: the last sample before */
};

int sparks_init(struct sparks *s, const struct blocks *blocks, const struct tile_table *tiles) EVL_MUST_USE;
void sparks_free(struct sparks *s);

/* Is this an event that sparks_event asks for? */
bool sparks_wants(uint16_t tag);
void sparks_event(struct sparks *s, uint32_t chain, const struct frame *f);

struct spark_column {
	/* All pools: the largest sum in the column, in windows of up to SPARK_POOL_TILES by events; else each at the maximum that
	 * its counters tell, and by events no less than the sum at the column's ends. */
	uint64_t pool;
	uint64_t created, converted; /* within the column */
	struct spark_sums events;    /* within the column; by events only */
	bool missing;                /* bytes that tell are not in memory (cursor.h) */
};

/* The columns of [t0, t1) cut into n equal parts. */
void sparks_columns(const struct sparks *s, uint64_t t0, uint64_t t1, int n, struct spark_column *out);

/* At moment t: the pools of all capabilities, and the totals. */
void sparks_at(const struct sparks *s, uint64_t t, struct spark_column *out);

/* Get the interval [*from, *to) over which counters at t are spread evenly: the samples around t of the capability with the
 * closest ones. Return false if the log has an event per spark, or no two samples are around t. */
bool sparks_spread(const struct sparks *s, uint64_t t, uint64_t *from, uint64_t *to);

/* The next moment at which counters were sampled after t, or the last before t. False where there is none. */
bool sparks_sample_near(const struct sparks *s, uint64_t t, bool forward, uint64_t *out);

/* The next moment at which a spark was created, run, stolen … after t, or the last before t; by counters, the last sample
 * before one that counts new ones. False where there is none, or *missing: bytes that tell are not in memory. */
bool sparks_near(const struct sparks *s, uint64_t t, bool forward, uint64_t *out, bool *missing);

/* To or from a file (image.h). */
void sparks_image(struct image *im, struct sparks *s, const struct blocks *blocks, const struct tile_table *tiles);

#endif
