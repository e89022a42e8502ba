/* slow_gcs.h - collections and their pauses, by slow code from the events of slow_threads.h: for comparison. */
#ifndef TESTS_SLOW_GCS_H
#define TESTS_SLOW_GCS_H

#include "slow_threads.h"

struct slow_gc {
	uint64_t request, start, end; /* request: start, if there was none */
	int cap;                      /* that leads it */
	struct evl_str said;          /* the payload of its statistics; empty: there are none */
};

struct span_of_time {
	uint64_t from, to;
};

struct pauses {
	struct span_of_time *items; /* the union of all, in order */
	size_t n, room;
	struct slow_gc *gcs; /* of all leaders */
	size_t n_gcs, room_gcs;
};

static inline int by_from(const void *a, const void *b)
{
	const struct span_of_time *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static inline int by_place_in_file(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	return (x->f.off > y->f.off) - (x->f.off < y->f.off);
}

/* Put together those that overlap or touch. */
static inline void unite(struct pauses *p)
{
	size_t kept = 0;
	if (p->n)
		qsort(p->items, p->n, sizeof *p->items, by_from);
	for (size_t i = 0; i < p->n; i++) {
		struct span_of_time *last = kept ? &p->items[kept - 1] : NULL;
		if (last && p->items[i].from <= last->to)
			last->to = max_u64(last->to, p->items[i].to);
		else
			p->items[kept++] = p->items[i];
	}
	p->n = kept;
}

/* The machine of every capability, in file order: request, start, statistics, end. The one with statistics leads; in a log
 * that declares none (GHC before 7.6), the one that asked for it, or the only one. */
static inline struct pauses slow_pauses(struct slow *s, const struct evl_log *log)
{
	static struct {
		uint64_t request, start;
		bool requested, open, stats;
		struct evl_str said;
	} caps[1 << 16];
	struct pauses all = {0};
	bool old = !header_find(&log->header, EVL_GC_STATS_GHC), alone = true;
	memset(caps, 0, sizeof caps);
	for (size_t i = 1, first = 0; i < s->n; i++) {
		first = s->events[first].cap < 0 ? i : first;
		alone = alone && (s->events[i].cap < 0 || s->events[i].cap == s->events[first].cap);
	}
	if (s->n)
		qsort(s->events, s->n, sizeof *s->events, by_place_in_file);
	for (size_t i = 0; i < s->n; i++) {
		const struct event *e = &s->events[i];
		if (e->cap < 0)
			continue;
		if (e->f.tag == EVL_REQUEST_PAR_GC || e->f.tag == EVL_REQUEST_SEQ_GC) {
			caps[e->cap].request = e->f.t;
			caps[e->cap].requested = true;
		} else if (e->f.tag == EVL_GC_START && !caps[e->cap].open) {
			caps[e->cap].start = e->f.t;
			caps[e->cap].open = true;
		} else if (e->f.tag == EVL_GC_STATS_GHC) {
			caps[e->cap].stats = true;
			caps[e->cap].said = e->f.payload;
		} else if (e->f.tag == EVL_GC_END) {
			bool asked = caps[e->cap].requested && caps[e->cap].request <= caps[e->cap].start;
			uint64_t start = caps[e->cap].start, from = asked ? caps[e->cap].request : start;
			bool leads = caps[e->cap].stats || (old && (alone || caps[e->cap].requested));
			if (caps[e->cap].open && leads) {
				assert_true(GROW(all.items, all.n, all.room));
				all.items[all.n++] = (struct span_of_time){from, e->f.t};
				assert_true(GROW(all.gcs, all.n_gcs, all.room_gcs));
				all.gcs[all.n_gcs++] = (struct slow_gc){from, start, e->f.t, e->cap,
					caps[e->cap].stats ? caps[e->cap].said : (struct evl_str){0}};
			}
			if (caps[e->cap].open || caps[e->cap].stats)
				caps[e->cap].requested = false;
			caps[e->cap].open = caps[e->cap].stats = false;
		}
	}
	unite(&all);
	return all;
}

/* Delays of all collections: by threads that ran on, and by what came after these. */
struct slow_delays {
	uint64_t lost, rests, rests_n; /* rests: of more than 1 ms */
	/* ns by thread that explains half of a delay or more: the delays, and what of them it ran */
	uint64_t *by, *ran;
};

/* The time in [from, to) in which the thread ran on the capability, since another one did. */
static inline uint64_t slow_ran(const struct slow *slow, uint32_t thread, uint16_t cap, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	for (size_t k = 0; k < slow->list.n; k++) {
		const struct stretch *s = &slow->list.items[k];
		if (s->state == THREAD_RUNNING && s->cap == cap && s->thread != thread && s->since < to)
			from = max_u64(from, min_u64(s->to, to));
	}
	for (size_t k = 0; k < slow->list.n; k++) {
		const struct stretch *s = &slow->list.items[k];
		if (s->state == THREAD_RUNNING && s->cap == cap && s->thread == thread)
			ns += sub_or_0(min_u64(s->to, to), max_u64(s->since, from));
	}
	return ns;
}

/* Only the time in [from, to) counts. */
static inline struct slow_delays slow_delays(
	const struct slow *slow, const struct pauses *p, uint64_t from, uint64_t to)
{
	struct slow_delays d = {.by = calloc((size_t)slow->n_threads + 1, sizeof *d.by),
		.ran = calloc((size_t)slow->n_threads + 1, sizeof *d.ran)};
	assert_true(d.by && d.ran);
	for (size_t i = 0; i < p->n_gcs; i++) {
		const struct slow_gc *g = &p->gcs[i];
		uint64_t late = 0, delay = g->start - g->request;
		uint32_t who = 0;
		uint16_t cap = 0;
		for (size_t k = 0; k < slow->list.n; k++) {
			const struct stretch *s = &slow->list.items[k];
			uint64_t more = sub_or_0(min_u64(s->to, g->start), g->request);
			if (s->state != THREAD_RUNNING || s->cap == g->cap || s->since >= g->start || more <= late)
				continue;
			late = more;
			who = s->thread;
			cap = s->cap;
		}
		uint64_t stopped = g->request + late,
			 late_in = sub_or_0(min_u64(stopped, to), max_u64(g->request, from)),
			 rest_in = sub_or_0(min_u64(g->start, to), max_u64(stopped, from));
		d.lost += late_in;
		d.rests += delay - late > 1000000 ? rest_in : 0;
		d.rests_n += delay - late > 1000000 && rest_in;
		if (!late || 2 * late < delay)
			continue;
		uint64_t ran = slow_ran(slow, who, cap, g->request, stopped);
		d.by[who] += late_in;
		d.ran[who] += sub_or_0(min_u64(stopped, to), max_u64(stopped - ran, from));
	}
	return d;
}

/* The thread that ran longest in its delays, of equals the one that they add up to most for; 0: none. */
static inline uint32_t slow_latest(const struct slow_delays *d, uint32_t n_threads)
{
	uint32_t worst = 0;
	for (uint32_t id = 1; id < n_threads; id++)
		if (d->ran[id] > d->ran[worst] || (d->ran[id] == d->ran[worst] && d->by[id] > d->by[worst]))
			worst = id;
	return worst;
}

/* Does a sample of a heap profile begin, and when was its census? A biographical one is written later, with that time. */
static inline bool slow_sampled(const struct frame *f, uint64_t *t)
{
	*t = f->tag == EVL_HEAP_BIO_PROF_SAMPLE_BEGIN ? be64(f->payload.p + 8) : f->t;
	return f->tag == EVL_HEAP_PROF_SAMPLE_BEGIN || f->tag == EVL_HEAP_BIO_PROF_SAMPLE_BEGIN;
}

/* Did a heap census take a sample in this collection, which must be major if its generation is known? */
static inline bool slow_is_census(const struct slow *slow, const struct slow_gc *g)
{
	unsigned oldest = 1;
	bool sampled = false;
	uint64_t t;
	for (size_t k = 0; k < slow->n; k++) {
		const struct frame *f = &slow->events[k].f;
		if (f->tag == EVL_HEAP_INFO_GHC)
			oldest = be16(f->payload.p + 4) > 0 ? be16(f->payload.p + 4) - 1u : 0;
		sampled = sampled || (slow_sampled(f, &t) && g->start <= t && t < g->end);
	}
	return sampled && (g->said.len == 0 || be16(g->said.p + 4) >= oldest);
}

/* The delays of the program's collections that start before `shown`, until which the log tells what all capabilities did. */
static inline struct slow_delays slow_blamed(const struct slow *slow, const struct pauses *p, uint64_t shown)
{
	struct pauses own = {.gcs = calloc(p->n_gcs + 1, sizeof *own.gcs)};
	assert_non_null(own.gcs);
	for (size_t i = 0; i < p->n_gcs; i++)
		if (p->gcs[i].start < shown && !slow_is_census(slow, &p->gcs[i]))
			own.gcs[own.n_gcs++] = p->gcs[i];
	struct slow_delays d = slow_delays(slow, &own, 0, UINT64_MAX);
	free(own.gcs);
	return d;
}

static inline void slow_pauses_free(struct pauses *p)
{
	free(p->items);
	free(p->gcs);
}

static inline uint64_t covered(const struct pauses *p, uint64_t from, uint64_t to)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < p->n && p->items[i].from < to; i++)
		ns += sub_or_0(min_u64(p->items[i].to, to), max_u64(p->items[i].from, from));
	return ns;
}

#endif
