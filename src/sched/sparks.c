#include "sched/sparks.h"

#include <stdlib.h>

enum { CREATED_AT = 0, CONVERTED_AT = 24, REMAINING_AT = 48 }; /* in SPARK_COUNTERS */

int sparks_init(struct sparks *s, const struct blocks *blocks, const struct tile_table *tiles)
{
	*s = (struct sparks){.n = blocks->n_chains};
	s->chains = calloc(s->n ? s->n : 1, sizeof *s->chains);
	int result = s->chains ? 0 : EVL_NOMEM;
	result = result ? result : spark_events_init(&s->events, blocks, tiles);
	return result ? result : points_init(&s->bursts, s->n, MAX_POINTS);
}

static struct spark_chain *chain_of(const struct sparks *s, size_t i) { return load_acquire(&s->chains[i]); }

void sparks_free(struct sparks *s)
{
	for (size_t i = 0; s->chains && i < s->n; i++) {
		struct spark_chain *chain = chain_of(s, i);
		if (!chain)
			continue;
		series_free(&chain->pool.series);
		series_free(&chain->created.series);
		series_free(&chain->converted.series);
		free(chain);
	}
	free(s->chains);
	points_free(&s->bursts);
	spark_events_free(&s->events);
	*s = (struct sparks){0};
}

/* The chain's series; NULL when memory is out. */
static struct spark_chain *make_chain(struct sparks *s, uint32_t i)
{
	struct spark_chain *chain = chain_of(s, i);
	if (chain || !(chain = oom_note(calloc(1, sizeof *chain))))
		return chain;
	series_init(&chain->pool.series);
	series_init(&chain->created.series);
	series_init(&chain->converted.series);
	store_release(&s->chains[i], chain);
	return chain;
}

bool sparks_wants(uint16_t tag) { return tag == EVL_SPARK_COUNTERS; }

void sparks_event(struct sparks *s, uint32_t chain, const struct frame *f)
{
	struct spark_chain *to = sparks_wants(f->tag) ? make_chain(s, chain) : NULL;
	if (!to)
		return;
	uint64_t before = to->n_created.total, created = counter_take(&to->n_created, be64(f->payload.p + CREATED_AT));
	steady_add(&to->created, f->t, created);
	steady_add(&to->converted, f->t, counter_take(&to->n_converted, be64(f->payload.p + CONVERTED_AT)));
	steady_add(&to->pool, f->t, be64(f->payload.p + REMAINING_AT));
	bool busy = created > before;
	if (busy && !to->busy)
		points_add(&s->bursts, chain, to->off ? to->t : f->t, to->off ? to->off : f->off);
	to->busy = busy;
	to->t = f->t;
	to->off = f->off;
}

static void add_columns(const struct spark_chain *chain, uint64_t t0, uint64_t t1, int n, struct spark_column *out)
{
	uint64_t created = series_total(&chain->created.series, t0),
		 converted = series_total(&chain->converted.series, t0);
	size_t at = series_before(&chain->pool.series, t0);
	for (int i = 0; i < n; i++) {
		uint64_t end = column_edge(t0, t1, n, i + 1);
		uint64_t now_created = series_total(&chain->created.series, end),
			 now_converted = series_total(&chain->converted.series, end);
		size_t to = series_before(&chain->pool.series, end),
		       from = at ? at - 1 : 0; /* the one before holds on into it */
		out[i].created += sub_or_0(now_created, created);
		out[i].converted += sub_or_0(now_converted, converted);
		out[i].pool += from < to ? series_peaks(&chain->pool.series, from, to).max : 0;
		created = now_created;
		converted = now_converted;
		at = to;
	}
}

/* --- by single events --------------------------------------------------------------------------------------------- */

/* Return the number of sparks in pools; more may have left than were seen to enter. */
static int64_t pool_of(const struct spark_sums *n)
{
	return (int64_t)(n->n[SPARK_CREATED] - n->n[SPARK_RUN] - n->n[SPARK_STOLEN] - n->n[SPARK_FIZZLED]
		- n->n[SPARK_GCD]);
}

static void put_sums(struct spark_column *out)
{
	out->created = out->events.n[SPARK_CREATED];
	out->converted = out->events.n[SPARK_RUN] + out->events.n[SPARK_STOLEN];
}

/* Add what a chain did. Pools are, until all chains are added, those at the ends of columns; *pool: before the first. */
static void add_events(const struct spark_events *e, uint32_t chain, uint64_t t0, uint64_t t1, int n,
	struct spark_column *out, int64_t *pool)
{
	struct spark_seek s;
	struct spark_sums before, now;
	spark_seek_begin(&s, e, chain);
	if (!s.moving)
		return;
	bool known = spark_seek_sums(&s, t0, &before);
	*pool += pool_of(&before);
	for (int i = 0; i < n; i++, before = now) {
		bool was = known;
		known = spark_seek_sums(&s, column_edge(t0, t1, n, i + 1), &now);
		for (int k = 0; k < SPARK_KINDS; k++)
			out[i].events.n[k] += sub_or_0(now.n[k], before.n[k]);
		out[i].pool += (uint64_t)pool_of(&now);
		out[i].missing = out[i].missing || !was || !known;
	}
}

/* Return false if pools are those at the ends of columns. */
static bool columns_of_events(const struct spark_events *e, uint64_t t0, uint64_t t1, int n, struct spark_column *out)
{
	int64_t pool = 0;
	struct spark_change *changes = NULL;
	size_t n_changes = 0, at = 0;
	for (uint32_t chain = 0; chain < e->n; chain++)
		add_events(e, chain, t0, t1, n, out, &pool);
	bool each = spark_events_pool(e, t0, t1, &changes, &n_changes);
	for (int i = 0; i < n; i++) {
		int64_t end = (int64_t)out[i].pool, most = end > pool ? end : pool;
		uint64_t until = column_edge(t0, t1, n, i + 1);
		for (; each && at < n_changes && changes[at].t < until; at++) {
			pool += changes[at].by;
			most = pool > most ? pool : most;
		}
		out[i].pool = most > 0 ? (uint64_t)most : 0;
		pool = end;
		put_sums(&out[i]);
	}
	free(changes);
	return each;
}

/* Where not every event is looked at, the pools that capabilities counted within a column may be larger. */
static void raise_pools(const struct sparks *s, uint64_t t0, uint64_t t1, int n, struct spark_column *out)
{
	struct spark_column *counted = calloc((size_t)n, sizeof *counted);
	for (size_t c = 0; counted && c < s->n; c++)
		if (chain_of(s, c))
			add_columns(chain_of(s, c), t0, t1, n, counted);
	for (int i = 0; counted && i < n; i++)
		out[i].pool = max_u64(out[i].pool, counted[i].pool);
	free(counted);
}

static void events_at(const struct spark_events *e, uint64_t t, struct spark_column *out)
{
	for (uint32_t chain = 0; chain < e->n; chain++) {
		struct spark_sums sums;
		out->missing = !spark_events_before(e, chain, t, &sums) || out->missing;
		for (int k = 0; k < SPARK_KINDS; k++)
			out->events.n[k] += sums.n[k];
	}
	int64_t pool = pool_of(&out->events);
	out->pool = pool > 0 ? (uint64_t)pool : 0;
	put_sums(out);
}

/* --- by whatever the log has -------------------------------------------------------------------------------------- */

void sparks_columns(const struct sparks *s, uint64_t t0, uint64_t t1, int n, struct spark_column *out)
{
	memset(out, 0, (size_t)n * sizeof *out);
	if (spark_events_any(&s->events)) {
		if (!columns_of_events(&s->events, t0, t1, n, out))
			raise_pools(s, t0, t1, n, out);
		return;
	}
	for (size_t c = 0; c < s->n; c++)
		if (chain_of(s, c))
			add_columns(chain_of(s, c), t0, t1, n, out);
}

void sparks_at(const struct sparks *s, uint64_t t, struct spark_column *out)
{
	*out = (struct spark_column){0};
	if (spark_events_any(&s->events)) {
		events_at(&s->events, t < UINT64_MAX ? t + 1 : t, out);
		return;
	}
	for (size_t c = 0; c < s->n; c++) {
		const struct spark_chain *chain = chain_of(s, c);
		size_t n = chain ? series_before(&chain->pool.series, t < UINT64_MAX ? t + 1 : t) : 0;
		if (n == 0)
			continue;
		out->pool += series_row(&chain->pool.series, n - 1)->value;
		out->created += series_total(&chain->created.series, t);
		out->converted += series_total(&chain->converted.series, t);
	}
}

/* Between which samples does a total grow at t? If that is a shorter time than [*from, *to), store it. */
static bool growth_at(const struct series *total, uint64_t t, bool found, uint64_t *from, uint64_t *to)
{
	size_t n = rows_count(&total->rows), i = series_before(total, t + (t < UINT64_MAX));
	if (i == 0 || i >= n) /* more: added meanwhile */
		return found;
	const struct series_row *a = series_row(total, i - 1), *b = series_row(total, i);
	if (a->value >= b->value || (found && b->t - a->t >= *to - *from))
		return found;
	*from = a->t;
	*to = b->t;
	return true;
}

bool sparks_spread(const struct sparks *s, uint64_t t, uint64_t *from, uint64_t *to)
{
	bool found = false;
	for (size_t c = 0; c < s->n && !spark_events_any(&s->events); c++) {
		const struct spark_chain *chain = chain_of(s, c);
		if (!chain)
			continue;
		found = growth_at(&chain->created.series, t, found, from, to);
		found = growth_at(&chain->converted.series, t, found, from, to);
	}
	return found;
}

static bool sample_near(const struct series *s, uint64_t t, bool forward, bool found, uint64_t *out)
{
	size_t n = rows_count(&s->rows), i = series_before(s, t + forward);
	if (forward ? i >= n : i == 0)
		return found;
	uint64_t at = series_row(s, forward ? i : i - 1)->t;
	*out = !found || (forward ? at < *out : at > *out) ? at : *out;
	return true;
}

bool sparks_sample_near(const struct sparks *s, uint64_t t, bool forward, uint64_t *out)
{
	bool found = false;
	for (size_t c = 0; c < s->n && (!forward || t < UINT64_MAX); c++) {
		const struct spark_chain *chain = chain_of(s, c);
		if (!chain)
			continue;
		found = sample_near(&chain->pool.series, t, forward, found, out);
		found = sample_near(&chain->created.series, t, forward, found, out);
		found = sample_near(&chain->converted.series, t, forward, found, out);
	}
	return found;
}

bool sparks_near(const struct sparks *s, uint64_t t, bool forward, uint64_t *out, bool *missing)
{
	enum { ALL = (1 << SPARK_KINDS) - 1 };
	struct found event;
	struct point burst = {0};
	*missing = false;
	if (spark_events_any(&s->events)) {
		bool found = spark_events_near(&s->events, ALL, t, forward, &event);
		*missing = event.missing;
		*out = event.t;
		return found;
	}
	if (!(forward ? points_after : points_before)(&s->bursts, t, &burst))
		return false;
	*out = burst.t;
	return true;
}

void sparks_image(struct image *im, struct sparks *s, const struct blocks *blocks, const struct tile_table *tiles)
{
	if (im->loads)
		*s = (struct sparks){
			.n = blocks->n_chains, .chains = image_new(im, blocks->n_chains, sizeof *s->chains)};
	image_own(im, (void **)&s->chains, s->n, sizeof *s->chains);
	for (size_t i = 0; s->chains && i < s->n; i++) {
		struct spark_chain *chain;
		if (!IMAGE_ATOMIC(im, &s->chains[i], chain, sizeof *chain))
			continue;
		series_image(im, &chain->pool.series);
		series_image(im, &chain->created.series);
		series_image(im, &chain->converted.series);
	}
	points_image(im, &s->bursts, blocks->n_chains, MAX_POINTS, blocks->len);
	spark_events_image(im, &s->events, blocks, tiles);
}
