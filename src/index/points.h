/* points.h - table of momentary events of one kind per chain (markers, flushes): time and file offset.
 *
 * 16 bytes per event, in time order within its chain; past a ceiling for all chains they are only counted, and so
 * are those out of order. One writer per chain, any number of readers; queries search all chains. */
#ifndef EVL_POINTS_H
#define EVL_POINTS_H

#include "base/err.h"
#include "base/image.h"
#include "base/rows.h"

enum { MAX_POINTS = 1 << 20 }; /* the default */

struct point {
	uint64_t t;
	uint64_t off; /* of the event */
};

struct points {
	struct rows *tables; /* struct point; one a chain */
	size_t n;
	uint64_t most;               /* that are kept */
	_Atomic uint64_t kept, more; /* in all tables; not kept */
	_Atomic uint64_t kept_until; /* all before this time are kept */
};

int points_init(struct points *p, size_t n_chains, uint64_t most) EVL_MUST_USE;
void points_free(struct points *p);
void points_add(struct points *p, uint32_t chain, uint64_t t, uint64_t off);

/* How many are kept. */
uint64_t points_count(const struct points *p);

/* How many lie in [t0, t1); *first: the earliest of them (untouched where there is none; NULL: not wanted). */
size_t points_in(const struct points *p, uint64_t t0, uint64_t t1, struct point *first);

/* The first after t, and the last before t; false where there is none. */
bool points_after(const struct points *p, uint64_t t, struct point *out);
bool points_before(const struct points *p, uint64_t t, struct point *out);

/* To or from a file (image.h). len: of the log. */
void points_image(struct image *im, struct points *p, size_t n_chains, uint64_t most, uint64_t len);

#endif
