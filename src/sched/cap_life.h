/* cap_life.h - when each capability was created, disabled, enabled and deleted.
 *
 * The run-time system posts these events to the global buffer: one chain, one writer. 16 bytes per event; past
 * MAX_CAP_LIFE they are only counted. */
#ifndef EVL_CAP_LIFE_H
#define EVL_CAP_LIFE_H

#include "base/rows.h"
#include "index/blocks.h"

enum { MAX_CAP_LIFE = 1 << 14 };

struct cap_life_row {
	uint64_t t;
	uint16_t tag, cap;
};

struct cap_life {
	struct rows rows;      /* struct cap_life_row, in file order */
	_Atomic uint64_t more; /* not kept */
};

void cap_life_init(struct cap_life *l);
void cap_life_free(struct cap_life *l);

bool cap_life_wants(uint16_t tag);

/* Feed an event of the chain of this capability; only those of EVL_NO_CAP are taken. */
void cap_life_event(struct cap_life *l, uint16_t chain_cap, const struct frame *f);

/* Return the state of a capability at t. A capability without events of creation always existed. */
enum cap_life_state { CAP_ENABLED, CAP_NOT_YET, CAP_DISABLED, CAP_DELETED };

/* A stretch of time in which a capability was not there to run threads. */
struct cap_absence {
	uint64_t from, to; /* to: UINT64_MAX: to the end */
	enum cap_life_state state;
};

/* The stretches of a capability that touch [t0, t1), in order of time, at most `room` of them: how many. */
size_t cap_life_absent(
	const struct cap_life *l, uint16_t cap, uint64_t t0, uint64_t t1, struct cap_absence *out, size_t room);

/* To or from a file (image.h). */
void cap_life_image(struct image *im, struct cap_life *l);

#endif
