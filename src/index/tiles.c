#include "index/tiles.h"

#include "base/descend.h"
#include "base/gallop.h"

#include <stdlib.h>

/* How many nodes of a level sum up final tiles only; the idle time of a tile is known when the next one is. */
static size_t nodes_of(size_t ready, int level) { return ready ? (ready - 1) >> (TILE_BITS * (level + 1)) : 0; }

static size_t tiles_in(uint64_t chain_bytes) { return (size_t)((chain_bytes + TILE_BYTES - 1) >> TILE_SHIFT); }

static bool lay_out(struct tile_table *t, uint64_t chain_bytes)
{
	t->first_t = UINT64_MAX;
	t->n = tiles_in(chain_bytes);
	t->tiles = calloc(t->n + 1, sizeof *t->tiles);
	t->early = calloc(t->n + 1, sizeof *t->early);
	bool good = t->tiles && t->early;
	for (int k = 0; good && k < TILE_LEVELS && nodes_of(t->n, k); k++)
		good = (t->nodes[k] = calloc(nodes_of(t->n, k), sizeof *t->nodes[k])) != NULL;
	return good;
}

struct tile_table *tiles_new(const struct blocks *blocks)
{
	struct tile_table *tables = calloc(blocks->n_chains ? blocks->n_chains : 1, sizeof *tables);
	bool good = tables;
	for (size_t i = 0; good && i < blocks->n_chains; i++)
		good = lay_out(&tables[i], blocks->chains[i].len);
	if (good)
		return tables;
	tiles_free(tables, blocks->n_chains);
	return NULL;
}

/* Make room for n items after the first `was`, which are kept; the others are zeros. */
static bool lengthen(void **items, size_t was, size_t n, size_t width)
{
	void *longer = n > was ? realloc(*items, n * width) : *items;
	if (n <= was)
		return true;
	if (longer) {
		memset((uint8_t *)longer + was * width, 0, (n - was) * width);
		*items = longer;
	}
	return longer;
}

static bool extend(struct tile_table *t, size_t n)
{
	bool good = lengthen((void **)&t->tiles, t->n + 1, n + 1, sizeof *t->tiles)
		&& lengthen((void **)&t->early, t->n + 1, n + 1, sizeof *t->early);
	for (int k = 0; good && k < TILE_LEVELS; k++)
		good = lengthen((void **)&t->nodes[k], nodes_of(t->n, k), nodes_of(n, k), sizeof *t->nodes[k]);
	t->n = good ? n : t->n;
	return good;
}

int tiles_extend(struct tile_table *tables, const struct blocks *blocks)
{
	for (size_t i = 0; i < blocks->n_chains; i++)
		if (!extend(&tables[i], tiles_in(blocks->chains[i].len)))
			return EVL_NOMEM;
	return 0;
}

void tiles_free(struct tile_table *tables, size_t n)
{
	for (size_t i = 0; tables && i < n; i++) {
		free_all(tables[i].tiles, tables[i].early);
		for (int k = 0; k < TILE_LEVELS; k++)
			free(tables[i].nodes[k]);
	}
	free(tables);
}

uint64_t tiles_bytes(const struct tile_table *t)
{
	uint64_t sum = t->n * (sizeof *t->tiles + sizeof *t->early);
	for (int k = 0; k < TILE_LEVELS; k++)
		sum += nodes_of(t->n, k) * sizeof *t->nodes[k];
	return sum;
}

/* --- sums ------------------------------------------------------------------------------------------------------------ */

uint64_t tile_idle(const struct tile_table *table, size_t ready, size_t i)
{
	const struct tile *tile = &table->tiles[i], *next = tile + 1;
	if (i + 1 >= ready)
		return UINT64_MAX;
	struct cap_pos from = tile_pos(tile), to = tile_pos(next);
	uint64_t busy = sub_or_0(cap_run_until(&to, next->t) + cap_gc_until(&to, next->t),
		cap_run_until(&from, tile->t) + cap_gc_until(&from, tile->t));
	uint64_t carried = from.state == CAP_IDLE ? sub_or_0(tile->t, from.since) : 0;
	return carried + sub_or_0(sub_or_0(next->t, tile->t), busy);
}

static void add_node(struct tile_node *sum, const struct tile_node *node)
{
	sum->filter |= node->filter;
	sum->classes |= node->classes;
	sum->idle = max_u64(sum->idle, node->idle);
	sum->early = min_u64(sum->early, node->early);
}

static struct tile_node node_of(const struct tile_table *t, size_t ready, int level, size_t i)
{
	if (level >= 0)
		return t->nodes[level][i];
	return (struct tile_node){.filter = t->tiles[i].filter,
		.idle = tile_idle(t, ready, i),
		.early = t->early[i],
		.classes = t->tiles[i].classes};
}

void tiles_sum(struct tile_table *t, size_t ready)
{
	size_t was = load_relaxed(&t->ready);
	for (int k = 0; k < TILE_LEVELS; k++)
		for (size_t i = nodes_of(was, k); i < nodes_of(ready, k); i++) {
			t->nodes[k][i].early = UINT64_MAX;
			for (size_t part = i << TILE_BITS; part < (i + 1) << TILE_BITS; part++) {
				struct tile_node node = node_of(t, ready, k - 1, part);
				add_node(&t->nodes[k][i], &node);
			}
		}
}

/* A search among the tiles that are ready. */
struct query {
	const struct tile_table *table;
	size_t ready;
	const struct tile_want *want;
};

static size_t nodes(const void *ctx, int level) { return nodes_of(((const struct query *)ctx)->ready, level); }

static bool may(const void *ctx, int level, size_t i)
{
	const struct query *q = ctx;
	struct tile_node node = node_of(q->table, q->ready, level, i);
	return (!q->want->classes || node.classes & q->want->classes)
		&& (!q->want->filter || node.filter & q->want->filter) && node.idle >= q->want->idle
		&& (!q->want->before || node.early < q->want->before);
}

size_t tiles_next(const struct tile_table *table, size_t ready, size_t from, size_t to, const struct tile_want *want)
{
	struct query q = {table, ready, want};
	return descend_next(&(struct descent){TILE_BITS, TILE_LEVELS, nodes, may, &q}, from, to);
}

size_t tiles_prev(const struct tile_table *table, size_t ready, size_t from, size_t to, const struct tile_want *want)
{
	struct query q = {table, ready, want};
	return descend_prev(&(struct descent){TILE_BITS, TILE_LEVELS, nodes, may, &q}, from, to);
}

size_t tiles_end_before(const struct tile_table *table, size_t ready, size_t n, uint64_t t)
{
	const struct tile_want want = {.before = t};
	size_t last = t && n ? tiles_prev(table, ready, 0, n, &want) : n;
	return last < n ? last + 1 : 0;
}

void tiles_settle(struct tile_table *tables, size_t n)
{
	for (size_t i = 0; i < n; i++)
		store_release(&tables[i].is_final, true);
}

static bool begins_before(const void *items, size_t i, uint64_t t)
{
	const struct tile_table *table = items;
	return table->tiles[i].t < t;
}

size_t tiles_before(const struct tile_table *table, size_t ready, uint64_t t)
{
	return gallop_between(table, 1, ready, t, begins_before) - 1;
}

size_t tiles_from(const struct tile_table *table, size_t ready, size_t from, size_t stride, uint64_t t)
{
	return gallop(table, from + 1, ready, stride, t, begins_before) - 1;
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static bool check_tiles(const void *items, size_t from, size_t to, const uint64_t bounds[2])
{
	const struct tile *tiles = items;
	unsigned worst = 0;
	for (size_t i = from; i < to; i++)
		worst |= tiles[i].state > bounds[0];
	return !worst;
}

static void table_image(struct image *im, struct tile_table *t, uint64_t chain_bytes)
{
	t->n = im->copies ? t->n : tiles_in(chain_bytes);
	t->tiles = image_array(im, t->tiles, t->n + 1, sizeof *t->tiles);
	image_check_later(im, t->tiles, t->n, sizeof *t->tiles, check_tiles, CAP_GC, 0);
	t->early = image_array(im, t->early, t->n + 1, sizeof *t->early);
	for (int k = 0; k < TILE_LEVELS && nodes_of(t->n, k); k++)
		t->nodes[k] = image_array(im, t->nodes[k], nodes_of(t->n, k), sizeof *t->nodes[k]);
	IMAGE_VALUE(im, t->bad_times);
	IMAGE_VALUE(im, t->known_t);
	IMAGE_VALUE(im, t->lost_t);
	IMAGE_VALUE(im, t->moved_t);
	IMAGE_VALUE(im, t->walked);
	IMAGE_VALUE(im, t->first_t);
	IMAGE_VALUE(im, t->last_t);
	size_t ready = t->ready;
	image_size(im, &ready, t->n);
	if (!im->loads || im->bad)
		return;
	t->ready = ready;
	t->is_final = true;
}

void tiles_image(struct image *im, struct tile_table **tables, const struct blocks *blocks)
{
	if (im->loads)
		*tables = image_new(im, blocks->n_chains, sizeof **tables);
	image_own(im, (void **)tables, blocks->n_chains, sizeof **tables);
	for (size_t i = 0; *tables && i < blocks->n_chains && image_goes_on(im); i++)
		table_image(im, &(*tables)[i], blocks->chains[i].len);
}
