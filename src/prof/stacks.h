/* stacks.h - call stacks as ids: a trie that stores every distinct stack once.
 *
 * A node is 12 bytes, and as much again for the table that finds it. Past MAX_STACKS nodes a new stack is
 * represented by its longest known outer part; such samples are counted. Nodes never move or change: any number of
 * threads read them while others intern. */
#ifndef EVL_STACKS_H
#define EVL_STACKS_H

#include "base/err.h"
#include "base/image.h"
#include "base/rows.h"

#include <pthread.h>

enum { MAX_STACKS = 1 << 18, STACK_DEPTH = 1024, STACK_ROOT = 0, STACK_NO_FRAME = UINT32_MAX };

/* A stack: its innermost frame, and the node of the frames around it. */
struct stack_node {
	uint32_t parent; /* of the root: itself */
	uint32_t frame;  /* of the root: STACK_NO_FRAME */
	uint32_t depth;  /* frames; of the root: 0 */
};

struct stacks {
	struct rows nodes; /* struct stack_node; a parent comes before its children */
	pthread_mutex_t lock;
	uint32_t *slots; /* under the lock: node + 1 by parent and frame; 0: free */
	size_t n_slots;
	_Atomic uint64_t cut; /* stacks that were interned without their innermost frames */
};

int stacks_init(struct stacks *s) EVL_MUST_USE;
void stacks_free(struct stacks *s);

/* Return the node of a stack of n <= STACK_DEPTH frames, outermost first; add it if it is new. */
uint32_t stacks_intern(struct stacks *s, const uint32_t *frames, size_t n);

/* The same without adding nodes: return the longest outer part that has a node. */
uint32_t stacks_find(const struct stacks *s, const uint32_t *frames, size_t n);

static inline uint32_t stacks_count(const struct stacks *s) { return (uint32_t)rows_count(&s->nodes); }

static inline const struct stack_node *stacks_at(const struct stacks *s, uint32_t node)
{
	return rows_at(&s->nodes, node);
}

/* Cache from stacks as in the log to nodes, so that most samples cost one comparison. */
enum { STACK_CACHE = 1024 };
struct stack_cache {
	struct stack_cached {
		struct evl_str raw; /* in the map */
		uint32_t node;
	} slots[STACK_CACHE];
};

/* Return the slot for these bytes; its node is valid if stack_cached_is. */
struct stack_cached *stack_cache_slot(struct stack_cache *cache, struct evl_str raw);

static inline bool stack_cached_is(const struct stack_cached *slot, struct evl_str raw)
{
	return slot->raw.p && slot->raw.len == raw.len && memcmp(slot->raw.p, raw.p, raw.len) == 0;
}

/* To or from a file (image.h). frames: what a frame is less than. */
void stacks_image(struct image *im, struct stacks *s, uint64_t frames);

#endif
