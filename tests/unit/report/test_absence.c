/* Why there is nothing to show: none in the range, none in the log, not recorded; no flag that the program ran with. */
#include "logs.h"
#include "report/absence.h"

/* A log of a program with these arguments and this run-time system, with one collection or none. */
static struct evl_log *log_by(struct built *b, const char *rts, const char *args, bool gc)
{
	*b = log_begin();
	block_begin(b, EVL_NO_CAP, 1);
	size_t at = b->len;
	put(b, 1, EVL_PROGRAM_ARGS, "4s1", 0u, args, 0u);
	for (size_t i = at + 16; i < b->len; i++) /* after the head and the capset */
		b->data[i] = b->data[i] == ' ' ? 0 : b->data[i];
	put(b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, rts);
	block_end(b, 20);
	block_begin(b, 0, 1);
	if (gc)
		put_gc(b, 10, 11, 12, 0);
	put(b, 15, EVL_USER_MSG, "s", "here");
	block_end(b, 20);
	log_end(b);
	return walked(b);
}

static struct evl_log *log_of(struct built *b, const char *args, bool gc) { return log_by(b, "", args, gc); }

static void collections(void **state)
{
	static const struct {
		const char *args;
		bool gc;
		const char *text;
		bool helps;
	} cases[] = {
		{"./p +RTS -l-g", true, "none in this range", false},
		{"./p", true, "none in this range", false},
		{"./p +RTS -l", false, "none in this log", false},
		{"./p +RTS -lg", false, "none in this log", false},
		{"./p +RTS -l-au", false, "not recorded (+RTS -lg)", true},
		{"./p +RTS -l-g -RTS", false, "not recorded (+RTS -lg)", true},
		{"./p -lg", false, "none, or not recorded (+RTS -lg)", true}, /* not of the run-time system */
		{"./p +RTS -N2", false, "none, or not recorded (+RTS -lg)", true},
	};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct built b;
		struct evl_log *log = log_of(&b, cases[i].args, cases[i].gc);
		assert_string_equal(absence_text(log, ABSENCE_GCS), cases[i].text);
		assert_int_equal(absence_seen(log, ABSENCE_GCS), cases[i].gc);
		assert_int_equal(absence_flag_helps(log, "-lg"), cases[i].helps);
		done(log, &b);
	}
}

/* No text names a flag that the program ran with. */
static void flags_it_ran_with(void **state)
{
	static const struct {
		const char *args, *flag;
	} cases[] = {{"./p +RTS -l", "-lg"}, {"./p +RTS -l", "-ls"}, {"./p +RTS -l", "-lp"}, {"./p +RTS -l", "-lu"},
		{"./p +RTS -l -xn", "--nonmoving-gc"}, {"./p +RTS -l --nonmoving-gc", "--nonmoving-gc"},
		{"./p +RTS -lT", "-lT"}};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct built b, without;
		struct evl_log *log = log_of(&b, cases[i].args, false),
			       *other = log_of(&without, "./p +RTS -l-a", false);
		size_t named = 0;
		for (enum absence of = 0; of < ABSENCES; of++) {
			assert_null(strstr(absence_text(log, of), cases[i].flag));
			named += strstr(absence_text(other, of), cases[i].flag) != NULL;
		}
		assert_true(named > 0);
		done(log, &b);
		done(other, &without);
	}
}

/* The hint at the threaded run-time system is for others. */
static void run_time_systems(void **state)
{
	struct built b, without;
	struct evl_log *log = log_by(&b, "GHC-9.6.6 rts_thr", "./p +RTS -l", false),
		       *other = log_by(&without, "GHC-9.6.6 rts_v", "./p +RTS -l", false);
	(void)state;
	assert_string_equal(absence_text(log, ABSENCE_SPARKS), "none in this log");
	assert_string_equal(absence_text(log, ABSENCE_REQUESTS), "none in this log");
	assert_string_equal(absence_text(other, ABSENCE_SPARKS), "none in this log (the threaded RTS counts them)");
	assert_string_equal(absence_text(other, ABSENCE_REQUESTS), "none in this log (the threaded RTS logs them)");
	done(log, &b);
	done(other, &without);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collections),
		cmocka_unit_test(flags_it_ran_with),
		cmocka_unit_test(run_time_systems),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
