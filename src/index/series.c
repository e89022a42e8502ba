#include "index/series.h"

#include <assert.h>
#include <stdlib.h>

/* Thousands of capabilities may have a few samples each, and no levels. */
struct series_levels {
	struct rows nodes[SERIES_LEVELS];        /* struct series_peaks: a node of level k covers FAN^(k + 1) rows */
	struct series_peaks open[SERIES_LEVELS]; /* of the writer, above the first: what is not a whole node yet */
	uint32_t filled[SERIES_LEVELS];
};

void series_init(struct series *s)
{
	*s = (struct series){0};
	rows_init(&s->rows, sizeof(struct series_row));
}

static struct series_levels *levels_of(const struct series *s) { return load_acquire(&s->levels); }

void series_free(struct series *s)
{
	struct series_levels *levels = levels_of(s);
	for (int k = 0; levels && k < SERIES_LEVELS; k++)
		rows_free(&levels->nodes[k]);
	free(levels);
	s->levels = NULL;
	rows_free(&s->rows);
}

static struct series_levels *make_levels(struct series *s)
{
	struct series_levels *levels = levels_of(s);
	if (levels || !(levels = oom_note(calloc(1, sizeof *levels))))
		return levels;
	for (int k = 0; k < SERIES_LEVELS; k++)
		rows_init(&levels->nodes[k], sizeof(struct series_peaks));
	store_release(&s->levels, levels);
	return levels;
}

static void widen(struct series_peaks *a, const struct series_peaks *b)
{
	a->min = min_u64(a->min, b->min);
	a->max = max_u64(a->max, b->max);
}

/* FAN rows were added, n in all: they make a node, FAN of those a node above it. */
static __attribute__((noinline)) bool add_to_levels(struct series *s, size_t n)
{
	struct series_levels *l = make_levels(s);
	struct series_peaks node = {UINT64_MAX, 0};
	for (size_t i = n - SERIES_FAN; i < n; i++) {
		uint64_t value = series_row(s, i)->value;
		widen(&node, &(struct series_peaks){value, value});
	}
	for (int k = 0; l && k < SERIES_LEVELS; k++) {
		assert(node.min <= node.max);
		if (!rows_put(&l->nodes[k], &node, sizeof node))
			return false;
		if (l->filled[k] == 0)
			l->open[k] = node;
		widen(&l->open[k], &node);
		if (++l->filled[k] < SERIES_FAN)
			return true;
		node = l->open[k];
		l->filled[k] = 0;
	}
	return l;
}

/* Past the dense part: is this group of samples complete? Then *row is its largest. */
static bool thinned(struct series *s, struct series_row *row)
{
	if (s->n_thin == 0 || row->value >= s->thin.value)
		s->thin = *row;
	if (++s->n_thin < SERIES_THIN)
		return false;
	*row = s->thin;
	s->n_thin = 0;
	return true;
}

void series_add(struct series *s, uint64_t t, uint64_t value)
{
	struct series_row row = {t, value};
	size_t n = rows_count(&s->rows);
	if (t < s->last) {
		atomic_fetch_add_explicit(&s->dropped, 1, memory_order_relaxed);
		return;
	}
	if (n >= SERIES_DENSE && !thinned(s, &row))
		return;
	s->last = row.t;
	if (!rows_put(&s->rows, &row, sizeof row) || ((n + 1) % SERIES_FAN == 0 && !add_to_levels(s, n + 1)))
		atomic_fetch_add_explicit(&s->dropped, 1, memory_order_relaxed);
}

void steady_add(struct steady *s, uint64_t t, uint64_t value)
{
	bool same = value == s->last.value && rows_count(&s->series.rows) > 0;
	if (t < s->last.t) {
		atomic_fetch_add_explicit(&s->series.dropped, 1, memory_order_relaxed);
		return;
	}
	if (!same && s->held)
		series_add(&s->series, s->last.t, s->last.value);
	s->held = same;
	s->last = (struct series_row){t, value};
	if (!same)
		series_add(&s->series, t, value);
}

size_t series_before(const struct series *s, uint64_t t)
{
	return rows_first_at(&s->rows, rows_count(&s->rows), offsetof(struct series_row, t), t);
}

/* Return the number of rows that a node of this level covers; level -1 is a row. */
static size_t width_of(int level) { return (size_t)1 << (4 * (level + 1)); }
_Static_assert(SERIES_FAN == 16, "width_of");

/* The highest level at which a published node begins at row i and has at most `room` rows; -1: only the row itself. */
static int level_at(const struct series *s, size_t i, size_t room)
{
	struct series_levels *l = levels_of(s);
	int level = -1;
	while (l && level + 1 < SERIES_LEVELS && i % width_of(level + 1) == 0 && width_of(level + 1) <= room
		&& i / width_of(level + 1) < rows_count(&l->nodes[level + 1]))
		level++;
	return level;
}

struct series_peaks series_peaks(const struct series *s, size_t from, size_t to)
{
	struct series_peaks sum = {UINT64_MAX, 0};
	while (from < to) { /* each step takes the largest node that starts here and ends within */
		int level = level_at(s, from, to - from);
		if (level < 0) {
			uint64_t value = series_row(s, from)->value;
			widen(&sum, &(struct series_peaks){value, value});
		} else {
			widen(&sum, rows_at(&levels_of(s)->nodes[level], from / width_of(level)));
		}
		from += width_of(level);
	}
	return sum;
}

/* The total at t, before the sample i, the first at t or later of n. */
static uint64_t total_before(const struct series *s, uint64_t origin, uint64_t t, size_t i, size_t n)
{
	struct series_row a = i ? *series_row(s, i - 1) : (struct series_row){origin, 0};
	if (i == n)
		return a.value;
	const struct series_row *b = series_row(s, i);
	if (t < a.t) /* before the origin */
		return 0;
	if (b->t <= a.t)
		return b->value;
	return a.value + mul_div(sub_or_0(b->value, a.value), t - a.t, b->t - a.t);
}

uint64_t series_total_from(const struct series *s, uint64_t origin, uint64_t t)
{
	const size_t n = rows_count(&s->rows); /* once: rows may be added meanwhile */
	return total_before(s, origin, t, rows_first_at(&s->rows, n, offsetof(struct series_row, t), t), n);
}

uint64_t series_total(const struct series *s, uint64_t t) { return series_total_from(s, 0, t); }

uint64_t series_total_next(const struct series *s, size_t *row, uint64_t t)
{
	const size_t n = rows_count(&s->rows);
	*row = rows_next_at(&s->rows, *row, n, offsetof(struct series_row, t), 1, t);
	return total_before(s, 0, t, *row, n);
}

uint64_t counter_take(struct counter *c, uint64_t value)
{
	uint64_t more = value >= c->last ? value - c->last : value;
	c->last = value;
	c->total = c->total + more < c->total ? UINT64_MAX : c->total + more;
	return c->total;
}

void series_image(struct image *im, struct series *s)
{
	struct series_levels *levels;
	if (im->loads)
		series_init(s);
	image_rows(im, &s->rows, sizeof(struct series_row));
	IMAGE_VALUE(im, s->dropped);
	const bool is = IMAGE_ATOMIC(im, &s->levels, levels, sizeof *levels);
	for (int k = 0; is && k < SERIES_LEVELS; k++) {
		image_rows(im, &levels->nodes[k], sizeof(struct series_peaks));
		image_require(im, rows_count(&levels->nodes[k]) <= rows_count(&s->rows) / width_of(k));
	}
}
