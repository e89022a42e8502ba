#include "sched/log_gaps.h"

#include <stdlib.h>

static void add_gap(struct log_gaps *g, size_t chain, uint64_t from, uint64_t to)
{
	struct series *s = g->chains[chain];
	if (!s && (s = oom_note(malloc(sizeof *s))))
		series_init(s);
	if (!s)
		return;
	g->chains[chain] = s;
	series_add(s, from, to - from);
	g->any = true;
}

int log_gaps_init(struct log_gaps *g, const struct blocks *blocks)
{
	*g = (struct log_gaps){.blocks = blocks, .n = blocks->n_chains};
	g->chains = calloc(g->n ? g->n : 1, sizeof *g->chains);
	g->flushed = calloc(g->n ? g->n : 1, sizeof *g->flushed);
	return g->chains && g->flushed ? 0 : EVL_NOMEM;
}

void log_gaps_block(struct log_gaps *g, const struct block *block)
{
	uint64_t end = g->flushed[block->chain];
	if (end && block->head && sub_or_0(block->t, end) >= GAPS_LEAST_NS)
		add_gap(g, block->chain, end, block->t);
	g->flushed[block->chain] = block->head ? block->end_t : 0;
}

void log_gaps_free(struct log_gaps *g)
{
	for (size_t i = 0; g->chains && i < g->n; i++) {
		if (g->chains[i])
			series_free(g->chains[i]);
		free(g->chains[i]);
	}
	free_all(g->chains, g->flushed);
	*g = (struct log_gaps){0};
}

static uint64_t end_of(const struct series_row *row) { return row->t + row->value; }

size_t log_gaps_in(const struct log_gaps *g, uint64_t t0, uint64_t t1, uint64_t *longest)
{
	size_t sum = 0;
	*longest = 0;
	for (size_t c = 0; c < g->n; c++) {
		const struct series *s = g->chains[c];
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
	const struct series_row *row = series_row(g->chains[chain], i);
	return (struct gap){row->t, end_of(row), g->blocks->chains[chain].cap};
}

bool log_gaps_after(const struct log_gaps *g, uint64_t t, struct gap *out)
{
	bool found = false;
	for (size_t c = 0; c < g->n && t < UINT64_MAX; c++) {
		size_t i = g->chains[c] ? series_before(g->chains[c], t + 1) : 0;
		if (!g->chains[c] || i >= rows_count(&g->chains[c]->rows))
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
		size_t i = g->chains[c] ? series_before(g->chains[c], t) : 0;
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
	image_own(im, (void **)&g->flushed, g->n, sizeof *g->flushed);
	for (size_t i = 0; g->chains && i < g->n; i++)
		if (image_optional(im, (void **)&g->chains[i], sizeof *g->chains[i])) {
			series_image(im, g->chains[i]);
			g->any = true;
		}
}
