/* by_id.h - a number per cost-centre id: a table for small ids, a hash table of fixed size for all others.
 *
 * GHC numbers its centres from 1 upwards without holes, but an id may be any 32 bits. Any number of threads add and read at
 * once; entries never move. Past MORE_IDS large ids, or if too many of them collide in the hash table, an id has no number. */
#ifndef EVL_BY_ID_H
#define EVL_BY_ID_H

#include "base/base.h"
#include "base/image.h"

#include <stdatomic.h>

enum { FEW_IDS = 1 << 20, MORE_IDS = 1 << 16 };

/* Initialise with zeros. Each table is allocated when needed: 8 MiB and 2 MiB of addresses, but only used pages take memory. */
struct by_id {
	_Atomic(_Atomic uint64_t *) small; /* by id */
	_Atomic(struct by_id_slot *) large;
	_Atomic uint32_t end; /* greater than all small ids that were added */
	_Atomic uint32_t n_large;
};

struct by_id_slot {
	_Atomic uint64_t number;
	_Atomic uint32_t id; /* 0: the slot is free */
};

void by_id_free(struct by_id *t);

/* Return the number of the id, which starts at 0. Return NULL if there is no room, or no memory (oom_note). */
_Atomic uint64_t *by_id_add(struct by_id *t, uint32_t id);

/* Return the number of the id, or 0 if it was never added. */
uint64_t by_id_get(const struct by_id *t, uint32_t id);

/* Call take for each id whose number is not 0: small ids first, in order, then large ids in any order. */
void by_id_each(const struct by_id *t, void (*take)(void *ctx, uint32_t id, uint64_t number), void *ctx);

/* To or from a file (image.h), whose numbers must be less than `end`. */
void by_id_image(struct image *im, struct by_id *t, uint64_t end);

#endif
