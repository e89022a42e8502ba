/* slow_threads.h - the stretches of all threads by slow code that takes all events in order of time: for comparison. */
#ifndef TESTS_SLOW_THREADS_H
#define TESTS_SLOW_THREADS_H

#include "logs.h"
#include "query/thread_history.h"

/* --- slow: all events in an array, all threads in an array, all stretches in a list --- */

struct event {
	struct frame f;
	int cap;
};

struct list {
	struct stretch *items;
	size_t n, room;
};

struct slow_thread {
	bool known, recent; /* recent: the last stretch was runnable */
	struct stretch now;
	uint64_t ready;
};

enum { MOST_THREADS = 1 << 20, DONE = THREAD_ABSENT };

struct slow {
	struct event *events;
	size_t n, room;
	int caps; /* more than any number of a capability */
	uint64_t first, last;
	struct slow_thread *threads;
	uint32_t n_threads; /* more than any number of a known one */
	uint32_t running[1 << 16];
	struct list list;
};

static inline void read_events(struct slow *s, const struct evl_log *log)
{
	s->first = UINT64_MAX;
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		struct cursor cursor;
		const struct block *block;
		struct event e = {.cap = log->blocks.chains[c].cap == EVL_NO_CAP ? -1 : log->blocks.chains[c].cap};
		s->caps = e.cap >= s->caps ? e.cap + 1 : s->caps;
		cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
		while (cursor_next(&cursor, &e.f, &block)) {
			s->first = e.f.t < s->first ? e.f.t : s->first;
			s->last = e.f.t > s->last ? e.f.t : s->last;
			assert_true(GROW(s->events, s->n, s->room));
			s->events[s->n++] = e;
		}
	}
}

static inline int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	int order = (x->f.t > y->f.t) - (x->f.t < y->f.t);
	return order ? order : (x->f.off > y->f.off) - (x->f.off < y->f.off);
}

static inline void keep(struct list *l, const struct stretch *s)
{
	assert_true(GROW(l->items, l->n, l->room));
	l->items[l->n++] = *s;
}

static inline struct slow_thread *known(struct slow *s, uint32_t id)
{
	assert_true(id < MOST_THREADS);
	struct slow_thread *t = &s->threads[id];
	s->n_threads = id < s->n_threads ? s->n_threads : id + 1;
	if (!t->known)
		*t = (struct slow_thread){.known = true,
			.now = {.since = s->first, .thread = id, .state = THREAD_UNKNOWN, .cap = EVL_NO_CAP}};
	return t;
}

static inline void go(struct slow *s, uint32_t id, uint64_t t, struct stretch next)
{
	struct slow_thread *x = known(s, id);
	struct stretch was = x->now;
	was.to = t;
	was.from = was.since;
	was.next = next.state;
	was.woken = next.woken;
	if (next.woken)
		was.waker = next.waker;
	was.ready = was.state == THREAD_RUNNING && x->recent ? x->ready : was.since;
	if (t > was.since) {
		if (was.state != DONE)
			keep(&s->list, &was);
		x->recent = was.state == THREAD_RUNNABLE;
		x->ready = was.since;
	}
	next.since = t;
	next.thread = id;
	next.delivery = NO_DELIVERY;
	x->now = next;
}

static inline void lose(struct slow *s, int cap, uint32_t but, uint64_t t)
{
	uint32_t old = s->running[cap];
	if (old && old != but)
		go(s, old, t, (struct stretch){.state = THREAD_UNKNOWN});
}

static inline void halt(struct slow *s, const struct event *e, uint32_t id)
{
	const uint8_t *p = e->f.payload.p;
	unsigned status = be16(p + 4);
	struct stretch next = {.state = THREAD_BLOCKED, .stop = (uint8_t)status};
	if (status <= 3 || status == 19)
		next.state = THREAD_RUNNABLE;
	if (status == 6 || status == 16 || status == 17)
		next.state = THREAD_FOREIGN;
	if (status == 5)
		next.state = DONE;
	if ((status == 8 || status == 2) && e->f.payload.len >= 10)
		next.info = be32(p + 6);
	lose(s, e->cap, id, e->f.t);
	s->running[e->cap] = 0;
	go(s, id, e->f.t, next);
}

static inline void step(struct slow *s, const struct event *e)
{
	if (e->cap >= 0 && e->f.tag == EVL_GC_START) {
		lose(s, e->cap, 0, e->f.t);
		s->running[e->cap] = 0;
		return;
	}
	if (e->cap < 0 || e->f.tag > EVL_THREAD_WAKEUP || e->f.payload.len < 4 || e->f.tag == EVL_MIGRATE_THREAD)
		return;
	uint32_t id = be32(e->f.payload.p);
	uint64_t t = e->f.t;
	if (e->f.tag == EVL_CREATE_THREAD) {
		if (id < MOST_THREADS && !s->threads[id].known) {
			known(s, id)->now.state = DONE;
			go(s, id, t, (struct stretch){.state = THREAD_RUNNABLE});
		}
		return;
	}
	struct slow_thread *x = known(s, id);
	if (e->f.tag == EVL_RUN_THREAD) {
		lose(s, e->cap, id, t);
		for (int c = 0; c < s->caps; c++)
			if (s->running[c] == id)
				s->running[c] = 0;
		go(s, id, t, (struct stretch){.state = THREAD_RUNNING, .cap = (uint16_t)e->cap});
		s->running[e->cap] = id;
	} else if (e->f.tag == EVL_STOP_THREAD) {
		halt(s, e, id);
	} else if (e->f.tag == EVL_THREAD_WAKEUP || e->f.tag == EVL_THREAD_RUNNABLE) {
		struct stretch next = {.state = THREAD_RUNNABLE,
			.woken = true,
			.waker = s->running[e->cap],
			.wake_cap = (uint16_t)e->cap};
		if (x->now.state == THREAD_BLOCKED || x->now.state == THREAD_UNKNOWN)
			go(s, id, t, next);
		else if (x->now.state == THREAD_RUNNABLE && x->now.woken && x->now.wake_cap != e->cap
			&& x->now.delivery == NO_DELIVERY)
			x->now.delivery = t - x->now.since;
	}
}

static inline void slow_read(struct slow *s, const struct evl_log *log)
{
	read_events(s, log);
	s->threads = calloc(MOST_THREADS, sizeof *s->threads);
	assert_non_null(s->threads);
	if (s->n)
		qsort(s->events, s->n, sizeof *s->events, by_time);
	for (size_t i = 0; i < s->n; i++)
		step(s, &s->events[i]);
	for (uint32_t id = 0; id < s->n_threads; id++)
		if (s->threads[id].known)
			go(s, id, s->last, (struct stretch){.state = THREAD_ABSENT});
}

/* The time until which a log tells what all capabilities did: a cut one lacks what was in their buffers. */
static inline uint64_t slow_shown(const struct evl_log *log)
{
	uint64_t shown = UINT64_MAX;
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		uint64_t lost = atomic_load(&log->tiles[c].lost_t);
		shown = lost && log->blocks.chains[c].cap != EVL_NO_CAP && lost < shown ? lost : shown;
	}
	return shown;
}

static inline void slow_free(struct slow *s)
{
	free(s->events);
	free(s->threads);
	free(s->list.items);
}

#endif
