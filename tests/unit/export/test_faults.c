/* Failing allocations and thread creations: at every place once, and from every place on. The result is an error
 * with a text, or a smaller answer; nothing crashes or leaks. (Disks: test_faults_files.c.) */
#include "everything.h"

#include "export/export.h"
#include "for_every.h"
#include "gate/check.h"
#include "heap/census_roots.h"
#include "heap/census_tree.h"
#include "heap/census_window.h"
#include "index/event_rank.h"
#include "log/growing.h"
#include "prof/prof_tree.h"
#include "prof/prof_window.h"
#include "query/census_label.h"
#include "report/diff.h"
#include "report/figures.h"
#include "report/stats_json.h"
#include "rows/rows.h"
#include "sched/spark_sizes.h"
#include "show/event_filter.h"
#include "show/event_merge.h"
#include "show/show.h"
#include "table/gc_table.h"
#include "table/lists.h"
#include "table/thread_table.h"

#include <stdio.h>
#include <stdlib.h>

static struct built b;

static int build(void **state)
{
	(void)state;
	b = everything(6);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	free(b.data);
	return 0;
}

/* The log, read to its end; NULL where that failed. */
static struct evl_log *read_log(void)
{
	struct evl_log *log;
	struct evl_err err = {0};
	int result = evl_open_memory(&log, b.data, b.len, &err);
	if (result < 0) {
		assert_int_equal(result, EVL_NOMEM);
		assert_true(err.text[0]);
		return NULL;
	}
	result = evl_start(log, NULL, NULL);
	result = result < 0 ? result : evl_wait(log);
	if (result == 0)
		return log;
	assert_int_equal(result, EVL_NOMEM);
	evl_close(log);
	return NULL;
}

static void read_and_close(void)
{
	struct evl_log *log = read_log();
	if (log)
		evl_close(log);
}

static void reading(void **state)
{
	(void)state;
	assert_true(for_every(FAULT_MEMORY, read_and_close) > 50);
	assert_int_equal(for_every(FAULT_THREAD, read_and_close), 1);
}

/* --- a log that grows --- */

enum { SNAPSHOTS = 3 };
static uint64_t events_of[SNAPSHOTS + 1];

/* The first bytes of the log: all of their events, or an error. */
static void read_snapshot(struct growing *g, int i)
{
	struct evl_log *log;
	struct evl_err err;
	if (evl_open_memory(&log, b.data, b.len * (size_t)i / SNAPSHOTS, &err) < 0)
		return;
	if (g)
		growing_use(g, log);
	int result = evl_start(log, NULL, NULL);
	result = result < 0 ? result : evl_wait(log);
	if (!g)
		events_of[i] = evl_progress(log).events;
	else if (result == 0)
		assert_int_equal(evl_progress(log).events, events_of[i]);
	else
		assert_int_equal(result, EVL_NOMEM);
	evl_close(log);
}

static void read_growing(void)
{
	struct growing *g = growing_new();
	for (int i = 1; g && i <= SNAPSHOTS; i++)
		read_snapshot(g, i);
	growing_free(g);
}

static void growing(void **state)
{
	(void)state;
	for (int i = 1; i <= SNAPSHOTS; i++)
		read_snapshot(NULL, i);
	assert_true(for_every(FAULT_MEMORY, read_growing) > 200);
	for_every(FAULT_THREAD, read_growing);
}

/* Of a sound log: its settled part is walked first. Before the other one: a place that has failed does not fail again. */
static void growing_sound(void **state)
{
	enum { ROOM = 1 << 20 };
	struct built all = b;
	FILE *f = fopen("tests/logs/9.10.3-capdance-N4.eventlog", "rb");
	assert_non_null(f);
	b = (struct built){.data = malloc(ROOM)};
	assert_non_null(b.data);
	b.len = fread(b.data, 1, ROOM, f);
	fclose(f);
	assert_true(b.len > 0 && b.len < ROOM);
	growing(state);
	free(b.data);
	b = all;
}

/* --- answers of a log that was read before --- */

static struct evl_log *log_;

static bool count_bytes(void *ctx, const char *bytes, size_t len)
{
	(void)bytes;
	*(size_t *)ctx += len;
	return true;
}

static void show_it(void)
{
	size_t n = 0;
	for (int json = 0; json < 2; json++) {
		struct show_options options = {.json = json, .want = MERGE_ALL};
		int result = show(&log_->header, log_->source.data, log_->source.len, &options, count_bytes, &n);
		assert_true(result == 0 || result == EVL_NOMEM);
	}
}

static void count_it(void)
{
	struct run_stats stats;
	struct figures f[2];
	struct findings findings;
	struct diff_spans spans;
	struct blocked_list blocked = {.of = {.log = log_, .to = UINT64_MAX}};
	struct buf out = {0};
	int result = evl_stats(log_, 100, 5000, NULL, &stats);
	assert_true(result == 0 || result == EVL_NOMEM);
	result = figures_make(&f[0], log_, &(struct figures_ask){.to = UINT64_MAX, .deep = true});
	assert_true(result == 0 || result == EVL_NOMEM);
	if (result < 0)
		return;
	findings_make(&findings, log_, &f[0]);
	stats_json(log_, &f[0], &findings, &out);
	buf_free(&out);
	f[1] = f[0];
	result = diff_spans_make(&spans, f, false);
	assert_true(result == 0 || result == EVL_NOMEM);
	diff_spans_free(&spans);
	figures_free(&f[0]);
	result = blocked_list_kind.make(&blocked, false, NULL);
	assert_true(result == 0 || result == EVL_NOMEM);
	blocked_list_kind.unmake(&blocked);
}

static void follow_it(void)
{
	struct path p;
	struct buf out = {0};
	for (uint32_t thread = 0; thread < 4; thread++) {
		int result = path_make(&p, log_, &(struct path_ask){.to = UINT64_MAX, .thread = thread}, NULL);
		assert_true(result == 0 || result == EVL_NOMEM);
		if (result < 0)
			continue;
		uint64_t sum = 0;
		for (int part = 0; part < PATH_PART_COUNT; part++)
			sum += p.ns[part];
		assert_true(!p.found || sum == p.to - p.from);
		path_json(log_, &p, &out);
		path_free(&p);
	}
	buf_free(&out);
}

static void number_it(void)
{
	struct event_rank o;
	event_rank_key key;
	struct event_rank_walk w;
	struct event_rank_list list = {0};
	if (event_rank_init(&o, &log_->blocks, log_->tiles) < 0)
		return;
	for (uint64_t n = 0; n < o.total; n += 7)
		if (event_rank_at(&o, n, &key))
			assert_int_equal(event_rank_before(&o, key), n);
	event_rank_walk_begin(&w, &o, 0, true);
	while (event_rank_walk_next(&w, &list))
		;
	event_rank_list_free(&list);
	event_rank_free(&o);
}

static void filter_it(void)
{
	static const struct time_expr when = {.last = 10000};
	static const char *const lines[] = {"GC_* !cap:1", "text~wor+k", "thread:3 t>5ns"};
	struct event_filter f;
	struct evl_err err;
	for (size_t i = 0; i < countof(lines); i++)
		if (event_filter_init(&f, lines[i], &when, &err) == 0)
			event_filter_free(&f);
}

/* All formats, all tables: whole, or a code. */
static void export_as(const struct export_format *format, const char *table, size_t *whole)
{
	size_t bytes = 0;
	struct export x = {.log = log_, .to = UINT64_MAX, .table = table, .put = count_bytes, .ctx = &bytes};
	int result = export_run(format, &x);
	assert_true(result == 0 || result == EVL_NOMEM);
	if (result == 0 && *whole && bytes != *whole)
		fail_msg("fault %llu (%s): %s %s has %zu bytes of %zu, and no word of it",
			(unsigned long long)faults.at, faults.last, format->name, table ? table : "", bytes, *whole);
	*whole = result == 0 ? bytes : *whole;
}

static void export_it(void)
{
	enum { MOST = 64 };
	static size_t whole[MOST];
	static const char *const tables[] = {
#define LISTED(name, help) #name,
#include "rows/rows.def"
	};
	size_t n, at = 0;
	const struct export_format *all = export_formats(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; all[i].wants != TO_FILE && k < (all[i].wants == TABLE ? countof(tables) : 1);
			k++, at++)
			export_as(&all[i], all[i].wants == TABLE ? tables[k] : NULL, &whole[at]);
	assert_true(at <= MOST);
}

/* The heap pane: breakdowns, curves, a tree, roots. */
static void heap_it(void)
{
	struct census_survey s;
	struct census_window w;
	struct census_values v = {0};
	struct census_tree tree;
	struct census_run run = {.census = &log_->census, .blocks = &log_->blocks};
	if (census_survey(&s, &run) < 0)
		return;
	assert_int_equal(s.n, 6);
	assert_int_equal(bands_count(&s.bands), 2);
	struct census_axis axis = {.census = &log_->census, .samples = s.samples, .n = s.n, .first = 1, .last = 6000};
	if (census_window(&w, &s, &axis, 0, s.n, &run) == 0)
		census_window_free(&w);
	if (census_values_read(&v, &s.bands, &log_->census, &log_->blocks, s.samples[0], 0, NULL) == 0
		&& census_tree(&tree, &v, &s.bands) == 0)
		census_tree_free(&tree);
	census_values_free(&v);
	if (census_group_as(&s, log_, "/^/all /", &run) == 0)
		assert_non_null(s.bands.members);
	else
		assert_int_equal(bands_count(&s.bands), 2);
	if (census_values_read(&v, &s.bands, &log_->census, &log_->blocks, s.samples[0], 0, NULL) == 0)
		assert_int_equal(v.total, s.totals[0]);
	census_values_free(&v);
	census_survey_free(&s);
}

static void tree_it(const struct prof_names *names, const struct prof_window *w)
{
	struct prof_tree t;
	for (int shape = PROF_TREE; shape <= PROF_CALLEES; shape++) {
		if (prof_tree_make(&t, (enum prof_shape)shape, &evl_profile(log_)->stacks, names, w->self, 1) < 0)
			continue;
		int result = prof_tree_sort(&t, names, PROF_BY_NAME);
		assert_true(result == 0 || result == EVL_NOMEM);
		prof_tree_free(&t);
	}
}

/* That of the time profile. */
static void prof_it(void)
{
	struct prof_names names;
	struct prof_window w;
	struct prof_naming naming = evl_naming(log_);
	if (prof_names_make(&names, evl_profile(log_), &naming) < 0)
		return;
	if (prof_window_make(&w, evl_profile(log_), &log_->blocks, 0, UINT64_MAX, 50, -1, NULL) == 0) {
		tree_it(&names, &w);
		prof_window_free(&w);
	}
	prof_names_free(&names);
}

/* Two runs next to each other, and bounds. */
static void compare_it(void)
{
	struct prof_centres side;
	struct prof_diff d;
	struct difference *all = malloc(sizeof *all);
	struct spark_sizes sizes;
	const struct diff_side sides[2] = {{.log = log_, .to = UINT64_MAX}, {.log = log_, .from = 100, .to = 5000}};
	struct prof_naming naming = evl_naming(log_);
	struct check c;
	struct evl_err err;
	assert_int_equal(check_parse(&c, "spans.work.p99>20ms", false, &err), 0);
	if (prof_centres_make(&side, evl_profile(log_), &naming, 0, UINT64_MAX, false, NULL) < 0) {
		free(all);
		return;
	}
	if (prof_diff(&d, &side, &side) == 0)
		prof_diff_free(&d);
	prof_centres_free(&side);
	int result = spark_sizes_make(&sizes, &log_->blocks, log_->cap_chains, log_->n_caps, 0, UINT64_MAX, NULL);
	assert_true(result == 0 || result == EVL_NOMEM);
	result = all ? difference_make(all, sides, 0, true, NULL) : EVL_NOMEM;
	assert_true(result == 0 || result == EVL_NOMEM);
	if (result == 0)
		difference_free(all);
	free(all);
}

/* In the order of a column, those that hold a word. */
static void rows_of(const struct table_kind *kind, void *ctx, uint64_t *refs, size_t n)
{
	struct table_rows rows;
	struct filter filter;
	struct table_order order = {.column = 1, .filter = &filter};
	struct evl_err err;
	int result = table_filter_parse(&filter, kind, "r or (r !x)", &err);
	assert_true(result == 0 || result == EVL_NOMEM);
	result = table_rows_make(&rows, kind, ctx, refs, n, &order, NULL);
	filter_free(&filter);
	assert_true(result == 0 || result == EVL_NOMEM);
	if (result == 0)
		table_rows_free(&rows);
}

/* The tables of collections and of threads. */
static void list_it(void)
{
	uint64_t *refs;
	size_t n;
	struct thread_table t = {.of = {.log = log_, .to = UINT64_MAX}};
	if (gc_table_refs(log_, 0, UINT64_MAX, &refs, &n) == 0)
		rows_of(&gc_table_kind, &(struct gc_list){.of.log = log_}, refs, n);
	if (thread_table_kind.make(&t, true, NULL) == 0 && thread_table_kind.refs(&t, &refs, &n) == 0)
		rows_of(&thread_table_kind, &t, refs, n);
	thread_table_kind.unmake(&t);
}

static void answers(void **state)
{
	static void (*const runs[])(void) = {
		show_it, count_it, follow_it, number_it, filter_it, export_it, heap_it, prof_it, compare_it, list_it};
	(void)state;
	log_ = read_log();
	assert_non_null(log_);
	keep_pauses(log_);
	for (size_t i = 0; i < countof(runs); i++)
		assert_true(for_every(FAULT_MEMORY, runs[i]) > 0);
	evl_close(log_);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading),
		cmocka_unit_test(growing_sound),
		cmocka_unit_test(growing),
		cmocka_unit_test(answers),
	};
	return cmocka_run_group_tests(tests, build, drop);
}
