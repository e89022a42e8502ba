#include "query/span_stats.h"

#include "base/idmap.h"
#include "base/order.h"
#include "query/phases.h"

#include <math.h>
#include <stdlib.h>

enum { CHECK_EVERY = 1 << 12 };

/* How long a span was, and whose it is. */
struct length {
	uint64_t ns;
	uint32_t name;
};

struct work {
	struct span_stats *out;
	const struct evl_log *log;
	const struct span_stats_ask *ask;
	const struct progress *watch;
	struct idmap names;
	struct length *lengths;
	size_t room, n_lengths, lengths_room;
	bool failed;
};

/* The place of a name, its own or a new one; false past the ceiling. Names that share a key get the next ones. */
static bool place_of(struct work *w, struct evl_str name, uint32_t *place)
{
	struct span_stats *s = w->out;
	uint64_t key = idmap_key(name);
	for (; idmap_find(&w->names, key, place); key++) {
		struct evl_str other = s->items[*place].name;
		if (other.len == name.len && memcmp(other.p, name.p, name.len) == 0)
			return true;
	}
	if (s->n >= SPAN_NAMES)
		return false;
	if (!GROW(s->items, s->n, w->room) || !idmap_put(&w->names, key, (uint32_t)s->n)) {
		w->failed = true;
		return false;
	}
	*place = (uint32_t)s->n;
	s->items[s->n++] = (struct span_name){.name = name};
	return true;
}

/* An empty name is one, too. */
static struct evl_str name_of(struct work *w, const struct span *span)
{
	struct evl_str name = spans_name(&w->log->blocks, span);
	struct evl_str label = span_syntax_label((enum span_convention)span->convention, name);
	w->out->numbered = w->out->numbered || label.len != name.len;
	name = w->ask->by_label ? label : name;
	return name.p ? name : EVL_STR("");
}

static void add(struct work *w, const struct span *span, const struct span_budget *budget)
{
	uint32_t place;
	uint64_t ns = sub_or_0(span->end, span->start);
	w->out->spans++;
	if (!place_of(w, name_of(w, span), &place)) {
		w->out->other_spans++;
		return;
	}
	struct span_name *n = &w->out->items[place];
	n->n++;
	n->crossed += span->crossed;
	n->total += ns;
	n->paused += gc_pauses_within(w->ask->pauses, span->start, span->end);
	if (budget)
		span_budget_add(&n->budget, budget);
	if (span->unfinished) {
		n->unfinished++;
		return;
	}
	n->finished += ns;
	if (n->n - n->unfinished == 1 || ns > n->max || (ns == n->max && span->start < n->slowest.start))
		n->slowest = *span;
	n->max = max_u64(n->max, ns);
	if (GROW(w->lengths, w->n_lengths, w->lengths_room))
		w->lengths[w->n_lengths++] = (struct length){ns, place};
	else
		w->failed = true;
}

/* The lengths of one name side by side, then their quantiles. */
static void find_quantiles(struct work *w)
{
	struct span_stats *s = w->out;
	uint64_t *sorted = calloc(w->n_lengths ? w->n_lengths : 1, sizeof *sorted);
	size_t *end = calloc(s->n + 1, sizeof *end); /* where the lengths of a name end, then begin */
	for (size_t i = 0; end && i < s->n; i++)
		end[i] = (i ? end[i - 1] : 0) + (s->items[i].n - s->items[i].unfinished);
	for (size_t i = 0; sorted && end && i < w->n_lengths; i++)
		sorted[--end[w->lengths[i].name]] = w->lengths[i].ns;
	for (size_t i = 0; sorted && end && i < s->n; i++) {
		struct span_name *name = &s->items[i];
		size_t n = name->n - name->unfinished;
		name->p50 = quantile_of(sorted + end[i], n, 50);
		name->p90 = quantile_of(sorted + end[i], n, 90);
		name->p99 = quantile_of(sorted + end[i], n, 99);
	}
	w->failed = w->failed || !sorted || !end;
	free_all(sorted, end);
}

COMPARE_BY(by_total, struct span_name, FALLING(total) ?: str_order(x->name, y->name));

static int add_all(struct work *w, const struct span_table *t)
{
	const struct span_stats_ask *ask = w->ask;
	for (size_t i = 0; i < t->n; i++) {
		if (i % CHECK_EVERY == 0 && progress_cancelled(w->watch))
			return EVL_CANCELLED;
		if (t->items[i].start >= ask->from && t->items[i].start < ask->to
			&& (!ask->only || span_is_of(&w->log->blocks, &t->items[i], ask->only)))
			add(w, &t->items[i], ask->budgets ? &ask->budgets->items[i] : NULL);
	}
	return 0;
}

int span_stats_make(struct span_stats *s, const struct evl_log *log, const struct span_table *t,
	const struct span_stats_ask *ask, const struct progress *watch)
{
	struct work w = {.out = s, .log = log, .ask = ask, .watch = watch};
	*s = (struct span_stats){0};
	int result = add_all(&w, t);
	if (result == 0 && !w.failed) /* else there are fewer lengths than spans */
		find_quantiles(&w);
	if (result == 0 && w.failed)
		result = EVL_NOMEM;
	if (result == 0 && s->n)
		qsort(s->items, s->n, sizeof *s->items, by_total);
	idmap_free(&w.names);
	free(w.lengths);
	if (result < 0)
		span_stats_free(s);
	return result;
}

void span_stats_free(struct span_stats *s)
{
	free(s->items);
	*s = (struct span_stats){0};
}

double span_name_gc_share(const struct span_name *s)
{
	return s->total ? (double)s->paused / (double)s->total : (double)NAN;
}
