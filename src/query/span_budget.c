#include "query/span_budget.h"

#include "base/order.h"
#include "sys/system.h"

#include <stdlib.h>

/* The start or the end of a span. */
struct bound {
	uint32_t thread;
	uint32_t span : 31;
	uint32_t is_end : 1;
};
_Static_assert(MAX_SPAN_EVENTS < 1u << 31, "numbers of spans fit");

/* Totals of a thread so far, and the span bounds still ahead of it. */
struct account {
	size_t next, end;
	struct span_budget sum;
};

struct span_budgets_reader {
	struct span_budget *out;
	const struct span_table *table;
	struct bound *bounds; /* by thread, then by time */
	size_t n_bounds;
	struct account *accounts;
	size_t n_accounts, room;
	struct idmap places; /* thread -> accounts */
	const struct gc_pauses *pauses;
	uint64_t until; /* the last end */
	struct thread_history_sink sink;
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
	return x->thread != y->thread ? ORDER(x->thread, y->thread) : ORDER(t, u);
}

static bool collect(struct span_budgets_reader *w, uint64_t from, uint64_t to)
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
	sys_sort(w->bounds, w->n_bounds, sizeof *w->bounds, by_thread_and_time, (void *)(uintptr_t)t);
	return true;
}

/* An account for each thread. */
static bool open_accounts(struct span_budgets_reader *w)
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
static struct span_budget part_of(const struct span_budgets_reader *w, const struct stretch *s, uint64_t t)
{
	struct span_budget b = {0};
	uint64_t to = min_u64(s->to, t), ns = sub_or_0(to, s->from);
	switch ((enum thread_state)s->state) {
	case THREAD_RUNNING: b.run = ns; break;
	case THREAD_BLOCKED: b.blocked = ns; break;
	case THREAD_FOREIGN: b.foreign = ns; break;
	case THREAD_RUNNABLE:
		b.gc = to == s->to ? s->paused : ns ? gc_pauses_within(w->pauses, s->from, to) : 0;
		b.runnable = ns - b.gc;
		break;
	default: break;
	}
	return b;
}

/* Each part is a difference: between the two bounds it may be below zero, and wraps. */
static void pass_bound(struct span_budgets_reader *w, const struct bound *b, const struct span_budget *sum)
{
	struct span_budget *out = &w->out[b->span];
#define X(part) out->part += b->is_end ? sum->part : -sum->part;
	SPAN_PARTS(X)
#undef X
}

static void pass_bounds(struct span_budgets_reader *w, struct account *a, const struct stretch *s)
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

/* State of a thread: index of its account, + 2; 0: not looked up yet; 1: it has none. */
struct own {
	uint32_t place;
};

static struct account *account_of(const struct span_budgets_reader *w, const struct stretch *s)
{
	struct own *own = s->own;
	uint32_t place;
	if (own->place == 0)
		own->place = idmap_find(&w->places, s->thread, &place) ? place + 2 : 1;
	return own->place == 1 ? NULL : &w->accounts[own->place - 2];
}

static void on_stretch(void *ctx, const struct stretch *s)
{
	struct span_budgets_reader *w = ctx;
	struct account *a = account_of(w, s);
	if (!a || a->next == a->end)
		return;
	struct span_budget all = part_of(w, s, s->to);
	pass_bounds(w, a, s);
	span_budget_add(&a->sum, &all);
}

int span_budgets_open(struct span_budgets_reader **r, struct span_budgets *out, const struct span_table *t,
	uint64_t from, uint64_t to, const struct gc_pauses *pauses)
{
	struct span_budgets_reader *w = *r = calloc(1, sizeof *w);
	*out = (struct span_budgets){.items = calloc(t->n + 1, sizeof *out->items), .n = t->n};
	if (!w || !out->items)
		return EVL_NOMEM;
	*w = (struct span_budgets_reader){.table = t, .pauses = pauses, .out = out->items};
	w->sink = (struct thread_history_sink){.stretch = on_stretch, .width = sizeof(struct own), .ctx = w};
	return collect(w, from, to) && open_accounts(w) ? 0 : EVL_NOMEM;
}

uint64_t span_budgets_until(const struct span_budgets_reader *r)
{
	return r->n_bounds ? r->until + (r->until < UINT64_MAX) : 0;
}

const struct thread_history_sink *span_budgets_sink(const struct span_budgets_reader *r) { return &r->sink; }

void span_budgets_close(struct span_budgets_reader *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_accounts; i++)
		pass_bounds(r, &r->accounts[i], NULL);
	idmap_free(&r->places);
	free_all(r->accounts, r->bounds, r);
}

int span_budgets_make(struct span_budgets *out, const struct evl_log *log, const struct span_table *t, uint64_t from,
	uint64_t to, const struct progress *watch)
{
	struct gc_pauses pauses = {0};
	struct span_budgets_reader *r;
	int result = span_budgets_open(&r, out, t, from, to, &pauses);
	if (result == 0 && r->n_bounds)
		result = evl_all_pauses(&pauses, log, watch);
	if (result == 0 && r->n_bounds)
		result = thread_history_run(&(struct thread_history_ask){.log = log,
			.from = from,
			.to = span_budgets_until(r),
			.readers = {&r->sink},
			.n_readers = 1,
			.pauses = &pauses,
			.watch = watch});
	span_budgets_close(r);
	gc_pauses_free(&pauses);
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
	struct span_budgets_reader work;
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

COMPARE_BY(by_ns, struct span_wait, FALLING(ns) ?: RISING(thread));

/* Another thread ran: perhaps where this one waits to run. */
static void on_other(struct detail *d, const struct stretch *s)
{
	uint64_t from = max_u64(s->from, d->since);
	if (s->state != THREAD_RUNNING || from >= s->to)
		return;
	add_wait(&d->others,
		&(struct span_wait){
			s->to - from - gc_pauses_within(d->work.pauses, from, s->to), s->thread, s->cap, 0});
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
	const struct thread_history_sink sink = {.stretch = on_detail, .begins = on_begin, .ctx = &d};
	struct gc_pauses pauses = {0};
	*out = (struct span_detail){.unknown = span->end - span->start};
	if (!span->thread || span->end == span->start)
		return 0;
	int result = evl_all_pauses(&pauses, log, watch);
	d.work.pauses = &pauses;
	if (result == 0)
		result = thread_history_run(&(struct thread_history_ask){.log = log,
			.from = span->start,
			.to = span->end,
			.readers = {&sink},
			.n_readers = 1,
			.pauses = &pauses,
			.watch = watch});
	gc_pauses_free(&pauses);
	out->unknown = span_budget_unknown(&out->parts, span->end - span->start);
	qsort(out->blocked.items, out->blocked.n, sizeof *out->blocked.items, by_ns);
	qsort(out->holders.items, out->holders.n, sizeof *out->holders.items, by_ns);
	return result;
}
