/* Delays of collections, against every run of every capability, one by one: on all real logs. */
#include "logs.h"
#include "report/figures.h"
#include "show/event_merge.h"

#include <glob.h>

/* A run of a thread, as RUN_THREAD and STOP_THREAD of one capability tell in the order of time. */
struct run {
	uint64_t from, to;
	uint32_t thread;
	uint16_t cap;
	bool open;
};

struct runs {
	struct run *items;
	size_t n, room;
};

static void end_run(struct runs *r, uint16_t cap, uint64_t t)
{
	for (size_t i = r->n; i-- > 0;)
		if (r->items[i].cap == cap) {
			r->items[i].to = r->items[i].open ? t : r->items[i].to;
			r->items[i].open = false;
			return;
		}
}

static struct runs runs_of(const struct evl_log *log)
{
	struct runs r = {0};
	struct event_merge m;
	struct frame f;
	const struct block *block;
	uint64_t last = 0;
	assert_int_equal(event_merge_begin(&m, &log->blocks, &MERGE_ALL), 0);
	while (event_merge_next(&m, &f, &block)) {
		last = f.t;
		if (f.tag == EVL_RUN_THREAD || f.tag == EVL_STOP_THREAD || f.tag == EVL_GC_START)
			end_run(&r, log->blocks.chains[block->chain].cap, f.t);
		if (f.tag != EVL_RUN_THREAD)
			continue;
		assert_true(GROW(r.items, r.n, r.room));
		r.items[r.n++] = (struct run){.from = f.t,
			.thread = be32(f.payload.p),
			.cap = log->blocks.chains[block->chain].cap,
			.open = true};
	}
	event_merge_end(&m);
	for (size_t i = 0; i < r.n; i++)
		if (r.items[i].open)
			r.items[i].to = last;
	return r;
}

/* L, and the run that it is of. */
static uint64_t late_of(const struct runs *r, const struct gc_row *gc, const struct run **who)
{
	uint64_t late = 0;
	*who = NULL;
	for (size_t i = 0; i < r->n; i++) {
		const struct run *run = &r->items[i];
		uint64_t end = run->to < gc->start ? run->to : gc->start;
		if (run->cap == gc->cap || run->from >= gc->start || end <= gc_requested(gc)
			|| end - gc_requested(gc) <= late)
			continue;
		late = end - gc_requested(gc);
		*who = run;
	}
	return late;
}

struct sums {
	uint64_t thread_ns, wakeup_ns, n_rests, rests_ns;
};

/* Look at each collection that starts in [from, to). */
static struct sums check_each(
	const struct evl_log *log, const struct runs *r, uint64_t from, uint64_t to, size_t *named)
{
	struct sums s = {0};
	for (size_t c = 0; c < log->gcs.n; c++)
		for (size_t i = 0; i < rows_count(&log->gcs.tables[c].rows); i++) {
			const struct gc_row *gc = rows_at(&log->gcs.tables[c].rows, i);
			const struct run *who;
			struct gc_late late;
			if (gc->start < from || gc->start >= to || !gc->sync)
				continue;
			uint64_t wanted = late_of(r, gc, &who), rest = gc->sync - wanted;
			gc_late(log, gc, &late);
			assert_int_equal(late.run.late, wanted);
			assert_int_equal(late.rest, rest);
			assert_int_equal(late.by_thread, wanted && 2 * wanted >= gc->sync);
			if (late.by_thread) {
				assert_int_equal(late.run.thread, who->thread);
				assert_int_equal(late.run.cap, who->cap);
				++*named;
			}
			s.thread_ns += wanted;
			s.wakeup_ns += rest;
			s.n_rests += rest > 1000000;
			s.rests_ns += rest > 1000000 ? rest : 0;
		}
	return s;
}

static void check_sums(const struct evl_log *log, const struct runs *r, uint64_t from, uint64_t to, size_t *named)
{
	struct figures f;
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.from = from, .to = to}), 0);
	struct sums s = check_each(log, r, f.from, f.until, named);
	assert_int_equal(f.sync.thread_ns, s.thread_ns);
	assert_int_equal(f.sync.wakeup_ns, s.wakeup_ns);
	assert_int_equal(f.sync.n_rests, s.n_rests);
	assert_int_equal(f.sync.rests_ns, s.rests_ns);
	figures_free(&f);
}

static void as_every_run_tells(void **state)
{
	glob_t paths;
	size_t named = 0;
	(void)state;
	assert_int_equal(glob("tests/logs/*.eventlog", 0, NULL, &paths), 0);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		struct evl_log *log;
		uint64_t first, last;
		assert_int_equal(evl_open(&log, paths.gl_pathv[i], NULL), 0);
		assert_int_equal(evl_start(log, NULL, NULL), 0);
		assert_int_equal(evl_wait(log), 0);
		if (evl_range(log, &first, &last) && log->event_counts.tags.n[EVL_GC_START]) {
			struct runs r = runs_of(log);
			check_sums(log, &r, 0, UINT64_MAX, &named);
			check_sums(log, &r, first + (last - first) / 3, first + (last - first) / 2, &named);
			free(r.items);
		}
		evl_close(log);
	}
	globfree(&paths);
	assert_true(named > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_every_run_tells)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
