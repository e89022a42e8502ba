/* Why there is nothing to show: none in the range, none in the log, not recorded; no flag that the program ran with. */
#include "logs.h"
#include "report/abilities.h"

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
		{"./p +RTS -lf -l-g", false, "not recorded (+RTS -lg)", true},
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
		{"./p +RTS -lT", "-lT"}, {"./p +RTS -lT -l -lu", "-lT"}, {"./p +RTS -l-g -l-s -l", "-lg"},
		{"./p +RTS -l-p -l", "-lp"}};
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

/* In a log without an end, missing events may have happened after it; segments are not recorded by default. */
static void the_nonmoving_collector(void **state)
{
	static const struct {
		const char *args;
		bool cycle, killed;
		const char *text, *census;
	} cases[] = {
		{"./p +RTS -l -xn", true, false, "none in this range", "not recorded (+RTS -ln)"},
		{"./p +RTS -la -xn", true, false, "none in this range", "none in this log"},
		{"./p +RTS -l -ln -xn", true, true, "none in this range", "none in what was written of this log"},
		{"./p -xn", true, false, "none in this range", "none, or not recorded (+RTS -ln)"},
		{"./p +RTS -lgn -xn", false, false, "it did not run", "it did not run"},
		{"./p +RTS -l -xn", false, true, "none in what was written of this log",
			"none in what was written of this log"},
		{"./p +RTS -l", false, false, "it did not run (+RTS --nonmoving-gc)",
			"it did not run (+RTS --nonmoving-gc)"},
		{"./p +RTS -l", false, true, "none was written (+RTS --nonmoving-gc)",
			"none was written (+RTS --nonmoving-gc)"},
	};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct built b = log_begin();
		block_begin(&b, EVL_NO_CAP, 1);
		size_t at = b.len;
		put(&b, 1, EVL_PROGRAM_ARGS, "4s1", 0u, cases[i].args, 0u);
		for (size_t k = at + 16; k < b.len; k++) /* after the head and the capset */
			b.data[k] = b.data[k] == ' ' ? 0 : b.data[k];
		block_end(&b, 20);
		block_begin(&b, 0, 1);
		put_gc(&b, 10, 11, 12, 0);
		if (cases[i].cycle)
			put(&b, 13, EVL_CONC_MARK_BEGIN, "");
		block_end(&b, 20);
		if (!cases[i].killed)
			log_end(&b);
		struct evl_log *log = walked(&b);
		assert_int_equal(evl_unfinished(log), cases[i].killed);
		assert_string_equal(absence_text(log, ABSENCE_NONMOVING), cases[i].text);
		assert_string_equal(absence_text(log, ABSENCE_NM_CENSUS), cases[i].census);
		done(log, &b);
	}
}

/* Logs declare no events of later versions of GHC. A run-time system refuses flags of later versions. */
static void flags_of_later_versions(void **state)
{
	static const struct {
		uint8_t tag;
		const char *rts, *flag;
	} cases[] = {{EVL_CONC_MARK_BEGIN, "GHC-8.8.4 rts_thr_l", "--nonmoving-gc"},
		{EVL_HEAP_PROF_BEGIN, "GHC-8.0.2 rts_thr_l", "-qn2"}, {EVL_HEAP_PROF_BEGIN, "GHC-8.0.2 rts_l", "-hT"},
		{EVL_MEM_RETURN, "GHC-9.0.2 rts_thr_l", "--eventlog-flush-interval=1"},
		{EVL_MEM_RETURN, "", "--eventlog-flush-interval=1"}};
	(void)state;
	for (size_t k = 0; k < countof(cases); k++) {
		const uint8_t declared[] = {'e', 't', 'b', 0, 0, cases[k].tag};
		struct built b;
		struct evl_log *log = log_by(&b, cases[k].rts, "./p +RTS -l", true);
		assert_true(absence_flag_helps(log, cases[k].flag));
		evl_close(log);
		for (size_t i = 0; i + sizeof declared < b.len; i++)
			if (memcmp(b.data + i, declared, sizeof declared) == 0)
				b.data[i + 4] = 0x0f;
		log = walked(&b);
		assert_false(absence_flag_helps(log, cases[k].flag));
		if (k == 0)
			assert_string_equal(
				absence_text(log, ABSENCE_NONMOVING), "not recorded: the log has no such events");
		done(log, &b);
	}
}

/* Without threads, no timer flushes. */
static void flushing_wants_threads(void **state)
{
	struct built b;
	struct evl_log *log = log_by(&b, "GHC-9.6.6 rts_v", "./p +RTS -l", true);
	(void)state;
	assert_false(absence_flag_helps(log, "--eventlog-flush-interval=1"));
	done(log, &b);
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
		cmocka_unit_test(the_nonmoving_collector),
		cmocka_unit_test(flags_of_later_versions),
		cmocka_unit_test(flushing_wants_threads),
		cmocka_unit_test(run_time_systems),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
