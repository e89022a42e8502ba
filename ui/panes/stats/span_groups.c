#include "panes/stats/span_groups.h"

#include "base/order.h"

#include <stdlib.h>

enum { LEAST = 3 };

/* The name without the digits at its end; the whole of a name that has none, or nothing else. */
static struct evl_str stem_of(struct evl_str name)
{
	struct evl_str stem = name;
	while (stem.len && stem.p[stem.len - 1] >= '0' && stem.p[stem.len - 1] <= '9')
		stem.len--;
	return stem.len ? stem : name;
}

COMPARE_POINTERS_BY(
	by_stem, struct span_name, str_order(stem_of(x->name), stem_of(y->name)) ?: str_order(x->name, y->name));

COMPARE_BY(by_total, struct span_group, FALLING(sum.total) ?: str_order(x->sum.name, y->sum.name));

static void add(struct span_name *sum, const struct span_name *s)
{
	uint64_t finished = s->n - s->unfinished, before = sum->n - sum->unfinished;
	if (finished && (before == 0 || s->max > sum->max))
		sum->slowest = s->slowest;
	sum->n += s->n;
	sum->unfinished += s->unfinished;
	sum->crossed += s->crossed;
	sum->total += s->total;
	sum->finished += s->finished;
	sum->paused += s->paused;
	sum->max = max_u64(sum->max, s->max);
	span_budget_add(&sum->budget, &s->budget);
}

/* The names of one stem. lengths: room for as many. */
static struct span_group join(const struct span_name *const *names, size_t n, uint64_t *lengths)
{
	struct span_group g = {.sum = {.name = stem_of(names[0]->name)}, .names = n, .quantiles = true};
	size_t known = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t finished = names[i]->n - names[i]->unfinished;
		add(&g.sum, names[i]);
		g.quantiles = g.quantiles && finished <= 1;
		if (finished)
			lengths[known++] = names[i]->max;
	}
	g.sum.p50 = quantile_of(lengths, known, 50);
	g.sum.p90 = quantile_of(lengths, known, 90);
	g.sum.p99 = quantile_of(lengths, known, 99);
	return g;
}

int span_groups_make(struct span_groups *g, const struct span_stats *s)
{
	const struct span_name **names = calloc(s->n + 1, sizeof *names);
	uint64_t *lengths = calloc(s->n + 1, sizeof *lengths);
	*g = (struct span_groups){.items = calloc(s->n + 1, sizeof *g->items)};
	bool good = names && lengths && g->items;
	for (size_t i = 0; good && i < s->n; i++)
		names[i] = &s->items[i];
	if (good)
		qsort(names, s->n, sizeof *names, by_stem);
	for (size_t i = 0, next; good && i < s->n; i = next) {
		struct evl_str stem = stem_of(names[i]->name);
		for (next = i + 1; next < s->n && str_order(stem_of(names[next]->name), stem) == 0;)
			next++;
		if (next - i >= LEAST)
			g->items[g->n++] = join(names + i, next - i, lengths);
		for (size_t k = i; next - i < LEAST && k < next; k++)
			g->items[g->n++] = (struct span_group){*names[k], 1, true};
	}
	if (good)
		qsort(g->items, g->n, sizeof *g->items, by_total);
	free_all((void *)names, lengths);
	if (!good)
		span_groups_free(g);
	return good ? 0 : EVL_NOMEM;
}

void span_groups_free(struct span_groups *g)
{
	free(g->items);
	*g = (struct span_groups){0};
}
