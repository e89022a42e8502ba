/* idmap.h - hash map from 64-bit keys to 32-bit array indices; open addressing, 16 bytes per slot.
 *
 * There is no allocation per key, and keys can be removed: memory follows the number of keys present at the same time.
 * A zeroed struct is an empty map. */
#ifndef EVL_IDMAP_H
#define EVL_IDMAP_H

#include "base/base.h"

struct idmap {
	struct idmap_slot {
		uint64_t key;
		uint32_t place; /* the index + 1; 0: the slot is free */
	} * slots;
	size_t n, room;
};

void idmap_free(struct idmap *m);

/* Store the index of a key in *place. Return false, with *place unchanged, if the key is absent. */
bool idmap_find(const struct idmap *m, uint64_t key, uint32_t *place);

/* Set the index of a key; place < UINT32_MAX. Return false, with the map unchanged, if memory ran out. */
bool idmap_put(struct idmap *m, uint64_t key, uint32_t place) EVL_MUST_USE;

/* Remove a key if it is present. */
void idmap_drop(struct idmap *m, uint64_t key);

/* Return the hash of a text (FNV-1a) for use as a key. Different texts may have the same hash, so compare the texts
 * too. */
uint64_t idmap_key(struct evl_str text);

#endif
