/* heap.h - heap curves posted by the collector: live bytes, heap size, blocks, bytes allocated, memory returned.
 *
 * Live bytes are posted only after major collections, sizes after every collection, by the capability that led the
 * collection. Bytes allocated are a running total of each capability. A sample takes 16 bytes; see series.h for
 * thinning. Times are in ns. One writer per chain (the blocks of one capability), any number of readers. */
#ifndef EVL_HEAP_H
#define EVL_HEAP_H

#include "index/blocks.h"
#include "index/points.h"
#include "index/series.h"

enum heap_curve { HEAP_CURVE_LIVE, HEAP_CURVE_SIZE, HEAP_CURVE_BLOCKS, HEAP_CURVES };

/* Samples from the events of one chain. */
struct heap_chain {
	struct series curves[HEAP_CURVES];
	struct series allocated; /* running total since the start of the program; never decreases */
	struct counter counter;
};

struct heap {
	_Atomic(struct heap_chain *) *chains; /* allocated by the first event of each chain */
	size_t n;
	struct points returns;       /* MEM_RETURN events: memory was returned to the operating system */
	_Atomic uint64_t max_live;   /* largest HEAP_LIVE, bytes */
	_Atomic uint64_t max_size;   /* largest HEAP_SIZE, bytes */
	_Atomic uint64_t max_blocks; /* largest BLOCKS_SIZE, bytes */
	atomic_bool has_live, has_size, has_blocks, has_allocated;
};

/* Initialise empty tables. Return 0 or EVL_NOMEM. */
int heap_init(struct heap *h, const struct blocks *blocks) EVL_MUST_USE;
void heap_free(struct heap *h);

/* Report whether heap_event uses events with this tag. */
bool heap_wants(uint16_t tag);

/* Process the next event of a chain. */
void heap_event(struct heap *h, uint32_t chain, const struct frame *f);

/* Return the bytes allocated by the whole program: the sum over all capabilities. Complete once the log is indexed. */
uint64_t heap_allocated(const struct heap *h);

/* A curve within one column of time. */
struct heap_column {
	uint64_t min, max; /* including the value at the start of the column */
	uint64_t last;     /* value at the end of the column */
	uint64_t last_t;   /* time of the sample that gave it */
	bool known;        /* there is a value; if not, all other members are 0 */
	bool fresh;        /* a sample is in the column; otherwise the value is an earlier one */
};

/* Fill out[n] with the columns of [t0, t1) divided into n equal parts. */
void heap_columns(
	const struct heap *h, enum heap_curve curve, uint64_t t0, uint64_t t1, int n, struct heap_column *out);

/* Store the last sample at or before t, or the first one after t. Return false if there is none. */
bool heap_at(const struct heap *h, enum heap_curve curve, uint64_t t, struct series_row *out);
bool heap_after(const struct heap *h, enum heap_curve curve, uint64_t t, struct series_row *out);

/* Store in out[n] the bytes allocated in each of n equal parts of [t0, t1). Allocation between two samples of a
 * capability is spread evenly over the time between them. After the last sample (heap_allocated_known) the result is
 * 0. */
void heap_allocations(const struct heap *h, uint64_t t0, uint64_t t1, int n, uint64_t *out);

/* Return the bytes allocated in [t0, t1). Allocation before a capability's first sample is spread evenly over the time
 * since `first`, the time of the log's first event. */
uint64_t heap_allocated_between(const struct heap *h, uint64_t first, uint64_t t0, uint64_t t1);

/* Return the time of the last sample of bytes allocated, 0 if there is none. */
uint64_t heap_allocated_known(const struct heap *h);

/* Read a MEM_RETURN event: megablocks (1 MiB each) held, needed and returned. Return false if there is no such event at
 * this file offset. */
struct heap_return {
	uint32_t current, needed, returned;
};
bool heap_return_at(const struct blocks *b, uint64_t off, struct heap_return *out);

/* Save or load all curves (image.h). */
void heap_image(struct image *im, struct heap *h, const struct blocks *blocks);

#endif
