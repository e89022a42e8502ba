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

/* Remove all keys; the memory is kept for others. */
void idmap_clear(struct idmap *m);

/* Return the slot where a key would be if no other key was in its way. The map must not be empty. */
static inline size_t idmap_home(const struct idmap *m, uint64_t key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) & (m->room - 1);
}

/* Return the slot of a key, or the free one where it would go. The map must not be empty. */
static inline size_t idmap_slot_of(const struct idmap *m, uint64_t key)
{
	size_t i = idmap_home(m, key);
	while (m->slots[i].place && m->slots[i].key != key)
		i = (i + 1) & (m->room - 1);
	return i;
}

/* Store the index of a key in *place. Return false, with *place unchanged, if the key is absent. */
static inline bool idmap_find(const struct idmap *m, uint64_t key, uint32_t *place)
{
	const struct idmap_slot *slot = m->room ? &m->slots[idmap_slot_of(m, key)] : NULL;
	if (!slot || !slot->place)
		return false;
	*place = slot->place - 1;
	return true;
}

/* Set the index of a key; place < UINT32_MAX. Return false, with the map unchanged, if memory ran out. */
bool idmap_put(struct idmap *m, uint64_t key, uint32_t place) EVL_MUST_USE;

/* Remove a key if it is present. */
void idmap_drop(struct idmap *m, uint64_t key);

/* Return the hash of a text (FNV-1a) for use as a key. Different texts may have the same hash, so compare the texts
 * too. */
uint64_t idmap_key(struct evl_str text);

#endif
