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

/* --- columns ------------------------------------------------------------------------------------------------------ */

static uint64_t run_ns(
	const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint64_t from, uint64_t to)
{
	struct cap_column c = {0};
	if (from < to)
		caps_columns(b, &tiles[chain], chain, from, to, 1, &c);
	return c.run_ns;
}

/* When a capability may allocate, in n columns. */
struct active {
	const struct paused *paused;
	const struct alloc_runs *runs; /* NULL: not known */
	uint32_t chain;
	int n;
};

/* The first column that may reach into what follows t. */
static int column_at(const struct active *a, uint64_t t)
{
	uint64_t t0 = a->paused->t0, t1 = a->paused->t1;
	return t < t1 ? (int)mul_div((unsigned)a->n, t - t0, t1 - t0) : a->n;
}

/* The runs in a part of the window; those of a column are spread evenly over it. */
static uint64_t ran_in_window(const struct active *a, uint64_t from, uint64_t to)
{
	const struct cap_column *cols = a->runs->cols[a->chain];
	uint64_t t0 = a->paused->t0, t1 = a->paused->t1, ns = 0;
	for (int i = column_at(a, from); i < a->n; i++) {
		uint64_t begin = column_edge(t0, t1, a->n, i), end = column_edge(t0, t1, a->n, i + 1);
		if (begin >= to)
			break;
		uint64_t part = sub_or_0(min_u64(to, end), max_u64(from, begin));
		if (part)
			ns += mul_div(cols[i].run_ns, part, end - begin);
	}
	return ns;
}

static uint64_t ran_ns(const struct active *a, uint64_t from, uint64_t to)
{
	const struct alloc_runs *r = a->runs;
	uint64_t t0 = a->paused->t0, t1 = a->paused->t1;
	return run_ns(r->blocks, r->tiles, a->chain, from, min_u64(to, t0))
		+ ran_in_window(a, max_u64(from, t0), min_u64(to, t1))
		+ run_ns(r->blocks, r->tiles, a->chain, max_u64(from, t1), to);
}

/* The growth between two samples of a capability. */
struct growth {
	struct series_row from, to;
	bool any; /* false: after the last sample */
	enum { BY_RUNS, UNPAUSED, EVENLY } spread;
	uint64_t all;  /* the time between them that counts: runs, else time without pauses, else all */
	uint64_t past; /* the part of it until `at` */
	uint64_t at;
};

static uint64_t counting(const struct growth *g, const struct active *a, uint64_t from, uint64_t to)
{
	return g->spread == BY_RUNS ? ran_ns(a, from, to)
				    : to - from - (g->spread == UNPAUSED ? paused_ns(a->paused, from, to) : 0);
}

/* That in which t lies: after one sample, up to the next. Before the first sample the total was 0 at time 0. */
static struct growth growth_at(const struct series *s, const struct active *a, uint64_t t)
{
	size_t n = rows_count(&s->rows), i = series_before(s, t);
	struct growth g = {.any = i < n, .spread = a->runs ? BY_RUNS : UNPAUSED};
	if (i > 0)
		g.from = *series_row(s, i - 1);
	if (!g.any)
		return g;
	g.to = *series_row(s, i);
	g.at = g.from.t;
	while ((g.all = counting(&g, a, g.from.t, g.to.t)) == 0 && g.spread != EVENLY)
		g.spread++;
	return g;
}

static uint64_t parts(uint64_t bytes) { return min_u64(bytes, ALLOC_MOST) * ALLOC_PARTS; }

/* The total at t, which is not before g->at, in parts of a byte. */
static uint64_t total_at(struct growth *g, const struct active *a, uint64_t t)
{
	const uint64_t from = parts(g->from.value), more = sub_or_0(parts(g->to.value), from);
	if (!g->any)
		return from;
	g->past += counting(g, a, g->at, t);
	g->at = t;
	return from + (g->all ? mul_div(more, min_u64(g->past, g->all), g->all) : more);
}

void alloc_rate_columns(const struct heap *h, const struct alloc_pauses *pauses, const struct alloc_runs *runs,
	uint64_t t0, uint64_t t1, int n, uint64_t *out)
{
	struct paused p = {.pauses = pauses, .t0 = t0, .t1 = t1};
	find_leaders(&p);
	memset(out, 0, (size_t)n * sizeof *out);
	for (uint32_t c = 0; c < h->n; c++) {
		const struct heap_chain *chain = load_acquire(&h->chains[c]);
		if (!chain)
			continue;
		const struct series *s = &chain->allocated;
		const struct active a = {&p, runs && runs->cols[c] ? runs : NULL, c, n};
		struct growth g = growth_at(s, &a, t0);
		uint64_t before = total_at(&g, &a, t0);
		for (int i = 0; i < n; i++) {
			uint64_t t = column_edge(t0, t1, n, i + 1);
			if (g.any && t > g.to.t)
				g = growth_at(s, &a, t);
			uint64_t total = total_at(&g, &a, t);
			out[i] = add_or_max(out[i], sub_or_0(total, before));
			before = total;
		}
	}
}

/* --- a range ------------------------------------------------------------------------------------------------------ */

/* The total of a capability at t. */
static uint64_t total_by_runs(
	const struct series *s, const struct blocks *b, const struct tile_table *tiles, uint32_t chain, uint64_t t)
{
	size_t n = rows_count(&s->rows), i = series_before(s, t);
	struct series_row from = {0};
	if (i > 0)
		from = *series_row(s, i - 1);
	if (i >= n) /* more: added meanwhile */
		return from.value;
	const struct series_row *to = series_row(s, i);
	uint64_t ran = run_ns(b, tiles, chain, from.t, to->t);
	if (ran == 0)
		return series_total(s, t);
	uint64_t before = min_u64(run_ns(b, tiles, chain, from.t, t), ran);
	return from.value + mul_div(sub_or_0(to->value, from.value), before, ran);
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
