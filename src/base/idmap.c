#include "base/idmap.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

void idmap_free(struct idmap *m)
{
	free(m->slots);
	*m = (struct idmap){0};
}

void idmap_clear(struct idmap *m)
{
	if (m->n)
		memset(m->slots, 0, m->room * sizeof *m->slots);
	m->n = 0;
}

/* At most half of the slots are in use. */
static bool make_room(struct idmap *m)
{
	struct idmap old = *m;
	if (2 * m->n < m->room)
		return true;
	m->room = old.room ? 2 * old.room : FIRST_ROOM;
	m->slots = oom_note(calloc(m->room, sizeof *m->slots));
	if (!m->slots) {
		*m = old;
		return false;
	}
	for (size_t i = 0; i < old.room; i++)
		if (old.slots[i].place)
			m->slots[idmap_slot_of(m, old.slots[i].key)] = old.slots[i];
	free(old.slots);
	return true;
}

bool idmap_put(struct idmap *m, uint64_t key, uint32_t place)
{
	if (!make_room(m))
		return false;
	struct idmap_slot *slot = &m->slots[idmap_slot_of(m, key)];
	m->n += slot->place == 0;
	*slot = (struct idmap_slot){key, place + 1};
	return true;
}

/* Move displaced entries after the hole up into it. */
void idmap_drop(struct idmap *m, uint64_t key)
{
	size_t hole = m->room ? idmap_slot_of(m, key) : 0, mask = m->room - 1;
	if (!m->room || !m->slots[hole].place)
		return;
	for (size_t i = (hole + 1) & mask; m->slots[i].place; i = (i + 1) & mask) {
		size_t home = idmap_home(m, m->slots[i].key);
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		m->slots[hole] = m->slots[i];
		hole = i;
	}
	m->slots[hole] = (struct idmap_slot){0};
	m->n--;
}

uint64_t idmap_key(struct evl_str text)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (size_t i = 0; i < text.len; i++)
		h = (h ^ text.p[i]) * 0x100000001b3u;
	return h;
}
