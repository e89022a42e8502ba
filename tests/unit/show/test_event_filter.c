/* The filter language and patterns: matches, and errors in a line. */
#include "logs.h"
#include "show/event_filter.h"

#include <stdio.h>

static const struct time_expr when = {.first = 0, .last = 1000000000};

static struct evl_str say_text(void *ctx)
{
	(void)ctx;
	return EVL_STR("USER_MSG Sort begins");
}

/* How many of the events below pass: run 26 on cap 2, GC_START on 2, a message on 3, a spark without a thread. */
static char *passing(struct evl_log *log, const char *text)
{
	static char out[16];
	struct event_filter filter;
	struct evl_err err = {0};
	struct frame f;
	size_t n = 0;
	if (event_filter_init(&filter, text, &when, &err) < 0)
		fail_msg("«%s»: %s", text, err.text);
	struct block block;
	for (bool more = blocks_first(&log->blocks, &block); more; more = blocks_next(&log->blocks, &block)) {
		for (f = (struct frame){.next = block.off}; block_next(&log->blocks, &block, f.off, f.next, &f);) {
			struct event_subject s = {.header = &log->header,
				.frame = &f,
				.cap = log->blocks.chains[block.chain].cap,
				.say = say_text};
			if (f.tag != EVL_BLOCK_MARKER && event_filter_keeps(&filter, &s))
				out[n++] = f.tag == EVL_RUN_THREAD ? 'r'
					: f.tag == EVL_GC_START    ? 'g'
					: f.tag == EVL_USER_MSG    ? 'm'
								   : 's';
		}
	}
	out[n] = 0;
	event_filter_free(&filter);
	return out;
}

static void what_passes(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"", "rgms"},
		{"  ", "rgms"},
		{"cap:2", "rg"},
		{"cap:2-3", "rgm"},
		{"!cap:2", "ms"},
		{"cap:0-4095 !cap:3", "rg"},
		{"type:GC*", "g"},
		{"type:gc_start", "g"},
		{"!SPARK", "rgm"},
		{"spark", "s"},
		{"SPARK !type:SPARK_*", ""},
		{"begins", "rgms"}, /* not in the name, but in the text */
		{"!begins", ""},
		{"begins cap:2", "rg"},
		{"sort begins cap:3", "m"},
		{"\"sort begins\" cap:3", "m"},
		{"BEGINS", ""},
		{"nosuch", ""},
		{"nosuch or GC", "g"},
		{"!nosuch cap:2", "rg"},
		{"\\v^user.*b(e|o)gins$ cap:2", "rg"},
		{"thread:26", "r"},
		{"thread:27", ""},
		{"!thread:26", "gms"},
		{"text~sort", "rgms"},
		{"text~Sort type:USER_MSG", "m"},
		{"text~sOrt", ""},
		{"text~\"sort begins\" cap:3", "m"},
		{"text~\\v^user.*b(e|o)gins$ cap:3", "m"},
		{"!text~sort", ""},
		{"t>20ns", "gms"},
		{"t<20ns", ""},
		{"!t<21ns t<40ns", "gm"},
		{"t>50%", ""},
		{"cap:2 type:GC* t<1s !SPARK", "g"},
		{"GC or type:USER*", "gm"},
		{"cap:2 (GC or text~nothing)", "g"},
		{"!(GC or thread:26) !SPARK", "m"},
		{"cap!=2 !SPARK", "m"},
		{"cap=2-3 t:20ns-30ns", "rg"},
		{"t>=30ns t<=35ns", "gm"},
		{"type~\\vSTART$", "g"},
		{"type!=GC_START cap:0-9", "rm"},
		{"thread 26", "r"},
		{"text~\\v(sort|x) (cap:3)", "m"},
	};
	struct built b = log_begin();
	block_begin(&b, 2, 20);
	put_run(&b, 20, 26);
	put(&b, 30, EVL_GC_START, "");
	block_end(&b, 30);
	block_begin(&b, 3, 30);
	put(&b, 35, EVL_USER_MSG, "s", "x");
	block_end(&b, 40);
	block_begin(&b, EVL_NO_CAP, 30);
	put(&b, 45, EVL_SPARK_CREATE, "");
	block_end(&b, 50);
	struct evl_log *log = walked(&b);
	for (size_t i = 0; i < countof(cases); i++)
		if (strcmp(passing(log, cases[i][0]), cases[i][1]) != 0)
			fail_msg("«%s» lets pass «%s», not «%s»", cases[i][0], passing(log, cases[i][0]), cases[i][1]);
	done(log, &b);
}

static void what_is_no_filter(void **state)
{
	(void)state;
	static const char *const bad[] = {"cap:", "cap:x", "cap:1-", "thread:", "thread:-1", "t>", "t>soon", "text~",
		"text~\"open", "text~\\v(", "text~\\v(a)\\1", "GC or", "or GC", "(GC", "()", "cap~2",
		"cap:2 (thread:x)", "foo:bar", "!", "a>b", "GC GC GC GC GC GC GC GC GC GC GC GC GC GC GC GC GC"};
	for (size_t i = 0; i < countof(bad); i++) {
		struct event_filter filter;
		struct evl_err err = {0};
		if (event_filter_init(&filter, bad[i], &when, &err) != EVL_USAGE || !err.text[0])
			fail_msg("«%s» is taken for a filter", bad[i]);
	}
}

static void completes(const char *text, const char *want, const char *choice)
{
	char out[64], say[FILTER_SAY];
	filter_complete(&event_filter_fields, text, out, sizeof out, say);
	assert_string_equal(out, want);
	assert_string_equal(say, choice);
}

/* Types that occur in the log, as many as there is room for. */
static void types_of_the_log_are_offered(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put(&b, 10, EVL_CREATE_THREAD, "4", 7u);
	put(&b, 35, EVL_USER_MSG, "s", "x");
	block_end(&b, 40);
	struct evl_log *log = walked(&b);
	struct filter_fields fields = event_filter_fields;
	char out[64], say[FILTER_SAY];
	fields.ctx = log;
	filter_complete(&fields, "type:", out, sizeof out, say);
	assert_string_equal(say, "CREATE_THREAD  BLOCK_MARKER  USER_MSG");
	done(log, &b);
	filter_complete(&event_filter_fields, "type:", out, sizeof out, say);
	assert_true(strlen(say) < sizeof say && strcmp(say + strlen(say) - strlen("  …"), "  …") == 0);
}

static void words_are_completed(void **state)
{
	(void)state;
	completes("ca", "cap", "");
	completes("cap:1 !te", "cap:1 !text~", "");
	completes("t", "t", "type~  thread  text~  t");
	completes("(type:gc_st", "(type:GC_STA", "GC_START  GC_STATS_GHC");
	completes("cap:", "cap:", "cap:2 or cap:0-3");
	completes("type:zzz", "type:zzz", "type:GC_*");
	completes("nothing", "nothing", "");
	completes("", "", "cap:2  type:GC_*  thread:26  text~sort  t>3.2s  !x  x or y");
	completes("cap:1 ", "cap:1 ", "cap:2  type:GC_*  thread:26  text~sort  t>3.2s  !x  x or y");
}

static void errors_name_the_column(void **state)
{
	static const struct {
		const char *text, *say;
	} cases[] = {{"cap:1 foo:2", "column 7: invalid field \"foo\" (use cap, type, thread, text, t)"},
		{"cap:x", "column 1: invalid cap \"x\" (use cap:2 or cap:0-3)"},
		{"GC cap:3-1", "column 4: invalid cap \"3-1\" (use cap:2 or cap:0-3)"},
		{"!cap:0-1.5", "column 2: invalid cap \"0-1.5\" (use cap:2 or cap:0-3)"},
		{"t:50%-10%", "column 1: invalid t \"50%-10%\" (use t>3.2s or t<50%)"},
		{"cap:0 type:GC_STAR", "column 7: no event is named \"GC_STAR\" (use type:GC_* or Tab for a list)"},
		{"type:35", "column 1: no event is named \"35\" (use type:GC_* or Tab for a list)"}, /* it has a name */
		{"type!=GC_STAR", "column 1: no event is named \"GC_STAR\" (use type:GC_* or Tab for a list)"},
		{"type~nosuch", "column 1: no event's name contains \"nosuch\""},
		{"GC (cap:2", "column 4: a parenthesis is not closed"},
		{"GC or", "column 4: nothing on one side of \"or\""}};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct event_filter f;
		struct evl_err err = {0};
		assert_int_equal(event_filter_init(&f, cases[i].text, &when, &err), EVL_USAGE);
		assert_string_equal(err.text, cases[i].say);
	}
}

static void groups_tell_which_tiles_to_read(void **state)
{
	(void)state;
	struct event_filter f;
	assert_int_equal(event_filter_init(&f, "type:GC_*", &when, NULL), 0);
	assert_int_equal(f.groups, 1u << EVL_GC);
	event_filter_free(&f);
	assert_int_equal(event_filter_init(&f, "!SPARK", &when, NULL), 0); /* types without a name pass, too */
	assert_int_equal(f.groups, UINT32_MAX);
	event_filter_free(&f);
	assert_int_equal(event_filter_init(&f, "cap:1", &when, NULL), 0);
	assert_int_equal(f.groups, UINT32_MAX);
	assert_null(f.tags);
	event_filter_free(&f);
}

static bool found(const char *pattern, const char *text)
{
	struct pattern p;
	struct evl_err err = {0};
	if (pattern_init(&p, (struct evl_str){(const uint8_t *)pattern, strlen(pattern)}, &err) < 0)
		fail_msg("%s", err.text);
	bool is = pattern_in(&p, (struct evl_str){(const uint8_t *)text, strlen(text)});
	pattern_free(&p);
	return is;
}

static void patterns(void **state)
{
	(void)state;
	assert_true(found("stop", "STOP_THREAD")); /* smart case */
	assert_false(found("Stop", "STOP_THREAD"));
	assert_true(found("a.c", "xa.cx"));
	assert_false(found("a.c", "abc"));
	assert_true(found("\\va.c", "ABC"));
	assert_false(found("\\va.C", "ABC"));
	assert_true(found("\\v^\\S+$", "ABC")); /* \S is no capital */
	assert_false(found("long", ""));
	assert_false(found("\\vx", ""));
	assert_true(found("µs", "12 µs"));
	assert_true(found("ärger", "so ein ÄRGER"));
	assert_false(found("Ärger", "so ein ärger"));
	assert_false(found("ärger", "arger"));
	assert_true(found("straße", "STRASSE"));
	assert_true(found("чтение", "фаза: ЧТЕНИЕ"));
	assert_true(found("é", "e\xcc\x81t\xc3\xa9")); /* one character or two */
	assert_false(found("é", "\xff\xfe e"));
	assert_false(found("éé", "É"));
	assert_true(found("\xff"
			  "a",
		"x\xff"
		"A"));
	assert_true(found("aab", "aaAAb"));
}

static void a_text_may_hold_anything(void **state)
{
	(void)state;
	struct pattern p;
	assert_int_equal(pattern_init(&p, EVL_STR("\\vb$"), NULL), 0);
	assert_true(pattern_in(&p, EVL_STR("a\0b")));
	assert_false(pattern_in(&p, EVL_STR("b\0a")));
	pattern_free(&p);
	static const char *const endless[] = {"\\va{99}{99}{99}", "\\va++++++++++++++++++++++++++++++",
		"\\v((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+", "\\v(a{999}){999}",
		"\\v(a++++++++++++++++++++++++++++++"};
	for (size_t i = 0; i < countof(endless); i++)
		assert_int_equal(
			pattern_init(&p, (struct evl_str){(const uint8_t *)endless[i], strlen(endless[i])}, NULL),
			EVL_USAGE);
	assert_int_equal(pattern_init(&p, EVL_STR("\\v[0-9]{1,3}(\\.[0-9]{1,3}){3} +(GET|PUT)+ []+*{]+"), NULL), 0);
	pattern_free(&p);
	assert_int_equal(pattern_init(&p, EVL_STR("\\v"), NULL), EVL_USAGE);
	assert_int_equal(pattern_init(&p, EVL_STR("a\0"), NULL), EVL_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_passes),
		cmocka_unit_test(what_is_no_filter),
		cmocka_unit_test(words_are_completed),
		cmocka_unit_test(types_of_the_log_are_offered),
		cmocka_unit_test(errors_name_the_column),
		cmocka_unit_test(groups_tell_which_tiles_to_read),
		cmocka_unit_test(patterns),
		cmocka_unit_test(a_text_may_hold_anything),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
