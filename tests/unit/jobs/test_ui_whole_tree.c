/* The tree of whole time: each thread has its time, in kinds and stacks, to the nanosecond; threads past the ceiling share an
 * item. */
#include "logs.h"

#include "jobs/whole_tree.h"
#include "sched/thread_state.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t child_named(const struct prof_tree *t, const struct prof_names *names, uint32_t item, const char *label)
{
	for (uint32_t i = t->items[item].child; i; i = t->items[i].next)
		if (str_is(prof_label(names, t->items[i].name), label))
			return i;
	return 0;
}

static uint64_t sum_of(const struct whole_time *w, uint32_t thread, int kind)
{
	uint64_t ns = 0;
	for (size_t i = 0; i < w->n; i++)
		if (w->rows[i].thread == thread && (kind < 0 || w->rows[i].kind == kind))
			ns += w->rows[i].ns;
	return ns;
}

static void check_items(const struct prof_tree *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t sum = t->items[i].self;
		for (uint32_t k = t->items[i].child; k; k = t->items[k].next)
			sum += t->items[k].incl;
		assert_int_equal(sum, t->items[i].incl);
	}
}

static void a_thread_has_its_time(void **state)
{
	static const char *const logs[] = {"9.0.2-shares-p", "9.0.2-quarry-p-N2"};
	(void)state;
	for (size_t l = 0; l < countof(logs); l++) {
		char path[128], name[64];
		snprintf(path, sizeof path, "tests/logs/%s.eventlog", logs[l]);
		struct evl_log *log = walked_file(path);
		const struct prof *p = evl_profile(log);
		const struct prof_naming naming = evl_naming(log);
		struct prof_names base, names;
		struct prof_tree t;
		struct whole_time w;
		uint64_t all = 0;
		assert_int_equal(prof_names_make(&base, p, &naming), 0);
		assert_int_equal(whole_time_make(&w, log, 0, UINT64_MAX, NULL, NULL), 0);
		assert_int_equal(whole_tree_make(&t, &names, &w, log, &p->stacks, &base), 0);
		check_items(&t);
		for (size_t i = 0; i < w.n; i++) {
			uint32_t thread = w.rows[i].thread;
			struct evl_str label = evl_label(log, thread);
			snprintf(name, sizeof name, label.len ? "%u %.*s" : "thread %u%.*s", thread, (int)label.len,
				label.len ? (const char *)label.p : "");
			uint32_t item = child_named(&t, &names, 0, name), kind;
			assert_true(item);
			assert_int_equal(t.items[item].incl, sum_of(&w, thread, -1));
			kind = child_named(&t, &names, item, "on CPU");
			assert_int_equal(kind ? t.items[kind].incl : 0, sum_of(&w, thread, WHOLE_CPU));
			kind = child_named(&t, &names, item, "blocked: mvar");
			assert_true(!kind || t.items[kind].incl <= sum_of(&w, thread, WHOLE_BLOCKED));
			all += w.rows[i].ns;
		}
		assert_int_equal(t.items[0].incl, all);
		prof_tree_free(&t);
		prof_names_free(&names);
		prof_names_free(&base);
		whole_time_free(&w);
		evl_close(log);
	}
}

/* 300 threads, thread k with k us: those with most have items. */
static void small_threads_share_an_item(void **state)
{
	enum { THREADS = 300 };
	(void)state;
	struct evl_log *log = walked_file("tests/logs/9.0.2-shares-p.eventlog");
	const struct prof *p = evl_profile(log);
	const struct prof_naming naming = evl_naming(log);
	struct prof_names base, names;
	struct prof_tree t;
	struct whole_row rows[THREADS];
	const struct whole_time w = {.rows = rows, .n = THREADS};
	uint64_t small = 0, n = 0;
	for (uint32_t i = 0; i < THREADS; i++) {
		rows[i] = (struct whole_row){
			.thread = 1000 + i, .kind = WHOLE_RUNNABLE, .node = WHOLE_NO_STACK, .ns = 1000 * (i + 1)};
		small += i < THREADS - WHOLE_THREADS ? rows[i].ns : 0;
	}
	assert_int_equal(prof_names_make(&base, p, &naming), 0);
	assert_int_equal(whole_tree_make(&t, &names, &w, log, &p->stacks, &base), 0);
	check_items(&t);
	for (uint32_t i = t.items[0].child; i; i = t.items[i].next)
		n++;
	assert_int_equal(n, WHOLE_THREADS + 1);
	uint32_t others = child_named(&t, &names, 0, "44 other threads");
	assert_true(others);
	assert_int_equal(t.items[others].incl, small);
	assert_true(child_named(&t, &names, 0, "thread 1299"));
	prof_tree_free(&t);
	prof_names_free(&names);
	prof_names_free(&base);
	evl_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_has_its_time), cmocka_unit_test(small_threads_share_an_item)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
