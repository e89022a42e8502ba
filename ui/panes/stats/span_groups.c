#include "panes/stats/span_groups.h"

#include "base/idmap.h"
#include "base/order.h"
#include "query/phases.h"

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

/* The names of one stem; index: of the group. */
static bool join(
	struct span_group *g, const struct span_name *const *names, size_t n, struct idmap *groups, size_t index)
{
	bool good = true;
	*g = (struct span_group){.sum = {.name = stem_of(names[0]->name)}, .names = n};
	for (size_t i = 0; i < n; i++) {
		add(&g->sum, names[i]);
		good = good && idmap_put(groups, idmap_key(names[i]->name), (uint32_t)index);
	}
	return good;
}

static size_t finished(const struct span_group *g) { return g->names > 1 ? g->sum.n - g->sum.unfinished : 0; }

/* A group of several names. Not known if one of these shares its key with another name: there are more lengths than spans. */
static void set_quantiles(struct span_group *g, uint64_t *lengths, size_t n)
{
	if (g->names == 1 || n != finished(g))
		return;
	g->quantiles = true;
	g->sum.p50 = quantile_of(lengths, n, 50);
	g->sum.p90 = quantile_of(lengths, n, 90);
	g->sum.p99 = quantile_of(lengths, n, 99);
}

/* By the length of each span. groups: by the key of a name. */
static int find_quantiles(struct span_groups *g, const struct idmap *groups, const struct evl_log *log,
	const struct span_stats_ask *ask, const struct progress *watch)
{
	enum { CHECK_EVERY = 1 << 12 };
	const struct span_table *t = spans_table(&log->spans);
	size_t all = 0, *begin = calloc(g->n + 1, sizeof *begin), *n = calloc(g->n + 1, sizeof *n);
	for (size_t i = 0; begin && i < g->n; all += finished(&g->items[i++]))
		begin[i] = all;
	uint64_t *lengths = calloc(all + 1, sizeof *lengths);
	int result = begin && n && lengths ? 0 : EVL_NOMEM;
	for (size_t i = 0; t && i < t->n && all && result == 0; i++) {
		const struct span *span = &t->items[i];
		uint32_t of;
		if (i % CHECK_EVERY == 0 && progress_cancelled(watch))
			result = EVL_CANCELLED;
		if (span->unfinished || span->start < ask->from || span->start >= ask->to
			|| (ask->only && !span_is_of(&log->blocks, span, ask->only)))
			continue;
		struct evl_str name = spans_name(&log->blocks, span);
		if (ask->by_label)
			name = span_syntax_label((enum span_convention)span->convention, name);
		if (idmap_find(groups, idmap_key(name), &of) && n[of]++ < finished(&g->items[of]))
			lengths[begin[of] + n[of] - 1] = sub_or_0(span->end, span->start);
	}
	for (size_t i = 0; i < g->n && result == 0; i++)
		set_quantiles(&g->items[i], lengths + begin[i], n[i]);
	free_all(begin, n, lengths);
	return result;
}

int span_groups_make(struct span_groups *g, const struct span_stats *s, const struct evl_log *log,
	const struct span_stats_ask *ask, const struct progress *watch)
{
	const struct span_name **names = calloc(s->n + 1, sizeof *names);
	struct idmap groups = {0};
	*g = (struct span_groups){.items = calloc(s->n + 1, sizeof *g->items)};
	bool good = names && g->items;
	for (size_t i = 0; good && i < s->n; i++)
		names[i] = &s->items[i];
	if (good)
		qsort(names, s->n, sizeof *names, by_stem);
	for (size_t i = 0, next; good && i < s->n; i = next) {
		struct evl_str stem = stem_of(names[i]->name);
		for (next = i + 1; next < s->n && str_order(stem_of(names[next]->name), stem) == 0;)
			next++;
		if (next - i >= LEAST) {
			good = join(&g->items[g->n], names + i, next - i, &groups, g->n);
			g->n++;
		}
		for (size_t k = i; next - i < LEAST && k < next; k++)
			g->items[g->n++] = (struct span_group){*names[k], 1, true};
	}
	int result = good ? find_quantiles(g, &groups, log, ask, watch) : EVL_NOMEM;
	if (result == 0)
		qsort(g->items, g->n, sizeof *g->items, by_total);
	free((void *)names);
	idmap_free(&groups);
	if (result < 0)
		span_groups_free(g);
	return result;
}

void span_groups_free(struct span_groups *g)
{
	free(g->items);
	*g = (struct span_groups){0};
}
