/* Moments as people write them. */
#include "base/time_expr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static const struct time_expr here = {.first = 1000,
	.last = 2000001000,
	.cursor = 500000000,
	.has_cursor = true,
	.wall_ns = 1763655000000000000}; /* 2025-11-20 16:10:00 UTC */

static uint64_t parsed(const char *text)
{
	uint64_t t;
	struct evl_err err = {0};
	if (time_expr_parse(&here, text, &t, &err) < 0)
		fail_msg("%s", err.text);
	return t;
}

static void durations(void **state)
{
	(void)state;
	assert_int_equal(parsed("3.2s"), 3200000000);
	assert_int_equal(parsed("3.2 s"), 3200000000);
	assert_int_equal(parsed(" 0.001"), 1000000);
	assert_int_equal(parsed("40ms"), 40000000);
	assert_int_equal(parsed("250us"), 250000);
	assert_int_equal(parsed("250µs"), 250000);
	assert_int_equal(parsed("17ns"), 17);
	assert_int_equal(parsed(".5s"), 500000000);
	assert_int_equal(parsed("2min"), 120000000000);
	assert_int_equal(parsed("3.199871104"), 3199871104); /* exact to the ns */
	assert_int_equal(parsed("0"), 0);
}

static void shares_of_the_run(void **state)
{
	(void)state;
	assert_int_equal(parsed("0%"), 1000);
	assert_int_equal(parsed("50%"), 1000001000);
	assert_int_equal(parsed("100%"), 2000001000);
}

static void from_the_cursor(void **state)
{
	(void)state;
	assert_int_equal(parsed("+40ms"), 540000000);
	assert_int_equal(parsed("-0.1"), 400000000);
	assert_int_equal(parsed("-1s"), 0); /* not before the log */
}

static void wall_clock(void **state)
{
	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	assert_int_equal(parsed("@16:10:01.5"), 1500000000);
	assert_int_equal(parsed("@16:10"), 0);
}

static void refused(void **state)
{
	(void)state;
	const char *bad[] = {"", "x", "3x", "3.2.1", "--1", "101%", "5%%", "@25:00", "@", "s", "1e9",
		"99999999999999999999", "@12:", "+", "- 1"};
	for (size_t i = 0; i < countof(bad); i++) {
		uint64_t t;
		struct evl_err err = {0};
		if (time_expr_parse(&here, bad[i], &t, &err) >= 0)
			fail_msg("«%s» was taken", bad[i]);
		assert_true(err.text[0]);
	}
	struct time_expr nothing = {.last = 10};
	uint64_t t;
	assert_true(time_expr_parse(&nothing, "+1", &t, NULL) < 0);
	assert_true(time_expr_parse(&nothing, "@12:00", &t, NULL) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations),
		cmocka_unit_test(shares_of_the_run),
		cmocka_unit_test(from_the_cursor),
		cmocka_unit_test(wall_clock),
		cmocka_unit_test(refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
