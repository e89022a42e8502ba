#include "index/points.h"

#include <stdlib.h>

int points_init(struct points *p, size_t n_chains, uint64_t most)
{
	*p = (struct points){.n = n_chains, .most = most, .kept_until = UINT64_MAX};
	p->tables = calloc(n_chains ? n_chains : 1, sizeof *p->tables);
	if (!p->tables)
		return EVL_NOMEM;
	for (size_t i = 0; i < n_chains; i++)
		rows_init(&p->tables[i], sizeof(struct point));
	return 0;
}

void points_free(struct points *p)
{
	for (size_t i = 0; p->tables && i < p->n; i++)
		rows_free(&p->tables[i]);
	free(p->tables);
	*p = (struct points){0};
}

static const struct point *row_at(const struct rows *table, size_t i) { return rows_at(table, i); }

/* How many of a table lie before t. */
static size_t before(const struct rows *table, uint64_t t)
{
	return rows_first_at(table, rows_count(table), offsetof(struct point, t), t);
}

/* Count events, the earliest at t, that are not kept. */
static void leave_out(struct points *p, uint64_t n, uint64_t t)
{
	atomic_fetch_add_explicit(&p->more, n, memory_order_relaxed);
	atomic_store(&p->kept_until, min_u64(atomic_load(&p->kept_until), t));
}

void points_add(struct points *p, uint32_t chain, uint64_t t, uint64_t off)
{
	struct rows *table = &p->tables[chain];
	struct point row = {t, off};
	size_t n = rows_count(table);
	if (points_count(p) < p->most && (n == 0 || row_at(table, n - 1)->t <= t) && rows_add(table, &row))
		atomic_fetch_add_explicit(&p->kept, 1, memory_order_relaxed);
	else
		leave_out(p, 1, t);
}

void points_now(const struct points *p, struct points_partial *partial, const struct frame *f)
{
	if (partial->n < p->most && GROW(partial->items, partial->n, partial->room))
		partial->items[partial->n++] = (struct point){f->t, f->off};
	else
		partial->more_t = partial->more++ ? min_u64(partial->more_t, f->t) : f->t;
}

void points_join(struct points *p, uint32_t chain, struct points_partial *partial)
{
	for (size_t i = 0; i < partial->n; i++)
		points_add(p, chain, partial->items[i].t, partial->items[i].off);
	if (partial->more)
		leave_out(p, partial->more, partial->more_t);
	free(partial->items);
	*partial = (struct points_partial){0};
}

uint64_t points_count(const struct points *p) { return load_relaxed(&p->kept); }

size_t points_in(const struct points *p, uint64_t t0, uint64_t t1, struct point *first)
{
	size_t sum = 0;
	uint64_t earliest = UINT64_MAX;
	for (size_t i = 0; i < p->n && points_count(p); i++) {
		size_t from = before(&p->tables[i], t0), to = before(&p->tables[i], t1);
		sum += to - from;
		if (!first || from == to || row_at(&p->tables[i], from)->t >= earliest)
			continue;
		*first = *row_at(&p->tables[i], from);
		earliest = first->t;
	}
	return sum;
}

bool points_after(const struct points *p, uint64_t t, struct point *out)
{
	bool found = false;
	for (size_t i = 0; i < p->n && t < UINT64_MAX; i++) {
		size_t at = before(&p->tables[i], t + 1);
		if (at >= rows_count(&p->tables[i]) || (found && row_at(&p->tables[i], at)->t >= out->t))
			continue;
		*out = *row_at(&p->tables[i], at);
		found = true;
	}
	return found;
}

bool points_before(const struct points *p, uint64_t t, struct point *out)
{
	bool found = false;
	for (size_t i = 0; i < p->n; i++) {
		size_t at = before(&p->tables[i], t);
		if (at == 0 || (found && row_at(&p->tables[i], at - 1)->t <= out->t))
			continue;
		*out = *row_at(&p->tables[i], at - 1);
		found = true;
	}
	return found;
}

static bool check_points(const void *items, size_t from, size_t to, const uint64_t bounds[2])
{
	const struct point *points = items;
	uint64_t furthest = 0;
	for (size_t i = from; i < to; i++)
		furthest = max_u64(furthest, points[i].off);
	return furthest < bounds[0];
}

void points_image(struct image *im, struct points *p, size_t n_chains, uint64_t most, uint64_t len)
{
	if (im->loads)
		*p = (struct points){.n = n_chains, .most = most, .tables = image_new(im, n_chains, sizeof *p->tables)};
	image_own(im, (void **)&p->tables, p->n, sizeof *p->tables);
	for (size_t i = 0; p->tables && i < n_chains; i++) {
		image_rows(im, &p->tables[i], sizeof(struct point));
		image_check_later(im, image_rows_of(&p->tables[i]), rows_count(&p->tables[i]), sizeof(struct point),
			check_points, len, 0);
	}
	IMAGE_VALUE(im, p->kept);
	IMAGE_VALUE(im, p->more);
	IMAGE_VALUE(im, p->kept_until);
}
