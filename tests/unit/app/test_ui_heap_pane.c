/* The Heap pane as it is seen: what it says of a profile without a sample yet, where its cursor begins, all facts of a
 * band on a small screen. */
#include "paned.h"

#include <stdio.h>

static struct built bytes;
static struct evl_log *log_;

static void begin_log(void)
{
	bytes = log_begin();
	block_begin(&bytes, EVL_NO_CAP, 0);
	put(&bytes, 1, EVL_CAPSET_CREATE, "42", 0u, 1u);
	put(&bytes, 2, EVL_PROGRAM_ARGS, "4s1s1s1s", 0u, "./prog", 0u, "+RTS", 0u, "-l", 0u, "-hT");
}

/* The largest is the sample of 3 ms. */
static void put_samples(void)
{
	static const unsigned sizes[] = {100, 5000, 300};
	put(&bytes, 3, EVL_HEAP_PROF_BEGIN, "1841111111", 0u, (uint64_t)100, 7u, 0u, 0u, 0u, 0u, 0u, 0u, 0u);
	for (unsigned i = 0; i < countof(sizes); i++) {
		uint64_t t = (i + 2) * (uint64_t)1000000;
		put(&bytes, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)i);
		put(&bytes, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)sizes[i], "base:Data.Maybe.Just", 0u);
		put(&bytes, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)7, "ARR_WORDS", 0u);
		put(&bytes, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)i);
	}
}

static void show(int rows, int cols)
{
	block_end(&bytes, 9000000);
	log_end(&bytes);
	log_ = walked(&bytes);
	paned_open(log_, PANE_HEAP, rows, cols);
}

static void end(void)
{
	paned_close();
	done(log_, &bytes);
}

static void a_profile_without_a_sample_yet(void **state)
{
	(void)state;
	begin_log();
	show(24, 80);
	assert_seen("-hT requested, but no sample in this log");
	assert_false(paned_has("no sample yet"));
	snprintf(host.live, sizeof host.live, "live");
	paned_draw();
	assert_seen("-hT requested, but no sample yet");
	assert_seen("(-i)");
	assert_false(paned_has("+RTS -l -hT")); /* it is no advice */
	end();
	begin_log();
	put_samples();
	show(24, 80);
	snprintf(host.live, sizeof host.live, "live");
	paned_draw();
	assert_false(paned_has("requested, but no sample"));
	assert_seen("census -hT");
	end();
}

static void a_cursor_that_is_moved_to_the_peak_is_told_of(void **state)
{
	(void)state;
	begin_log();
	put_samples();
	show(24, 80);
	assert_int_equal(host.model.at.cursor, 3000000);
	assert_non_null(strstr(host.message, "largest sample"));
	host.message[0] = '\0';
	assert_true(model_undo(&host.model));
	paned_draw();
	assert_int_equal(host.model.at.cursor, host.model.first); /* and is left there */
	assert_string_equal(host.message, "");
	end();
	begin_log();
	put_samples();
	show(24, 80);
	host.message[0] = '\0';
	paned_close();
	paned_open(log_, PANE_TIMELINE, 24, 80);
	model_goto(&host.model, 4000000, 0);
	host.shown = PANE_HEAP;
	paned_draw();
	assert_int_equal(host.model.at.cursor, 4000000); /* one that the user moved stays */
	assert_string_equal(host.message, "");
	end();
}

static void all_facts_at_80_columns(void **state)
{
	(void)state;
	begin_log();
	put_samples();
	show(24, 80);
	assert_seen("history");
	assert_seen("package base");
	assert_seen("constructor Data.Maybe.Just");
	paned_key(ACT_EXPAND); /* that band alone */
	static const char *const facts[] = {
		"history", "growth", "peak", "mean", "area", "note", "package", "constructor"};
	for (size_t i = 0; i < countof(facts); i++)
		assert_seen(facts[i]);
	assert_seen("5.0 kB at 3.00 ms");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_without_a_sample_yet),
		cmocka_unit_test(a_cursor_that_is_moved_to_the_peak_is_told_of),
		cmocka_unit_test(all_facts_at_80_columns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
