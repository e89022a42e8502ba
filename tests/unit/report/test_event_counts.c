/* `stats --json` of the real logs is what two other programs found in them: tests/logs/NAME.facts.json. */
#include "logs.h"
#include "report/figures.h"
#include "report/stats_json.h"

#include <glob.h>
#include <jansson.h>
#include <stdio.h>

static json_t *stats_of(struct evl_log *log)
{
	struct buf text = {0};
	json_error_t error;
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	struct figures figures;
	struct findings findings;
	assert_int_equal(figures_make(&figures, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&findings, log, &figures);
	stats_json(log, &figures, &findings, &text);
	figures_free(&figures);
	assert_false(text.failed);
	json_t *stats = json_loadb(text.p, text.len, JSON_REJECT_DUPLICATES, &error);
	if (!stats)
		fail_msg("not JSON: %s", error.text);
	buf_free(&text);
	return stats;
}

static bool noted(const json_t *facts, const char *words)
{
	size_t i;
	json_t *note;
	json_array_foreach(
		json_object_get(facts, "notes"), i, note) if (strstr(json_string_value(note), words)) return true;
	return false;
}

static void assert_facts(const char *path)
{
	char name[512];
	struct evl_log *log;
	struct evl_err err;
	const char *key;
	json_t *want;
	snprintf(name, sizeof name, "%.*s.eventlog", (int)(strlen(path) - strlen(".facts.json")), path);
	json_t *facts = json_load_file(path, 0, NULL);
	assert_non_null(facts);
	if (evl_open(&log, name, &err) < 0)
		fail_msg("%s", err.text);
	json_t *stats = stats_of(log);
	if (!noted(facts, "undeclared tag")) { /* there the others gave up */
		bool truncated = noted(facts, "cut or damaged");
		bool unfinished = truncated || noted(facts, "no DATA_END");
		assert_int_equal(json_is_true(json_object_get(stats, "unfinished")), unfinished);
		assert_int_equal(json_array_size(json_object_get(stats, "damage")) > 0, truncated);
		json_object_del(facts, "notes");
		json_object_foreach(facts, key, want) if (!json_equal(json_object_get(stats, key), want))
			fail_msg("%s: %s differs", name, key);
	}
	json_decref(stats);
	json_decref(facts);
	evl_close(log);
}

static void facts_of_real_logs(void **state)
{
	(void)state;
	glob_t found;
	assert_int_equal(glob("tests/logs/*.facts.json", 0, NULL, &found), 0);
	assert_true(found.gl_pathc > 20);
	for (size_t i = 0; i < found.gl_pathc; i++)
		assert_facts(found.gl_pathv[i]);
	globfree(&found);
}

/* The log of a test as its stats, and then nothing of it is left. */
static json_t *stats_of_built(struct built *b)
{
	struct evl_log *log;
	assert_int_equal(evl_open_memory(&log, b->data, b->len, NULL), 0);
	json_t *stats = stats_of(log);
	done(log, b);
	return stats;
}

static void assert_number(const json_t *stats, const char *key, json_int_t want)
{
	const json_t *value = json_object_get(stats, key);
	assert_true(json_is_integer(value));
	assert_int_equal(json_integer_value(value), want);
}

static void what_cannot_be_known_is_null(void **state)
{
	static const char *const keys[] = {
		"program", "rts", "wall_start_ns", "breakdown", "first_ns", "last_ns", "duration_ns"};
	(void)state;
	struct built b = log_begin();
	json_t *stats = stats_of_built(&b);
	for (size_t i = 0; i < countof(keys); i++)
		assert_true(json_is_null(json_object_get(stats, keys[i])));
	assert_true(json_is_null(json_object_get(json_object_get(stats, "time"), "productivity")));
	assert_null(json_object_get(stats, "spark_counters_sum"));
	assert_number(stats, "schema", 1);
	assert_number(stats, "total_events", 0);
	json_decref(stats);
}

static void the_program_and_its_time(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, "GHC-9.10.3 rts_thr");
	put(&b, 1, EVL_PROGRAM_ARGS, "4s1s1", 0u, "./prog", 0u, "+RTS", 0u);
	put(&b, 100, EVL_WALL_CLOCK_TIME, "484", 1u, (uint64_t)1763655000, 100u);
	put(&b, 100, EVL_HEAP_PROF_BEGIN, "1841", 0u, (uint64_t)5, 7u, 0u);
	block_end(&b, 100);
	block_begin(&b, 2, 0);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, 5);
	put_gc(&b, 0, 300, 400, 1);
	put(&b, 1001, EVL_USER_MSG, "s", "end");
	block_end(&b, 2000);
	json_t *stats = stats_of_built(&b), *time = json_object_get(stats, "time");
	assert_string_equal(json_string_value(json_object_get(stats, "rts")), "GHC-9.10.3 rts_thr");
	assert_int_equal(json_array_size(json_object_get(stats, "program")), 2);
	assert_string_equal(json_string_value(json_object_get(stats, "breakdown")), "closure type");
	assert_number(stats, "wall_start_ns", 1763655000000000000);
	assert_number(stats, "caps", 1);
	assert_number(time, "total_ns", 1001);
	assert_number(time, "mutator_ns", 100);
	assert_number(time, "gc_ns", 100);
	assert_number(time, "gc_sync_ns", 0);
	assert_number(time, "idle_ns", 801);
	assert_true(json_is_true(json_object_get(stats, "unfinished")));
	json_decref(stats);
}

static void labels_of_other_capabilities(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 1, 0);
	put_run(&b, 10, 9);
	put_stop(&b, 15, 9, 3);
	put(&b, 50, EVL_THREAD_LABEL, "4s", 9u, "late");
	block_end(&b, 100);
	block_begin(&b, 0, 0);
	put(&b, 20, EVL_THREAD_LABEL, "4s", 9u, "early"); /* later in the file */
	block_end(&b, 100);
	json_t *stats = stats_of_built(&b);
	const json_t *top = json_array_get(json_object_get(stats, "top_threads_by_run_ns"), 0);
	assert_string_equal(json_string_value(json_object_get(top, "label")), "late");
	json_decref(stats);
}

static void cost_centres_by_rank(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", 7u, "go", 0u, "Main", 0u, "x", 0u, 0u);
	for (unsigned i = 0; i < 3; i++)
		put(&b, 2, EVL_PROF_SAMPLE_COST_CENTRE, "48144", 0u, (uint64_t)i, 2u, 7u, 1u);
	for (unsigned i = 0; i < 3; i++)
		put(&b, 2, EVL_PROF_SAMPLE_COST_CENTRE, "481", 1u, (uint64_t)9, 0u);
	put(&b, 2, EVL_PROF_SAMPLE_COST_CENTRE, "4814", 0u, (uint64_t)3, 1u, 3u);
	put(&b, 2, EVL_PROF_SAMPLE_COST_CENTRE, "4814", 0u, (uint64_t)3, 1u, UINT32_MAX);
	block_end(&b, 100);
	json_t *stats = stats_of_built(&b), *top = json_object_get(stats, "prof_top10");
	assert_int_equal(json_array_size(top), 4);
	assert_true(json_is_null(json_object_get(json_array_get(top, 0), "cc"))); /* first among equals */
	assert_string_equal(json_string_value(json_object_get(json_array_get(top, 1), "name")), "Main.go");
	assert_true(json_is_null(json_object_get(json_array_get(top, 2), "name"))); /* never defined */
	assert_number(json_array_get(top, 3), "cc", UINT32_MAX);
	assert_number(stats, "prof_samples", 8);
	assert_number(stats, "prof_last_tick", 9);
	assert_number(stats, "cost_centres", 1);
	json_decref(stats);
}

static void ranges_clip_the_time(void **state)
{
	(void)state;
	struct run_stats s;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 100, 1);
	put_stop(&b, 200, 1, 3);
	put_gc(&b, 0, 300, 400, 1);
	put_gc(&b, 0, 500, 600, 1);
	block_end(&b, 700);
	struct evl_log *log = walked(&b);
	assert_int_equal(evl_stats(log, 150, 350, NULL, &s), 0);
	assert_int_equal(s.time.total, 200);
	assert_int_equal(s.time.mutator, 50);
	assert_int_equal(s.time.gc, 50);
	assert_int_equal(s.pauses.n, 1); /* where it starts */
	assert_int_equal(evl_stats(log, 500, 501, NULL, &s), 0);
	assert_int_equal(s.pauses.n, 1);
	assert_int_equal(evl_stats(log, 301, 500, NULL, &s), 0);
	assert_int_equal(s.pauses.n, 0);
	assert_int_equal(evl_stats(log, 5000, 6000, NULL, &s), 0);
	assert_int_equal(s.time.total, 0);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_of_real_logs),
		cmocka_unit_test(what_cannot_be_known_is_null),
		cmocka_unit_test(the_program_and_its_time),
		cmocka_unit_test(labels_of_other_capabilities),
		cmocka_unit_test(cost_centres_by_rank),
		cmocka_unit_test(ranges_clip_the_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
