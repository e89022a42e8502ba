#include "sched/sparks.h"

#include "sched/caps.h"

#include <stdlib.h>

enum { CREATED_AT = 0, CONVERTED_AT = 24, REMAINING_AT = 48 }; /* in SPARK_COUNTERS */

int sparks_init(struct sparks *s, const struct blocks *blocks)
{
	*s = (struct sparks){.n = blocks->n_chains};
	s->chains = calloc(s->n ? s->n : 1, sizeof *s->chains);
	int result = s->chains ? points_init(&s->samples, s->n, MAX_POINTS) : EVL_NOMEM;
	return result ? result : points_init(&s->bursts, s->n, MAX_POINTS);
}

static struct spark_chain *chain_of(const struct sparks *s, size_t i)
{
	return atomic_load_explicit(&s->chains[i], memory_order_acquire);
}

void sparks_free(struct sparks *s)
{
	for (size_t i = 0; s->chains && i < s->n; i++) {
		struct spark_chain *chain = chain_of(s, i);
		if (!chain)
			continue;
		series_free(&chain->pool);
		series_free(&chain->created);
		series_free(&chain->converted);
		free(chain);
	}
	free(s->chains);
	points_free(&s->samples);
	points_free(&s->bursts);
	*s = (struct sparks){0};
}

/* The chain's series; NULL when memory is out. */
static struct spark_chain *make_chain(struct sparks *s, uint32_t i)
{
	struct spark_chain *chain = chain_of(s, i);
	if (chain || !(chain = oom_note(calloc(1, sizeof *chain))))
		return chain;
	series_init(&chain->pool);
	series_init(&chain->created);
	series_init(&chain->converted);
	atomic_store_explicit(&s->chains[i], chain, memory_order_release);
	return chain;
}

bool sparks_wants(uint16_t tag) { return tag == EVL_SPARK_COUNTERS; }

void sparks_event(struct sparks *s, uint32_t chain, const struct frame *f)
{
	struct spark_chain *to = sparks_wants(f->tag) ? make_chain(s, chain) : NULL;
	if (!to)
		return;
	uint64_t before = to->n_created.total, created = counter_take(&to->n_created, be64(f->payload.p + CREATED_AT));
	series_add(&to->created, f->t, created);
	series_add(&to->converted, f->t, counter_take(&to->n_converted, be64(f->payload.p + CONVERTED_AT)));
	series_add(&to->pool, f->t, be64(f->payload.p + REMAINING_AT));
	points_add(&s->samples, chain, f->t, f->off);
	bool busy = created > before;
	if (busy && !to->busy)
		points_add(&s->bursts, chain, to->off ? to->t : f->t, to->off ? to->off : f->off);
	to->busy = busy;
	to->t = f->t;
	to->off = f->off;
}

static void add_columns(const struct spark_chain *chain, uint64_t t0, uint64_t t1, int n, struct spark_column *out)
{
	uint64_t created = series_total(&chain->created, t0), converted = series_total(&chain->converted, t0);
	size_t at = series_before(&chain->pool, t0);
	for (int i = 0; i < n; i++) {
		uint64_t end = column_edge(t0, t1, n, i + 1);
		uint64_t now_created = series_total(&chain->created, end),
			 now_converted = series_total(&chain->converted, end);
		size_t to = series_before(&chain->pool, end),
		       from = at ? at - 1 : 0; /* the one before holds on into it */
		out[i].created += sub_or_0(now_created, created);
		out[i].converted += sub_or_0(now_converted, converted);
		out[i].pool += from < to ? series_peaks(&chain->pool, from, to).max : 0;
		created = now_created;
		converted = now_converted;
		at = to;
	}
}

void sparks_columns(const struct sparks *s, uint64_t t0, uint64_t t1, int n, struct spark_column *out)
{
	memset(out, 0, (size_t)n * sizeof *out);
	for (size_t c = 0; c < s->n; c++)
		if (chain_of(s, c))
			add_columns(chain_of(s, c), t0, t1, n, out);
}

void sparks_at(const struct sparks *s, uint64_t t, struct spark_column *out)
{
	*out = (struct spark_column){0};
	for (size_t c = 0; c < s->n; c++) {
		const struct spark_chain *chain = chain_of(s, c);
		size_t n = chain ? series_before(&chain->pool, t < UINT64_MAX ? t + 1 : t) : 0;
		if (n == 0)
			continue;
		out->pool += series_row(&chain->pool, n - 1)->value;
		out->created += series_total(&chain->created, t);
		out->converted += series_total(&chain->converted, t);
	}
}
