/* Advice of findings: none contradicts other advice of the same log, the advice that would save most is to be tried first, and
 * the nonmoving collector is advised only where it would shorten the longest pause. */
#include "each_log.h"
#include "report/findings.h"

#include <math.h>
#include <stdio.h>

/* Advice to raise and to lower one setting. */
static const char *const opposite[][2] = {{"-A64m", "a smaller allocation area"}, {"-N", "fewer capabilities"}};

static char **given;
static uint64_t advised_in; /* logs and parts */

static bool advises(const struct findings *all, const char *advice)
{
	bool any = false;
	for (size_t i = 0; i < all->n; i++)
		any = any || strncmp(all->items[i].flag, advice, strlen(advice)) == 0
			|| strncmp(all->items[i].advice, advice, strlen(advice)) == 0;
	return any;
}

static void expect_one_direction(const struct findings *all, const char *name)
{
	for (size_t i = 0; i < countof(opposite); i++)
		if (advises(all, opposite[i][0]) && advises(all, opposite[i][1]))
			fail_msg("%s: %s, and %s", name, opposite[i][0], opposite[i][1]);
}

/* By adding up, for each finding with advice, the savings of all that have the same. */
static void expect_best(const struct findings *all, const char *name)
{
	double most = 0;
	const struct finding *got = findings_best_advice(all), *want = NULL;
	for (size_t i = 0; i < all->n; i++) {
		const struct finding *f = &all->items[i];
		double sum = 0;
		for (size_t k = 0; k < all->n && (f->saves >= 0 || *f->flag || *f->advice); k++)
			if (strcmp(all->items[k].flag, f->flag) == 0 && strcmp(all->items[k].advice, f->advice) == 0)
				sum += fmax(all->items[k].saves, 0); /* not NAN */
		if (fabs(findings_saved_by(all, f) - sum) > 1)
			fail_msg("%s: the advice of %s saves %.0f, not %.0f", name, finding_name(f->id),
				findings_saved_by(all, f), sum);
		if (sum > most) {
			most = sum;
			want = f;
		}
	}
	if (got != want)
		fail_msg("%s: the advice of %s saves most", name, got ? finding_name(got->id) : "none");
	advised_in += want != NULL;
}

static void compare(const struct evl_log *log, const char *name)
{
	uint64_t first, last;
	if (!evl_range(log, &first, &last))
		return;
	for (unsigned part = 0; part < 4; part++) {
		struct figures f;
		struct findings all;
		const struct figures_ask ask = {.from = part ? first + (last - first) / 3 * (part - 1) : 0,
			.to = part ? first + (last - first) / 3 * part : UINT64_MAX,
			.deep = true};
		if (ask.from >= ask.to || figures_make(&f, log, &ask) != 0)
			continue;
		findings_make(&all, log, &f);
		expect_one_direction(&all, name);
		expect_best(&all, name);
		figures_free(&f);
	}
}

static void no_log_has_advice_that_contradicts(void **state)
{
	(void)state;
	each_log_of(given, compare);
	assert_true(*given || advised_in > 0);
}

static struct finding advice(enum finding_id id, const char *flag, const char *other, double saves)
{
	struct finding f = {.id = id, .severity = FINDING_WARN, .stake_kind = STAKE_NS, .stake = 100, .saves = saves};
	snprintf(f.flag, sizeof f.flag, "%s", flag);
	snprintf(f.advice, sizeof f.advice, "%s", other);
	return f;
}

static const char smaller[] = "a smaller allocation area (-A): shorter pauses, but more of them",
		  fewer[] = "fewer capabilities (-N)";

static void the_direction_that_saves_more_stays(void **state)
{
	struct findings all = {.n = 6};
	(void)state;
	all.items[0] = advice(FINDING_GC_PAUSES, "", smaller, 20);
	all.items[1] = advice(FINDING_GC_MINOR, "-A64m", "", 11);
	all.items[2] = advice(FINDING_GC_SHARE, "-A64m", "", 10);
	all.items[3] = advice(FINDING_OVERSUBSCRIBED, "", fewer, 5);
	all.items[4] = advice(FINDING_THREADS_LATENCY, "-N", "", 5);
	all.items[5] = advice(FINDING_HEAP_GROWS, "-hT", "shows what holds it", (double)NAN);
	findings_reconcile(&all);
	assert_string_equal(all.items[0].advice, ""); /* 20 are less than 11 and 10 */
	assert_true(isnan(all.items[0].saves));
	assert_string_equal(all.items[1].flag, "-A64m");
	assert_string_equal(all.items[2].flag, "-A64m");
	assert_string_equal(all.items[3].advice, fewer); /* of equals, the first */
	assert_string_equal(all.items[4].flag, "");
	assert_string_equal(all.items[5].flag, "-hT"); /* records more */
	assert_ptr_equal(findings_best_advice(&all), &all.items[1]);
	assert_true(findings_saved_by(&all, &all.items[2]) == 21 && findings_saved_by(&all, &all.items[0]) == 0);
	assert_string_equal(findings_acts_on(&all, &all.items[1], true), "minor collections and GC sync");
	assert_string_equal(findings_acts_on(&all, &all.items[1], false), "minor collections");
	assert_string_equal(findings_acts_on(&all, &all.items[3], true), "waits for a processor");
	assert_string_equal(findings_acts_on(&all, &all.items[5], true), "");
	all.n = 2; /* without gc-share, which counts the sync */
	assert_string_equal(findings_acts_on(&all, &all.items[1], true), "minor collections");
}

static void places_are_told_in_words(void **state)
{
	enum { MS = 1000000 };
	static const char *const words[] = {"from 0.001000 s to 0.003000 s", "longest from 0.001000 s to 0.003000 s",
		"for example from 0.001000 s to 0.003000 s"};
	char text[FINDING_WHERE];
	struct finding f = {.t = MS};
	(void)state;
	assert_string_equal(finding_where(&f, text), "");
	f.has_place = true;
	assert_string_equal(finding_where(&f, text), "see 0.001000 s");
	f.until = 3 * MS;
	for (size_t i = 0; i < countof(words); i++) {
		f.shows = (enum finding_shows)i;
		assert_string_equal(finding_where(&f, text), words[i]);
	}
}

static void todo_names_flag_and_change(void **state)
{
	char text[FINDING_TODO];
	struct finding f = advice(FINDING_GC_SHARE, "-F4", "", 1);
	(void)state;
	assert_string_equal(finding_todo(&f, text), "+RTS -F4");
	f = advice(FINDING_OVERSUBSCRIBED, "", fewer, 1);
	assert_string_equal(finding_todo(&f, text), fewer);
	f = advice(FINDING_HEAP_GROWS, "-hT", "shows what holds it", 1);
	assert_string_equal(finding_todo(&f, text), "+RTS -hT shows what holds it");
	f = advice(FINDING_SERIAL, "", "", 1);
	assert_string_equal(finding_todo(&f, text), "");
}

/* Major collections at 1 MB in 1 ms, then three of 20 ms that copy 20 MB, and one of 30 ms that copies `bytes` in generation
 * `gen`. */
static void expect_longest(unsigned gen, uint64_t bytes, const char *flag, const char *text)
{
	const uint64_t MS = 1000000, MB = 1000000;
	static const char args[] = "p";
	struct built b = log_begin();
	struct figures f;
	struct findings all;
	const struct finding *got = NULL;
	uint64_t t = MS;
	block_begin(&b, EVL_NO_CAP, 1);
	put(&b, 1, EVL_PROGRAM_ARGS, "4s", 0u, args);
	put(&b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, "GHC-9.6.6 rts_thr");
	block_end(&b, 1);
	block_begin(&b, 0, 1);
	for (unsigned i = 0; i < 14; i++, t += 50 * MS) {
		uint64_t ns = i < 10 ? MS : i < 13 ? 20 * MS : 30 * MS;
		put(&b, t, EVL_GC_START, "");
		put(&b, t + ns, EVL_GC_STATS_GHC, "428884888", 0u, i < 13 ? 1u : gen,
			i < 10           ? MB
				: i < 13 ? 20 * MB
					 : bytes,
			(uint64_t)0, (uint64_t)0, 1u, (uint64_t)0, (uint64_t)0, (uint64_t)0);
		put(&b, t + ns, EVL_GC_END, "");
	}
	block_end(&b, t);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_int_equal(figures_make(&f, log, &(struct figures_ask){.to = UINT64_MAX, .deep = true}), 0);
	findings_make(&all, log, &f);
	for (size_t i = 0; i < all.n; i++)
		got = all.items[i].id == FINDING_GC_PAUSES ? &all.items[i] : got;
	assert_non_null(got);
	assert_string_equal(got->flag, flag);
	if (!strstr(got->text, text) || (*flag && strstr(got->text, "the longest is")))
		fail_msg("\"%s\" is not in: %s", text, got->text);
	figures_free(&f);
	done(log, &b);
}

static void the_longest_pause_must_be_shorter(void **state)
{
	(void)state;
	expect_longest(1, 16000000, "--nonmoving-gc", ", all major");
	expect_longest(1, 1000000, "", ", all major; copying at the usual rate explains only 1.00 ms of the longest");
	expect_longest(0, 30000000, "", ", 3 of them major; the longest is a minor one");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(no_log_has_advice_that_contradicts),
		cmocka_unit_test(the_direction_that_saves_more_stays), cmocka_unit_test(todo_names_flag_and_change),
		cmocka_unit_test(places_are_told_in_words), cmocka_unit_test(the_longest_pause_must_be_shorter)};
	given = argv + (argc > 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
