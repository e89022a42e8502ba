#include "heap/alloc_rate.h"

#include "base/gallop.h"

/* A range of time with its pauses, and the chains whose capabilities led collections. */
struct paused {
	const struct alloc_pauses *pauses;
	uint64_t t0, t1;
	size_t n;
	uint32_t leaders[MAX_CHAINS];
};

static void find_leaders(struct paused *p)
{
	for (uint32_t c = 0; c < p->pauses->gcs->n; c++)
		if (rows_count(&p->pauses->gcs->tables[c].rows))
			p->leaders[p->n++] = c;
}

/* Few of thousands of capabilities lead collections, and this is asked for each. */
static uint64_t pauses_outside(const struct paused *p, uint64_t from, uint64_t to)
{
	struct gc_sum sum = {0};
	for (size_t i = 0; i < p->n; i++) {
		struct gc_walk w;
		gc_walk_begin(&w, p->pauses->gcs, p->leaders[i], from);
		gc_walk_next(&w, to, &sum);
	}
	return min_u64(sum.minor_ns + sum.major_ns + sum.sync_ns, to - from);
}

/* The time of pauses in [from, to). */
static uint64_t paused_ns(const struct paused *p, uint64_t from, uint64_t to)
{
	const struct gc_row *const *rows = p->pauses->rows;
	uint64_t ns = 0, at = max_u64(from, p->t0), end = min_u64(to, p->t1);
	if (from < p->t0)
		ns += pauses_outside(p, from, min_u64(to, p->t0));
	if (to > p->t1)
		ns += pauses_outside(p, max_u64(from, p->t1), to);
	BISECT(i, p->pauses->n, gc_end(rows[mid]) <= at);
	for (; i < p->pauses->n && gc_requested(rows[i]) < end; i++) {
		ns += sub_or_0(min_u64(gc_end(rows[i]), end), max_u64(gc_requested(rows[i]), at));
		at = max_u64(at, gc_end(rows[i]));
	}
	return ns;
}

/* The growth between two samples of a capability. */
struct growth {
	struct series_row from, to;
	bool any;     /* false: after the last sample */
	uint64_t all; /* the time between them without pauses */
	uint64_t ran; /* the part of it until `at` */
	uint64_t at;
};

/* That in which t lies: after one sample, up to the next. Before the first sample the total was 0 at time 0. */
static struct growth growth_at(const struct series *s, const struct paused *p, uint64_t t)
{
	size_t n = rows_count(&s->rows), i = series_before(s, t);
	struct growth g = {.any = i < n};
	if (i > 0)
		g.from = *series_row(s, i - 1);
	if (!g.any)
		return g;
	g.to = *series_row(s, i);
	g.at = g.from.t;
	g.all = g.to.t - g.from.t - paused_ns(p, g.from.t, g.to.t);
	return g;
}

static uint64_t parts(uint64_t bytes) { return min_u64(bytes, ALLOC_MOST) * ALLOC_PARTS; }

/* The total at t, which is not before g->at, in parts of a byte. Where all between two samples is a pause, pauses count as
 * other time. */
static uint64_t total_at(struct growth *g, const struct paused *p, uint64_t t)
{
	const uint64_t from = parts(g->from.value), more = sub_or_0(parts(g->to.value), from);
	if (!g->any)
		return from;
	g->ran += t - g->at - paused_ns(p, g->at, t);
	g->at = t;
	if (g->all)
		return from + (uint64_t)((unsigned __int128)more * min_u64(g->ran, g->all) / g->all);
	return g->to.t > g->from.t
		? from + (uint64_t)((unsigned __int128)more * (t - g->from.t) / (g->to.t - g->from.t))
		: from + more;
}

void alloc_rate_columns(
	const struct heap *h, const struct alloc_pauses *pauses, uint64_t t0, uint64_t t1, int n, uint64_t *out)
{
	struct paused p = {.pauses = pauses, .t0 = t0, .t1 = t1};
	find_leaders(&p);
	memset(out, 0, (size_t)n * sizeof *out);
	for (size_t c = 0; c < h->n; c++) {
		const struct heap_chain *chain = load_acquire(&h->chains[c]);
		if (!chain)
			continue;
		const struct series *s = &chain->allocated;
		struct growth g = growth_at(s, &p, t0);
		uint64_t before = total_at(&g, &p, t0);
		for (int i = 0; i < n; i++) {
			uint64_t t = column_edge(t0, t1, n, i + 1);
			if (g.any && t > g.to.t)
				g = growth_at(s, &p, t);
			uint64_t total = total_at(&g, &p, t);
			out[i] = add_or_max(out[i], sub_or_0(total, before));
			before = total;
		}
	}
}

/* --- a range ------------------------------------------------------------------------------------------------------ */

static uint64_t run_ns(
	const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint64_t from, uint64_t to)
{
	struct cap_column c = {0};
	if (from < to)
		caps_columns(b, &tiles[chain], chain, from, to, 1, &c);
	return c.run_ns;
}

/* The total of a capability at t. */
static uint64_t total_by_runs(
	const struct series *s, const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint64_t t)
{
	size_t n = rows_count(&s->rows), i = series_before(s, t);
	struct series_row from = {0};
	if (i > 0)
		from = *series_row(s, i - 1);
	if (i == n)
		return from.value;
	const struct series_row *to = series_row(s, i);
	uint64_t ran = run_ns(b, tiles, chain, from.t, to->t);
	if (ran == 0)
		return series_total(s, t);
	uint64_t before = min_u64(run_ns(b, tiles, chain, from.t, t), ran);
	return from.value + (uint64_t)((unsigned __int128)sub_or_0(to->value, from.value) * before / ran);
}

uint64_t alloc_in_runs(
	const struct heap *h, const struct blocks *b, const struct tile_table *tiles, uint64_t t0, uint64_t t1)
{
	uint64_t bytes = 0;
	for (size_t c = 0; c < h->n; c++) {
		const struct heap_chain *chain = load_acquire(&h->chains[c]);
		if (chain)
			bytes += sub_or_0(total_by_runs(&chain->allocated, b, tiles, (uint32_t)c, t1),
				total_by_runs(&chain->allocated, b, tiles, (uint32_t)c, t0));
	}
	return bytes;
}
