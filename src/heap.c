#include "heap.h"

#include <stdlib.h>

enum { BYTES_AT = 4 }; /* behind the capset in HEAP_ALLOCATED, HEAP_SIZE, HEAP_LIVE */

int heap_init(struct heap *h, const struct blocks *blocks)
{
	*h = (struct heap){.n = blocks->n_chains};
	h->allocated = calloc(h->n ? h->n : 1, sizeof *h->allocated);
	return h->allocated ? 0 : EVL_NOMEM;
}

void heap_free(struct heap *h)
{
	free(h->allocated);
	*h = (struct heap){0};
}

void heap_event(struct heap *h, uint32_t chain, const struct frame *f)
{
	if (f->tag != EVL_HEAP_ALLOCATED && f->tag != EVL_HEAP_SIZE && f->tag != EVL_HEAP_LIVE)
		return;
	uint64_t bytes = be64(f->payload.p + BYTES_AT);
	if (f->tag == EVL_HEAP_ALLOCATED) {
		h->allocated[chain] = bytes;
		h->has_allocated = true;
	} else if (f->tag == EVL_HEAP_SIZE) {
		h->max_size = max_u64(h->max_size, bytes);
		h->has_size = true;
	} else {
		h->max_live = max_u64(h->max_live, bytes);
		h->has_live = true;
	}
}

uint64_t heap_allocated(const struct heap *h)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < h->n; i++)
		sum += h->allocated[i];
	return sum;
}
