/* cap_events.h - the events CAP_* of one capability, in the order of the log: for references of when it may run threads.
 *
 *   struct cap_events e = {.log = log, .cap = cap};
 *   for (struct frame f; cap_events_next(&e, &f);) … */
#ifndef TESTS_CAP_EVENTS_H
#define TESTS_CAP_EVENTS_H

#include "logs.h"

struct cap_events {
	const struct evl_log *log;
	uint16_t cap;
	/* private */
	uint32_t chain;
	bool begun;
	struct cursor cursor;
};

static inline bool cap_events_next(struct cap_events *e, struct frame *f)
{
	const struct blocks *blocks = &e->log->blocks;
	for (; e->chain < blocks->n_chains; e->chain++, e->begun = false) {
		const struct block *block;
		if (blocks->chains[e->chain].cap != EVL_NO_CAP)
			continue;
		if (!e->begun)
			cursor_begin(&e->cursor, blocks, &blocks->chains[e->chain],
				load_acquire(&e->log->tiles[e->chain].walked));
		e->begun = true;
		while (cursor_next(&e->cursor, f, &block))
			if (f->tag >= EVL_CAP_CREATE && f->tag <= EVL_CAP_ENABLE && be16(f->payload.p) == e->cap)
				return true;
	}
	return false;
}

/* The time of [from, to) in which the capability did not exist or was disabled. */
static inline uint64_t cap_events_off(const struct evl_log *log, uint16_t cap, uint64_t from, uint64_t to)
{
	struct cap_events e = {.log = log, .cap = cap};
	uint64_t since = from, off = 0, n = 0;
	bool is_off = false;
	for (struct frame f; cap_events_next(&e, &f);) {
		uint64_t t = min_u64(f.t, to);
		is_off = n++ ? is_off : f.tag == EVL_CAP_CREATE;
		off += is_off && t > since ? t - since : 0;
		since = max_u64(t, from);
		is_off = f.tag == EVL_CAP_DISABLE || f.tag == EVL_CAP_DELETE;
	}
	return off + (is_off ? to - since : 0);
}

#endif
