#include "query/path.h"

#include "base/gallop.h"
#include "base/histogram.h"
#include "base/order.h"
#include "query/path_threads.h"
#include "query/sched_back.h"
#include "sched/thread_state.h"
#include "sys/clock.h"

#include <stdlib.h>

enum {
	CHECK_EVERY = 1 << 12, /* events between looks at whether to go on */
	PENDING_PART = 256,    /* of the log's bytes */
	RESTARTS_MOST = 64,
	LEVELS_SLACK = 64
};

static const struct {
	const char *name;
	enum path_part part;
} whats[] = {
#define X(id, name, part) {name, PATH_PART_##part},
	PATH_WHATS(X)
#undef X
};

const char *path_what_name(enum path_what what) { return whats[what].name; }

enum path_part path_part_of(enum path_what what) { return whats[what].part; }

TEXT_FUNCTION(path_part_key, path_part, PATH_PARTS)

/* --- columns ----------------------------------------------------------------------------------------------------------- */

enum { HEAVY = 32 };

/* The keys with the most time, of a stream of them; past HEAVY keys the least gives way, and its time goes to the next. */
struct heavy {
	struct {
		uint32_t key;
		uint64_t ns;
	} items[HEAVY];
	size_t n;
};

static void heavy_add(struct heavy *h, uint32_t key, uint64_t ns)
{
	size_t at = 0, least = 0;
	for (; at < h->n && h->items[at].key != key; at++)
		least = h->items[at].ns < h->items[least].ns ? at : least;
	if (at == HEAVY)
		h->items[at = least].key = key;
	else if (at == h->n)
		h->items[h->n++].key = key;
	h->items[at].ns += ns;
}

/* Take the key with the most time out; of equals the lowest. False: there is none. */
static bool heavy_take(struct heavy *h, uint32_t *key)
{
	size_t most = 0;
	for (size_t i = 1; i < h->n; i++)
		if (h->items[i].ns > h->items[most].ns
			|| (h->items[i].ns == h->items[most].ns && h->items[i].key < h->items[most].key))
			most = i;
	if (h->n == 0)
		return false;
	*key = h->items[most].key;
	h->items[most] = h->items[--h->n];
	return true;
}

/* The columns of a window. Segments come newest first, so one column at a time is open. */
struct columns {
	struct path_col *items; /* NULL: none are wanted */
	uint64_t t0, t1;
	int n, open; /* n: none is open */
	struct heavy threads, caps;
};

static void close_column(struct columns *c)
{
	uint32_t cap;
	if (c->open >= c->n)
		return;
	struct path_col *col = &c->items[c->open];
	while (col->n_threads < PATH_ALONG && heavy_take(&c->threads, &col->threads[col->n_threads]))
		col->n_threads++;
	if (heavy_take(&c->caps, &cap))
		col->cap = (uint16_t)cap;
	c->threads.n = c->caps.n = 0;
	memset(&c->threads, 0, sizeof c->threads);
	memset(&c->caps, 0, sizeof c->caps);
	c->open = c->n;
}

static void columns_reset(struct columns *c)
{
	if (!c->items)
		return;
	c->open = c->n;
	memset(&c->threads, 0, sizeof c->threads);
	memset(&c->caps, 0, sizeof c->caps);
	for (int i = 0; i < c->n; i++)
		c->items[i] = (struct path_col){.cap = EVL_NO_CAP};
}

/* Return the last column that starts at t or before. */
static int column_at(const struct columns *c, uint64_t t)
{
	BISECT(low, (size_t)c->n, column_edge(c->t0, c->t1, c->n, (int)mid) <= t);
	return low ? (int)low - 1 : 0;
}

static void columns_add(struct columns *c, const struct path_segment *item)
{
	uint64_t from = max_u64(item->from, c->t0), to = min_u64(item->to, c->t1);
	for (int i; c->items && from < to;) {
		i = c->open < c->n && column_edge(c->t0, c->t1, c->n, c->open) < to ? c->open : column_at(c, to - 1);
		uint64_t begin = max_u64(from, column_edge(c->t0, c->t1, c->n, i));
		struct path_col *col = &c->items[i];
		if (i != c->open)
			close_column(c);
		c->open = i;
		col->ns[whats[item->what].part] += to - begin;
		heavy_add(&c->threads, item->thread, to - begin);
		if (item->what == PATH_RUN) {
			heavy_add(&c->caps, item->cap, to - begin);
			col->caps |= 1ull << (item->cap & 63);
		}
		to = begin;
	}
}

/* --- sums -------------------------------------------------------------------------------------------------------------- */

/* Segments that are final. */
struct sums {
	uint64_t by_what[PATH_WHAT_COUNT], paused_ns, waiting_ns; /* as in struct path */
	uint64_t n;                                               /* segments */
	struct path_segment *longest;
	size_t n_longest, room_longest,
		most;   /* the `most` longest are among them, in the order in which they were added */
	uint64_t least; /* no shorter one is among the longest */
	struct path_thread *threads;
	size_t n_threads, room_threads;
	struct idmap places; /* thread -> index into threads */
	uint64_t dropped;    /* threads */
	struct columns columns;
};

static void sums_free(struct sums *s)
{
	free_all(s->longest, s->threads);
	idmap_free(&s->places);
	*s = (struct sums){.most = s->most, .columns = s->columns};
	columns_reset(&s->columns);
}

/* Remove all but the longest; of equals the earlier remain. */
static bool drop_shortest(struct sums *s)
{
	size_t n = s->n_longest, kept = 0, equals = 0;
	if (n <= s->most)
		return true;
	uint64_t *values = malloc(n * sizeof *values), from = UINT64_MAX;
	if (!values)
		return false;
	for (size_t i = 0; i < n; i++)
		values[i] = s->longest[i].to - s->longest[i].from;
	s->least = value_of_rank(values, n, n - s->most);
	for (size_t i = 0; i < n; i++) {
		const struct path_segment *item = &s->longest[i];
		kept += item->to - item->from > s->least;
		if (item->to - item->from == s->least)
			values[equals++] = item->from;
	}
	if (equals > s->most - kept)
		from = value_of_rank(values, equals, s->most - kept - 1);
	free(values);
	s->n_longest = 0;
	for (size_t i = 0; i < n; i++) {
		const struct path_segment item = s->longest[i];
		if (item.to - item.from > s->least || (item.to - item.from == s->least && item.from <= from))
			s->longest[s->n_longest++] = item;
	}
	return true;
}

static bool keep_longest(struct sums *s, const struct path_segment *item)
{
	if (item->to - item->from < s->least)
		return true;
	if ((s->n_longest >= s->most + s->most / 2 && !drop_shortest(s))
		|| !GROW(s->longest, s->n_longest, s->room_longest))
		return false;
	s->longest[s->n_longest++] = *item;
	return true;
}

COMPARE_BY(by_total, struct path_thread, FALLING(total_ns) ?: RISING(thread));

/* Keep the upper half of the threads. */
static bool drop_threads(struct sums *s)
{
	qsort(s->threads, s->n_threads, sizeof *s->threads, by_total);
	s->dropped += s->n_threads - s->n_threads / 2;
	s->n_threads /= 2;
	idmap_free(&s->places);
	s->places = (struct idmap){0};
	for (size_t i = 0; i < s->n_threads; i++)
		if (!idmap_put(&s->places, s->threads[i].thread, (uint32_t)i))
			return false;
	return true;
}

static struct path_thread *thread_of(struct sums *s, uint32_t thread)
{
	uint32_t place;
	if (idmap_find(&s->places, thread, &place))
		return &s->threads[place];
	if ((s->n_threads == PATH_THREADS && !drop_threads(s)) || !GROW(s->threads, s->n_threads, s->room_threads)
		|| !idmap_put(&s->places, thread, (uint32_t)s->n_threads))
		return NULL;
	s->threads[s->n_threads] = (struct path_thread){.thread = thread};
	return &s->threads[s->n_threads++];
}

static bool sums_add(struct sums *s, const struct path_segment *item)
{
	struct path_thread *thread = thread_of(s, item->thread);
	uint64_t ns = item->to - item->from;
	if (!thread || !keep_longest(s, item))
		return false;
	columns_add(&s->columns, item);
	s->n++;
	s->by_what[item->what] += ns;
	thread->total_ns += ns;
	thread->ns[whats[item->what].part] += ns;
	thread->timer_ns += item->what == PATH_TIMER ? ns : 0;
	thread->io_ns += item->what >= PATH_READ && item->what <= PATH_IO ? ns : 0;
	return true;
}

/* --- the path ---------------------------------------------------------------------------------------------------------- */

/* A thread that the path follows, or followed until it hopped at a wake-up that is not proved yet. */
struct level {
	uint64_t t;      /* the path is known down to here (without what follows from the wake-up) */
	uint64_t mark;   /* segments before the hop */
	uint64_t hops;   /* before it */
	uint64_t wake_t; /* the earliest wake-up that may have ended the wait that t, or the time before it, lies in */
	uint64_t wake_off;
	uint32_t wake_by;
	uint32_t thread;
	bool wake;   /* there is one */
	bool hopped; /* the path continues with wake_by */
	bool runs;   /* just before t it ran: a wake-up means nothing */
	bool alive;  /* its history is still looked for */
};

/* Facts about a wake-up for the next pass. */
enum verdict { IGNORE, NO_HOP };

/* Events of the log, newest first, that paths of windows share: each goes on where the one after it stopped. */
struct feed {
	struct sched_back back;
	const struct sched_back_event *pending; /* the next, if it was read already */
	uint64_t last;                          /* time of the last one that was taken */
	bool open;
};

struct pass {
	struct feed *feed; /* NULL: its own */
	const struct evl_log *log;
	uint64_t from;
	struct path_threads threads;
	const struct gc_pauses *pauses;       /* its own or the asker's */
	struct gc_pauses own_pauses, elapsed; /* elapsed: of the stretch where the path is */
	struct path_segment *segments;        /* newest first, those from number `final` on */
	size_t n, room, most;
	uint64_t final;
	struct sums sums;
	struct level *levels;
	size_t n_levels, room_levels, n_alive;
	struct idmap watched;  /* thread -> index into levels */
	uint8_t filter[4096];  /* how many of them have these low bits of their ids */
	struct idmap verdicts; /* offset of a wake-up -> enum verdict */
	uint64_t hops;
	uint64_t now; /* time of the last event */
	uint64_t t;   /* the path is known down to here */
	bool again;   /* a segment that was final is refuted */
	bool failed;
};

static void emit(struct pass *p, uint64_t from, uint64_t to, uint32_t thread, enum path_what what, uint16_t cap)
{
	from = max_u64(from, p->from);
	p->t = min_u64(p->t, from);
	if (from >= to)
		return;
	p->failed = p->failed || !GROW(p->segments, p->n, p->room);
	if (!p->failed)
		p->segments[p->n++] = (struct path_segment){from, to, thread, cap, (uint8_t)what};
}

/* The stretches of [from, to) that lie in a union and those between, newest first. */
static void emit_split(struct pass *p, const struct gc_pauses *u, uint64_t from, uint64_t to,
	void (*within)(struct pass *p, uint64_t from, uint64_t to, uint32_t thread), enum path_what outside,
	uint32_t thread)
{
	for (size_t i = min_u64(gc_pauses_after(u, to) + 1, u->n); to > from && i-- > 0;) {
		struct pause pause = gc_pauses_at(u, i);
		if (pause.to <= from)
			break;
		uint64_t x = max_u64(pause.from, from), y = min_u64(pause.to, to);
		if (x >= y)
			continue;
		emit(p, y, to, thread, outside, 0);
		within(p, x, y, thread);
		to = x;
	}
	emit(p, from, to, thread, outside, 0);
}

static void emit_gc(struct pass *p, uint64_t from, uint64_t to, uint32_t thread)
{
	emit(p, from, to, thread, PATH_GC, 0);
}

/* Load the collections of [from, to), and some before it, as the path goes back. */
static void have_elapsed(struct pass *p, uint64_t from, uint64_t to)
{
	enum { ROWS = 1 << 14 };
	if (from >= p->elapsed.from && to <= p->elapsed.to && p->elapsed.gcs)
		return;
	struct gc_range all = {.gcs = &p->log->gcs};
	uint64_t first, last, rows = gc_range_rows(&all);
	uint64_t width = evl_range(p->log, &first, &last) ? (last - first) / (rows / ROWS + 1) : 0;
	gc_pauses_free(&p->elapsed);
	uint64_t begin = min_u64(from, max_u64(sub_or_0(to, width), p->from));
	if (gc_elapsed_make(&p->elapsed, &p->log->gcs, begin, to, NULL) < 0)
		p->failed = true;
}

static void emit_pause(struct pass *p, uint64_t from, uint64_t to, uint32_t thread)
{
	have_elapsed(p, from, to);
	if (p->failed)
		return;
	emit_split(p, &p->elapsed, from, to, emit_gc, PATH_SYNC, thread);
}

static void emit_runnable(struct pass *p, uint64_t from, uint64_t to, uint32_t thread)
{
	from = max_u64(from, p->from);
	p->t = min_u64(p->t, from);
	if (from >= to)
		return;
	if (gc_pauses_within(p->pauses, from, to))
		emit_split(p, p->pauses, from, to, emit_pause, PATH_RUNNABLE, thread);
	else
		emit(p, from, to, thread, PATH_RUNNABLE, 0);
}

/* --- levels --- */

static void unwatch(struct pass *p, struct level *l)
{
	if (!l->alive)
		return;
	l->alive = false;
	p->n_alive--;
	p->filter[l->thread % sizeof p->filter]--;
	idmap_drop(&p->watched, l->thread);
}

/* Forget the levels whose history is known. */
static void compact(struct pass *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_levels; i++)
		if (p->levels[i].alive) {
			p->levels[n] = p->levels[i];
			p->failed = p->failed || !idmap_put(&p->watched, p->levels[n].thread, (uint32_t)n);
			n++;
		}
	p->n_levels = n;
}

/* Continue the path with a thread, from t back. */
static void push(struct pass *p, uint32_t thread, uint64_t t, bool runs)
{
	uint32_t place;
	p->t = t;
	if (t <= p->from)
		return;
	if (idmap_find(&p->watched, thread, &place)) { /* it waits for itself: no thread can */
		emit(p, p->from, t, thread, PATH_UNKNOWN, 0);
		return;
	}
	if (p->n_levels > 2 * p->n_alive + LEVELS_SLACK)
		compact(p);
	p->failed = p->failed || !GROW(p->levels, p->n_levels, p->room_levels)
		|| !idmap_put(&p->watched, thread, (uint32_t)p->n_levels);
	if (p->failed)
		return;
	p->levels[p->n_levels++] = (struct level){.t = t, .thread = thread, .runs = runs, .alive = true};
	p->filter[thread % sizeof p->filter]++;
	p->n_alive++;
}

/* The hop at the wake-up of level l is refuted, or not needed: all that came of it is dropped. */
static void take_back(struct pass *p, struct level *l, enum verdict verdict)
{
	if (!l->wake || !l->hopped)
		return;
	while (&p->levels[p->n_levels - 1] > l)
		unwatch(p, &p->levels[--p->n_levels]);
	l->hopped = false;
	p->hops = l->hops;
	p->t = l->t;
	if (l->mark >= p->final) {
		p->n = l->mark - p->final;
		return;
	}
	p->failed = p->failed || !idmap_put(&p->verdicts, l->wake_off, verdict);
	p->again = true;
}

/* The thread was woken at l->wake_t, as far as is known: hop, if there is a thread of the program to hop to. */
static void hop(struct pass *p, struct level *l)
{
	uint32_t thread = l->wake_by;
	uint64_t t = l->wake_t;
	if (thread == 0 || thread == l->thread || t <= p->from || path_is_manager(&p->threads, thread))
		return;
	l->mark = p->final + p->n;
	l->hops = p->hops++;
	l->hopped = true;
	emit_runnable(p, t, l->t, l->thread);
	push(p, thread, t, true);
}

/* --- events --- */

static void on_wake(struct pass *p, struct level *l, const struct sched_back_event *e)
{
	uint32_t verdict = UINT32_MAX;
	if (l->runs || (idmap_find(&p->verdicts, e->off, &verdict) && verdict == IGNORE))
		return;
	take_back(p, l, IGNORE);
	l->wake = true;
	l->wake_t = e->t;
	l->wake_off = e->off;
	l->wake_by = e->by;
	if (verdict != NO_HOP)
		hop(p, l);
}

/* The thread's activity is known from the event on, down to t. */
static void settle(struct pass *p, struct level *l, uint64_t t)
{
	l->wake = l->runs = false;
	l->t = t;
	if (t <= p->from)
		unwatch(p, l);
}

/* Return the reason of the wait. by: the thread that ended it; 0: not known. */
static enum path_what waited_for(struct pass *p, uint8_t stop, const struct level *l)
{
	switch (stop) {
	case STOP_DELAY: return PATH_TIMER;
	case STOP_READ: return PATH_READ;
	case STOP_WRITE: return PATH_WRITE;
	default: break;
	}
	if (!l->wake || !l->wake_by)
		return PATH_EXTERNAL;
	return path_role_of(&p->threads, l->wake_by) == ROLE_IO ? PATH_IO : PATH_TIMER;
}

/* It waited from t on, until it was woken or, where no wake-up is known, to the end of the level. */
static void end_wait(struct pass *p, struct level *l, uint64_t t, enum path_what what)
{
	uint64_t until = l->wake ? l->wake_t : l->t;
	emit_runnable(p, until, l->t, l->thread);
	if (until > t)
		emit(p, t, until, l->thread, what, 0);
	settle(p, l, t);
}

static void on_block(struct pass *p, struct level *l, const struct sched_back_event *e)
{
	if (l->wake && l->hopped && l->wake_t > e->t) {
		unwatch(p, l); /* a wait, and the path hopped at the first wake-up after its start */
		return;
	}
	enum path_what what = waited_for(p, e->stop, l);
	take_back(p, l, NO_HOP);
	if (what == PATH_EXTERNAL && !l->wake && p->final + p->n == 0)
		p->sums.waiting_ns = l->t - max_u64(e->t, p->from);
	end_wait(p, l, e->t, what);
}

static enum path_what foreign_what(struct pass *p, uint32_t thread)
{
	enum path_role role = path_role_of(&p->threads, thread);
	return role == ROLE_PROGRAM ? PATH_FOREIGN : role == ROLE_TIMER ? PATH_TIMER : PATH_IO;
}

static void on_stop(struct pass *p, struct level *l, const struct sched_back_event *e)
{
	enum thread_state state = thread_state_after(e->stop);
	if (state == THREAD_BLOCKED) {
		on_block(p, l, e);
		return;
	}
	take_back(p, l, IGNORE);
	if (state == THREAD_RUNNABLE)
		emit_runnable(p, e->t, l->t, l->thread);
	else
		emit(p, e->t, l->t, l->thread, state == THREAD_FOREIGN ? foreign_what(p, l->thread) : PATH_UNKNOWN, 0);
	settle(p, l, e->t);
}

/* Before it was created its creator did what it had to wait for. */
static void on_create(struct pass *p, struct level *l, const struct sched_back_event *e)
{
	uint32_t thread = l->thread;
	take_back(p, l, IGNORE);
	emit_runnable(p, e->t, l->t, thread);
	settle(p, l, e->t);
	unwatch(p, l);
	if (e->t <= p->from)
		return;
	if (e->by == 0 || e->by == thread) {
		emit(p, p->from, e->t, thread, PATH_UNKNOWN, 0);
		return;
	}
	p->hops++;
	push(p, e->by, e->t, true);
}

/* An event of a thread that is watched, at l->t or before it. */
static void on_event(struct pass *p, struct level *l, const struct sched_back_event *e)
{
	switch ((enum sched_kind)e->kind) {
	case SCHED_WAKE: on_wake(p, l, e); break;
	case SCHED_CREATE: on_create(p, l, e); break;
	case SCHED_STOP: on_stop(p, l, e); break;
	case SCHED_RUN:
		take_back(p, l, IGNORE);
		emit(p, e->t, l->t, l->thread, PATH_RUN, e->cap);
		settle(p, l, e->t);
		break;
	case SCHED_LOST:
		take_back(p, l, NO_HOP);
		end_wait(p, l, e->t, PATH_UNKNOWN);
		break;
	}
}

/* The start of the log has been reached, so nothing more is known of the watched threads: the first of them existed
 * before the log. */
static void on_begin_of_log(struct pass *p)
{
	for (size_t i = 0; i < p->n_levels; i++) {
		struct level *l = &p->levels[i];
		if (!l->alive)
			continue;
		take_back(p, l, NO_HOP);
		end_wait(p, l, 0, PATH_UNKNOWN);
		return;
	}
}

/* --- passes --- */

/* Segments that were emitted before the first hop that is not proved are final; if too many are pending, the older
 * half is treated as final, too. */
static void finish_segments(struct pass *p, bool all)
{
	uint64_t until = p->final + p->n;
	for (size_t i = 0; i < p->n_levels && !all; i++)
		if (p->levels[i].alive && p->levels[i].wake && p->levels[i].hopped) {
			until = min_u64(until, max_u64(p->levels[i].mark, p->final));
			break;
		}
	size_t n = (size_t)(until - p->final);
	if (!all && p->n - n > p->most / 2)
		n = p->n - p->most / 2;
	for (size_t i = 0; i < n && !p->failed; i++) {
		const struct path_segment *s = &p->segments[i];
		p->failed = !sums_add(&p->sums, s);
		if (s->what == PATH_FOREIGN)
			p->sums.paused_ns += gc_pauses_within(p->pauses, s->from, s->to);
	}
	if (n == 0)
		return;
	memmove(p->segments, p->segments + n, (p->n - n) * sizeof *p->segments);
	p->n -= n;
	p->final += n;
}

static void forget(struct pass *p)
{
	idmap_free(&p->watched);
	sums_free(&p->sums);
	p->watched = (struct idmap){0};
	memset(p->filter, 0, sizeof p->filter);
	p->n_levels = p->n_alive = 0;
	p->n = 0;
	p->final = p->hops = 0;
	p->again = false;
}

static void pass_free(struct pass *p)
{
	forget(p);
	free(p->sums.columns.items);
	path_threads_free(&p->threads);
	gc_pauses_free(&p->own_pauses);
	gc_pauses_free(&p->elapsed);
	idmap_free(&p->verdicts);
	free_all(p->segments, p->levels);
}

static struct level *watched(struct pass *p, uint32_t thread)
{
	uint32_t place;
	if (!p->filter[thread % sizeof p->filter] || !idmap_find(&p->watched, thread, &place))
		return NULL;
	return &p->levels[place];
}

static bool is_over(const struct pass *p) { return p->n_alive == 0 || p->again || p->failed; }

struct limits {
	const struct path_ask *ask;
	const struct progress *watch;
	uint64_t to;
	int64_t until_ms; /* 0: none */
	int64_t tell_ms;  /* when the asker is told again */
};

/* Tell the asker how the time was spent so far, with the segments that may still be dropped. */
static void tell_so_far(struct pass *p, struct limits *limits, double share)
{
	struct path_so_far so_far = {.reached = max_u64(p->t, p->from), .to = limits->to, .share = share};
	int64_t now = limits->ask->tell ? clock_ms() : 0;
	if (now < limits->tell_ms || !limits->ask->tell)
		return;
	limits->tell_ms = now + limits->ask->tell_ms;
	for (int what = 0; what < PATH_WHAT_COUNT; what++)
		so_far.ns[whats[what].part] += p->sums.by_what[what];
	for (size_t i = 0; i < p->n; i++)
		so_far.ns[whats[p->segments[i].what].part] += p->segments[i].to - p->segments[i].from;
	limits->ask->tell(limits->ask->ctx, &so_far);
}

/* Return the share of the range after time t. */
static double share_after(const struct pass *p, const struct limits *limits, uint64_t t)
{
	return (double)sub_or_0(limits->to, max_u64(t, p->from)) / (double)(limits->to - p->from);
}

/* Every some events: 0, EVL_CANCELLED, or 1 when time is up. */
static int look_up(struct pass *p, struct limits *limits)
{
	if (progress_cancelled(limits->watch))
		return EVL_CANCELLED;
	progress_tell(limits->watch, share_after(p, limits, p->now));
	tell_so_far(p, limits, share_after(p, limits, p->t));
	return limits->until_ms && clock_ms() >= limits->until_ms;
}

static void feed_close(struct feed *f)
{
	if (f->open)
		sched_back_free(&f->back);
	*f = (struct feed){0};
}

static const struct sched_back_event *feed_next(struct feed *f)
{
	const struct sched_back_event *e = f->pending ? f->pending : sched_back_next(&f->back);
	f->pending = NULL;
	f->last = e ? e->t : 0;
	return e;
}

/* Continue with the events up to time t: events between are skipped if they are few, otherwise the feed is restarted. Return
 * false when memory is out. */
static bool feed_seek(struct feed *f, const struct evl_log *log, uint64_t t)
{
	enum { SKIPPED = 1 << 18 }; /* bytes of the log */
	const struct sched_back_event *e = NULL;
	uint64_t first, last;
	if (f->open && f->last > t && evl_range(log, &first, &last)
		&& (double)(f->last - t) * (double)log->source.len <= (double)(last - first) * SKIPPED) {
		while ((e = feed_next(f)) && e->t > t)
			;
		f->pending = e;
		f->last = t + 1;
		return !f->back.failed;
	}
	feed_close(f);
	*f = (struct feed){.open = true, .last = UINT64_MAX};
	return sched_back_begin(&f->back, log, t);
}

/* Follow the path from the thread at limits->to. 0, EVL_CANCELLED, EVL_NOMEM, or 1 when time was up. */
static int run_pass(struct pass *p, uint32_t thread, struct limits *limits)
{
	struct feed own = {0}, *feed = p->feed ? p->feed : &own;
	const struct sched_back_event *e = NULL;
	int result = 0;
	forget(p);
	p->t = limits->to;
	p->failed = !feed_seek(feed, p->log, limits->to);
	push(p, thread, limits->to, false);
	for (uint64_t n = 1; result == 0 && !is_over(p) && (e = feed_next(feed)); n++) {
		struct level *l = watched(p, e->thread);
		p->now = e->t;
		if (l)
			on_event(p, l, e);
		if (p->n >= p->most)
			finish_segments(p, false);
		if (n % CHECK_EVERY == 0)
			result = look_up(p, limits);
	}
	p->failed = p->failed || feed->back.failed;
	if (result == 0 && !e && !is_over(p))
		on_begin_of_log(p);
	feed_close(&own);
	return p->failed ? EVL_NOMEM : result;
}

/* --- the answer --- */

ORDER_BY(by_time, struct path_segment, from);

/* They are added newest first. */
static void put_in_order(struct path_segment *items, size_t n)
{
	bool newest_first = true;
	for (size_t i = 1; i < n && newest_first; i++)
		newest_first = items[i].from < items[i - 1].from;
	if (!newest_first)
		qsort(items, n, sizeof *items, by_time);
	else
		for (size_t i = 0; i < n / 2; i++) {
			struct path_segment swap = items[i];
			items[i] = items[n - 1 - i];
			items[n - 1 - i] = swap;
		}
}

static void tell(struct path *out, struct pass *p)
{
	struct sums *s = &p->sums;
	for (int what = 0; what < PATH_WHAT_COUNT; what++) {
		out->by_what[what] = s->by_what[what];
		out->ns[whats[what].part] += s->by_what[what];
	}
	out->paused_ns = s->paused_ns;
	out->waiting_ns = s->waiting_ns;
	out->reached = max_u64(p->t, p->from);
	out->hops = p->hops;
	out->segments = s->longest;
	out->n_segments = s->n_longest;
	out->segments_not_listed = s->n - s->n_longest;
	out->threads = s->threads;
	out->n_threads = s->n_threads;
	out->threads_not_listed = s->dropped;
	close_column(&s->columns);
	out->columns = s->columns.items;
	s->longest = NULL;
	s->threads = NULL;
	s->columns.items = NULL;
	put_in_order(out->segments, out->n_segments);
	if (out->n_threads)
		qsort(out->threads, out->n_threads, sizeof *out->threads, by_total);
}

/* Where the path ends and with which thread. False: with none. */
static bool find_end(struct path *out, struct pass *p, const struct path_ask *ask, const struct progress *watch)
{
	uint64_t first, last;
	uint32_t thread = ask->thread ? ask->thread
		: ask->main_known     ? ask->main
				      : path_main_thread(&p->threads, watch);
	const struct thread_row *row = thread ? threads_find(&p->log->threads, thread) : NULL;
	uint64_t died = row ? load_relaxed(&row->died) : 0;
	if (!evl_range(p->log, &first, &last))
		return false;
	out->from = max_u64(ask->from, first);
	out->to = min_u64(ask->to, last);
	out->end = ask->thread ? PATH_END_ASKED : PATH_END_MAIN;
	bool unlogged = ask->to > last && !died && !ask->thread;
	if (ask->to > last && died)
		out->to = died;
	else if (unlogged || !thread) {
		out->end = thread ? PATH_END_UNLOGGED : PATH_END_NO_MAIN;
		if (!path_last_run(&p->threads, &thread, unlogged ? &out->to : &(uint64_t){0}))
			return false;
	}
	out->to = max_u64(out->to, out->from);
	out->thread = thread;
	return thread && path_thread_is_known(&p->threads, thread, watch);
}

bool path_end_text(struct buf *out, const struct evl_log *log, const struct path *p)
{
	static const char *const why[] = {[PATH_END_ASKED] = "",
		[PATH_END_MAIN] = ", the main thread",
		[PATH_END_UNLOGGED] = ", the last that ran: the end of the main thread is not logged",
		[PATH_END_NO_MAIN] = ", the last that ran: no main thread is known"};
	struct evl_str label = evl_label(log, p->thread);
	uint64_t known = 0, unknown = p->ns[PATH_PART_UNKNOWN];
	for (int part = 0; part < PATH_PART_COUNT; part++)
		known += part == PATH_PART_UNKNOWN ? 0 : p->ns[part];
	buf_printf(out, "ends with thread %u", p->thread);
	if (label.len) {
		buf_cstr(out, " \"");
		buf_str(out, label);
		buf_cstr(out, "\"");
	}
	buf_cstr(out, why[p->end]);
	bool waits = p->waiting_ns && !p->windows;
	if (waits)
		buf_cstr(out, "; at the end of the range it still waits");
	if (unknown > known)
		buf_cstr(out,
			"; more than half is unknown: take the path of another thread "
			"(select its lane, then W; or evtui path --thread N)");
	return p->end >= PATH_END_UNLOGGED || waits || unknown > known;
}

/* Go from a thread that is created at t or later to its creator. Return false if the creator is unknown. */
static bool find_living(struct path_threads *p, uint64_t t, uint32_t *thread, uint64_t *hops)
{
	for (;; ++*hops) {
		const struct thread_row *row = threads_find(&p->log->threads, *thread);
		uint64_t born = row ? load_relaxed(&row->born) : 0;
		uint32_t creator = born && born >= t ? sched_creator(p->log, &p->creations, *thread) : 0;
		if (creator == 0 || creator == *thread)
			return !born || born < t;
		*thread = creator;
	}
}

static int prepare(struct pass *p, const struct path *out, const struct path_ask *ask, const struct progress *watch)
{
	p->t = out->to;
	p->sums.most = ask->segments ? ask->segments : PATH_SEGMENTS;
	p->sums.columns = (struct columns){.t0 = ask->t0, .t1 = ask->t1, .n = ask->cols, .open = ask->cols};
	if (ask->cols > 0 && !(p->sums.columns.items = calloc((size_t)ask->cols, sizeof(struct path_col))))
		return EVL_NOMEM;
	columns_reset(&p->sums.columns);
	p->most = PATH_PENDING + (size_t)(p->log->source.len / PENDING_PART / sizeof *p->segments);
	int result = 0;
	p->pauses = ask->pauses ? ask->pauses : &p->own_pauses;
	if (!ask->pauses)
		result = gc_pauses_make(&p->own_pauses, &p->log->gcs, out->from, out->to, watch);
	return result;
}

/* 0, 1 when time was up, or an error. */
static int follow(struct pass *p, const struct path *out, const struct path_ask *ask, const struct progress *watch)
{
	struct limits limits = {ask, watch, out->to, ask->ms ? clock_ms() + ask->ms : 0, clock_ms() + ask->tell_ms};
	uint32_t thread = out->thread;
	uint64_t hops = 0;
	int result = prepare(p, out, ask, watch), tries = 0;
	if (result < 0)
		return result;
	if (find_living(&p->threads, out->to, &thread, &hops)) {
		do
			result = run_pass(p, thread, &limits);
		while (result == 0 && p->again && ++tries < RESTARTS_MOST);
	} else {
		emit(p, out->from, out->to, thread, PATH_UNKNOWN, 0);
	}
	p->hops += hops;
	if (thread != out->thread)
		p->sums.waiting_ns = 0;
	finish_segments(p, true);
	return p->failed ? EVL_NOMEM : result;
}

static int make(struct path *out, const struct evl_log *log, const struct path_ask *ask, struct feed *feed,
	const struct progress *watch)
{
	struct pass *p = calloc(1, sizeof *p);
	*out = (struct path){0};
	if (!p)
		return EVL_NOMEM;
	p->feed = feed;
	p->log = p->threads.log = log;
	out->found = find_end(out, p, ask, watch);
	p->t = p->from = out->from;
	int result = out->to > out->from && out->found ? follow(p, out, ask, watch) : 0;
	if (p->threads.failed || (result >= 0 && !drop_shortest(&p->sums)))
		result = EVL_NOMEM;
	if (progress_cancelled(watch))
		result = EVL_CANCELLED;
	out->proved = result == 0;
	if (result >= 0)
		tell(out, p);
	pass_free(p);
	free(p);
	return result < 0 ? result : 0;
}

/* Of the capabilities the one that was first remains. */
static void join_column(struct path_col *out, const struct path_col *c)
{
	for (int part = 0; part < PATH_PART_COUNT; part++)
		out->ns[part] += c->ns[part];
	out->caps |= c->caps;
	out->cap = out->cap == EVL_NO_CAP ? c->cap : out->cap;
	for (uint32_t i = 0; i < c->n_threads; i++) {
		uint32_t k = 0;
		while (k < out->n_threads && out->threads[k] != c->threads[i])
			k++;
		if (k == out->n_threads && k < PATH_ALONG)
			out->threads[out->n_threads++] = c->threads[i];
	}
}

/* Add the path of a window to the sums of all. Return false when memory is out. */
static bool join(struct path *out, struct sums *all, const struct path *p)
{
	for (size_t i = p->n_segments; i-- > 0;)
		if (!keep_longest(all, &p->segments[i]))
			return false;
	for (size_t i = 0; i < p->n_threads; i++) {
		struct path_thread *thread = thread_of(all, p->threads[i].thread);
		if (!thread)
			return false;
		thread->total_ns += p->threads[i].total_ns;
		thread->timer_ns += p->threads[i].timer_ns;
		thread->io_ns += p->threads[i].io_ns;
		for (int part = 0; part < PATH_PART_COUNT; part++)
			thread->ns[part] += p->threads[i].ns[part];
	}
	for (int what = 0; what < PATH_WHAT_COUNT; what++)
		all->by_what[what] += p->by_what[what];
	all->paused_ns += p->paused_ns;
	all->waiting_ns += p->waiting_ns;
	all->n += p->n_segments + p->segments_not_listed;
	all->dropped += p->threads_not_listed;
	out->hops += p->hops;
	for (int i = 0; p->columns && i < all->columns.n; i++)
		join_column(&all->columns.items[i], &p->columns[i]);
	return true;
}

/* The path of one window; with columns where they show something of it. */
static int window_path(struct path *out, const struct evl_log *log, const struct path_ask *ask,
	const struct path_window *window, struct feed *feed, const struct progress *watch)
{
	struct path_ask one = *ask;
	one.from = window->from;
	one.to = window->to;
	one.thread = window->thread;
	one.cols = window->from < ask->t1 && window->to > ask->t0 ? ask->cols : 0;
	one.ms = 0;
	one.tell = NULL;
	return make(out, log, &one, feed, watch);
}

int path_over(struct path *out, const struct evl_log *log, const struct path_ask *ask,
	const struct path_window *windows, size_t n, const struct progress *watch)
{
	struct pass *all = calloc(1, sizeof *all);
	struct progress quiet = {.cancel = watch ? watch->cancel : NULL};
	struct path_ask nothing = *ask;
	struct feed feed = {0};
	*out = (struct path){.proved = true, .windows = n};
	if (!all)
		return EVL_NOMEM;
	all->log = log;
	all->threads.log = log;
	nothing.pauses = &all->own_pauses;
	int result = prepare(all, out, &nothing, watch);
	struct path_ask one = *ask;
	struct limits limits = {.ask = ask, .to = n ? windows[n - 1].to : 0, .tell_ms = clock_ms() + ask->tell_ms};
	for (size_t i = n; result == 0 && i-- > 0;) {
		struct path p;
		if (!windows[i].thread && !one.main_known) {
			one.main = path_main_thread(&all->threads, watch);
			one.main_known = true;
		}
		if (progress_cancelled(watch))
			result = EVL_CANCELLED;
		if (result < 0 || !(windows[i].thread || one.main))
			continue;
		if ((result = window_path(&p, log, &one, &windows[i], &feed, &quiet)) < 0)
			break;
		out->found = out->found || p.found;
		out->covered += p.found ? windows[i].to - windows[i].from : 0;
		result = join(out, &all->sums, &p) ? 0 : EVL_NOMEM;
		path_free(&p);
		progress_tell(watch, (double)(n - i) / (double)n);
		all->t = windows[i].from;
		tell_so_far(all, &limits, (double)(n - i) / (double)n);
	}
	if (result == 0 && (all->threads.failed || !drop_shortest(&all->sums)))
		result = EVL_NOMEM;
	if (result == 0 && n) {
		all->t = all->from = out->from = windows[0].from;
		all->hops = out->hops;
		out->to = windows[n - 1].to;
		out->thread = windows[n - 1].thread ? windows[n - 1].thread : one.main;
		out->end = windows[n - 1].thread ? PATH_END_ASKED : PATH_END_MAIN;
		tell(out, all);
	}
	feed_close(&feed);
	pass_free(all);
	free(all);
	return result;
}

int path_make(struct path *out, const struct evl_log *log, const struct path_ask *ask, const struct progress *watch)
{
	return make(out, log, ask, NULL, watch);
}

void path_free(struct path *p)
{
	free_all(p->segments, p->threads, p->columns);
	*p = (struct path){0};
}

bool path_enter(const struct path *p, uint64_t t, uint64_t *to, uint32_t *thread)
{
	BISECT(low, p->n_segments, p->segments[mid].to < t);
	while (low < p->n_segments && p->segments[low].what != PATH_RUN)
		low++;
	if (low == p->n_segments)
		return false;
	*to = max_u64(t, p->segments[low].from + 1);
	*thread = p->segments[low].thread;
	return true;
}
