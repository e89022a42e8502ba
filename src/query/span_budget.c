#include "query/span_budget.h"

#include "query/thread_history.h"

#include <stdlib.h>

/* The begin or the end of a span. */
struct bound {
	uint32_t thread;
	uint32_t span : 31;
	uint32_t is_end : 1;
};
_Static_assert(MAX_SPAN_EVENTS < 1u << 31, "numbers of spans fit");

/* What a thread has done so far, and its bounds that are to come. */
struct account {
	size_t next, end;
	struct span_budget sum;
};

struct work {
	struct span_budget *out;
	const struct span_table *table;
	struct bound *bounds; /* by thread, then by time */
	size_t n_bounds;
	struct account *accounts;
	size_t n_accounts, room;
	struct idmap places; /* thread -> accounts */
	struct gc_pauses pauses;
	uint64_t until; /* the last end */
};

uint64_t span_budget_unknown(const struct span_budget *b, uint64_t ns)
{
#define X(part) ns = sub_or_0(ns, b->part);
	SPAN_PARTS(X)
#undef X
	return ns;
}

void span_budget_add(struct span_budget *to, const struct span_budget *b)
{
#define X(part) to->part += b->part;
	SPAN_PARTS(X)
#undef X
}

static uint64_t time_of(const struct span_table *t, const struct bound *b)
{
	return b->is_end ? t->items[b->span].end : t->items[b->span].start;
}

static int by_thread_and_time(const void *a, const void *b, void *ctx)
{
	const struct bound *x = a, *y = b;
	uint64_t t = time_of(ctx, x), u = time_of(ctx, y);
	return x->thread != y->thread ? (x->thread > y->thread) - (x->thread < y->thread) : (t > u) - (t < u);
}

static bool collect(struct work *w, uint64_t from, uint64_t to)
{
	const struct span_table *t = w->table;
	w->bounds = calloc(2 * t->n + 1, sizeof *w->bounds);
	if (!w->bounds)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		const struct span *s = &t->items[i];
		if (!s->thread || s->start < from || s->start >= to)
			continue;
		w->bounds[w->n_bounds++] = (struct bound){s->thread, (uint32_t)i & 0x7fffffff, false};
		w->bounds[w->n_bounds++] = (struct bound){s->thread, (uint32_t)i & 0x7fffffff, true};
		w->until = max_u64(w->until, s->end);
	}
	qsort_r(w->bounds, w->n_bounds, sizeof *w->bounds, by_thread_and_time, (void *)(uintptr_t)t);
	return true;
}

/* An account for each thread. */
static bool open_accounts(struct work *w)
{
	for (size_t i = 0, k; i < w->n_bounds; i = k) {
		for (k = i; k < w->n_bounds && w->bounds[k].thread == w->bounds[i].thread;)
			k++;
		if (!GROW(w->accounts, w->n_accounts, w->room)
			|| !idmap_put(&w->places, w->bounds[i].thread, (uint32_t)w->n_accounts))
			return false;
		w->accounts[w->n_accounts++] = (struct account){.next = i, .end = k};
	}
	return true;
}

/* The part of a stretch before t. */
static struct span_budget part_of(const struct work *w, const struct stretch *s, uint64_t t)
{
	struct span_budget b = {0};
	uint64_t to = min_u64(s->to, t), ns = sub_or_0(to, s->from);
	switch ((enum thread_state)s->state) {
	case THREAD_RUNNING: b.run = ns; break;
	case THREAD_BLOCKED: b.blocked = ns; break;
	case THREAD_FOREIGN: b.foreign = ns; break;
	case THREAD_RUNNABLE:
		b.gc = ns ? gc_pauses_within(&w->pauses, s->from, to) : 0;
		b.runnable = ns - b.gc;
		break;
	default: break;
	}
	return b;
}

/* Each part is a difference: between the two bounds it may be below zero, and wraps. */
static void pass_bound(struct work *w, const struct bound *b, const struct span_budget *sum)
{
	struct span_budget *out = &w->out[b->span];
#define X(part) out->part += b->is_end ? sum->part : -sum->part;
	SPAN_PARTS(X)
#undef X
}

static void pass_bounds(struct work *w, struct account *a, const struct stretch *s)
{
	for (; a->next < a->end; a->next++) {
		const struct bound *b = &w->bounds[a->next];
		struct span_budget sum = a->sum;
		uint64_t t = time_of(w->table, b);
		if (s && t > s->to)
			return;
		if (s) {
			struct span_budget part = part_of(w, s, t);
			span_budget_add(&sum, &part);
		}
		pass_bound(w, b, &sum);
	}
}

static void on_stretch(void *ctx, const struct stretch *s)
{
	struct work *w = ctx;
	uint32_t place;
	if (!idmap_find(&w->places, s->thread, &place))
		return;
	struct account *a = &w->accounts[place];
	struct span_budget all = part_of(w, s, s->to);
	pass_bounds(w, a, s);
	span_budget_add(&a->sum, &all);
}

static int run(struct work *w, const struct evl_log *log, uint64_t from, const struct progress *watch)
{
	uint64_t until = w->until + (w->until < UINT64_MAX);
	struct thread_history_sink sink = {.stretch = on_stretch, .ctx = w};
	int result = gc_pauses_make(&w->pauses, &log->gcs, from, until, watch);
	result = result ? result : thread_history_run(log, from, until, &sink, watch);
	for (size_t i = 0; result == 0 && i < w->n_accounts; i++)
		pass_bounds(w, &w->accounts[i], NULL);
	return result;
}

int span_budgets_make(struct span_budgets *out, const struct evl_log *log, const struct span_table *t, uint64_t from,
	uint64_t to, const struct progress *watch)
{
	struct work w = {.table = t};
	*out = (struct span_budgets){.items = calloc(t->n + 1, sizeof *out->items), .n = t->n};
	w.out = out->items;
	int result = out->items && collect(&w, from, to) && open_accounts(&w) ? 0 : EVL_NOMEM;
	if (result == 0 && w.n_bounds)
		result = run(&w, log, from, watch);
	gc_pauses_free(&w.pauses);
	idmap_free(&w.places);
	free(w.accounts);
	free(w.bounds);
	if (result < 0)
		span_budgets_free(out);
	return result;
}

void span_budgets_free(struct span_budgets *b)
{
	free(b->items);
	*b = (struct span_budgets){0};
}

/* --- one span ---------------------------------------------------------------------------------------------------------- */

struct detail {
	struct span_detail *out;
	struct work work;
	uint32_t thread;
	uint64_t since;           /* it is runnable, since then at least; UINT64_MAX: it is not */
	struct span_waits others; /* threads that ran meanwhile, on any capability */
};

/* Past the room the wait with the least time goes. */
static void add_wait(struct span_waits *w, const struct span_wait *item)
{
	size_t least = 0;
	if (item->ns == 0)
		return;
	for (size_t i = 0; i < w->n; i++) {
		struct span_wait *at = &w->items[i];
		if (at->thread == item->thread && at->cap == item->cap && at->reason == item->reason) {
			at->ns += item->ns;
			return;
		}
		least = at->ns < w->items[least].ns ? i : least;
	}
	if (w->n < SPAN_DETAIL_WAITS) {
		w->items[w->n++] = *item;
	} else if (w->items[least].ns < item->ns) {
		w->more_ns += w->items[least].ns;
		w->items[least] = *item;
	} else {
		w->more_ns += item->ns;
	}
}

static int by_ns(const void *a, const void *b)
{
	const struct span_wait *x = a, *y = b;
	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Another thread ran: perhaps where this one waits to run. */
static void on_other(struct detail *d, const struct stretch *s)
{
	uint64_t from = max_u64(s->from, d->since);
	if (s->state != THREAD_RUNNING || from >= s->to)
		return;
	add_wait(&d->others,
		&(struct span_wait){
			s->to - from - gc_pauses_within(&d->work.pauses, from, s->to), s->thread, s->cap, 0});
}

static void on_own(struct detail *d, const struct stretch *s)
{
	struct span_budget part = part_of(&d->work, s, s->to);
	span_budget_add(&d->out->parts, &part);
	if (s->state == THREAD_BLOCKED)
		add_wait(&d->out->blocked,
			&(struct span_wait){s->to - s->from, s->waker, EVL_NO_CAP, thread_block_reason(s->stop)});
}

static void on_detail(void *ctx, const struct stretch *s)
{
	struct detail *d = ctx;
	if (s->thread == d->thread)
		on_own(d, s);
	else
		on_other(d, s);
}

/* It runs: who had that capability until then? */
static void take_holders(struct detail *d, uint16_t cap)
{
	for (size_t i = 0; i < d->others.n; i++)
		if (d->others.items[i].cap == cap)
			add_wait(&d->out->holders, &d->others.items[i]);
}

static void on_begin(void *ctx, const struct stretch *s)
{
	struct detail *d = ctx;
	if (s->thread != d->thread)
		return;
	if (s->state == THREAD_RUNNING && d->since != UINT64_MAX)
		take_holders(d, s->cap);
	d->since = s->state == THREAD_RUNNABLE ? s->from : UINT64_MAX;
	d->others = (struct span_waits){0};
}

int span_detail_make(
	struct span_detail *out, const struct evl_log *log, const struct span *span, const struct progress *watch)
{
	struct detail d = {.out = out, .thread = span->thread, .since = UINT64_MAX};
	struct thread_history_sink sink = {.stretch = on_detail, .begins = on_begin, .ctx = &d};
	*out = (struct span_detail){.unknown = span->end - span->start};
	if (!span->thread || span->end == span->start)
		return 0;
	int result = gc_pauses_make(&d.work.pauses, &log->gcs, span->start, span->end, watch);
	result = result ? result : thread_history_run(log, span->start, span->end, &sink, watch);
	gc_pauses_free(&d.work.pauses);
	out->unknown = span_budget_unknown(&out->parts, span->end - span->start);
	qsort(out->blocked.items, out->blocked.n, sizeof *out->blocked.items, by_ns);
	qsort(out->holders.items, out->holders.n, sizeof *out->holders.items, by_ns);
	return result;
}
