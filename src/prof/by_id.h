/* by_id.h - a number per cost-centre id: a table for small ids, a hash table of fixed size for all others.
 *
 * GHC numbers its centres from 1 upwards without holes, but an id may be any 32 bits. Any number of threads add and read at
 * once; nothing moves. Past MORE_IDS large ids, or where too many of them meet in one place, an id has no number. */
#ifndef EVL_BY_ID_H
#define EVL_BY_ID_H

#include "base/base.h"

#include <stdatomic.h>

enum { FEW_IDS = 1 << 20, MORE_IDS = 1 << 16 };

/* Zeros at first. Each table is made when it is needed, 8 MiB and 2 MiB, of which the system gives the pages in use. */
struct by_id {
	_Atomic(_Atomic uint64_t *) small; /* by id */
	_Atomic(struct by_id_slot *) large;
	_Atomic uint32_t end; /* above all small ids that were added */
	_Atomic uint32_t n_large;
};

struct by_id_slot {
	_Atomic uint64_t number;
	_Atomic uint32_t id; /* 0: the slot is free */
};

void by_id_free(struct by_id *t);

/* The number of the id, 0 at first; NULL: there is no room, or no memory (oom_note). */
_Atomic uint64_t *by_id_add(struct by_id *t, uint32_t id);

/* The number of the id; 0 where it was never added. */
uint64_t by_id_get(const struct by_id *t, uint32_t id);

/* Call take for each id whose number is not 0: small ones first, in order; large ones in any. */
void by_id_each(const struct by_id *t, void (*take)(void *ctx, uint32_t id, uint64_t number), void *ctx);

#endif
