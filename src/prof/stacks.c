#include "prof/stacks.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 8 };

int stacks_init(struct stacks *s)
{
	const struct stack_node root = {.parent = STACK_ROOT, .frame = STACK_NO_FRAME};
	*s = (struct stacks){.n_slots = FIRST_SLOTS, .slots = calloc(FIRST_SLOTS, sizeof *s->slots)};
	rows_init(&s->nodes, sizeof(struct stack_node));
	pthread_mutex_init(&s->lock, NULL);
	return s->slots && rows_add(&s->nodes, &root) ? 0 : EVL_NOMEM;
}

void stacks_free(struct stacks *s)
{
	if (s->n_slots == 0)
		return;
	rows_free(&s->nodes);
	free(s->slots);
	pthread_mutex_destroy(&s->lock);
	*s = (struct stacks){0};
}

static size_t hash(uint32_t parent, uint32_t frame)
{
	uint64_t h = ((uint64_t)parent << 32 | frame) * 0x9e3779b97f4a7c15;
	return (size_t)(h ^ h >> 29);
}

/* Return the slot of the node in a table, or the free slot for it. */
static uint32_t *slot_in(const struct stacks *s, uint32_t *slots, size_t n_slots, uint32_t parent, uint32_t frame)
{
	size_t at = hash(parent, frame) & (n_slots - 1);
	for (; slots[at]; at = (at + 1) & (n_slots - 1)) {
		const struct stack_node *node = stacks_at(s, slots[at] - 1);
		if (node->parent == parent && node->frame == frame)
			break;
	}
	return &slots[at];
}

static uint32_t *slot_of(const struct stacks *s, uint32_t parent, uint32_t frame)
{
	return slot_in(s, s->slots, s->n_slots, parent, frame);
}

/* The table is kept half empty. */
static bool grow(struct stacks *s)
{
	uint32_t n = stacks_count(s);
	size_t n_slots = 2 * s->n_slots;
	if (2 * ((size_t)n + 1) <= s->n_slots)
		return true;
	uint32_t *slots = oom_note(calloc(n_slots, sizeof *slots));
	if (!slots)
		return false;
	for (uint32_t i = 1; i < n; i++) {
		const struct stack_node *node = stacks_at(s, i);
		*slot_in(s, slots, n_slots, node->parent, node->frame) = i + 1;
	}
	free(s->slots);
	s->slots = slots;
	s->n_slots = n_slots;
	return true;
}

/* False: there is no room for it. */
static bool add(struct stacks *s, uint32_t parent, uint32_t frame, uint32_t *out)
{
	uint32_t n = stacks_count(s);
	const struct stack_node node = {parent, frame, stacks_at(s, parent)->depth + 1};
	if (n >= MAX_STACKS || !grow(s) || !rows_add(&s->nodes, &node))
		return false;
	*slot_of(s, parent, frame) = n + 1;
	*out = n;
	return true;
}

static uint32_t descend(struct stacks *s, const uint32_t *frames, size_t n, bool adds)
{
	uint32_t node = STACK_ROOT;
	bool on = true;
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < n && on; i++) {
		uint32_t found = *slot_of(s, node, frames[i]);
		if (found)
			node = found - 1;
		else
			on = adds && add(s, node, frames[i], &node);
	}
	pthread_mutex_unlock(&s->lock);
	if (adds && !on)
		atomic_fetch_add_explicit(&s->cut, 1, memory_order_relaxed);
	return node;
}

uint32_t stacks_intern(struct stacks *s, const uint32_t *frames, size_t n) { return descend(s, frames, n, true); }

/* Of the const stacks only the lock changes. */
uint32_t stacks_find(const struct stacks *s, const uint32_t *frames, size_t n)
{
	return descend((struct stacks *)(uintptr_t)s, frames, n, false);
}

struct stack_cached *stack_cache_slot(struct stack_cache *cache, struct evl_str raw)
{
	uint64_t h = raw.len, word;
	size_t i = 0;
	for (; i + sizeof word <= raw.len; i += sizeof word) {
		memcpy(&word, raw.p + i, sizeof word);
		h = (h ^ word) * 0x9e3779b97f4a7c15;
	}
	for (; i < raw.len; i++)
		h = (h ^ raw.p[i]) * 0x9e3779b97f4a7c15;
	return &cache->slots[(h ^ h >> 32) % STACK_CACHE];
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static bool node_is_good(const struct stacks *s, uint32_t i, uint64_t frames)
{
	const struct stack_node *node = stacks_at(s, i);
	if (i == STACK_ROOT)
		return node->parent == STACK_ROOT && node->frame == STACK_NO_FRAME && node->depth == 0;
	return node->parent < i && node->frame < frames && node->depth <= STACK_DEPTH
		&& node->depth == stacks_at(s, node->parent)->depth + 1;
}

/* The slots are made again. */
void stacks_image(struct image *im, struct stacks *s, uint64_t frames)
{
	if (im->loads)
		*s = (struct stacks){.n_slots = FIRST_SLOTS};
	image_rows(im, &s->nodes, sizeof(struct stack_node));
	IMAGE_VALUE(im, s->cut);
	uint32_t n = stacks_count(s);
	image_require(im, n && n <= MAX_STACKS);
	image_own(im, (void **)&s->slots, s->n_slots, sizeof *s->slots);
	if (image_fills(im))
		pthread_mutex_init(&s->lock, NULL);
	if (!im->loads)
		return;
	while (s->n_slots < 2 * ((size_t)n + 1))
		s->n_slots *= 2;
	s->slots = image_new(im, s->n_slots, sizeof *s->slots);
	for (uint32_t i = 0; i < n && image_require(im, node_is_good(s, i, frames)); i++)
		if (i != STACK_ROOT)
			*slot_of(s, stacks_at(s, i)->parent, stacks_at(s, i)->frame) = i + 1;
}
