/* stacks.h - call stacks as ids (nodes): a trie that stores every distinct stack once.
 *
 * A node takes 12 bytes, and about as much again for the hash table that finds it. Past MAX_STACKS nodes, a new stack
 * is represented by its longest known outer part; such stacks are counted. Nodes never move or change: any number of
 * threads may read them while others add stacks. */
#ifndef EVL_STACKS_H
#define EVL_STACKS_H

#include "base/err.h"
#include "base/image.h"
#include "base/rows.h"

#include <pthread.h>

enum { MAX_STACKS = 1 << 18, STACK_DEPTH = 1024, STACK_ROOT = 0, STACK_NO_FRAME = UINT32_MAX };

/* A stack: its innermost frame, and the node of the stack around that frame. */
struct stack_node {
	uint32_t parent; /* the root: itself */
	uint32_t frame;  /* id of a cost centre or other frame, assigned by the caller; the root: STACK_NO_FRAME */
	uint32_t depth;  /* number of frames; the root: 0 */
};

struct stacks {
	struct rows nodes; /* struct stack_node; a parent comes before its children */
	pthread_mutex_t lock;
	uint32_t *slots; /* hash table by parent and frame, protected by the lock: node + 1; 0: free */
	size_t n_slots;
	_Atomic uint64_t cut; /* number of stacks interned without their innermost frames */
};

/* Initialise a trie that contains only the root. Return 0 or EVL_NOMEM. */
int stacks_init(struct stacks *s) EVL_MUST_USE;
void stacks_free(struct stacks *s);

/* Return the node of a stack of n <= STACK_DEPTH frames, outermost first, adding it if it is new. */
uint32_t stacks_intern(struct stacks *s, const uint32_t *frames, size_t n);

/* Return the node of the longest outer part of the stack that is already stored; it may be the root. */
uint32_t stacks_find(const struct stacks *s, const uint32_t *frames, size_t n);

/* Return the number of nodes, or a node by its number. */
static inline uint32_t stacks_count(const struct stacks *s) { return (uint32_t)rows_count(&s->nodes); }

static inline const struct stack_node *stacks_at(const struct stacks *s, uint32_t node)
{
	return rows_at(&s->nodes, node);
}

/* Cache of nodes by the bytes of a stack in the log, so that most samples cost one comparison. */
enum { STACK_CACHE = 1024 };
struct stack_cache {
	struct stack_cached {
		struct evl_str raw; /* borrowed from the log */
		uint32_t node;
	} slots[STACK_CACHE];
};

/* Return the slot for these bytes; its node is valid if stack_cached_is. */
struct stack_cached *stack_cache_slot(struct stack_cache *cache, struct evl_str raw);

/* Report whether the slot holds the stack with these bytes. */
static inline bool stack_cached_is(const struct stack_cached *slot, struct evl_str raw)
{
	return slot->raw.p && slot->raw.len == raw.len && memcmp(slot->raw.p, raw.p, raw.len) == 0;
}

/* Save or load the trie (image.h). Loaded frames must be less than `frames`. */
void stacks_image(struct image *im, struct stacks *s, uint64_t frames);

#endif
