/* heap.h - what the collector says of the heap: live bytes, heap size, bytes allocated. */
#ifndef EVL_HEAP_H
#define EVL_HEAP_H

#include "blocks.h"

struct heap {
	uint64_t max_live;   /* largest HEAP_LIVE (posted after major collections only) */
	uint64_t max_size;   /* largest HEAP_SIZE */
	uint64_t *allocated; /* last HEAP_ALLOCATED of every chain: a running total of its capability */
	size_t n;
	bool has_live, has_size, has_allocated;
};

int heap_init(struct heap *h, const struct blocks *blocks) EVL_MUST_USE;
void heap_free(struct heap *h);
void heap_event(struct heap *h, uint32_t chain, const struct frame *f);

/* Bytes allocated by the whole program: the sum over its capabilities. */
uint64_t heap_allocated(const struct heap *h);

#endif
