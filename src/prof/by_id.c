#include "prof/by_id.h"

#include <stdlib.h>

enum { SLOTS = 2 * MORE_IDS, PROBES = 256 }; /* ids chosen to meet must not make it slow */

void by_id_free(struct by_id *t)
{
	free_all(atomic_load(&t->small), atomic_load(&t->large));
	*t = (struct by_id){.small = NULL};
}

static size_t home_of(uint32_t id) { return (id * 0x9e3779b97f4a7c15u >> 32) % SLOTS; }

/* If two threads make a table, the second takes that of the first. */
static _Atomic uint64_t *small_for_writing(struct by_id *t)
{
	_Atomic uint64_t *table = load_acquire(&t->small), *made;
	if (table || !(made = oom_note(calloc(FEW_IDS, sizeof *made))))
		return table;
	if (atomic_compare_exchange_strong(&t->small, &table, made))
		return made;
	free(made);
	return table;
}

static struct by_id_slot *large_for_writing(struct by_id *t)
{
	struct by_id_slot *table = load_acquire(&t->large), *made;
	if (table || !(made = oom_note(calloc(SLOTS, sizeof *made))))
		return table;
	if (atomic_compare_exchange_strong(&t->large, &table, made))
		return made;
	free(made);
	return table;
}

static void raise_u32(_Atomic uint32_t *max, uint32_t value)
{
	uint32_t was = load_relaxed(max);
	while (was < value && !atomic_compare_exchange_weak(max, &was, value))
		;
}

/* Take the free slot for the id. False: another id was faster. */
static bool take_slot(struct by_id *t, struct by_id_slot *slot, uint32_t id)
{
	uint32_t is = 0;
	if (!atomic_compare_exchange_strong(&slot->id, &is, id))
		return is == id;
	atomic_fetch_add_explicit(&t->n_large, 1, memory_order_relaxed);
	return true;
}

static _Atomic uint64_t *add_large(struct by_id *t, uint32_t id)
{
	struct by_id_slot *slots = large_for_writing(t);
	for (size_t i = 0; slots && i < PROBES; i++) {
		struct by_id_slot *slot = &slots[(home_of(id) + i) % SLOTS];
		uint32_t is = load_acquire(&slot->id);
		if (is == 0 && load_relaxed(&t->n_large) >= MORE_IDS)
			return NULL;
		if (is == id || (is == 0 && take_slot(t, slot, id)))
			return &slot->number;
	}
	return NULL;
}

_Atomic uint64_t *by_id_add(struct by_id *t, uint32_t id)
{
	if (id >= FEW_IDS)
		return add_large(t, id);
	_Atomic uint64_t *table = small_for_writing(t);
	if (table && id >= load_relaxed(&t->end))
		raise_u32(&t->end, id + 1);
	return table ? &table[id] : NULL;
}

static uint64_t get_large(const struct by_id *t, uint32_t id)
{
	struct by_id_slot *slots = load_acquire(&t->large);
	for (size_t i = 0; slots && i < PROBES; i++) {
		struct by_id_slot *slot = &slots[(home_of(id) + i) % SLOTS];
		uint32_t is = load_acquire(&slot->id);
		if (is == 0)
			return 0;
		if (is == id)
			return load_acquire(&slot->number);
	}
	return 0;
}

uint64_t by_id_get(const struct by_id *t, uint32_t id)
{
	_Atomic uint64_t *table;
	if (id >= FEW_IDS)
		return get_large(t, id);
	table = load_acquire(&t->small);
	return table ? load_acquire(&table[id]) : 0;
}

void by_id_each(const struct by_id *t, void (*take)(void *ctx, uint32_t id, uint64_t number), void *ctx)
{
	uint32_t end = load_acquire(&t->end);
	struct by_id_slot *slots = load_acquire(&t->large);
	for (uint32_t id = 0; id < end; id++)
		if (by_id_get(t, id))
			take(ctx, id, by_id_get(t, id));
	for (size_t i = 0; slots && i < SLOTS; i++) {
		uint64_t number = load_acquire(&slots[i].number);
		if (number)
			take(ctx, load_relaxed(&slots[i].id), number);
	}
}

static bool all_less(const uint64_t *small, size_t n, struct by_id_slot *large, uint64_t end)
{
	uint64_t highest = 0;
	for (size_t i = 0; i < n; i++)
		highest = max_u64(highest, small[i]);
	for (size_t i = 0; large && i < SLOTS; i++)
		highest = max_u64(highest, load_relaxed(&large[i].number));
	return highest < end;
}

void by_id_image(struct image *im, struct by_id *t, uint64_t end)
{
	size_t n = 0;
	uint64_t *small = im->loads ? NULL : (uint64_t *)(uintptr_t)atomic_load(&t->small);
	struct by_id_slot *large = im->loads ? NULL : atomic_load(&t->large);
	bool is_small = small, is_large = large;
	image_bool(im, &is_small);
	image_bool(im, &is_large);
	if (is_small)
		n = image_numbers(im, &small, FEW_IDS);
	if (is_large)
		large = image_array(im, large, SLOTS, sizeof *large);
	IMAGE_VALUE(im, t->end);
	IMAGE_VALUE(im, t->n_large);
	image_require(im, t->end <= FEW_IDS);
	if (!image_fills(im) || (im->loads && (im->bad || !image_require(im, all_less(small, n, large, end)))))
		return;
	atomic_store(&t->small, (_Atomic uint64_t *)(uintptr_t)small);
	atomic_store(&t->large, large);
}
