#include "gc/gc_delays.h"

#include "base/order.h"

#include <stdlib.h>

enum { REST_NS = 1000000 };

void gc_delays_free(struct gc_delays *d)
{
	free_all(d->threads, d->ties);
	idmap_free(&d->places);
	*d = (struct gc_delays){0};
}

static struct gc_delay_thread *row_of(struct gc_delays *d, uint32_t thread)
{
	uint32_t place;
	if (idmap_find(&d->places, thread, &place))
		return &d->threads[place];
	if (d->n_threads == GC_DELAY_THREADS || !GROW(d->threads, d->n_threads, d->room)
		|| !idmap_put(&d->places, thread, (uint32_t)d->n_threads))
		return NULL;
	d->threads[d->n_threads] = (struct gc_delay_thread){.thread = thread};
	return &d->threads[d->n_threads++];
}

static void add_thread(struct gc_delays *d, const struct gc_delay_thread *more)
{
	struct gc_delay_thread *row = row_of(d, more->thread);
	if (!row)
		return;
	row->ns += more->ns;
	row->ran += more->ran;
	row->n += more->n;
	if (more->longest > row->longest || (more->longest == row->longest && more->at < row->at)) {
		row->longest = more->longest;
		row->at = more->at;
		row->cap = more->cap;
	}
}

void gc_delays_add(
	struct gc_delays *d, const struct gc_row *gc, const struct gc_late_run *run, const struct gc_delay_parts *parts)
{
	uint64_t rest = gc->sync - run->late;
	struct gc_delay_parts count = parts ? *parts : (struct gc_delay_parts){run->late, run->ran, rest};
	d->thread_ns += count.late;
	d->wakeup_ns += count.rest;
	if (rest > REST_NS && count.rest) {
		histogram_add(&d->rests, rest);
		d->rests_cut += rest - count.rest;
	}
	if (!gc_late_is_cause(gc, run->late))
		return;
	if (run->tied && !run->off && d->n_ties < GC_DELAY_TIES && GROW(d->ties, d->n_ties, d->ties_room))
		d->ties[d->n_ties++] = (struct gc_delay_tie){*gc, run->late, run->ran, run->thread, run->cap};
	else
		gc_delays_blame(d, gc, count.late, count.ran, run->thread, run->cap);
}

void gc_delays_blame(
	struct gc_delays *d, const struct gc_row *gc, uint64_t late, uint64_t ran, uint32_t thread, uint16_t cap)
{
	add_thread(d, &(struct gc_delay_thread){thread, late, 1, ran, ran, gc->start, cap});
}

void gc_delays_join(struct gc_delays *d, const struct gc_delays *more)
{
	d->thread_ns += more->thread_ns;
	d->wakeup_ns += more->wakeup_ns;
	histogram_join(&d->rests, &more->rests);
	d->rests_cut += more->rests_cut;
	for (size_t i = 0; i < more->n_threads; i++)
		add_thread(d, &more->threads[i]);
}

COMPARE_BY(by_delay, struct gc_delay_thread, FALLING(ran) ?: FALLING(ns) ?: RISING(thread));

const struct gc_delay_thread *gc_delays_worst(const struct gc_delays *d)
{
	const struct gc_delay_thread *worst = NULL;
	for (size_t i = 0; i < d->n_threads; i++)
		if (!worst || by_delay(&d->threads[i], worst) < 0)
			worst = &d->threads[i];
	return worst;
}
