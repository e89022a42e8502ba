/* cap_life.h - when each capability was created, disabled, enabled and deleted
 *
 * The run-time system logs these events outside of all capabilities, so they are in one chain (sequence of blocks) and
 * there is one writer. An event takes 16 bytes; events past MAX_CAP_LIFE are only counted. Times are in ns. */
#ifndef EVL_CAP_LIFE_H
#define EVL_CAP_LIFE_H

#include "base/rows.h"
#include "index/blocks.h"

enum { MAX_CAP_LIFE = 1 << 14 };

/* A capability was created, disabled, enabled or deleted at time t. */
struct cap_life_row {
	uint64_t t;
	uint16_t tag, cap; /* event type; capability */
	uint32_t unused;   /* explicit padding, always 0: rows are written to the index cache byte for byte */
};

struct cap_life {
	struct rows rows;      /* struct cap_life_row, in file order */
	_Atomic uint64_t more; /* number of events not kept */
};

/* Initialize an empty table. */
void cap_life_init(struct cap_life *l);
void cap_life_free(struct cap_life *l);

/* Return whether cap_life_event uses events of this type. */
bool cap_life_wants(uint16_t tag);

/* Add an event to the table. chain_cap: capability of its chain; unless it is EVL_NO_CAP, the event is ignored. */
void cap_life_event(struct cap_life *l, uint16_t chain_cap, const struct frame *f);

/* State of a capability. Without a creation event, a capability exists from the start of the log. */
enum cap_life_state { CAP_ENABLED, CAP_NOT_YET, CAP_DISABLED, CAP_DELETED };

/* An interval in which a capability could not run threads; from cap_life_at, also one in which it could. */
struct cap_absence {
	uint64_t from, to; /* half-open; to is UINT64_MAX if it lasts to the end */
	enum cap_life_state state;
};

/* Store the absences of a capability that touch [t0, t1) in out, in time order, at most `room`. Return the number
 * stored. */
size_t cap_life_absent(
	const struct cap_life *l, uint16_t cap, uint64_t t0, uint64_t t1, struct cap_absence *out, size_t room);

/* Return whether the program disabled a capability. */
bool cap_life_disabled(const struct cap_life *l);

/* Return the interval around t in which the capability has the same state. */
struct cap_absence cap_life_at(const struct cap_life *l, uint16_t cap, uint64_t t);

/* Return when the last of the capabilities of a log that can run threads at t no longer can; UINT64_MAX: one can to the
 * end, or none can. */
uint64_t cap_life_all_until(const struct cap_life *l, const struct blocks *b, uint64_t t);

/* Save to, or load from, the index cache (image.h). */
void cap_life_image(struct image *im, struct cap_life *l);

#endif
