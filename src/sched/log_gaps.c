#include "sched/log_gaps.h"

#include <stdlib.h>

static struct series *chain_of(const struct log_gaps *g, size_t i) { return load_acquire(&g->chains[i]); }

static void add_gap(struct log_gaps *g, uint32_t chain, const struct series_row *gap)
{
	struct series *s = chain_of(g, chain);
	if (!s) {
		if (!(s = oom_note(malloc(sizeof *s))))
			return;
		series_init(s);
		store_release(&g->chains[chain], s);
	}
	series_add(s, gap->t, gap->value);
	store_relaxed(&g->any, true);
}

int log_gaps_init(struct log_gaps *g, const struct blocks *blocks)
{
	*g = (struct log_gaps){.blocks = blocks, .n = blocks->n_chains};
	g->chains = calloc(g->n ? g->n : 1, sizeof *g->chains);
	g->ends = calloc(g->n ? g->n : 1, sizeof *g->ends);
	return g->chains && g->ends ? 0 : EVL_NOMEM;
}

/* The gap from a flush to the start of the next block; either may be 0. Return false if it is short. */
static inline bool gap_between(uint64_t flushed, uint64_t t, struct series_row *out)
{
	*out = (struct series_row){flushed, sub_or_0(t, flushed)};
	return flushed && out->value >= GAPS_LEAST_NS;
}

void log_gaps_block(struct log_gaps_partial *partial, const struct block *block)
{
	struct series_row gap;
	const uint64_t t = block->head ? block->t : 0;
	if (partial->end.off == 0) {
		partial->first = block->off;
		partial->first_t = t;
	} else if (gap_between(partial->end.flushed, t, &gap) && GROW(partial->items, partial->n, partial->room)) {
		partial->items[partial->n++] = gap;
	}
	partial->end = (struct log_gaps_end){block->off, block->head ? block->end_t : 0};
}

void log_gaps_join(struct log_gaps *g, uint32_t chain, struct log_gaps_partial *partial)
{
	struct log_gaps_end *end = &g->ends[chain];
	struct series_row gap;
	if (partial->first > end->off && gap_between(end->flushed, partial->first_t, &gap))
		add_gap(g, chain, &gap);
	for (size_t i = 0; i < partial->n; i++)
		add_gap(g, chain, &partial->items[i]);
	*end = partial->end.off ? partial->end : *end;
	free(partial->items);
	*partial = (struct log_gaps_partial){0};
}

void log_gaps_free(struct log_gaps *g)
{
	for (size_t i = 0; g->chains && i < g->n; i++) {
		struct series *s = chain_of(g, i);
		if (s)
			series_free(s);
		free(s);
	}
	free_all(g->chains, g->ends);
	*g = (struct log_gaps){0};
}

static uint64_t end_of(const struct series_row *row) { return row->t + row->value; }

size_t log_gaps_in(const struct log_gaps *g, uint64_t t0, uint64_t t1, uint64_t *longest)
{
	size_t sum = 0;
	*longest = 0;
	for (size_t c = 0; c < g->n; c++) {
		const struct series *s = chain_of(g, c);
		size_t from = s ? series_before(s, t0) : 0, to = s ? series_before(s, t1) : 0;
		if (from > 0 && end_of(series_row(s, from - 1)) > t0)
			from--;
		if (from < to)
			*longest = max_u64(*longest, series_peaks(s, from, to).max);
		sum += to - from;
	}
	return sum;
}

static struct gap gap_at(const struct log_gaps *g, size_t chain, size_t i)
{
	const struct series_row *row = series_row(chain_of(g, chain), i);
	return (struct gap){row->t, end_of(row), g->blocks->chains[chain].cap};
}

bool log_gaps_after(const struct log_gaps *g, uint64_t t, struct gap *out)
{
	bool found = false;
	for (size_t c = 0; c < g->n && t < UINT64_MAX; c++) {
		const struct series *s = chain_of(g, c);
		size_t i = s ? series_before(s, t + 1) : 0;
		if (!s || i >= rows_count(&s->rows))
			continue;
		struct gap gap = gap_at(g, c, i);
		*out = !found || gap.from < out->from ? gap : *out;
		found = true;
	}
	return found;
}

bool log_gaps_before(const struct log_gaps *g, uint64_t t, struct gap *out)
{
	bool found = false;
	for (size_t c = 0; c < g->n; c++) {
		const struct series *s = chain_of(g, c);
		size_t i = s ? series_before(s, t) : 0;
		if (i == 0)
			continue;
		struct gap gap = gap_at(g, c, i - 1);
		*out = !found || gap.from > out->from ? gap : *out;
		found = true;
	}
	return found;
}

void log_gaps_image(struct image *im, struct log_gaps *g, const struct blocks *blocks)
{
	if (im->loads)
		*g = (struct log_gaps){.blocks = blocks,
			.n = blocks->n_chains,
			.chains = image_new(im, blocks->n_chains, sizeof *g->chains)};
	if (im->copies)
		g->blocks = blocks;
	image_own(im, (void **)&g->chains, g->n, sizeof *g->chains);
	image_own(im, (void **)&g->ends, g->n, sizeof *g->ends);
	for (size_t i = 0; g->chains && i < g->n; i++) {
		struct series *s;
		if (!IMAGE_ATOMIC(im, &g->chains[i], s, sizeof *s))
			continue;
		series_image(im, s);
		store_relaxed(&g->any, true);
	}
}
