/* Abilities of a log: what it shows, what no event came of, what was not recorded, what is unknown; versions of GHC. */
#include "logs.h"
#include "report/abilities.h"

/* A log of a program with these arguments and run-time system, and one collection. */
static struct evl_log *log_of(struct built *b, const char *args, const char *rts)
{
	*b = log_begin();
	block_begin(b, EVL_NO_CAP, 1);
	put(b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, rts);
	size_t at = b->len;
	put(b, 1, EVL_PROGRAM_ARGS, "4s1", 0u, args, 0u);
	for (size_t i = at + 16; i < b->len; i++) /* after the head and the capset */
		b->data[i] = b->data[i] == ' ' ? 0 : b->data[i];
	block_end(b, 20);
	block_begin(b, 0, 1);
	put(b, 11, EVL_GC_START, "");
	put(b, 12, EVL_GC_END, "");
	block_end(b, 20);
	log_end(b);
	return walked(b);
}

static void expect(const char *args, const char *rts, enum ability_id id, enum ability_state state, const char *flag,
	const char *build)
{
	struct built b;
	struct evl_log *log = log_of(&b, args, rts);
	struct ability a = ability_of_log(log, id);
	assert_int_equal(a.state, state);
	assert_true(flag ? a.flag && strcmp(a.flag, flag) == 0 : !a.flag);
	assert_true(build ? a.build && strcmp(a.build, build) == 0 : !a.build);
	assert_true(state == ABILITY_SHOWN || a.flag || a.build || a.detail);
	done(log, &b);
}

static void states(void **state)
{
	static const char thr[] = "GHC-9.10.3 rts_thr", old[] = "GHC-9.0.2 rts_thr_l", single[] = "GHC-9.6.6 rts",
			  prof[] = "GHC-9.6.6 rts_thr_p", debug[] = "GHC-9.6.6 rts_thr_debug_p";
	(void)state;
	expect("./p +RTS -l", thr, ABILITY_gc, ABILITY_SHOWN, NULL, NULL);
	expect("./p +RTS -l", thr, ABILITY_scheduling, ABILITY_NONE, NULL, NULL);
	expect("./p +RTS -l-ag", thr, ABILITY_scheduling, ABILITY_NOT_RECORDED, "-ls", NULL);
	expect("./p", thr, ABILITY_scheduling, ABILITY_UNKNOWN, NULL, NULL);
	expect("./p +RTS -l", thr, ABILITY_each_spark, ABILITY_NOT_RECORDED, "-lf", NULL);
	expect("./p +RTS -la", thr, ABILITY_each_spark, ABILITY_NONE, NULL, NULL);
	expect("./p +RTS -l", single, ABILITY_sync, ABILITY_NOT_RECORDED, NULL, "-threaded");
	expect("./p +RTS -l", thr, ABILITY_sync, ABILITY_NONE, NULL, NULL);
	expect("./p +RTS -l", thr, ABILITY_time_profile, ABILITY_NOT_RECORDED, "-p", "-prof");
	expect("./p +RTS -l", prof, ABILITY_time_profile, ABILITY_NOT_RECORDED, "-p", NULL);
	expect("./p +RTS -l", debug, ABILITY_time_profile, ABILITY_NOT_RECORDED, "-p", NULL);
	expect("./p +RTS -l -p", prof, ABILITY_time_profile, ABILITY_NONE, NULL, NULL);
	expect("./p +RTS -l -hT", thr, ABILITY_heap_profile, ABILITY_NONE, NULL, NULL);
	expect("./p +RTS -l -hT", thr, ABILITY_heap_source, ABILITY_NOT_RECORDED, "-hi", "-finfo-table-map");
	expect("./p +RTS -l", old, ABILITY_heap_source, ABILITY_NOT_RECORDED, NULL, NULL);
	expect("./p +RTS -l -xn", thr, ABILITY_nonmoving, ABILITY_NONE, NULL, NULL);
	expect("./p +RTS -l", thr, ABILITY_nonmoving, ABILITY_NOT_RECORDED, "--nonmoving-gc", NULL);
	expect("./p +RTS -l", "GHC-8.8.4 rts_thr_l", ABILITY_nonmoving, ABILITY_NOT_RECORDED, NULL, NULL);
}

static void versions(void **state)
{
	(void)state;
	assert_int_equal(ghc_number(EVL_STR("9.10.3")), 910);
	assert_int_equal(ghc_number(EVL_STR("8.8")), 808);
	assert_int_equal(ghc_number(EVL_STR("")), 0);
	assert_int_equal(ghc_number(EVL_STR("9.x")), 0);
	assert_int_equal(ghc_number(EVL_STR("99999999999.1")), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),
		cmocka_unit_test(versions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
