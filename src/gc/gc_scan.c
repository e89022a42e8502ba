#include "gc/gc_scan.h"

#include "base/gallop.h"
#include "sys/worker.h"

#include <stdlib.h>

enum { STRETCH = 1 << 15 }; /* rows that a worker takes at a time */

/* The remaining rows: rows [i, n) of a table, and all of the later tables. */
struct scan {
	const struct gc_range *range;
	gc_look *look;
	const void *ctx;
	uint8_t *own;
	size_t size;
	pthread_mutex_t lock;
	size_t table, i, n;
	int workers;
};

/* The rows of a table that start in the range. */
static void enter(struct scan *s)
{
	const struct rows *rows = &s->range->gcs->tables[s->table].rows;
	size_t n = rows_count(rows), start = offsetof(struct gc_row, start);
	s->i = rows_first_at(rows, n, start, s->range->from);
	s->n = rows_first_at(rows, n, start, s->range->to);
}

/* Take some of the remaining rows; return their number, 0 at the end. */
static size_t take(struct scan *s, const struct gc_row **rows)
{
	size_t n = 0;
	pthread_mutex_lock(&s->lock);
	while (s->i >= s->n && s->table + 1 < s->range->gcs->n) {
		s->table++;
		enter(s);
	}
	if (s->i < s->n && !is_cancelled(s->range->cancel)) {
		const struct rows *all = &s->range->gcs->tables[s->table].rows;
		n = min_u64(min_u64(s->n - s->i, STRETCH), rows_beside(s->i));
		*rows = rows_at(all, s->i);
		s->i += n;
	}
	pthread_mutex_unlock(&s->lock);
	return n;
}

/* The first window that ends after t. */
static size_t window_after(const struct gc_range *r, uint64_t t)
{
	BISECT(low, r->n_windows, r->windows[mid].to <= t);
	return low;
}

bool gc_range_has(const struct gc_range *r, uint64_t t)
{
	size_t w = r->windows ? window_after(r, t) : 0;
	return t >= r->from && t < r->to && (!r->windows || (w < r->n_windows && r->windows[w].from <= t));
}

uint64_t gc_range_covers(const struct gc_range *r, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	from = max_u64(from, r->from);
	to = min_u64(to, r->to);
	if (!r->windows)
		return sub_or_0(to, from);
	for (size_t w = window_after(r, from); w < r->n_windows && r->windows[w].from < to; w++)
		ns += sub_or_0(min_u64(r->windows[w].to, to), max_u64(r->windows[w].from, from));
	return ns;
}

uint64_t gc_range_requested(const struct gc_range *r, uint64_t until)
{
	uint64_t to = r->to;
	for (size_t c = 0; c < r->gcs->n; c++) { /* pauses of one chain do not overlap */
		const struct rows *rows = &r->gcs->tables[c].rows;
		size_t n = rows_count(rows), i = rows_first_at(rows, n, offsetof(struct gc_row, start), r->to);
		const struct gc_row *gc = i < n ? rows_at(rows, i) : NULL;
		if (gc && gc_requested(gc) < r->to && gc->start < until)
			to = max_u64(to, gc->start + 1);
	}
	return to;
}

bool gc_range_skips(const struct gc_range *r, uint64_t t)
{
	BISECT(low, r->n_skip, r->skip[mid] < t);
	return low < r->n_skip && r->skip[low] == t;
}

/* Of some rows those that start in the windows. */
static void look_in_windows(const struct scan *s, void *own, const struct gc_row *rows, size_t n)
{
	const struct gc_range *r = s->range;
	for (size_t i = 0, end; i < n; i = end) {
		size_t w = window_after(r, rows[i].start);
		if (w == r->n_windows)
			return;
		while (i < n && rows[i].start < r->windows[w].from)
			i++;
		for (end = i; end < n && rows[end].start < r->windows[w].to;)
			end++;
		if (end > i)
			s->look(s->ctx, own, rows + i, end - i);
	}
}

static void *work(void *arg)
{
	struct scan *s = arg;
	const struct gc_row *rows;
	pthread_mutex_lock(&s->lock);
	void *own = s->own + s->size * (size_t)s->workers++;
	pthread_mutex_unlock(&s->lock);
	for (size_t n; (n = take(s, &rows));)
		if (s->range->windows)
			look_in_windows(s, own, rows, n);
		else
			s->look(s->ctx, own, rows, n);
	return NULL;
}

size_t gc_range_rows(const struct gc_range *range)
{
	size_t rows = 0;
	for (size_t c = 0; c < range->gcs->n; c++)
		rows += rows_count(&range->gcs->tables[c].rows);
	return rows;
}

int gc_scan_workers(const struct gc_range *range)
{
	uint64_t most = min_u64((uint64_t)workers_for(range->workers), GC_SCAN_WORKERS);
	return (int)min_u64(most, gc_range_rows(range) / STRETCH + 1);
}

int gc_scan(const struct gc_range *range, gc_look *look, const void *ctx, void *own, size_t size)
{
	struct scan s = {.range = range, .look = look, .ctx = ctx, .own = own, .size = size};
	if (range->gcs->n == 0)
		return 0;
	pthread_mutex_init(&s.lock, NULL);
	enter(&s);
	workers_share(gc_scan_workers(range), work, &s);
	pthread_mutex_destroy(&s.lock);
	return is_cancelled(range->cancel) ? EVL_CANCELLED : 0;
}

/* --- quantiles ------------------------------------------------------------------------------------------------------- */

/* Found digit by digit from the top: how many lengths, of those that agree in the digits before, have which one next? */
enum { DIGIT = 11, DIGITS = 1 << DIGIT };

struct digits {
	bool syncs;
	unsigned shift;
	int n;
	uint64_t found[GC_QUANTILES]; /* the digits before */
};

struct counts {
	size_t of[GC_QUANTILES][DIGITS];
};

static void count(const void *ctx, void *own, const struct gc_row *rows, size_t n)
{
	const struct digits *d = ctx;
	struct counts *counts = own;
	for (size_t i = 0; i < n; i++) {
		uint64_t length = (d->syncs ? rows[i].sync : gc_pause(&rows[i])) >> d->shift;
		for (int q = 0; q < d->n; q++)
			if (length >> DIGIT == d->found[q])
				counts->of[q][length & (DIGITS - 1)]++;
	}
}

/* The next digit of each, from what all workers have counted; ranks: among those that agree so far. */
static void next_digits(struct digits *d, const struct counts *counts, int workers, size_t *ranks)
{
	for (int q = 0; q < d->n; q++) {
		uint64_t digit = 0;
		for (; digit + 1 < DIGITS; digit++) {
			size_t here = 0;
			for (int w = 0; w < workers; w++)
				here += counts[w].of[q][digit];
			if (ranks[q] < here)
				break;
			ranks[q] -= here;
		}
		d->found[q] = d->found[q] << DIGIT | digit;
	}
}

int gc_quantiles(const struct gc_range *range, bool syncs, size_t n, uint64_t max, const unsigned *percents,
	int n_percents, uint64_t *out)
{
	int workers = gc_scan_workers(range);
	struct digits d = {.syncs = syncs, .n = n_percents};
	struct counts *counts = calloc((size_t)workers, sizeof *counts);
	size_t ranks[GC_QUANTILES];
	unsigned left = 1;
	int result = counts ? 0 : EVL_NOMEM;
	for (int q = 0; q < d.n; q++)
		ranks[q] = sub_or_0((n * percents[q] + 99) / 100, 1);
	while (left * DIGIT < 64 && max >> left * DIGIT)
		left++;
	while (left-- > 0 && result == 0) {
		d.shift = left * DIGIT;
		memset(counts, 0, (size_t)workers * sizeof *counts);
		result = gc_scan(range, count, &d, counts, sizeof *counts);
		next_digits(&d, counts, workers, ranks);
	}
	for (int q = 0; q < d.n; q++)
		out[q] = d.found[q];
	free(counts);
	return result;
}
