/* Spans, what their time went into, and phases of the real logs are what slow code finds that takes all events in order
 * of time and keeps everything in lists. */
#include "base/idmap.h"
#include "logs.h"
#include "query/phases.h"
#include "report/figures.h"
#include "table/lists.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>

/* --- slow: lists of all there is ---------------------------------------------------------------------------------- */

struct event {
	struct frame f;
	uint16_t cap;
};

enum doing { UNKNOWN, RUNS, COULD_RUN, BLOCKED, IN_C, DONE };

/* Activity of a thread. */
struct did {
	uint64_t from, to;
	uint32_t thread;
	uint16_t cap;
	enum doing what;
};

struct interval {
	uint64_t from, to;
};

struct slow_gc {
	uint64_t asked, start, end;
};

/* A span: of a program's name, or of an id. */
struct slow_span {
	uint64_t start, end, off;
	uint32_t thread, ender;
	struct evl_str name, key;
	int kind;
	bool closed;
};

#define LIST(type)                                                                                                     \
	struct {                                                                                                       \
		type *items;                                                                                           \
		size_t n, room;                                                                                        \
	}
#define ADD(list, ...)                                                                                                 \
	do {                                                                                                           \
		assert_true(GROW((list)->items, (list)->n, (list)->room));                                             \
		(list)->items[(list)->n++] = __VA_ARGS__;                                                              \
	} while (0)

enum { CAPS = 1 << 16, THREADS = 1 << 20, DETAILED = 40 };

struct now {
	uint64_t since;
	enum doing what;
	uint16_t cap;
	bool known;
};

struct slow {
	bool alone; /* the log declares no statistics of collections, and has one capability: it leads them all */
	LIST(struct event) events;
	LIST(struct did) dids;
	LIST(struct slow_gc) gcs;
	LIST(struct slow_span) spans;
	LIST(struct event) markers;
	LIST(struct interval) pauses;
	struct now *threads;
	uint32_t *running;
	uint64_t first, last, strays;
};

static int by_offset(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	return (x->f.off > y->f.off) - (x->f.off < y->f.off);
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	int order = (x->f.t > y->f.t) - (x->f.t < y->f.t);
	return order ? order : by_offset(a, b);
}

static void read_events(struct slow *s, const struct evl_log *log)
{
	s->first = UINT64_MAX;
	for (uint32_t c = 0; c < log->blocks.n_chains; c++) {
		struct cursor cursor;
		const struct block *block;
		struct event e = {.cap = log->blocks.chains[c].cap};
		cursor_begin(&cursor, &log->blocks, &log->blocks.chains[c], UINT64_MAX);
		while (cursor_next(&cursor, &e.f, &block)) {
			s->first = min_u64(s->first, e.f.t);
			s->last = max_u64(s->last, e.f.t);
			if (event_readable(&log->header, &e.f))
				ADD(&s->events, e);
		}
	}
}

/* --- collections: of who posts statistics between start and end ---------------------------------------------------- */

static void find_collections(struct slow *s)
{
	struct state {
		uint64_t asked, start;
		bool is_asked, started, has_stats;
	} *caps = calloc(CAPS, sizeof *caps);
	for (size_t i = 0; i < s->events.n; i++) {
		const struct frame *f = &s->events.items[i].f;
		struct state *c = &caps[s->events.items[i].cap];
		if (f->tag == EVL_REQUEST_SEQ_GC || f->tag == EVL_REQUEST_PAR_GC) {
			c->asked = f->t;
			c->is_asked = true;
		} else if (f->tag == EVL_GC_START && !c->started) {
			c->start = f->t;
			c->started = true;
		} else if (f->tag == EVL_GC_STATS_GHC) {
			c->has_stats = true;
		} else if (f->tag == EVL_GC_END) {
			if (c->started && (c->has_stats || s->alone))
				ADD(&s->gcs,
					(struct slow_gc){c->is_asked && c->asked <= c->start ? c->asked : c->start,
						c->start, f->t});
			c->is_asked = c->is_asked && !c->started && !c->has_stats;
			c->started = c->has_stats = false;
		}
	}
	free(caps);
}

static int by_from(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

/* How much of [from, to) the intervals cover, which may overlap. */
static uint64_t covered(struct interval *items, size_t n, uint64_t from, uint64_t to)
{
	uint64_t sum = 0, at = from;
	for (size_t i = 0; i < n && items[i].from < to; i++) {
		uint64_t a = max_u64(items[i].from, at), b = min_u64(items[i].to, to);
		sum += sub_or_0(b, a);
		at = max_u64(at, b);
	}
	return sum;
}

/* --- threads --------------------------------------------------------------------------------------------------------- */

static struct now *thread_of(struct slow *s, uint32_t id)
{
	struct now *t = &s->threads[id % THREADS];
	if (!t->known)
		*t = (struct now){.since = s->first, .known = true};
	return t;
}

static void turn(struct slow *s, uint32_t id, uint64_t t, enum doing what, uint16_t cap)
{
	struct now *now = thread_of(s, id);
	if (t > now->since)
		ADD(&s->dids, (struct did){now->since, t, id, now->cap, now->what});
	*now = (struct now){t, what, cap, true};
}

static enum doing after_stop(unsigned status)
{
	switch (status) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4:
	case 19: return COULD_RUN;
	case 5: return DONE;
	case 6:
	case 16:
	case 17: return IN_C;
	default: return BLOCKED;
	}
}

static void take_thread_event(struct slow *s, const struct event *e)
{
	const struct frame *f = &e->f;
	uint32_t id = f->payload.len >= 4 ? be32(f->payload.p) : 0, *here = &s->running[e->cap];
	switch (f->tag) {
	case EVL_CREATE_THREAD:
		if (!s->threads[id % THREADS].known)
			s->threads[id % THREADS] = (struct now){f->t, COULD_RUN, 0, true};
		break;
	case EVL_RUN_THREAD:
		if (*here && *here != id)
			turn(s, *here, f->t, UNKNOWN, 0);
		for (int c = 0; c < CAPS; c++)
			if (c != e->cap && s->running[c] == id)
				s->running[c] = 0;
		turn(s, id, f->t, RUNS, e->cap);
		*here = id;
		break;
	case EVL_STOP_THREAD:
		if (*here && *here != id)
			turn(s, *here, f->t, UNKNOWN, 0);
		*here = 0;
		turn(s, id, f->t, after_stop(be16(f->payload.p + 4)), 0);
		break;
	case EVL_THREAD_WAKEUP:
	case EVL_THREAD_RUNNABLE:
		if (thread_of(s, id)->what == BLOCKED || thread_of(s, id)->what == UNKNOWN)
			turn(s, id, f->t, COULD_RUN, 0);
		break;
	default: break;
	}
}

/* --- spans ------------------------------------------------------------------------------------------------------------ */

static bool is_same(struct evl_str a, struct evl_str b) { return a.len == b.len && memcmp(a.p, b.p, a.len) == 0; }

/* The rest of a text after a word. */
static bool after(struct evl_str text, const char *word, struct evl_str *rest)
{
	size_t n = strlen(word);
	if (text.len < n || memcmp(text.p, word, n) != 0)
		return false;
	*rest = (struct evl_str){text.p + n, text.len - n};
	return true;
}

/* 1: a start, -1: an end, 0: no event of a span. */
static int span_event(const struct frame *f, struct slow_span *out)
{
	struct evl_str rest;
	int begins;
	*out = (struct slow_span){.start = f->t, .off = f->off};
	if (f->tag == EVL_USER_BINARY_MSG) {
		begins = after(f->payload, "OT\x03\x01", &rest) ? 1 : after(f->payload, "OT\x03\x02", &rest) ? -1 : 0;
		if (!begins || rest.len < 8)
			return 0;
		out->key = (struct evl_str){rest.p, 8};
		out->name = (struct evl_str){rest.p + 8, rest.len - 8};
		out->kind = 2;
		return begins;
	}
	begins = after(f->payload, "START ", &rest) ? 1 : after(f->payload, "STOP ", &rest) ? -1 : 0;
	if (!begins) {
		out->kind = 1;
		begins = after(f->payload, "GHC:started: ", &rest)   ? 1
			: after(f->payload, "GHC:finished: ", &rest) ? -1
								     : 0;
	}
	if (begins) {
		out->key = out->name = rest;
		return rest.len ? begins : 0;
	}
	begins = after(f->payload, "ot2 begin span ", &rest) ? 1 : after(f->payload, "ot2 end span ", &rest) ? -1 : 0;
	size_t n = 0;
	while (begins && n < rest.len && rest.p[n] >= '0' && rest.p[n] <= '9')
		n++;
	if (!begins || f->tag != EVL_USER_MSG || n == 0 || (n < rest.len && rest.p[n] != ' '))
		return 0;
	out->kind = 3;
	out->key = (struct evl_str){rest.p, n};
	out->name = n < rest.len ? (struct evl_str){rest.p + n + 1, rest.len - n - 1} : EVL_STR("");
	return begins;
}

/* The innermost own one, else the oldest of any thread; -1: none. */
static long open_span(const struct slow *s, const struct slow_span *end, uint32_t thread)
{
	long oldest = -1, own = -1;
	for (size_t i = 0; i < s->spans.n; i++) {
		const struct slow_span *x = &s->spans.items[i];
		if (x->closed || x->kind != end->kind || !is_same(x->key, end->key))
			continue;
		oldest = oldest < 0 ? (long)i : oldest;
		own = end->kind || x->thread == thread ? (long)i : own;
	}
	return own >= 0 ? own : end->kind ? -1 : oldest;
}

static void take_text(struct slow *s, const struct event *e)
{
	struct slow_span span;
	uint32_t thread = s->running[e->cap];
	int begins = span_event(&e->f, &span);
	if (begins > 0) {
		span.thread = thread;
		ADD(&s->spans, span);
	} else if (begins < 0) {
		long at = open_span(s, &span, thread);
		s->strays += at < 0;
		if (at >= 0) {
			s->spans.items[at].closed = true;
			s->spans.items[at].end = e->f.t;
			s->spans.items[at].ender = thread;
		}
	} else if (e->f.tag == EVL_USER_MARKER) {
		ADD(&s->markers, *e);
	}
}

static void read_slowly(struct slow *s, const struct evl_log *log)
{
	*s = (struct slow){.threads = calloc(THREADS, sizeof *s->threads),
		.running = calloc(CAPS, sizeof *s->running),
		.alone = !header_find(&log->header, EVL_GC_STATS_GHC) && log->n_caps == 1};
	read_events(s, log);
	qsort(s->events.items, s->events.n, sizeof *s->events.items, by_offset);
	find_collections(s);
	for (size_t i = 0; i < s->gcs.n; i++)
		ADD(&s->pauses, (struct interval){s->gcs.items[i].asked, s->gcs.items[i].end});
	if (s->pauses.n)
		qsort(s->pauses.items, s->pauses.n, sizeof *s->pauses.items, by_from);
	qsort(s->events.items, s->events.n, sizeof *s->events.items, by_time);
	for (size_t i = 0; i < s->events.n; i++) {
		uint16_t tag = s->events.items[i].f.tag;
		if (tag == EVL_USER_MSG || tag == EVL_USER_MARKER || tag == EVL_USER_BINARY_MSG)
			take_text(s, &s->events.items[i]);
		else
			take_thread_event(s, &s->events.items[i]);
	}
	for (uint32_t id = 0; id < THREADS; id++)
		if (s->threads[id].known)
			turn(s, id, s->last, DONE, 0);
	for (size_t i = 0; i < s->spans.n; i++)
		if (!s->spans.items[i].closed)
			s->spans.items[i].end = s->last;
}

static void free_slow(struct slow *s)
{
	free(s->events.items);
	free(s->dids.items);
	free(s->gcs.items);
	free(s->spans.items);
	free(s->markers.items);
	free(s->pauses.items);
	free(s->threads);
	free(s->running);
}

/* --- comparison ------------------------------------------------------------------------------------------------------- */

static struct span_budget budget_of(const struct slow *s, const struct slow_span *span)
{
	struct span_budget b = {0};
	for (size_t i = 0; i < s->dids.n && span->thread; i++) {
		const struct did *d = &s->dids.items[i];
		uint64_t from = max_u64(d->from, span->start), to = min_u64(d->to, span->end);
		if (d->thread != span->thread || from >= to)
			continue;
		uint64_t paused = covered(s->pauses.items, s->pauses.n, from, to);
		b.run += d->what == RUNS ? to - from : 0;
		b.gc += d->what == COULD_RUN ? paused : 0;
		b.runnable += d->what == COULD_RUN ? to - from - paused : 0;
		b.blocked += d->what == BLOCKED ? to - from : 0;
		b.foreign += d->what == IN_C ? to - from : 0;
	}
	return b;
}

static const struct span *with_offset(const struct span_table *t, uint64_t off)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->items[i].off == off)
			return &t->items[i];
	return NULL;
}

/* How long thread `other` ran, outside of pauses, where the span's thread got to run after waiting for it. */
static uint64_t held_by(const struct slow *s, const struct slow_span *span, uint32_t other)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < s->dids.n; i++) {
		const struct did *wait = &s->dids.items[i], *run = NULL;
		uint64_t from = max_u64(wait->from, span->start);
		if (wait->thread != span->thread || wait->what != COULD_RUN || from >= wait->to
			|| wait->to >= span->end)
			continue;
		for (size_t k = i + 1; k < s->dids.n && !run; k++)
			if (s->dids.items[k].thread == span->thread)
				run = &s->dids.items[k];
		for (size_t k = 0; run && run->what == RUNS && k < s->dids.n; k++) {
			const struct did *d = &s->dids.items[k];
			uint64_t a = max_u64(d->from, from), b = min_u64(d->to, wait->to);
			if (d->thread == other && d->what == RUNS && d->cap == run->cap && a < b)
				sum += b - a - covered(s->pauses.items, s->pauses.n, a, b);
		}
	}
	return sum;
}

static void expect_detail(const struct slow *s, const struct evl_log *log, const struct slow_span *want,
	const struct span *got, const struct span_budget *b)
{
	struct span_detail d;
	uint64_t blocked = 0;
	assert_int_equal(span_detail_make(&d, log, got, NULL), 0);
	assert_memory_equal(&d.parts, b, sizeof *b);
	assert_int_equal(d.unknown, span_budget_unknown(b, got->end - got->start));
	for (size_t i = 0; i < d.blocked.n; i++)
		blocked += d.blocked.items[i].ns;
	assert_int_equal(blocked + d.blocked.more_ns, b->blocked);
	for (size_t i = 0; i < d.holders.n; i++) {
		assert_true(i == 0 || d.holders.items[i].ns <= d.holders.items[i - 1].ns);
		uint64_t ns = 0;
		for (size_t k = 0; k < d.holders.n; k++)
			ns += d.holders.items[k].thread == d.holders.items[i].thread ? d.holders.items[k].ns : 0;
		if (d.holders.n < SPAN_DETAIL_WAITS)
			assert_int_equal(ns, held_by(s, want, d.holders.items[i].thread));
	}
}

static void expect_spans(const struct slow *s, const struct evl_log *log, const char *name)
{
	const struct span_table *t = spans_table(&log->spans);
	struct span_list list = {.of = {.log = log, .to = UINT64_MAX}};
	if (!t) {
		assert_int_equal(s->spans.n, 0);
		return;
	}
	assert_int_equal(span_list_kind.make(&list, true, NULL), 0);
	assert_int_equal(t->n, s->spans.n);
	assert_int_equal(t->strays, s->strays);
	for (size_t i = 0; i < s->spans.n; i++) {
		const struct slow_span *want = &s->spans.items[i];
		const struct span *got = with_offset(t, want->off);
		assert_non_null(got);
		struct span_budget b = budget_of(s, want), *has = &list.budgets.items[got - t->items];
		bool same = got->start == want->start && got->end == want->end && got->unfinished == !want->closed
			&& got->thread == want->thread && got->ended_by == want->ender
			&& got->crossed == (want->closed && want->thread != want->ender)
			&& is_same(spans_name(&log->blocks, got), want->name) && memcmp(&b, has, sizeof b) == 0;
		if (!same)
			fail_msg("%s: span %zu at %llu", name, i, (unsigned long long)want->start);
		if (i % (s->spans.n / DETAILED + 1) == 0)
			expect_detail(s, log, want, got, &b);
	}
	span_list_kind.unmake(&list);
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Sums over the spans of one name. */
static void expect_name(const struct slow *s, const struct span_name *got)
{
	uint64_t *lengths = calloc(s->spans.n + 1, sizeof *lengths), total = 0, n = 0, crossed = 0, closed = 0;
	uint64_t finished = 0, first = UINT64_MAX;
	struct span_budget b = {0};
	for (size_t i = 0; i < s->spans.n; i++) {
		const struct slow_span *x = &s->spans.items[i];
		if (!is_same(x->name, got->name))
			continue;
		struct span_budget own = budget_of(s, x);
		span_budget_add(&b, &own);
		n++;
		total += x->end - x->start;
		crossed += x->closed && x->thread != x->ender;
		if (!x->closed)
			continue;
		finished += lengths[closed++] = x->end - x->start;
		first = x->end - x->start == got->max ? min_u64(first, x->start) : first;
	}
	qsort(lengths, closed, sizeof *lengths, ascending);
	assert_int_equal(got->n, n);
	assert_int_equal(got->unfinished, n - closed);
	assert_int_equal(got->crossed, crossed);
	assert_int_equal(got->total, total);
	assert_memory_equal(&got->budget, &b, sizeof b);
	uint64_t sum = b.run + b.gc + b.runnable + b.blocked + b.foreign;
	assert_true(sum <= total && span_budget_unknown(&got->budget, total) == total - sum);
	if (closed) {
		assert_int_equal(got->max, lengths[closed - 1]);
		assert_int_equal(got->p50, lengths[(closed * 50 + 99) / 100 - 1]);
		assert_int_equal(got->p90, lengths[(closed * 90 + 99) / 100 - 1]);
		assert_int_equal(got->p99, lengths[(closed * 99 + 99) / 100 - 1]);
		assert_int_equal(got->finished, finished);
		assert_int_equal(got->slowest.start, first);
		assert_int_equal(got->slowest.end - got->slowest.start, got->max);
	}
	free(lengths);
}

/* The run time of [from, to) in and out of pauses, and when at least one capability ran. */
static void expect_phase(const struct slow *s, const struct phase *p)
{
	LIST(struct interval) runs = {0}, all = {0}, gcs = {0};
	uint64_t run = 0, busy = 0, gc_n = 0, longest = 0;
	for (size_t i = 0; i < s->dids.n; i++) {
		const struct did *d = &s->dids.items[i];
		uint64_t from = max_u64(d->from, p->from), to = min_u64(d->to, p->to);
		if (d->what != RUNS || from >= to)
			continue;
		ADD(&runs, (struct interval){from, to});
		run += to - from;
		busy += to - from - covered(s->pauses.items, s->pauses.n, from, to);
	}
	for (size_t i = 0; i < s->gcs.n; i++) {
		const struct slow_gc *g = &s->gcs.items[i];
		ADD(&gcs, (struct interval){g->start, g->end});
		bool here = g->start >= p->from && g->start < p->to;
		gc_n += here;
		longest = here ? max_u64(longest, g->end - g->asked) : longest;
	}
	for (size_t i = 0; i < runs.n; i++)
		ADD(&all, runs.items[i]);
	for (size_t i = 0; i < s->pauses.n; i++)
		ADD(&all, s->pauses.items[i]);
	if (gcs.n)
		qsort(gcs.items, gcs.n, sizeof *gcs.items, by_from);
	if (all.n)
		qsort(all.items, all.n, sizeof *all.items, by_from);
	uint64_t paused = covered(s->pauses.items, s->pauses.n, p->from, p->to), ns = p->to - p->from;
	uint64_t gc = covered(gcs.items, gcs.n, p->from, p->to), active = covered(all.items, all.n, p->from, p->to);
	assert_int_equal(p->run, run);
	assert_int_equal(p->busy, busy);
	assert_int_equal(p->gc, gc);
	assert_int_equal(p->sync, paused - gc);
	assert_int_equal(p->idle, ns - active);
	assert_int_equal(p->mutator, active - paused);
	assert_int_equal(p->gc_n, gc_n);
	assert_int_equal(p->max_pause, longest);
	free(runs.items);
	free(all.items);
	free(gcs.items);
}

static void expect_phases(const struct slow *s, const struct evl_log *log, const struct phases *got)
{
	size_t at = 0;
	uint64_t empty = 0;
	for (size_t i = 0; i <= s->markers.n && s->markers.n; i++) {
		uint64_t from = i ? s->markers.items[i - 1].f.t : s->first;
		uint64_t to = i < s->markers.n ? s->markers.items[i].f.t : s->last;
		if (from == to) {
			empty++;
			continue;
		}
		assert_true(at < got->n);
		const struct phase *p = &got->items[at++];
		assert_int_equal(p->from, from);
		assert_int_equal(p->to, to);
		assert_int_equal(p->marker != 0, i > 0);
		if (i)
			assert_true(is_same(phase_name(log, p), s->markers.items[i - 1].f.payload));
		expect_phase(s, p);
	}
	assert_int_equal(at, got->n);
	assert_int_equal(empty, got->others);
}

/* The time that all spans of a name cover. */
static void expect_windows(const struct slow *s, const struct evl_log *log, struct evl_str name)
{
	enum { LOOKED_AT = 40 };
	LIST(struct interval) spans = {0};
	struct span_windows w;
	uint64_t ns = 0, gcs = 0, paused = 0;
	for (size_t i = 0; i < s->spans.n; i++) {
		const struct slow_span *x = &s->spans.items[i];
		if (!is_same(x->name, name))
			continue;
		ADD(&spans, (struct interval){x->start, x->end});
		ns += x->end - x->start;
	}
	qsort(spans.items, spans.n, sizeof *spans.items, by_from);
	assert_int_equal(span_windows_make(&w, log, idmap_key(name), 0, UINT64_MAX, NULL), 0);
	assert_int_equal(w.spans, spans.n);
	assert_int_equal(w.spans_ns, ns);
	assert_int_equal(w.covered, covered(spans.items, spans.n, 0, UINT64_MAX));
	for (size_t i = 0; i < w.windows.n; i++) {
		const struct phase *p = &w.windows.items[i];
		assert_true(i == 0 || p->from > w.windows.items[i - 1].to);
		assert_int_equal(covered(spans.items, spans.n, p->from, p->to), p->to - p->from);
		if (i % (w.windows.n / LOOKED_AT + 1) == 0)
			expect_phase(s, p);
	}
	for (size_t i = 0; i < s->gcs.n; i++) {
		const struct slow_gc *g = &s->gcs.items[i];
		bool in = covered(spans.items, spans.n, g->start, g->start + 1) > 0;
		gcs += in;
		paused += in ? g->end - g->asked : 0;
	}
	assert_int_equal(w.pauses.n, gcs);
	assert_int_equal(w.pauses.total, paused);
	assert_int_equal(w.sum.mutator + w.sum.gc + w.sum.sync + w.sum.idle, w.covered);
	span_windows_free(&w);
	free(spans.items);
}

static void compare_log(const struct evl_log *log, const char *name)
{
	struct slow s;
	struct figures f;
	read_slowly(&s, log);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = 0, .to = UINT64_MAX, .deep = true}), 0);
	expect_spans(&s, log, name);
	for (size_t i = 0; i < f.spans.n; i++)
		expect_name(&s, &f.spans.items[i]);
	expect_phases(&s, log, &f.phases);
	for (size_t i = 0; i < f.spans.n && i < 4 && !f.span_labels.n; i++)
		expect_windows(&s, log, f.spans.items[i].name);
	figures_free(&f);
	free_slow(&s);
}

static void real_logs(void **state)
{
	glob_t logs;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &logs), 0);
	for (size_t i = 0; i < logs.gl_pathc; i++) {
		struct evl_log *log;
		uint64_t first, last;
		if (evl_open(&log, logs.gl_pathv[i], NULL) < 0)
			continue;
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		if (evl_range(log, &first, &last))
			compare_log(log, logs.gl_pathv[i]);
		evl_close(log);
	}
	assert_true(logs.gl_pathc > 20);
	globfree(&logs);
}

static void say(struct built *b, uint64_t t, uint16_t tag, const char *text) { put(b, t, tag, "s", text); }

/* The number of an instance tells spans apart; together they are spans of the label. */
/* Thread 7 yields to thread 8, gets back to run after a collection, and waits for an MVar that thread 9 fills. */
static void one_in_detail(void **state)
{
	struct built b = log_begin();
	struct span_detail d;
	(void)state;
	block_begin(&b, 0, 1);
	put_run(&b, 5, 7);
	say(&b, 10, EVL_USER_MSG, "START job");
	put_stop(&b, 20, 7, 3);
	put_run(&b, 22, 8);
	put_stop(&b, 40, 8, 3);
	put_gc(&b, 41, 43, 46, 0);
	put_run(&b, 50, 7);
	put_stop(&b, 60, 7, 7);
	put_run(&b, 61, 9);
	put(&b, 70, EVL_THREAD_WAKEUP, "42", 7u, 0u);
	put_stop(&b, 75, 9, 3);
	put_run(&b, 76, 7);
	say(&b, 90, EVL_USER_MSG, "STOP job");
	put_stop(&b, 95, 7, 5);
	block_end(&b, 100);
	block_begin(&b, 1, 1);
	put_run(&b, 15, 5);
	put_stop(&b, 95, 5, 5);
	block_end(&b, 100);
	struct evl_log *log = walked(&b);
	assert_int_equal(span_detail_make(&d, log, &spans_table(&log->spans)->items[0], NULL), 0);
	assert_int_equal(d.parts.run, 10 + 10 + 14);
	assert_int_equal(d.parts.gc, 5);
	assert_int_equal(d.parts.runnable, 30 - 5 + 6);
	assert_int_equal(d.parts.blocked, 10);
	assert_int_equal(d.unknown, 0);
	assert_int_equal(d.blocked.n, 1);
	assert_int_equal(d.blocked.items[0].thread, 9);
	assert_int_equal(d.blocked.items[0].reason, 7);
	assert_int_equal(d.holders.n, 2); /* not thread 5, which ran elsewhere */
	assert_int_equal(d.holders.items[0].thread, 8);
	assert_int_equal(d.holders.items[0].ns, 18);
	assert_int_equal(d.holders.items[1].thread, 9);
	assert_int_equal(d.holders.items[1].ns, 5);
	done(log, &b);
}

static void numbered_instances(void **state)
{
	struct built b = log_begin();
	struct figures f;
	(void)state;
	block_begin(&b, 0, 1);
	put_run(&b, 5, 7);
	say(&b, 10, EVL_USER_MSG, "START 0 job");
	say(&b, 20, EVL_USER_MSG, "START 1 job");
	say(&b, 30, EVL_USER_MSG, "STOP 0 job");
	put_stop(&b, 35, 7, 7);
	put_run(&b, 45, 7);
	say(&b, 60, EVL_USER_MSG, "STOP 1 job");
	put_stop(&b, 65, 7, 5);
	block_end(&b, 70);
	struct evl_log *log = walked(&b);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = 0, .to = UINT64_MAX, .deep = true}), 0);
	assert_int_equal(f.spans.n, 2);
	assert_int_equal(f.span_labels.n, 1);
	const struct span_name *job = &f.span_labels.items[0];
	assert_true(is_same(job->name, EVL_STR("job")) && is_same(f.spans.items[0].name, EVL_STR("1 job")));
	assert_int_equal(job->n, 2);
	assert_int_equal(job->total, 20 + 40);
	assert_int_equal(job->max, 40);
	assert_int_equal(job->budget.run, 20 + 30);
	assert_int_equal(job->budget.blocked, 10);
	assert_int_equal(span_budget_unknown(&job->budget, job->total), 0);
	figures_free(&f);
	done(log, &b);
}

/* In a range the phases are clipped, and the first has the name of the marker before it. Markers of spans are none; two
 * markers at one time leave the last. */
static void phases_of_a_range(void **state)
{
	struct built b = log_begin();
	struct phases p;
	(void)state;
	block_begin(&b, 0, 1);
	put_run(&b, 5, 7);
	say(&b, 10, EVL_USER_MARKER, "one");
	say(&b, 20, EVL_USER_MARKER, "START span");
	say(&b, 30, EVL_USER_MARKER, "empty");
	say(&b, 30, EVL_USER_MARKER, "two");
	put_stop(&b, 65, 7, 5);
	block_end(&b, 70);
	struct evl_log *log = walked(&b);
	assert_int_equal(phases_make(&p, log, 0, UINT64_MAX, NULL), 0);
	assert_int_equal(p.n, 3);
	assert_int_equal(p.others, 1);
	assert_true(!phase_name(log, &p.items[0]).p && is_same(phase_name(log, &p.items[2]), EVL_STR("two")));
	phases_free(&p);
	assert_int_equal(phases_make(&p, log, 15, 40, NULL), 0);
	assert_int_equal(p.n, 2);
	assert_true(is_same(phase_name(log, &p.items[0]), EVL_STR("one")));
	assert_int_equal(p.items[0].from, 15);
	assert_int_equal(p.items[0].run, 15);
	assert_int_equal(p.items[1].to, 40);
	assert_int_equal(p.items[1].mutator, 10);
	assert_true(fabs(phase_caps_busy(&p.items[1]) - 1) < 1e-9);
	phases_free(&p);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(real_logs), cmocka_unit_test(one_in_detail),
		cmocka_unit_test(numbered_instances), cmocka_unit_test(phases_of_a_range)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
