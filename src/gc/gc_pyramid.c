#include "gc/gc_pyramid.h"

#include "base/descend.h"

#include <assert.h>
#include <stdlib.h>

static struct gc_pyramid_level *levels_of(const struct gc_pyramid *p) { return load_acquire(&p->levels); }

/* Of thousands of capabilities most lead no collection. */
static struct gc_pyramid_level *make_levels(struct gc_pyramid *p)
{
	struct gc_pyramid_level *levels = levels_of(p);
	if (levels || !(levels = oom_note(calloc(PYRAMID_LEVELS, sizeof *levels))))
		return levels;
	for (int k = 0; k < PYRAMID_LEVELS; k++)
		rows_init(&levels[k].nodes, sizeof(struct gc_pyramid_node));
	store_release(&p->levels, levels);
	return levels;
}

void gc_pyramid_free(struct gc_pyramid *p)
{
	struct gc_pyramid_level *levels = levels_of(p);
	for (int k = 0; levels && k < PYRAMID_LEVELS; k++)
		rows_free(&levels[k].nodes);
	free(levels);
	p->levels = NULL;
}

static size_t count_at(const struct gc_pyramid *p, int level)
{
	const struct gc_pyramid_level *levels = levels_of(p);
	return levels ? rows_count(&levels[level].nodes) : 0;
}

size_t gc_pyramid_bytes(const struct gc_pyramid *p)
{
	size_t n = 0;
	for (int k = 0; k < PYRAMID_LEVELS; k++)
		n += count_at(p, k);
	return n * sizeof(struct gc_pyramid_node);
}

/* a += b */
static void merge(struct gc_pyramid_node *a, const struct gc_pyramid_node *b)
{
	a->longest = max_u64(a->longest, b->longest);
	a->sync += b->sync;
	for (int g = 0; g < PYRAMID_GENS; g++) {
		a->ns[g] += b->ns[g];
		a->n[g] += b->n[g];
	}
}

bool gc_pyramid_add(struct gc_pyramid *p, const struct gc_pyramid_node *leaf)
{
	struct gc_pyramid_node node = *leaf;
	struct gc_pyramid_level *levels = make_levels(p);
	for (int k = 0; levels && k < PYRAMID_LEVELS; k++) {
		struct gc_pyramid_level *level = &levels[k];
		assert(level->filled < PYRAMID_FAN); /* a full node was handed to the level above */
		merge(&level->open, &node);
		if (++level->filled < PYRAMID_FAN)
			return true;
		node = level->open;
		level->open = (struct gc_pyramid_node){0};
		level->filled = 0;
		if (!rows_add(&level->nodes, &node))
			return false;
	}
	return levels;
}

/* The width of a node of this level in rows; level -1 is a row itself. */
static size_t width_of(int level) { return (size_t)1 << (PYRAMID_BITS * (level + 1)); }

/* The highest level at which a published node begins at row i and has at most `room` rows; -1: only the row itself. */
static int level_at(const struct gc_pyramid *p, size_t i, size_t room)
{
	int level = -1;
	while (level + 1 < PYRAMID_LEVELS && i % width_of(level + 1) == 0 && width_of(level + 1) <= room
		&& i / width_of(level + 1) < count_at(p, level + 1))
		level++;
	return level;
}

const struct gc_pyramid_node *gc_pyramid_at(const struct gc_pyramid *p, size_t i)
{
	bool is = i % PYRAMID_FAN == 0 && i / PYRAMID_FAN < count_at(p, 0);
	return is ? rows_at(&levels_of(p)[0].nodes, i / PYRAMID_FAN) : NULL;
}

void gc_pyramid_sum(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	struct gc_pyramid_node *sum)
{
	while (from < to) { /* each step takes the largest node that starts here and ends within */
		int level = level_at(p, from, to - from);
		if (level < 0)
			leaf(rows, from, sum);
		else
			merge(sum, rows_at(&levels_of(p)[level].nodes, from / width_of(level)));
		from += width_of(level);
	}
}

/* A search in a pyramid. */
struct query {
	const struct gc_pyramid *pyramid;
	gc_pyramid_leaf *leaf;
	const void *rows;
	gc_pyramid_test *test;
	const void *ctx;
};

static size_t nodes(const void *ctx, int level)
{
	const struct query *q = ctx;
	return count_at(q->pyramid, level);
}

static bool may(const void *ctx, int level, size_t i)
{
	const struct query *q = ctx;
	struct gc_pyramid_node row = {0};
	if (level >= 0)
		return q->test(rows_at(&levels_of(q->pyramid)[level].nodes, i), q->ctx);
	q->leaf(q->rows, i, &row);
	return q->test(&row, q->ctx);
}

size_t gc_pyramid_next(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	gc_pyramid_test *test, const void *ctx)
{
	struct query q = {p, leaf, rows, test, ctx};
	return descend_next(&(struct descent){PYRAMID_BITS, PYRAMID_LEVELS, nodes, may, &q}, from, to);
}

size_t gc_pyramid_prev(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	gc_pyramid_test *test, const void *ctx)
{
	struct query q = {p, leaf, rows, test, ctx};
	return descend_prev(&(struct descent){PYRAMID_BITS, PYRAMID_LEVELS, nodes, may, &q}, from, to);
}

void gc_pyramid_image(struct image *im, struct gc_pyramid *p, size_t n)
{
	struct gc_pyramid_level *levels;
	const bool is = IMAGE_ATOMIC(im, &p->levels, levels, PYRAMID_LEVELS * sizeof *levels);
	for (int k = 0; is && k < PYRAMID_LEVELS; k++) {
		image_rows(im, &levels[k].nodes, sizeof(struct gc_pyramid_node));
		image_require(im, rows_count(&levels[k].nodes) == n >> PYRAMID_BITS * (k + 1));
	}
}
