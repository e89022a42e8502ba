/* slow_path.h - the critical path by slow code that keeps every stretch of every thread: for comparison. */
#ifndef TESTS_SLOW_PATH_H
#define TESTS_SLOW_PATH_H

#include "logs.h"
#include "query/path.h"
#include "sched/thread_state.h"

/* --- slow: all events in an array, all stretches of all threads in a list --- */

enum { DONE = 100, MOST_THREADS = 1 << 17, MOST_CAPS = 1 << 16 };

struct event {
	struct frame f;
	uint16_t cap;
};

struct slow_stretch {
	uint64_t a, b;
	uint32_t thread, by; /* by: that ended it; 0: none */
	uint16_t cap;
	uint8_t state, stop; /* enum thread_state, or DONE */
};

struct life {
	bool known, has_born, ran;
	uint64_t born, ended;
	uint32_t creator;
	struct slow_stretch now;
	size_t first, n; /* of its stretches */
};

struct slow {
	const struct evl_log *log;
	struct event *events;
	size_t n, room;
	uint64_t first, last;
	struct life *lives;
	uint32_t running[MOST_CAPS];
	struct slow_stretch *past;
	size_t n_past, room_past;
	struct gc_row *gcs;
	size_t n_gcs, room_gcs;
};

static inline void read_events(struct slow *s)
{
	const struct evl_log *log = s->log;
	s->first = UINT64_MAX;
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		struct cursor cursor;
		const struct block *block;
		struct event e = {.cap = log->blocks.chains[c].cap};
		cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
		while (cursor_next(&cursor, &e.f, &block)) {
			s->first = min_u64(s->first, e.f.t);
			s->last = max_u64(s->last, e.f.t);
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

static inline int by_thread(const void *a, const void *b)
{
	const struct slow_stretch *x = a, *y = b;
	int order = (x->thread > y->thread) - (x->thread < y->thread);
	return order ? order : (x->a > y->a) - (x->a < y->a);
}

static inline struct life *life(struct slow *s, uint32_t id)
{
	assert_true(id < MOST_THREADS);
	struct life *l = &s->lives[id];
	if (!l->known) {
		l->known = true;
		l->now = (struct slow_stretch){.a = s->first, .thread = id, .state = THREAD_UNKNOWN};
	}
	return l;
}

static inline void go(struct slow *s, uint32_t id, uint64_t t, struct slow_stretch next, uint32_t by)
{
	struct life *l = life(s, id);
	l->now.b = t;
	l->now.by = by;
	if (t > l->now.a) {
		assert_true(GROW(s->past, s->n_past, s->room_past));
		s->past[s->n_past++] = l->now;
		l->ran = l->ran || l->now.state == THREAD_RUNNING;
	}
	next.a = t;
	next.thread = id;
	l->now = next;
}

static inline void lose(struct slow *s, uint16_t cap, uint32_t but, uint64_t t)
{
	uint32_t old = s->running[cap];
	if (old && old != but)
		go(s, old, t, (struct slow_stretch){.state = THREAD_UNKNOWN}, 0);
}

static inline void step(struct slow *s, const struct event *e)
{
	uint16_t tag = e->f.tag;
	if (e->cap == EVL_NO_CAP || e->f.payload.len < 4)
		return;
	uint32_t id = be32(e->f.payload.p);
	uint64_t t = e->f.t;
	if (tag == EVL_CREATE_THREAD && !s->lives[id].known) {
		s->lives[id] = (struct life){.known = true,
			.has_born = true,
			.born = t,
			.creator = s->running[e->cap],
			.now = {.a = t, .thread = id, .state = THREAD_RUNNABLE}};
	} else if (tag == EVL_RUN_THREAD) {
		lose(s, e->cap, id, t);
		go(s, id, t, (struct slow_stretch){.state = THREAD_RUNNING, .cap = e->cap}, 0);
		s->running[e->cap] = id;
	} else if (tag == EVL_STOP_THREAD) {
		unsigned status = be16(e->f.payload.p + 4);
		struct slow_stretch next = {.state = THREAD_BLOCKED, .stop = (uint8_t)status};
		if (status <= 3 || status == 19)
			next.state = THREAD_RUNNABLE;
		if (status == 6 || status == 16 || status == 17)
			next.state = THREAD_FOREIGN;
		if (status == 5) {
			next.state = DONE;
			life(s, id)->ended = t;
		}
		lose(s, e->cap, id, t);
		s->running[e->cap] = 0;
		go(s, id, t, next, 0);
	} else if (tag == EVL_THREAD_WAKEUP || tag == EVL_THREAD_RUNNABLE) {
		struct life *l = life(s, id);
		if (l->now.state == THREAD_BLOCKED || l->now.state == THREAD_UNKNOWN)
			go(s, id, t, (struct slow_stretch){.state = THREAD_RUNNABLE}, s->running[e->cap]);
	}
}

static inline bool keep_gc(void *ctx, const struct gc_row *r)
{
	struct slow *s = ctx;
	assert_true(GROW(s->gcs, s->n_gcs, s->room_gcs));
	s->gcs[s->n_gcs++] = *r;
	return true;
}

static inline void slow_read(struct slow *s, const struct evl_log *log)
{
	memset(s, 0, sizeof *s);
	s->log = log;
	s->lives = calloc(MOST_THREADS, sizeof *s->lives);
	assert_non_null(s->lives);
	read_events(s);
	if (s->n)
		qsort(s->events, s->n, sizeof *s->events, by_time);
	for (size_t i = 0; i < s->n; i++)
		if (s->events[i].f.tag <= EVL_THREAD_WAKEUP && s->events[i].f.tag != EVL_MIGRATE_THREAD)
			step(s, &s->events[i]);
	for (uint32_t id = 0; id < MOST_THREADS; id++)
		if (s->lives[id].known)
			go(s, id, s->last, (struct slow_stretch){0}, 0);
	if (s->n_past)
		qsort(s->past, s->n_past, sizeof *s->past, by_thread);
	for (size_t i = 0; i < s->n_past; i++) {
		struct life *l = &s->lives[s->past[i].thread];
		l->first = l->n++ ? l->first : i;
	}
	gcs_each(&log->gcs, 0, UINT64_MAX, keep_gc, s);
}

static inline void slow_free(struct slow *s)
{
	free(s->events);
	free(s->lives);
	free(s->past);
	free(s->gcs);
}

static inline bool has_prefix(struct evl_str s, const char *word)
{
	return s.len >= strlen(word) && memcmp(s.p, word, strlen(word)) == 0;
}

/* 'T', 'I': a manager by its label; 'm': by who created it; 0: none. */
static inline char manager(const struct slow *s, uint32_t id)
{
	for (int i = 0; i < 100 && id && s->lives[id].known; i++, id = s->lives[id].creator) {
		struct evl_str label = evl_label(s->log, id);
		if (has_prefix(label, "TimerManager") || has_prefix(label, "IOManager"))
			return i > 0 ? 'm' : (char)label.p[0];
	}
	return 0;
}

static inline uint32_t main_thread(const struct slow *s)
{
	uint32_t best = 0;
	uint64_t longest = 0;
	for (uint32_t id = 1; id < MOST_THREADS; id++)
		if (s->lives[id].known
			&& (str_is(evl_label(s->log, id), "main") || str_is(evl_label(s->log, id), "main thread")))
			return id;
	for (uint32_t id = 1; id < MOST_THREADS; id++) {
		const struct life *l = &s->lives[id];
		uint64_t lived = (l->ended ? l->ended : s->last) - l->born;
		if (!l->known || !l->has_born || l->creator || !l->ran || manager(s, id) || (best && lived <= longest))
			continue;
		best = id;
		longest = lived;
	}
	return best;
}

/* The kind of a moment of waiting for a capability. */
static inline enum path_what moment_of(const struct slow *s, uint64_t t)
{
	enum path_what what = PATH_RUNNABLE;
	for (size_t i = 0; i < s->n_gcs; i++) {
		if (s->gcs[i].start <= t && t < gc_end(&s->gcs[i]))
			return PATH_GC;
		if (gc_requested(&s->gcs[i]) <= t && t < gc_end(&s->gcs[i]))
			what = PATH_SYNC;
	}
	return what;
}

struct slow_path {
	uint64_t from, to, hops;
	struct path_segment *segments; /* newest first */
	size_t n, room;
};

static inline void add(struct slow_path *p, uint64_t a, uint64_t b, uint32_t thread, enum path_what what, uint16_t cap)
{
	a = max_u64(a, p->from);
	if (a >= b)
		return;
	assert_true(GROW(p->segments, p->n, p->room));
	p->segments[p->n++] = (struct path_segment){a, b, thread, cap, (uint8_t)what};
}

/* The latest begin or end of a collection or a request before t. */
static inline uint64_t edge_before(const struct slow *s, uint64_t t)
{
	uint64_t best = 0;
	for (size_t i = 0; i < s->n_gcs; i++) {
		const uint64_t edges[] = {gc_requested(&s->gcs[i]), s->gcs[i].start, gc_end(&s->gcs[i])};
		for (size_t k = 0; k < countof(edges); k++)
			if (edges[k] < t)
				best = max_u64(best, edges[k]);
	}
	return best;
}

static inline void add_runnable(const struct slow *s, struct slow_path *p, uint64_t a, uint64_t b, uint32_t thread)
{
	a = max_u64(a, p->from);
	for (uint64_t end = b; b > a;) {
		uint64_t from = max_u64(a, edge_before(s, b));
		enum path_what what = moment_of(s, from);
		bool same = b < end && p->segments[p->n - 1].what == what;
		if (same)
			p->segments[p->n - 1].from = from;
		else
			add(p, from, b, thread, what, 0);
		b = from;
	}
}

static inline const struct slow_stretch *stretch_before(const struct slow *s, uint32_t thread, uint64_t t)
{
	const struct life *l = &s->lives[thread];
	size_t low = l->first, high = l->first + l->n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (s->past[mid].a < t)
			low = mid + 1;
		else
			high = mid;
	}
	return low > l->first ? &s->past[low - 1] : NULL;
}

static inline void slow_make(const struct slow *s, struct slow_path *p, uint32_t thread)
{
	for (uint64_t t = p->to; t > p->from;) {
		const struct slow_stretch *x = stretch_before(s, thread, t);
		char role = manager(s, thread);
		if (!x) {
			if (s->lives[thread].creator == 0) {
				add(p, p->from, t, thread, PATH_UNKNOWN, 0);
				return;
			}
			thread = s->lives[thread].creator;
			p->hops++;
			continue;
		}
		assert_true(x->b >= t);
		if (x->state == THREAD_RUNNING)
			add(p, x->a, t, thread, PATH_RUN, x->cap);
		else if (x->state == THREAD_RUNNABLE)
			add_runnable(s, p, x->a, t, thread);
		else if (x->state == THREAD_FOREIGN)
			add(p, x->a, t, thread, !role ? PATH_FOREIGN : role == 'T' ? PATH_TIMER : PATH_IO, 0);
		else if (x->state != THREAD_BLOCKED)
			add(p, x->a, t, thread, PATH_UNKNOWN, 0);
		else {
			uint32_t by = x->b == t ? x->by : 0;
			if (by && by != thread && !manager(s, by)) {
				thread = by;
				p->hops++;
				continue;
			}
			add(p, x->a, t, thread,
				x->stop == STOP_DELAY           ? PATH_TIMER
					: x->stop == STOP_READ  ? PATH_READ
					: x->stop == STOP_WRITE ? PATH_WRITE
					: !by                   ? PATH_EXTERNAL
					: manager(s, by) == 'I' ? PATH_IO
								: PATH_TIMER,
				0);
		}
		t = x->a;
	}
}

#endif
