#include "gc/gc_pyramid.h"

#include "base/descend.h"

#include <assert.h>

void gc_pyramid_init(struct gc_pyramid *p)
{
	*p = (struct gc_pyramid){0};
	for (int k = 0; k < PYRAMID_LEVELS; k++)
		rows_init(&p->levels[k], sizeof(struct gc_pyramid_node));
}

void gc_pyramid_free(struct gc_pyramid *p)
{
	for (int k = 0; k < PYRAMID_LEVELS; k++)
		rows_free(&p->levels[k]);
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
	for (int k = 0; k < PYRAMID_LEVELS; k++) {
		assert(p->filled[k] < PYRAMID_FAN); /* a full node was handed to the level above */
		merge(&p->open[k], &node);
		if (++p->filled[k] < PYRAMID_FAN)
			return true;
		node = p->open[k];
		p->open[k] = (struct gc_pyramid_node){0};
		p->filled[k] = 0;
		if (!rows_add(&p->levels[k], &node))
			return false;
	}
	return true;
}

/* The width of a node of this level in rows; level -1 is a row itself. */
static size_t width_of(int level) { return (size_t)1 << (PYRAMID_BITS * (level + 1)); }

/* The highest level at which a published node begins at row i and has at most `room` rows; -1: only the row itself. */
static int level_at(const struct gc_pyramid *p, size_t i, size_t room)
{
	int level = -1;
	while (level + 1 < PYRAMID_LEVELS && i % width_of(level + 1) == 0 && width_of(level + 1) <= room
		&& i / width_of(level + 1) < rows_count(&p->levels[level + 1]))
		level++;
	return level;
}

void gc_pyramid_sum(const struct gc_pyramid *p, size_t from, size_t to, gc_pyramid_leaf *leaf, const void *rows,
	struct gc_pyramid_node *sum)
{
	while (from < to) { /* each step takes the largest node that starts here and ends within */
		int level = level_at(p, from, to - from);
		if (level < 0)
			leaf(rows, from, sum);
		else
			merge(sum, rows_at(&p->levels[level], from / width_of(level)));
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
	return rows_count(&q->pyramid->levels[level]);
}

static bool may(const void *ctx, int level, size_t i)
{
	const struct query *q = ctx;
	struct gc_pyramid_node row = {0};
	if (level >= 0)
		return q->test(rows_at(&q->pyramid->levels[level], i), q->ctx);
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
