#include "sched/busy_gaps.h"

#include "base/descend.h"

void busy_gaps_init(struct busy_gaps *g)
{
	rows_init(&g->pieces, sizeof(struct busy_piece));
	for (int k = 0; k < GAP_LEVELS; k++)
		rows_init(&g->longest[k], sizeof(uint64_t));
}

void busy_gaps_free(struct busy_gaps *g)
{
	rows_free(&g->pieces);
	for (int k = 0; k < GAP_LEVELS; k++)
		rows_free(&g->longest[k]);
}

/* The longest gap of a node or, on level -1, of a piece. */
static uint64_t longest(const struct busy_gaps *g, int level, size_t i)
{
	return level < 0 ? busy_piece_at(g, i)->gap.len : *(const uint64_t *)rows_at(&g->longest[level], i);
}

bool busy_gaps_add(struct busy_gaps *g, const struct busy_piece *piece)
{
	if (!rows_add(&g->pieces, piece))
		return false;
	size_t n = rows_count(&g->pieces);
	for (int k = 0; k < GAP_LEVELS && n % (1 << GAP_BITS) == 0; k++) {
		uint64_t most = 0;
		for (size_t i = n - (1 << GAP_BITS); i < n; i++)
			most = max_u64(most, longest(g, k - 1, i));
		if (!rows_add(&g->longest[k], &most))
			return false;
		n >>= GAP_BITS;
	}
	return true;
}

struct query {
	const struct busy_gaps *gaps;
	uint64_t least;
};

static size_t nodes(const void *ctx, int level)
{
	const struct query *q = ctx;
	return rows_count(&q->gaps->longest[level]);
}

static bool may(const void *ctx, int level, size_t i)
{
	const struct query *q = ctx;
	return longest(q->gaps, level, i) >= q->least;
}

size_t busy_gaps_next(const struct busy_gaps *g, size_t n, size_t from, uint64_t least)
{
	const struct query q = {g, least};
	return descend_next(&(struct descent){GAP_BITS, GAP_LEVELS, nodes, may, &q}, min_u64(from, n), n);
}

size_t busy_gaps_prev(const struct busy_gaps *g, size_t n, size_t to, uint64_t least)
{
	const struct query q = {g, least};
	size_t i = descend_prev(&(struct descent){GAP_BITS, GAP_LEVELS, nodes, may, &q}, 0, min_u64(to, n));
	return i < min_u64(to, n) ? i : n;
}

uint64_t busy_gaps_bytes(const struct busy_gaps *g)
{
	uint64_t bytes = rows_count(&g->pieces) * sizeof(struct busy_piece);
	for (int k = 0; k < GAP_LEVELS; k++)
		bytes += rows_count(&g->longest[k]) * sizeof(uint64_t);
	return bytes;
}

void busy_gaps_image(struct image *im, struct busy_gaps *g)
{
	image_rows(im, &g->pieces, sizeof(struct busy_piece));
	for (int k = 0; k < GAP_LEVELS; k++) {
		image_rows(im, &g->longest[k], sizeof(uint64_t));
		image_require(im, rows_count(&g->longest[k]) == rows_count(&g->pieces) >> GAP_BITS * (k + 1));
	}
}
