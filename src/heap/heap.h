/* heap.h - heap curves posted by the collector: live bytes, heap size, blocks, bytes allocated, memory returned.
 *
 * Live bytes are posted after major collections only, sizes after every one, by the capability that led it; bytes
 * allocated are a running total of each capability. 16 bytes per sample, by the rules of series.h. One writer per
 * chain, any number of readers. */
#ifndef EVL_HEAP_H
#define EVL_HEAP_H

#include "index/blocks.h"
#include "index/points.h"
#include "index/series.h"

enum heap_curve { HEAP_CURVE_LIVE, HEAP_CURVE_SIZE, HEAP_CURVE_BLOCKS, HEAP_CURVES };

/* Samples from one chain's events. */
struct heap_chain {
	struct series curves[HEAP_CURVES];
	struct series allocated; /* a total from the start of the program on; never falls */
	struct counter counter;
};

struct heap {
	_Atomic(struct heap_chain *) *chains; /* made by the first event of each */
	size_t n;
	struct points returns;       /* MEM_RETURN: memory was offered back to the system */
	_Atomic uint64_t max_live;   /* largest HEAP_LIVE */
	_Atomic uint64_t max_size;   /* largest HEAP_SIZE */
	_Atomic uint64_t max_blocks; /* largest BLOCKS_SIZE */
	atomic_bool has_live, has_size, has_blocks, has_allocated;
};

int heap_init(struct heap *h, const struct blocks *blocks) EVL_MUST_USE;
void heap_free(struct heap *h);

/* Is this an event that heap_event asks for? */
bool heap_wants(uint16_t tag);
void heap_event(struct heap *h, uint32_t chain, const struct frame *f);

/* Bytes allocated by the whole program: the sum over its capabilities. Complete when the walk is over. */
uint64_t heap_allocated(const struct heap *h);

/* Part of a curve in one column. */
struct heap_column {
	uint64_t min, max; /* the value carried into the column counts too */
	uint64_t last;     /* the value at its end */
	uint64_t last_t;   /* when that was sampled */
	bool known;        /* there is a value */
	bool fresh;        /* a sample lies in the column; else it is carried on */
};

/* Fill the columns of [t0, t1), cut into n equal parts. */
void heap_columns(
	const struct heap *h, enum heap_curve curve, uint64_t t0, uint64_t t1, int n, struct heap_column *out);

/* Find the latest sample at or before t; the next one after t. Return false if there is none. */
bool heap_at(const struct heap *h, enum heap_curve curve, uint64_t t, struct series_row *out);
bool heap_after(const struct heap *h, enum heap_curve curve, uint64_t t, struct series_row *out);

/* Compute the bytes allocated in each of n equal parts of [t0, t1): allocation between two samples of a capability
 * is spread evenly over the time between. After the last sample nothing is known: see heap_allocated_known. */
void heap_allocations(const struct heap *h, uint64_t t0, uint64_t t1, int n, uint64_t *out);

/* The same in [t0, t1); allocation before a capability's first sample is spread evenly from `first`, the time of the log's
 * first event. */
uint64_t heap_allocated_between(const struct heap *h, uint64_t first, uint64_t t0, uint64_t t1);

/* Return the time of the last sample of bytes allocated; 0: there is none. */
uint64_t heap_allocated_known(const struct heap *h);

/* Read a MEM_RETURN event, in megablocks. Return false if there is no such event at the offset. */
struct heap_return {
	uint32_t current, needed, returned;
};
bool heap_return_at(const struct blocks *b, uint64_t off, struct heap_return *out);

/* To or from a file (image.h). */
void heap_image(struct image *im, struct heap *h, const struct blocks *blocks);

#endif
