/* Classic .hp files: read as logs, and the heap profile of a log written as one. */
#include "logs.h"

#include "export/export.h"
#include "heap/census_survey.h"
#include "log/hp_import.h"

static int append(void *ctx, const char *bytes, size_t len)
{
	add_bytes(ctx, bytes, len);
	return 0;
}

static bool keep(void *ctx, const char *bytes, size_t len)
{
	add_bytes(ctx, bytes, len);
	return true;
}

static struct built rewritten(const char *text)
{
	struct built b = {0};
	assert_int_equal(hp_rewrite((const uint8_t *)text, strlen(text), append, &b), 0);
	return b;
}

/* The log of the text, as a .hp file again. */
static char *again(struct evl_log *log)
{
	struct built out = {0};
	struct export x = {.log = log, .to = UINT64_MAX, .put = keep, .ctx = &out};
	assert_int_equal(export_run(export_find("hp"), &x), 0);
	add_number(&out, 0, 1);
	return (char *)out.data;
}

static void assert_again(const char *text, const char *want)
{
	struct built b = rewritten(text);
	struct evl_log *log = walked(&b);
	char *got = again(log);
	assert_string_equal(got, want);
	assert_int_equal(log->damage.n, 0);
	free(got);
	done(log, &b);
}

#define HEAD(job) "JOB \"" job "\"\nDATE \"unknown\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n"

static void a_profile_survives_both_ways(void **state)
{
	static const char text[] =
		HEAD("prog a b +RTS -hc") "BEGIN_SAMPLE 0.010000\n(4)MAIN\t160\n<x>\t7\nEND_SAMPLE 0.010000\n"
					  "BEGIN_SAMPLE 0.020000\n(4)MAIN\t320\nEND_SAMPLE 0.020000\n";
	(void)state;
	assert_again(text, text);
}

static void empty_samples_at_both_ends_are_left_out(void **state)
{
	(void)state;
	assert_again(HEAD("prog") "BEGIN_SAMPLE 0.000000\nEND_SAMPLE 0.000000\nBEGIN_SAMPLE 0.500000\na\t1\nEND_SAMPLE "
				  "0.500000\n"
				  "BEGIN_SAMPLE 0.700000\nEND_SAMPLE 0.700000\nBEGIN_SAMPLE 0.800000\na\t1\nEND_SAMPLE "
				  "0.800000\n"
				  "BEGIN_SAMPLE 1.000000\nEND_SAMPLE 1.000000\n",
		HEAD("prog") "BEGIN_SAMPLE 0.500000\na\t1\nEND_SAMPLE 0.500000\nBEGIN_SAMPLE 0.700000\nEND_SAMPLE "
			     "0.700000\n"
			     "BEGIN_SAMPLE 0.800000\na\t1\nEND_SAMPLE 0.800000\n");
}

static void what_makes_no_sense_is_passed_over(void **state)
{
	(void)state;
	assert_again("JOB \"say \"\"hi\"\" now\"\nx\t5\nBEGIN_SAMPLE -3\na\t1\nb "
		     "2\nc\t\nd\t99999999999999999999999\n\t6\ne\t-1\n"
		     "END_SAMPLE 1\nBEGIN_SAMPLE nan\na\t2\nEND_SAMPLE\nEND_SAMPLE 1\nnoise\n",
		HEAD("say \"\"hi\"\" now") "BEGIN_SAMPLE 0.000000\na\t1\n(no_name)\t6\nEND_SAMPLE 0.000000\n"
					   "BEGIN_SAMPLE 0.000000\na\t2\nEND_SAMPLE 0.000000\n");
}

static void a_file_that_ends_in_a_sample_leaves_it_cut(void **state)
{
	struct built b = rewritten(HEAD("prog") "BEGIN_SAMPLE 1.0\na\t1\nEND_SAMPLE 1.0\nBEGIN_SAMPLE 2.0\na\t2\nb\t");
	struct evl_log *log = walked(&b);
	(void)state;
	assert_int_equal(census_count(&log->census), 2);
	assert_false(census_is_cut(&log->census, 0, evl_unfinished(log)));
	assert_true(census_is_cut(&log->census, 1, evl_unfinished(log)));
	done(log, &b);
}

static void marks_become_markers(void **state)
{
	struct built b =
		rewritten(HEAD("prog") "BEGIN_SAMPLE 1.0\na\t1\nEND_SAMPLE 1.0\nMARK 1.5\nBEGIN_SAMPLE 2.0\na\t1\n");
	struct evl_log *log = walked(&b);
	struct point marker;
	(void)state;
	assert_true(points_after(&log->markers, 0, &marker));
	assert_int_equal(marker.t, 1500000000);
	done(log, &b);
}

/* hp2ps has restrictions on names. */
static void names_are_such_as_hp2ps_reads(void **state)
{
	(void)state;
	assert_again(HEAD("prog") "BEGIN_SAMPLE 1.000000\na b\t1\n\"q\t2\nMARK\t3\nEND_SAMPLE 1.000000\n",
		HEAD("prog") "BEGIN_SAMPLE 1.000000\na_b\t1\n'q\t2\n_MARK\t3\nEND_SAMPLE 1.000000\n");
}

static void only_such_files_are_taken(void **state)
{
	(void)state;
	assert_true(hp_is((const uint8_t *)"JOB \"x", 6));
	assert_false(hp_is((const uint8_t *)"JOB \"", 4));
	assert_false(hp_is((const uint8_t *)"hdrbhetb", 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_survives_both_ways),
		cmocka_unit_test(empty_samples_at_both_ends_are_left_out),
		cmocka_unit_test(what_makes_no_sense_is_passed_over),
		cmocka_unit_test(a_file_that_ends_in_a_sample_leaves_it_cut),
		cmocka_unit_test(marks_become_markers),
		cmocka_unit_test(names_are_such_as_hp2ps_reads),
		cmocka_unit_test(only_such_files_are_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
