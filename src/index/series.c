#include "index/series.h"

#include <assert.h>

void series_init(struct series *s)
{
	*s = (struct series){0};
	rows_init(&s->rows, sizeof(struct series_row));
	for (int k = 0; k < SERIES_LEVELS; k++)
		rows_init(&s->levels[k], sizeof(struct series_peaks));
}

void series_free(struct series *s)
{
	rows_free(&s->rows);
	for (int k = 0; k < SERIES_LEVELS; k++)
		rows_free(&s->levels[k]);
}

static void widen(struct series_peaks *a, const struct series_peaks *b)
{
	a->min = min_u64(a->min, b->min);
	a->max = max_u64(a->max, b->max);
}

static bool add_to_levels(struct series *s, uint64_t value)
{
	struct series_peaks node = {value, value};
	for (int k = 0; k < SERIES_LEVELS; k++) {
		if (s->filled[k] == 0)
			s->open[k] = node;
		widen(&s->open[k], &node);
		if (++s->filled[k] < SERIES_FAN)
			return true;
		node = s->open[k];
		assert(node.min <= node.max);
		s->filled[k] = 0;
		if (!rows_put(&s->levels[k], &node, sizeof node))
			return false;
	}
	return true;
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
	if (n && series_row(s, n - 1)->t > t) {
		atomic_fetch_add_explicit(&s->dropped, 1, memory_order_relaxed);
		return;
	}
	if (n >= SERIES_DENSE && !thinned(s, &row))
		return;
	if (!rows_put(&s->rows, &row, sizeof row) || !add_to_levels(s, row.value))
		atomic_fetch_add_explicit(&s->dropped, 1, memory_order_relaxed);
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
	int level = -1;
	while (level + 1 < SERIES_LEVELS && i % width_of(level + 1) == 0 && width_of(level + 1) <= room
		&& i / width_of(level + 1) < rows_count(&s->levels[level + 1]))
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
			widen(&sum, rows_at(&s->levels[level], from / width_of(level)));
		}
		from += width_of(level);
	}
	return sum;
}

uint64_t series_total_from(const struct series *s, uint64_t origin, uint64_t t)
{
	size_t n = rows_count(&s->rows), i = rows_first_at(&s->rows, n, offsetof(struct series_row, t), t);
	struct series_row a = i ? *series_row(s, i - 1) : (struct series_row){origin, 0};
	if (i == n)
		return a.value;
	const struct series_row *b = series_row(s, i);
	if (t < a.t) /* before the origin */
		return 0;
	if (b->t <= a.t)
		return b->value;
	return a.value + (uint64_t)((unsigned __int128)sub_or_0(b->value, a.value) * (t - a.t) / (b->t - a.t));
}

uint64_t series_total(const struct series *s, uint64_t t) { return series_total_from(s, 0, t); }

uint64_t counter_take(struct counter *c, uint64_t value)
{
	uint64_t more = value >= c->last ? value - c->last : value;
	c->last = value;
	c->total = c->total + more < c->total ? UINT64_MAX : c->total + more;
	return c->total;
}
