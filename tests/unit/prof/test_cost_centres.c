/* Cost centres: the meaning of ids, also in logs that lie about them. */
#include "logs.h"

static void define(
	struct built *b, unsigned id, const char *label, const char *module, const char *location, unsigned flags)
{
	put(b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", id, label, 0u, module, 0u, location, 0u, flags);
}

static struct cost_centre read_centre(const struct evl_log *log, uint32_t id)
{
	struct cost_centre c;
	assert_true(evl_cost_centre(log, id, &c));
	return c;
}

static void ids_stand_for_texts(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	define(&b, 9, "CAF", "Data.Map", "<entire-module>", 1);
	define(&b, 3, "go", "Main", "src/Main.hs:3:1-9", 0);
	block_end(&b, 10);
	struct evl_log *log = walked(&b);
	struct cost_centre caf = read_centre(log, 9), go = read_centre(log, 3);
	assert_true(str_is(caf.label, "CAF") && str_is(caf.module, "Data.Map") && caf.is_caf);
	assert_true(str_is(go.label, "go") && str_is(go.location, "src/Main.hs:3:1-9") && !go.is_caf);
	assert_int_equal(cost_centres_count(&log->cost_centres), 2);
	assert_false(evl_cost_centre(log, 4, &go));
	assert_int_equal(go.label.len, 0);
	done(log, &b);
}

static void the_latest_definition_counts(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	define(&b, 3, "old", "Main", "a", 0);
	define(&b, 3, "new", "Main", "a", 0);
	block_end(&b, 10);
	struct evl_log *log = walked(&b);
	assert_true(str_is(read_centre(log, 3).label, "new"));
	assert_int_equal(cost_centres_count(&log->cost_centres), 1);
	done(log, &b);
}

static void the_runtimes_own_are_told_from_the_programs(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	define(&b, 1, "GC", "GC", "<built-in>", 0);
	define(&b, 2, "OVERHEAD_of", "PROFILING", "<built-in>", 0);
	define(&b, 3, "MAIN", "MAIN", "<built-in>", 0);
	define(&b, 4, "PINNED", "SYSTEM", "<built-in>", 0);
	define(&b, 5, "GC", "GC", "GC.hs:1:1", 0); /* a program may be called so */
	block_end(&b, 10);
	struct evl_log *log = walked(&b);
	assert_true(read_centre(log, 1).is_rts);
	assert_true(read_centre(log, 2).is_rts);
	assert_false(read_centre(log, 3).is_rts);
	assert_false(read_centre(log, 4).is_rts);
	assert_false(read_centre(log, 5).is_rts);
	done(log, &b);
}

/* Ids of 32 bits, texts without an end, texts that are missing. */
static void hostile_definitions(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	define(&b, UINT32_MAX, "x", "y", "z", 0);
	define(&b, FEW_IDS, "y", "y", "z", 0);
	define(&b, FEW_IDS - 1, "last", "", "", 0xff);
	put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "41", 2u, 0u);     /* one empty text, and no more */
	put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s", 3u, "open"); /* no NUL */
	put(&b, 1, EVL_HEAP_PROF_COST_CENTRE, "2", 4u);          /* not even an id */
	block_end(&b, 10);
	struct evl_log *log = walked(&b);
	struct cost_centre c;
	assert_false(evl_cost_centre(log, UINT32_MAX - 1, &c));
	assert_false(evl_cost_centre(log, FEW_IDS + 1, &c));
	assert_int_equal(atomic_load(&log->cost_centres.more), 0);
	assert_true(str_is(read_centre(log, UINT32_MAX).label, "x"));
	assert_true(str_is(read_centre(log, FEW_IDS).label, "y"));
	assert_true(str_is(read_centre(log, FEW_IDS - 1).label, "last"));
	assert_true(str_is(read_centre(log, 2).label, ""));
	assert_true(str_is(read_centre(log, 3).label, "open"));
	assert_int_equal(cost_centres_count(&log->cost_centres), 5);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_stand_for_texts),
		cmocka_unit_test(the_latest_definition_counts),
		cmocka_unit_test(the_runtimes_own_are_told_from_the_programs),
		cmocka_unit_test(hostile_definitions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
