/* The line over the lanes about a finding: on a screen of 80 columns it tells the cause of each finding of every log. */
#include "draw/text.h"
#include "each_log.h"
#include "panes/timeline/timeline.h"
#include "report/findings.h"

#include <stdio.h>
#include <string.h>

enum { COLS = 80 };

static size_t logs, shortened;

/* "! 28.3% of the time: … (]f)" */
static void fits(const struct evl_log *log, const char *name)
{
	static struct figures f;
	struct findings all;
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&all, log, &f);
	figures_free(&f);
	logs++;
	for (size_t i = 0; i < all.n; i++) {
		const struct finding *x = &all.items[i];
		char share[FINDING_SHARE];
		finding_cost(x, share);
		const char *cost = strncmp(share, "costs ", 6) == 0 ? share + 6 : share;
		int room = COLS - 1 - (int)strlen("! ") - (int)strlen(cost) - (*cost ? 2 : 0) - (int)strlen("  (]f)");
		struct evl_str cause = finding_cause(x, room, false);
		bool own = (const char *)cause.p == x->text;
		if (cause.len == 0 || text_width(cause, false) > room)
			fail_msg("%s: %s: %.*s", name, x->text, (int)cause.len, (const char *)cause.p);
		/* a part of the text ends where a clause does */
		assert_true(!own || cause.len == strlen(x->text) || strchr(";:, ", x->text[cause.len]));
		shortened += !own;
	}
}

static void causes_fit(void **state)
{
	(void)state;
	each_log_of((char *[]){NULL}, fits);
	each_log("assets/bazaar.eventlog", fits);
	assert_true(logs > 20 && shortened > 0);
}

static void short_forms_fit(void **state)
{
	(void)state;
	for (int id = 0; id < FINDING_IDS; id++) {
		const char *brief = finding_brief((enum finding_id)id);
		assert_true(*brief && strlen(brief) <= FINDING_BRIEF);
	}
	assert_true((int)strlen("! 100.0% of the time: ") + FINDING_BRIEF + (int)strlen("  (]f)") < COLS);
}

/* Parentheses within a clause, and ", but", are not its end. */
static void clauses_are_whole(void **state)
{
	static const struct {
		const char *text;
		int width;
		const char *cause;
	} of[] = {{"6 threads \"a\" waited 1 s each (75.0% of the run) for MVars (locks); more", 40, NULL},
		{"6 threads \"a\" waited 1 s each (75.0% of the run) for MVars (locks); more", 60,
			"6 threads \"a\" waited 1 s each (75.0% of the run) for MVars"},
		{"thread 1 was ready to run, but waited, 1 s at a time", 45, "thread 1 was ready to run, but waited"},
		{"thread 1 was ready to run, but waited, 1 s at a time", 30, NULL},
		{"5 pauses of 10 ms or more (51 ms in total), all minor", 40, "5 pauses of 10 ms or more"}};
	(void)state;
	for (size_t i = 0; i < countof(of); i++) {
		struct finding f = {.id = FINDING_GC_PAUSES};
		snprintf(f.text, sizeof f.text, "%s", of[i].text);
		struct evl_str cause = finding_cause(&f, of[i].width, false);
		const char *want = of[i].cause ? of[i].cause : finding_brief(f.id);
		if (cause.len != strlen(want) || memcmp(cause.p, want, cause.len) != 0)
			fail_msg("%zu: %.*s", i, (int)cause.len, (const char *)cause.p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(causes_fit), cmocka_unit_test(short_forms_fit), cmocka_unit_test(clauses_are_whole)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
