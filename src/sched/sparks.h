/* sparks.h - sparks over time: from single-spark events if the log has them, else from the counters of capabilities
 *
 * GHC logs the counters of each capability after a collection: totals, and the number of waiting sparks (the pool).
 * Rates are differences of totals, spread evenly over the time between two samples of a capability. A total that
 * decreases was reset. A sample takes 16 bytes for each counter that changes; series.h limits the number of samples kept.
 * One writer per chain (the blocks of one capability), any number of readers. Times are in ns. */
#ifndef EVL_SPARKS_H
#define EVL_SPARKS_H

#include "index/blocks.h"
#include "index/points.h"
#include "index/series.h"
#include "sched/spark_events.h"

/* Counters of one capability. */
struct spark_chain {
	struct steady pool;               /* number of waiting sparks */
	struct steady created, converted; /* totals; created does not include dud and overflowed sparks */
	struct counter n_created, n_converted;
	uint64_t t, off; /* time and file offset of the last sample; used by the writer only */
	bool busy;       /* sparks were created in the interval that ends with the last sample */
};

struct sparks {
	struct spark_events events;            /* if it has any, the other members are not used */
	_Atomic(struct spark_chain *) *chains; /* indexed by chain; each is made by its first event */
	size_t n;
	/* The samples after which a capability creates sparks, having created none in the interval before; or its first
	 * sample, if sparks were created before that. */
	struct points bursts;
};

/* Initialize. blocks and tiles must outlive it. Return 0 or EVL_NOMEM. */
int sparks_init(struct sparks *s, const struct blocks *blocks, const struct tile_table *tiles) EVL_MUST_USE;
void sparks_free(struct sparks *s);

/* Return whether sparks_event uses events of this type. */
bool sparks_wants(uint16_t tag);
void sparks_event(struct sparks *s, uint32_t chain, const struct frame *f);

/* Sparks in a column of time. */
struct spark_column {
	/* Largest number of waiting sparks on all capabilities. With single-spark events it is exact in windows of
	 * up to SPARK_POOL_TILES tiles, and in larger ones the larger of the numbers at the two ends of the column.
	 * With counters it is the sum of the maxima of the capabilities. */
	uint64_t pool;
	uint64_t created, converted; /* in the column */
	struct spark_sums events;    /* in the column; only with single-spark events */
	bool missing;                /* incomplete: part of the log is not in memory (cursor.h) */
};

/* Fill out[n] with n equal columns of [t0, t1). */
void sparks_columns(const struct sparks *s, uint64_t t0, uint64_t t1, int n, struct spark_column *out);

/* Get the waiting sparks and the totals of all capabilities at moment t. */
void sparks_at(const struct sparks *s, uint64_t t, struct spark_column *out);

/* Get the interval [*from, *to) over which the counters at t are spread: from a capability's last sample at or
 * before t to its next sample, if sparks were created or converted between them; of several capabilities, the shortest
 * interval. Return false if the log has single-spark events, or there is no such interval. */
bool sparks_spread(const struct sparks *s, uint64_t t, uint64_t *from, uint64_t *to);

/* Get the next moment after t, or the last one before t, of a sample of the counters. Samples equal to both the one
 * before and the one after are left out. Return false if there is none. */
bool sparks_sample_near(const struct sparks *s, uint64_t t, bool forward, uint64_t *out);

/* Get the next moment after t, or the last one before t, at which sparks were created, run, stolen, … With counters,
 * it is the last sample before the totals grow. Return false if there is none. If part of the log is not in memory,
 * set *missing and return false. */
bool sparks_near(const struct sparks *s, uint64_t t, bool forward, uint64_t *out, bool *missing);

/* Save to, or load from, the index cache (image.h). */
void sparks_image(struct image *im, struct sparks *s, const struct blocks *blocks, const struct tile_table *tiles);

#endif
