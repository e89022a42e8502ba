/* points.h - table of momentary events of one kind per chain (markers, flushes): time and file offset.
 *
 * A chain is all blocks of one capability. An event takes 16 bytes; events are in time order within their chain. Events
 * past the limit, which holds for all chains together, and events out of order are only counted. One writer per chain,
 * any number of readers; queries search all chains. */
#ifndef EVL_POINTS_H
#define EVL_POINTS_H

#include "base/err.h"
#include "base/image.h"
#include "base/rows.h"
#include "format/frame.h"

enum { MAX_POINTS = 1 << 20 }; /* default of `most` */

struct point {
	uint64_t t;   /* ns */
	uint64_t off; /* file offset of the event */
};

struct points {
	struct rows *tables;         /* struct point; one table per chain */
	size_t n;                    /* number of chains */
	uint64_t most;               /* limit of the number of events kept */
	_Atomic uint64_t kept, more; /* number of events in all tables; number not kept */
	_Atomic uint64_t kept_until; /* all events before this time are kept */
};

/* Initialise empty tables for all chains. At most `most` events are kept in all tables together. Return 0 or
 * EVL_NOMEM. */
int points_init(struct points *p, size_t n_chains, uint64_t most) EVL_MUST_USE;
void points_free(struct points *p);

/* Append an event of a chain. */
void points_add(struct points *p, uint32_t chain, uint64_t t, uint64_t off);

/* The events of one part of a chain. Initialise with zeros; free(items). */
struct points_partial {
	struct point *items;
	size_t n, room;
	uint64_t more, more_t; /* number of events not kept, and the earliest of them */
};

/* Append an event to the part, which keeps at most p->most, and (points_join) the part to its chain; then it is empty. */
void points_now(const struct points *p, struct points_partial *partial, const struct frame *f);
void points_join(struct points *p, uint32_t chain, struct points_partial *partial);

/* Return the number of events kept. */
uint64_t points_count(const struct points *p);

/* Return the number of events in [t0, t1). *first receives the earliest, if there is one; first may be NULL. */
size_t points_in(const struct points *p, uint64_t t0, uint64_t t1, struct point *first);

/* Store the first event after t, or the last before t. Return false if there is none. */
bool points_after(const struct points *p, uint64_t t, struct point *out);
bool points_before(const struct points *p, uint64_t t, struct point *out);

/* Save or load the tables (image.h). len is the length of the log in bytes. */
void points_image(struct image *im, struct points *p, size_t n_chains, uint64_t most, uint64_t len);

#endif
