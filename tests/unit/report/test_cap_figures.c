/* How each capability spent its time, against the events of all capabilities, interval by interval. */
#include "base/idmap.h"
#include "cap_events.h"
#include "report/figures.h"
#include "slow_gcs.h"

#include <glob.h>

/* From `from` on a capability runs a thread, is in a collection (and waits in it, or has not begun), or neither. */
struct state {
	uint64_t from, since;
	enum { NEITHER, RUNS, COLLECTS } is;
	bool waits, stands_by; /* stands_by: between GC_START and GC_WORK */
};

struct own {
	struct state *items;
	size_t n, room;
};

static void add(struct own *o, struct state s)
{
	assert_true(GROW(o->items, o->n, o->room));
	if (o->n && s.from < o->items[o->n - 1].from)
		s.from = o->items[o->n - 1].from;
	o->items[o->n++] = s;
}

/* When the thread of the last run of a capability, which has no end, runs elsewhere. */
static uint64_t moved(const struct slow *s, const struct state *run, uint32_t thread)
{
	uint64_t first = UINT64_MAX;
	for (size_t i = 0; i < s->n; i++) {
		const struct frame *f = &s->events[i].f;
		if (s->events[i].cap >= 0 && f->tag == EVL_RUN_THREAD && be32(f->payload.p) == thread
			&& f->t > run->from)
			first = min_u64(first, f->t);
	}
	return first;
}

/* The events of one capability in file order; slow_pauses has sorted them so. works: the log has GC_WORK. */
static struct own states_of(const struct slow *s, uint16_t cap, bool works)
{
	struct own o = {0};
	uint32_t thread = 0;
	add(&o, (struct state){0});
	for (size_t i = 0; i < s->n; i++) {
		const struct frame *f = &s->events[i].f;
		struct state now = o.items[o.n - 1];
		bool phase = f->tag >= EVL_GC_IDLE && f->tag <= EVL_GC_DONE;
		if (s->events[i].cap != cap)
			continue;
		if (f->tag == EVL_RUN_THREAD) {
			thread = be32(f->payload.p);
			add(&o, (struct state){f->t, f->t, RUNS, false, false});
		} else if (f->tag == EVL_STOP_THREAD && now.is == RUNS) {
			add(&o, (struct state){f->t, f->t, NEITHER, false, false});
		} else if (f->tag == EVL_GC_END && now.is == COLLECTS) {
			add(&o, (struct state){f->t, f->t, NEITHER, false, false});
		} else if (f->tag == EVL_GC_START || phase) {
			bool waits = f->tag == EVL_GC_IDLE || f->tag == EVL_GC_DONE;
			add(&o,
				(struct state){f->t, now.is == COLLECTS ? now.since : f->t, COLLECTS, waits,
					works && f->tag == EVL_GC_START});
		}
	}
	uint64_t end = moved(s, &o.items[o.n - 1], thread);
	if (o.items[o.n - 1].is == RUNS && end < UINT64_MAX)
		add(&o, (struct state){end, end, NEITHER, false, false});
	return o;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static bool is_off(const struct evl_log *log, uint16_t cap, uint64_t t) { return cap_events_off(log, cap, t, t + 1); }

/* All of its time in [a, b), in which nothing changes. */
static void put_time(struct cap_figures *out, const struct evl_log *log, const struct pauses *p,
	const struct state *now, uint64_t a, uint64_t b)
{
	bool sync = false, collection = false, over = false, led = false;
	uint64_t ns = b - a;
	for (size_t i = 0; i < p->n_gcs; i++) {
		const struct slow_gc *g = &p->gcs[i];
		collection = collection || (a >= g->start && a < g->end);
		led = led || (a >= g->start && a < g->end && g->cap == out->cap);
		sync = sync || (a >= g->request && a < g->start);
		over = over || (g->end <= a && g->end > now->since);
	}
	bool takes_part = now->is == COLLECTS && (collection || !over);
	if (now->is == RUNS)
		out->run += ns;
	else if (sync && !collection)
		out->sync += ns;
	else if (takes_part)
		out->gc += ns;
	else if (collection)
		out->stopped += ns;
	else if (is_off(log, out->cap, a))
		out->off += ns;
	else
		out->idle += ns;
	if (takes_part && !(sync && !collection) && (now->waits || (now->stands_by && collection && !led)))
		out->gc_wait += ns;
}

static struct cap_figures slowly(
	const struct evl_log *log, struct slow *s, const struct pauses *p, uint16_t cap, uint64_t from, uint64_t to)
{
	struct cap_figures out = {.cap = cap, .absent = cap_events_off(log, cap, from, to)};
	struct own o = states_of(s, cap, header_find(&log->header, EVL_GC_WORK));
	uint64_t *edges = calloc(o.n + 3 * p->n_gcs + s->n + 2, sizeof *edges);
	size_t n = 0, at = 0;
	assert_non_null(edges);
	for (size_t i = 0; i < o.n; i++)
		edges[n++] = o.items[i].from;
	for (size_t i = 0; i < p->n_gcs; i++) {
		edges[n++] = p->gcs[i].request;
		edges[n++] = p->gcs[i].start;
		edges[n++] = p->gcs[i].end;
	}
	struct cap_events e = {.log = log, .cap = cap};
	for (struct frame f; cap_events_next(&e, &f);)
		edges[n++] = f.t;
	edges[n++] = from;
	edges[n++] = to;
	qsort(edges, n, sizeof *edges, by_value);
	for (size_t i = 0; i + 1 < n; i++) {
		uint64_t a = edges[i], b = edges[i + 1];
		while (at + 1 < o.n && o.items[at + 1].from <= a)
			at++;
		if (a < b && a >= from && b <= to)
			put_time(&out, log, p, &o.items[at], a, b);
	}
	free(edges);
	free(o.items);
	return out;
}

#define EQUAL(member)                                                                                                  \
	if (got->member != want->member)                                                                               \
	fail_msg("%s, cap %u, [%llu, %llu): " #member " is %llu, not %llu", name, got->cap,                            \
		(unsigned long long)f.from, (unsigned long long)f.to, (unsigned long long)got->member,                 \
		(unsigned long long)want->member)

/* The sum over all windows. */
static struct cap_figures over(
	const struct evl_log *log, struct slow *s, const struct pauses *p, uint16_t cap, const struct figures *f)
{
	struct cap_figures sum = {.cap = cap};
	for (size_t i = 0; i < figures_n_windows(f); i++) {
		const struct time_window w = figures_window(f, i);
		const struct cap_figures one = slowly(log, s, p, cap, w.from, min_u64(w.to, f->to));
		sum.run += one.run;
		sum.gc += one.gc;
		sum.gc_wait += one.gc_wait;
		sum.sync += one.sync;
		sum.stopped += one.stopped;
		sum.idle += one.idle;
		sum.off += one.off;
		sum.absent += one.absent;
	}
	return sum;
}

static void compare(const char *name, const struct evl_log *log, struct slow *s, const struct pauses *p,
	const struct figures_ask *ask)
{
	struct figures f;
	assert_int_equal(figures_make(&f, log, ask), 0);
	for (size_t i = 0; i < f.n_caps && f.has_gc && f.to > f.from; i++) {
		const struct cap_figures is = over(log, s, p, f.caps[i].cap, &f), *want = &is, *got = &f.caps[i];
		assert_true(got->exact || !ask->deep);
		assert_int_equal(
			got->run + got->gc + got->sync + got->stopped + got->idle + got->off, figures_total(&f));
		EQUAL(run);
		EQUAL(absent);
		if (!got->exact) {
			assert_true(got->gc >= want->gc && got->idle >= want->idle && got->gc_wait <= want->gc_wait);
			assert_true(got->sync <= want->sync && got->stopped <= want->stopped && got->off <= want->off);
			continue;
		}
		EQUAL(gc);
		EQUAL(gc_wait);
		EQUAL(sync);
		EQUAL(stopped);
		EQUAL(idle);
		EQUAL(off);
		if (figures_idle(&f)) /* by the states of its threads */
			assert_int_equal(figures_idle(&f)[i].ns, got->idle);
	}
	figures_free(&f);
}

static void real_logs(void **state)
{
	enum { MOST = 1 << 14 }; /* collections times capabilities: it is quadratic */
	glob_t found;
	size_t compared = 0, spans = 0;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		static struct slow s;
		struct evl_log *log = walked_file(found.gl_pathv[i]);
		memset(&s, 0, sizeof s);
		read_events(&s, log);
		struct pauses p = slow_pauses(&s, log);
		if (s.n && p.n_gcs * log->n_caps < MOST) {
			uint64_t third = (s.last - s.first) / 3;
			struct figures_ask asks[] = {{.to = UINT64_MAX, .deep = true}, {.to = UINT64_MAX},
				{.from = s.first + third, .to = s.last - third, .deep = true}};
			for (size_t k = 0; k < countof(asks); k++)
				compare(found.gl_pathv[i], log, &s, &p, &asks[k]);
			const struct span_table *t = spans_table(&log->spans);
			for (size_t k = 0; t && k < t->n; k += 1 + t->n / 5, spans++)
				compare(found.gl_pathv[i], log, &s, &p,
					&(struct figures_ask){.to = UINT64_MAX,
						.label = idmap_key(spans_name(&log->blocks, &t->items[k]))});
			compared++;
		}
		slow_pauses_free(&p);
		free(s.events);
		evl_close(log);
	}
	assert_true(compared > 40 && spans > 10);
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_logs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
