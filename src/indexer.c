#include "indexer.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { WAKE_EVERY_MS = 100 };

struct indexer {
	pthread_t thread;
	bool joined;
	struct blocks *blocks;
	const struct header *header;
	const uint8_t *data;
	uint64_t len;
	struct tile_table **tiles;
	struct damage_list *damage;
	struct indexer_jobs jobs;
	int64_t woke_ms;
	_Atomic uint64_t bytes, events;
	atomic_bool cancel, ready, done, data_end;
	_Atomic int result;
};

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void report(struct indexer *ix, bool now)
{
	int64_t t = now_ms();
	if (!now && t - ix->woke_ms < WAKE_EVERY_MS)
		return;
	ix->woke_ms = t;
	if (ix->jobs.wake)
		ix->jobs.wake(ix->jobs.wake_ctx);
}

/* Between the walk and the tables: only events that can be read are handed on. */
static void visit(void *ctx, const struct frame *f, const struct block *block)
{
	struct indexer *ix = ctx;
	const struct schema *schema = header_find(ix->header, f->tag)->schema;
	if (schema && f->payload.len >= schema->size)
		ix->jobs.event(ix->jobs.ctx, f, block);
}

static int walk_all(struct indexer *ix, struct tile_walk *walks)
{
	const struct blocks *b = ix->blocks;
	for (size_t i = 0; i < b->n_chains; i++)
		tile_walk_begin(&walks[i], b, &(*ix->tiles)[i]);
	uint64_t events = 0;
	for (size_t i = 0; i < b->n; i++) {
		const struct block *block = &b->items[i];
		struct tile_walk *w = &walks[block->chain];
		if (atomic_load_explicit(&ix->cancel, memory_order_relaxed))
			return EVL_CANCELLED;
		events -= w->events;
		if (tile_walk_block(w, block, ix->damage, visit, ix))
			atomic_store(&ix->data_end, true);
		events += w->events;
		const struct chain *chain = &b->chains[block->chain];
		tile_walk_publish(w, block, chain->blocks[chain->n - 1] == i);
		atomic_store_explicit(&ix->events, events, memory_order_relaxed);
		atomic_store_explicit(&ix->bytes, block->off + block->len - ix->header->data_off, memory_order_relaxed);
		report(ix, false);
	}
	return 0;
}

static int prepare(struct indexer *ix)
{
	int result = blocks_hop(ix->blocks, ix->header, ix->data, ix->len);
	if (result < 0)
		return result;
	*ix->tiles = tiles_new(ix->blocks);
	result = *ix->tiles ? ix->jobs.begin(ix->jobs.ctx) : EVL_NOMEM;
	if (result < 0)
		return result;
	atomic_store_explicit(&ix->ready, true, memory_order_release);
	report(ix, true);
	return 0;
}

static void *run(void *arg)
{
	struct indexer *ix = arg;
	int result = prepare(ix);
	if (result == 0) {
		struct tile_walk *walks = calloc(ix->blocks->n_chains ? ix->blocks->n_chains : 1, sizeof *walks);
		result = walks ? walk_all(ix, walks) : EVL_NOMEM;
		free(walks);
		int ended = ix->jobs.end(ix->jobs.ctx, &ix->cancel);
		result = result < 0 ? result : ended;
	}
	atomic_store(&ix->result, result);
	atomic_store_explicit(&ix->done, true, memory_order_release);
	report(ix, true);
	return NULL;
}

struct indexer *indexer_start(struct blocks *blocks, const struct header *h, const uint8_t *data, uint64_t len,
	struct tile_table **tiles, struct damage_list *damage, const struct indexer_jobs *jobs)
{
	struct indexer *ix = calloc(1, sizeof *ix);
	if (!ix)
		return NULL;
	*ix = (struct indexer){.blocks = blocks, .header = h, .data = data, .len = len, .tiles = tiles, .damage = damage,
		.jobs = *jobs};
	if (pthread_create(&ix->thread, NULL, run, ix)) {
		free(ix);
		return NULL;
	}
	return ix;
}

void indexer_cancel(struct indexer *ix)
{
	atomic_store(&ix->cancel, true);
}

int indexer_wait(struct indexer *ix)
{
	if (!ix->joined)
		pthread_join(ix->thread, NULL);
	ix->joined = true;
	return atomic_load(&ix->result);
}

void indexer_free(struct indexer *ix)
{
	if (!ix)
		return;
	indexer_cancel(ix);
	indexer_wait(ix);
	free(ix);
}

struct indexer_state indexer_state(const struct indexer *ix)
{
	struct indexer *i = (struct indexer *)(uintptr_t)ix; /* C11 atomics have no loads from const */
	struct indexer_state s = {.total = ix->len - ix->header->data_off};
	s.done = atomic_load_explicit(&i->done, memory_order_acquire);
	s.ready = atomic_load_explicit(&i->ready, memory_order_acquire);
	s.bytes = s.done && atomic_load(&i->result) == 0 ? s.total : atomic_load(&i->bytes);
	s.events = atomic_load(&i->events);
	s.data_end = atomic_load(&i->data_end);
	s.result = atomic_load(&i->result);
	return s;
}
