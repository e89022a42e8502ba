/* by_id.h - a 64-bit number per cost-centre id: a table for small ids, a hash table of fixed size for all others.
 *
 * GHC numbers its cost centres from 1 upwards without gaps, but an id in a log may be any 32-bit value. Any number of
 * threads may add and read at the same time; entries never move. Past MORE_IDS large ids, or if too many of them
 * collide in the hash table, further ids have no entry. */
#ifndef EVL_BY_ID_H
#define EVL_BY_ID_H

#include "base/base.h"
#include "base/image.h"

enum { FEW_IDS = 1 << 20, MORE_IDS = 1 << 16 };

/* Both tables. Initialise with zeros. Each table is allocated when first needed: 8 MiB for small ids, 2 MiB for others,
 * of which only the pages used take memory. */
struct by_id {
	_Atomic(_Atomic uint64_t *) small; /* indexed by id */
	_Atomic(struct by_id_slot *) large;
	_Atomic uint32_t end; /* larger than all small ids added */
	_Atomic uint32_t n_large;
};

struct by_id_slot {
	_Atomic uint64_t number;
	_Atomic uint32_t id; /* 0: the slot is free */
};

void by_id_free(struct by_id *t);

/* Return a pointer to the number of an id, which is 0 if the id is new. Return NULL if there is no room, or if memory
 * ran out (recorded by oom_note in base.h). */
_Atomic uint64_t *by_id_add(struct by_id *t, uint32_t id);

/* Return the number of an id, or 0 if it was never added. */
uint64_t by_id_get(const struct by_id *t, uint32_t id);

/* Call take for each id whose number is not 0: small ids first, in order, then large ids in any order. */
void by_id_each(const struct by_id *t, void (*take)(void *ctx, uint32_t id, uint64_t number), void *ctx);

/* Save or load the tables (image.h); loaded numbers must be less than `end`. */
void by_id_image(struct image *im, struct by_id *t, uint64_t end);

#endif
