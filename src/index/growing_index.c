#include "index/growing_index.h"

#include "index/blocks_private.h"
#include "index/indexer_private.h"

#include <stdlib.h>

enum { FAR = 4 << 20 /* bytes: more than are looked at to decide what an odd place is */ };

/* How far a chain was searched for places where its settled part can end. */
struct search {
	struct chain_mark last; /* of these */
	uint64_t bytes;
	struct walk_rest rest; /* before the next block, if `follows` */
	struct block unread;   /* else: the first block not read for that */
	bool follows, begun;
};

struct growing_index {
	struct indexer base; /* of the settled parts; it has no thread */
	struct walk_hooks hooks;
	struct chain_mark *from, *until; /* by chain: where the settled part ended, and where it ends now */
	struct search *searches;         /* by chain */
	uint64_t searched;               /* file offset of the first block that was not */
	struct chain_mark *ends;         /* later places that were found, in file order */
	size_t n_ends, ends_room;
	enum growing_state state;
};

struct growing_index *growing_index_new(struct blocks *blocks, const struct header *h, const struct source *src,
	struct tile_table **tiles, struct damage_list *damage, const struct indexer_jobs *jobs)
{
	struct growing_index *g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	g->base = (struct indexer){
		.blocks = blocks, .header = h, .source = src, .tiles = tiles, .damage = damage, .jobs = *jobs};
	pthread_mutex_init(&g->base.lock, NULL);
	return g;
}

void growing_index_free(struct growing_index *g)
{
	if (!g)
		return;
	walk_free(g->base.walk);
	pthread_mutex_destroy(&g->base.lock);
	free_all(g->from, g->until, g->searches, g->ends, g);
}

enum growing_state growing_index_state(const struct growing_index *g) { return g->state; }

/* Return whether the next hop finds the same in any longer log. */
static bool is_settled(const struct blocks *b)
{
	const uint64_t left = b->len - b->found;
	struct marker m, next;
	if (!marker_at(b, b->found, &m))
		return left > FAR;
	return m.size < left && (left - m.size > FAR || marker_at(b, b->found + m.size, &next));
}

static int find_settled(struct growing_index *g)
{
	struct blocks *b = g->base.blocks;
	const struct source *src = g->base.source;
	int result = b->header ? 0 : blocks_begin(b, g->base.header, src->data, src->len);
	b->data = src->data;
	b->len = src->len;
	b->cancel = g->base.stop;
	while (result == 0 && !is_cancelled(b->cancel) && is_settled(b))
		result = blocks_more(b, 1);
	b->cancel = NULL;
	if (b->found == b->len || b->ended || b->damage.n || b->damage.more)
		g->state = GROWING_ODD;
	return result;
}

/* Is the chain at rest before this block, its next? Blocks before it that were not read for that are read now. */
static bool rests_before(const struct growing_index *g, struct walk *walk, struct search *s, const struct block *block)
{
	struct block unread = s->unread;
	bool more = !s->follows && s->begun;
	for (; more && unread.off < block->off; more = blocks_next_of(g->base.blocks, &unread))
		walk_follow(walk, &unread, &s->rest);
	s->follows = true;
	return walk_rests(&s->rest);
}

/* A place where the settled part of a chain can end. Where many are found, one in 64 KB is enough. */
static bool add_end(struct growing_index *g, struct search *s, const struct chain_mark *end)
{
	enum { MANY = 4096, NEAR_BITS = 16 };
	if (g->n_ends >= MANY && (s->last.block.off ^ end->block.off) >> NEAR_BITS == 0)
		return true;
	if (!GROW(g->ends, g->n_ends, g->ends_room))
		return false;
	g->ends[g->n_ends++] = s->last = *end;
	return true;
}

static bool search_block(struct growing_index *g, struct walk *walk, const struct block *block)
{
	struct search *s = &g->searches[block->chain];
	struct chain_mark end = {*block, s->bytes, false};
	bool found = walk_may_start(walk, block), good = true;
	if (found || (end.rests = rests_before(g, walk, s, block)))
		good = add_end(g, s, &end);
	if (found
		|| !s->begun) { /* read it when it must be known: mostly a thread starts to run in the next block, too */
		s->unread = *block;
		s->rest = (struct walk_rest){0};
		s->follows = false;
		s->begun = true;
	}
	if (s->follows)
		walk_follow(walk, block, &s->rest);
	s->bytes += block->len;
	g->searched = block->off + block->len;
	return good;
}

/* walk: of a log that has these blocks. */
static int find_ends(struct growing_index *g, struct walk *walk)
{
	const struct blocks *b = g->base.blocks;
	struct block block;
	size_t row = g->searched ? blocks_row_near(b, b->n_rows, g->searched) : 0;
	bool more = blocks_from_row(b, row, &block);
	for (; more && !is_cancelled(g->base.stop); more = blocks_next(b, &block))
		if (block.off >= g->searched && !search_block(g, walk, &block))
			return EVL_NOMEM;
	return 0;
}

/* All capabilities are settled up to about the same time: runs of several that overlap are merged when they are known of all. */
static void choose_ends(struct growing_index *g)
{
	const struct blocks *b = g->base.blocks;
	uint64_t t = UINT64_MAX;
	size_t kept = 0;
	for (size_t i = 0; i < b->n_chains; i++)
		if (b->chains[i].cap != EVL_NO_CAP)
			t = min_u64(t, g->searches[i].last.block.t);
	for (size_t i = 0; i < g->n_ends; i++) {
		const struct chain_mark *end = &g->ends[i];
		struct chain_mark *until = &g->until[end->block.chain];
		if (end->block.off < until->block.off)
			continue; /* its time is later than that of a later one */
		if (end->block.t <= t || b->chains[end->block.chain].cap == EVL_NO_CAP)
			*until = *end;
		else
			g->ends[kept++] = *end;
	}
	g->n_ends = kept;
}

static bool is_odd(const struct indexer *ix)
{
	bool odd = ix->damage->n || ix->damage->more || atomic_load(&ix->data_end);
	for (size_t i = 0; i < ix->blocks->n_chains; i++)
		odd = odd || (*ix->tiles)[i].bad_times;
	return odd;
}

static int walk_settled(struct growing_index *g)
{
	struct indexer *base = &g->base;
	size_t n = base->blocks->n_chains;
	int result = tiles_extend(*base->tiles, base->blocks);
	if (result < 0)
		return result;
	result = find_ends(g, base->walk);
	if (result < 0)
		return result;
	choose_ends(g);
	base->from = g->from;
	base->until = g->until;
	(void)oom_take(); /* of something before */
	result = indexer_cut(base);
	result = result < 0 || oom_take() ? EVL_NOMEM : 0;
	if (result == 0)
		indexer_walk(base);
	memcpy(g->from, g->until, n * sizeof *g->from);
	if (is_odd(base))
		g->state = GROWING_ODD;
	return result ? result : atomic_load(&base->result);
}

/* Settle what can be. Return whether the snapshot can go on from there. */
static bool advance(struct growing_index *g, struct indexer *ix)
{
	struct blocks *b = g->base.blocks;
	const size_t chains = b->n_chains;
	g->base.stop = &ix->cancel;
	g->base.jobs.workers = ix->jobs.workers;
	bool good = find_settled(g) == 0, same = b->n_chains == chains;
	if (g->state != GROWING_USED)
		return false;
	good = good && same && walk_settled(g) == 0 && !is_cancelled(&ix->cancel);
	atomic_fetch_add(&ix->cpu_ms, atomic_exchange(&g->base.cpu_ms, 0));
	if (!same)
		b->n_chains = chains; /* for those who free the tables */
	if (!good && g->state == GROWING_USED)
		g->state = GROWING_STALE;
	return g->state == GROWING_USED;
}

bool growing_index_begun(const struct growing_index *g) { return g->base.walk; }

uint64_t growing_index_settled(const struct growing_index *g)
{
	uint64_t t = UINT64_MAX;
	for (size_t i = 0; i < g->base.blocks->n_chains; i++)
		if (g->base.blocks->chains[i].cap != EVL_NO_CAP)
			t = min_u64(t, g->from[i].block.t);
	return t < UINT64_MAX ? t : 0;
}

void growing_index_spoil(struct growing_index *g) { g->state = g->state == GROWING_USED ? GROWING_STALE : g->state; }

int growing_index_plan(struct indexer *ix)
{
	struct growing_index *g = ix->jobs.grows;
	const size_t n = ix->blocks->n_chains;
	g->base.stop = &ix->cancel;
	if (g->state != GROWING_USED || g->base.walk)
		return 0;
	int result = find_settled(g);
	if (result < 0 || g->state != GROWING_USED || n == 0 || g->base.blocks->n_chains != n)
		return result;
	free_all(g->from, g->until, g->searches);
	g->from = calloc(n, sizeof *g->from);
	g->until = calloc(n, sizeof *g->until);
	g->searches = calloc(n, sizeof *g->searches);
	result = g->from && g->until && g->searches ? find_ends(g, ix->walk) : EVL_NOMEM;
	if (result == 0) {
		choose_ends(g);
		ix->until = g->until;
	}
	return result;
}

/* Copy the tables of a log that is walked as far as planned. */
static int take_tables(struct growing_index *g, struct indexer *ix)
{
	struct indexer *base = &g->base;
	atomic_store(&base->events, atomic_load(&ix->events));
	int result = ix->jobs.settle(ix->jobs.ctx, &g->hooks);
	if (result == 0 && !(base->walk = walk_go_on(ix->walk, base->blocks, *base->tiles, &g->hooks)))
		result = EVL_NOMEM;
	return result;
}

int growing_index_settle(struct indexer *ix)
{
	struct growing_index *g = ix->jobs.grows;
	memcpy(g->from, g->until, ix->blocks->n_chains * sizeof *g->from);
	ix->from = g->from;
	ix->until = NULL;
	if (is_odd(ix))
		g->state = GROWING_ODD;
	else if (is_cancelled(&ix->cancel) || atomic_load(&ix->result) < 0 || take_tables(g, ix) < 0)
		g->state = GROWING_STALE;
	return indexer_cut(ix);
}

int growing_index_go_on(struct indexer *ix, struct walk_hooks *hooks, bool *begun)
{
	struct growing_index *g = ix->jobs.grows;
	struct blocks *b = ix->blocks;
	if (!g->base.walk || !advance(g, ix))
		return 0;
	int result = blocks_copy(b, g->base.blocks);
	b->header = ix->header;
	b->known = known_gaps_new();
	b->reads_inside = ix->jobs.reads_inside;
	result = result ? result : indexer_find_blocks(ix);
	if (result == 0 && b->n_chains != g->base.blocks->n_chains)
		g->state = GROWING_STALE;
	if (result < 0 || g->state != GROWING_USED) {
		blocks_free(b);
		return result;
	}
	*begun = true;
	atomic_store(&ix->events, atomic_load(&g->base.events));
	ix->from = g->from;
	result = ix->jobs.go_on(ix->jobs.ctx, hooks);
	if (result == 0 && !(ix->walk = walk_go_on(g->base.walk, b, *ix->tiles, hooks)))
		result = EVL_NOMEM;
	return result;
}
