/* csv_heap - the table of what capabilities post of the heap: one line an event, in order of time. */
#include "export/csv.h"
#include "show/event_merge.h"

#include <stdlib.h>

static const uint16_t tags[] = {EVL_HEAP_ALLOCATED, EVL_HEAP_LIVE, EVL_HEAP_SIZE, EVL_BLOCKS_SIZE};

/* Only the column of the event's kind is filled. */
static void put_event(struct buf *b, uint16_t cap, const struct frame *f)
{
	enum { BYTES_AT = 4 };
	csv_u64(b, f->t);
	csv_known(b, cap != EVL_NO_CAP, cap);
	for (size_t i = 0; i < countof(tags); i++)
		csv_known(b, f->tag == tags[i], be64(f->payload.p + BYTES_AT));
	csv_end(b);
}

int csv_heap(struct export *x)
{
	bool *wanted = calloc((size_t)UINT16_MAX + 1, sizeof *wanted);
	struct event_merge m;
	struct frame f;
	const struct block *block;
	if (!wanted)
		return EVL_NOMEM;
	for (size_t i = 0; i < countof(tags); i++)
		wanted[tags[i]] = true;
	struct event_merge_want want = {.from = x->from, .to = x->to, .cap = -1, .tags = wanted};
	int result = event_merge_begin(&m, &x->log->blocks, &want);
	bool begun = result == 0;
	buf_lit(&x->out, "t_ns,cap,allocated_bytes,live_bytes,size_bytes,blocks_bytes\n");
	while (result == 0 && event_merge_next(&m, &f, &block)) {
		if (event_readable(&x->log->header, &f))
			put_event(&x->out, x->log->blocks.chains[block->chain].cap, &f);
		result = export_more(x);
	}
	if (begun) {
		result = result == 0 && m.failed ? EVL_NOMEM : result;
		event_merge_end(&m);
	}
	free(wanted);
	return result;
}
