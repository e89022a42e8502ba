/* idmap.h - hash map from 64-bit keys to array indices; open addressing, 16 bytes per slot.
 *
 * Nothing is allocated per key, and keys can be removed: memory follows the number of keys present at once. A zeroed
 * struct is an empty map. */
#ifndef EVL_IDMAP_H
#define EVL_IDMAP_H

#include "base/base.h"

struct idmap {
	struct idmap_slot {
		uint64_t key;
		uint32_t place; /* + 1; 0: the slot is free */
	} * slots;
	size_t n, room;
};

void idmap_free(struct idmap *m);

/* The place of a key; false where it has none. */
bool idmap_find(const struct idmap *m, uint64_t key, uint32_t *place);

/* Set or change the place of a key. Return false, with the map unchanged, if memory ran out. place < UINT32_MAX. */
bool idmap_put(struct idmap *m, uint64_t key, uint32_t place) EVL_MUST_USE;

/* Take a key out, if it is there. */
void idmap_drop(struct idmap *m, uint64_t key);

/* Return a key for a text (FNV-1a). Different texts may have the same key, so compare the texts too. */
uint64_t idmap_key(struct evl_str text);

#endif
