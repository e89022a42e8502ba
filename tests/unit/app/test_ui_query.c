/* The Query pane: the list of questions, an answer as a table, rows that lead to their moment and thread, errors, going
 * back, cancelling, and exports. */
#include "app/panes.h"
#include "chrome/copy.h"
#include "chrome/export_cmd.h"
#include "logs.h"
#include "panes/query/query_pane.h"
#include "panes/timeline/timeline.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 40, COLS = 120 };

static struct pane_host host;
static struct canvas canvas;

static void wake(void *ctx) { (void)ctx; }

static char *screen(void)
{
	panes_draw(&host, &canvas);
	char *text = canvas_dump(&canvas);
	assert_non_null(text);
	return text;
}

static void expect(const char *text)
{
	char *dump = screen();
	if (!strstr(dump, text))
		fail_msg("“%s” is not in\n%s", text, dump);
	free(dump);
}

static void expect_not(const char *text)
{
	char *dump = screen();
	if (strstr(dump, text))
		fail_msg("“%s” is in\n%s", text, dump);
	free(dump);
}

static int begin(void **state)
{
	(void)state;
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("HOME", "/nonexistent", 1);
	struct evl_log *log = walked_file("assets/bazaar.eventlog");
	host = (struct pane_host){.log = log, .theme = THEME_DARK, .wake = wake, .wait_for_jobs = true};
	model_init(&host.model, log);
	assert_true(panes_open(&host));
	canvas = (struct canvas){0};
	assert_int_equal(canvas_resize(&canvas, ROWS, COLS), 0);
	panes_draw(&host, &canvas);
	return 0;
}

static int end(void **state)
{
	(void)state;
	panes_close(&host);
	canvas_free(&canvas);
	evl_close(host.log);
	return 0;
}

static void press(enum action action)
{
	assert_true(panes_act(&host, action));
	free(screen());
}

static void ask(const char *text)
{
	const char *why = query_run(&host, text);
	if (why)
		fail_msg("%s: %s", text, why);
	assert_int_equal(host.shown, PANE_QUERY);
}

static void an_empty_pane_says_what_can_be_asked(void **state)
{
	(void)state;
	expect_not("7 Query");
	press(ACT_PANE_QUERY);
	expect("7 Query");
	expect(":sql SELECT");
	expect("slow-requests");
	expect("SELECT * FROM threads");
	assert_false(panes_leave(&host));
	press(ACT_PANE_TIMELINE);
	expect_not("7 Query"); /* nothing was asked: the title has room for the program again */
	press(ACT_PANE_QUERY);
	press(ACT_EXPAND); /* the first one is asked */
	expect("mvar");
	assert_true(panes_leave(&host));
	expect("slow-requests");
	press(ACT_PANE_TIMELINE);
	expect("7 "); /* its tab stays */
}

static void rows_are_sorted_and_filtered(void **state)
{
	(void)state;
	ask("SELECT cap, count(*) AS n, max(pause_ns) FROM gc GROUP BY cap");
	expect("max(pause_ns)");
	expect("7.17 ms");
	expect("rows 4");
	press(ACT_HIGHER);
	press(ACT_HIGHER); /* by n, the largest first */
	press(ACT_START);
	char *dump = screen();
	assert_true(strstr(dump, "267") < strstr(dump, "239") && strstr(dump, "239") < strstr(dump, "94 "));
	free(dump);
	press(ACT_FILTER);
	host.answer(&host, "n>200", PROMPT_DONE);
	host.prompt.open = false;
	expect("3 match");
	expect_not(" 94 ");
}

static void equal_names_are_told_apart(void **state)
{
	(void)state;
	ask("SELECT 1 AS k, 10 AS k, 'x' AS t UNION ALL SELECT 20, 2, 'y'");
	expect("k_2");
	press(ACT_FILTER);
	host.answer(&host, "k_2>5", PROMPT_DONE);
	host.prompt.open = false;
	expect("1 match");
	expect(" x");
	expect_not(" y");
}

static void a_row_leads_to_its_moment_and_thread(void **state)
{
	(void)state;
	ask("SELECT 12345678 AS start_ns, 8 AS thread, 'x' AS text");
	expect("12");
	press(ACT_EXPAND);
	assert_int_equal(host.shown, PANE_TIMELINE);
	assert_int_equal(host.model.at.cursor, 12345678);
	assert_int_equal(lanes_thread(timeline_lane(timeline_of(&host))), 8);
	ask("SELECT 1 AS n");
	free(screen());
	assert_true(panes_act(&host, ACT_EXPAND));
	assert_int_equal(host.shown, PANE_QUERY);
	assert_true(host.warning);
}

static void two_moments_are_a_range(void **state)
{
	(void)state;
	ask("SELECT 2000000000 AS start_ns, 2500000000 AS end_ns");
	free(screen());
	press(ACT_SELECT_SPAN);
	assert_true(host.model.selection.on);
	assert_int_equal(selection_from(&host.model.selection), 2000000000);
	assert_int_equal(selection_to(&host.model.selection), 2500000000);
}

static void errors_are_shown_with_their_place(void **state)
{
	(void)state;
	ask("SELECT foo FROM gc");
	expect("no such column: foo (evtui query --schema lists all), at character 8");
	ask("DROP TABLE gc");
	expect("only SELECT statements");
	assert_non_null(query_run(&host, "no-such-question"));
	ask("gc"); /* a table */
	expect("rows 840");
}

static void the_same_can_be_asked_again(void **state)
{
	(void)state;
	for (int i = 0; i < 3;
		i++) { /* shown, left and asked; asked while it is shown; its text is what is asked last */
		if (i == 1) {
			assert_true(panes_leave(&host));
			expect("slow-requests");
		}
		ask(i < 2 ? "SELECT 40 + 2 AS n" : "");
		expect("42");
		expect("rows 1");
		assert_false(panes_busy(&host));
	}
	for (int i = 0; i < 2; i++) {
		ask("SELECT foo FROM gc");
		expect("no such column: foo");
		assert_false(panes_busy(&host));
	}
}

static void a_long_answer_can_be_given_up(void **state)
{
	(void)state;
	host.wait_for_jobs = false;
	ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
	expect("looking");
	assert_true(panes_busy(&host));
	assert_true(panes_stop(&host));
	assert_false(panes_busy(&host));
	expect("stopped");
	ask(""); /* runs it again */
	expect("looking");
	assert_true(panes_stop(&host));
	host.wait_for_jobs = true;
	ask("SELECT 77 AS n");
	expect("77");
}

/* Expect this text from `:export csv OPTIONS query FILE`. */
static void expect_written(const char *options, const char *text)
{
	char line[256], path[] = "/tmp/evtui-query-XXXXXX", got[1000];
	struct evl_err err;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	snprintf(line, sizeof line, "%s %s", options, path);
	assert_int_equal(export_cmd_begin(&host, line, true, &err), 0);
	while (export_cmd_busy(&host)) {
		export_cmd_news(&host);
		usleep(100);
	}
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(got, 1, sizeof got - 1, f) : 0;
	assert_true(f && fclose(f) == 0);
	got[n] = '\0';
	assert_string_equal(got, text);
	unlink(path);
}

static void the_whole_answer_is_written(void **state)
{
	(void)state;
	char line[256];
	struct evl_err err;
	assert_int_equal(export_cmd_begin(&host, "csv query x", true, &err), EVL_USAGE); /* no statement was run yet */
	ask("SELECT 1 AS a, 'x,y' AS b UNION ALL SELECT 2, NULL");
	free(screen());
	assert_non_null(strstr(export_cmd_offer(&host, line, sizeof line), "csv query bazaar-query.csv"));
	expect_written("csv query", "a,b\n1,\"x,y\"\n2,\n");
}

static void expect_offer(const char *text)
{
	char line[256];
	assert_string_equal(export_cmd_offer(&host, line, sizeof line), text);
}

static void filter_rows(const char *text)
{
	press(ACT_FILTER);
	host.answer(&host, text, PROMPT_DONE);
	host.prompt.open = false;
	free(screen());
}

static void a_filtered_answer_is_written_as_shown(void **state)
{
	(void)state;
	char text[1200];
	ask("WITH t(a, b, c) AS (VALUES (1, 'x', 9007199254740993), (2, 'y', 1.5), (3, 'z,', NULL), (4, 'x', 0)) "
	    "SELECT a, b, c, a * 1000 AS pause_ns FROM t");
	free(screen());
	expect_offer("export csv query bazaar-query.csv");
	filter_rows("a!=2");
	expect_offer("export csv shown bazaar-shown.csv");
	expect_written("csv shown", "a,b,c,pause_ns\n1,x,9007199254740993,1000\n3,\"z,\",,3000\n4,x,0,4000\n");
	press(ACT_HIGHER);
	press(ACT_HIGHER); /* by b */
	press(ACT_SORT);
	expect_written("csv shown --spreadsheet",
		"a,b,c,pause_ns\n3,\"z,\",,3000\n1,\"x\",9007199254740993,1000\n4,\"x\",0,4000\n");
	expect_written(
		"csv query", "a,b,c,pause_ns\n1,x,9007199254740993,1000\n2,y,1.5,2000\n3,\"z,\",,3000\n4,x,0,4000\n");
	filter_rows("a>4");
	expect_written("csv shown", "a,b,c,pause_ns\n");
	memset(text, 0, sizeof text); /* more columns than the table has: the filter is about those that it shows */
	size_t n = (size_t)snprintf(text, sizeof text, "SELECT 0 AS k");
	for (int i = 1; i < 70; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, ", %d", i % 10);
	ask(text);
	free(screen());
	filter_rows("k=0");
	expect_written("csv shown",
		"k,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,"
		"1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9\n"
		"0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,"
		"1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9\n");
}

static void a_failed_statement_is_not_written(void **state)
{
	(void)state;
	char line[256];
	struct evl_err err;
	ask("SELECT foo FROM gc");
	free(screen());
	assert_null(export_cmd_offer(&host, line, sizeof line));
	assert_int_equal(export_cmd_begin(&host, "csv shown x", true, &err), EVL_USAGE);
}

/* e on the list exports the rows of the selected query or table. */
static void a_prepared_query_is_written_by_its_name(void **state)
{
	(void)state;
	char line[256];
	struct evl_err err;
	press(ACT_PANE_QUERY);
	expect_offer("export csv blocked-on bazaar-blocked-on.csv");
	filter_rows("pauses-by-generation");
	expect_offer("export csv pauses-by-generation bazaar-pauses-by-generation.csv");
	filter_rows("name=damage");
	expect_offer("export csv damage bazaar-damage.csv");
	assert_int_equal(export_cmd_begin(&host, "csv shown x", true, &err), EVL_USAGE);
	filter_rows("nothing has this name");
	assert_null(export_cmd_offer(&host, line, sizeof line));
	expect_written("csv log-bytes", "cap,blocks,bytes\n3,2,207249\n0,2,183713\n1,2,182201\n2,2,159592\n,3,9496\n");
	assert_int_equal(export_cmd_begin(&host, "csv no-such x", true, &err), EVL_USAGE);
	assert_non_null(strstr(err.text, "invalid table \"no-such\""));
}

/* The user's queries are in $XDG_CONFIG_HOME/evtui/queries, under any name, even that of a table. */
static void queries_of_the_user_are_listed(void **state)
{
	(void)state;
	expect_not("my question");
	press(ACT_PANE_QUERY);
	filter_rows("name=gc");
	expect("my question");
	expect_not("SELECT * FROM gc");
	press(ACT_EXPAND);
	expect("4,242");
}

/* Create the folder of queries in *state. */
static int begin_with_folder(void **state)
{
	static char folder[] = "/tmp/evtui-config-XXXXXX";
	char path[200];
	memcpy(strstr(folder, "config-") + 7, "XXXXXX", 6);
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/evtui", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/queries");
	assert_int_equal(mkdir(path, 0700), 0);
	strcat(path, "/gc.sql");
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs("-- my question\nSELECT 4242 AS n", f);
	assert_int_equal(fclose(f), 0);
	begin(state);
	panes_close(&host);
	setenv("XDG_CONFIG_HOME", folder, 1);
	assert_true(panes_open(&host));
	*state = folder;
	return 0;
}

static int end_with_folder(void **state)
{
	static const char *const rest[] = {"/evtui/queries/gc.sql", "/evtui/queries", "/evtui", ""};
	char path[200];
	for (size_t i = 0; i < countof(rest); i++) {
		snprintf(path, sizeof path, "%s%s", (char *)*state, rest[i]);
		assert_int_equal(remove(path), 0);
	}
	return end(state);
}

/* A copied row has all columns, and each text is whole, as the screen seldom has room for. */
static void a_row_is_copied_whole(void **state)
{
	(void)state;
	struct buf out = {0};
	ask("SELECT 'a text that is much longer than the widest column of a table on the screen, in the first column' "
	    "AS a, 1 AS n, "
	    "replace(hex(zeroblob(200)), '00', 'xy') || '.' AS last");
	free(screen());
	assert_true(copy_row(&host, false, &out));
	buf_char(&out, '\0');
	assert_non_null(strstr(out.p, "in the first column  "));
	assert_null(strstr(out.p, "…"));
	assert_int_equal(strlen(strstr(out.p, "xyxy")), 401);
	buf_free(&out);
}

static void formulas_are_text_for_spreadsheets(void **state)
{
	(void)state;
	struct evl_err err;
	ask("SELECT -1 AS a, '=1+1' AS b, '-x' AS c, 'plain' AS d, '' AS e, x'efbc9d31' AS f");
	free(screen());
	expect_written("csv --spreadsheet query", "a,b,c,d,e,f\n-1,\"'=1+1\",\"'-x\",\"plain\",,\"'＝1\"\n");
	expect_written("csv query --spreadsheet", "a,b,c,d,e,f\n-1,\"'=1+1\",\"'-x\",\"plain\",,\"'＝1\"\n");
	expect_written("csv query", "a,b,c,d,e,f\n-1,=1+1,-x,plain,,＝1\n");
	assert_int_equal(export_cmd_begin(&host, "folded --spreadsheet x", true, &err), EVL_USAGE);
	assert_non_null(strstr(err.text, "for csv"));
}

static void a_statement_may_be_long(void **state)
{
	(void)state;
	char text[4000] = "SELECT 0";
	size_t n = strlen(text);
	for (int i = 0; i < 900; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, " + 1");
	snprintf(text + n, sizeof text - n, " AS n");
	ask(text);
	expect("900");
	press(ACT_INVERT); /* edit it */
	assert_string_equal(host.prompt.text, text);
}

static void words_are_completed(void **state)
{
	(void)state;
	bool question = false, column = false;
	for (const char *const *w = query_words(&host, true); *w; w++)
		question = question || strcmp(*w, "slow-requests") == 0;
	for (const char *const *w = query_words(&host, false); *w; w++)
		column = column || strcmp(*w, "pause_ns") == 0;
	assert_true(question && column);
}

static void an_answer_outlives_its_log(void **state)
{
	(void)state;
	ask("SELECT 4711 AS n");
	expect("4,711");
	struct evl_log *was = host.log, *log = walked_file("assets/bazaar-prof.eventlog");
	ask("SELECT count(*) AS n, 4711 AS same FROM gc");
	expect("840");
	assert_true(panes_on_log_replaced(&host, log, true));
	evl_close(was);
	expect("840");
	ask("");
	expect_not("840");
	expect("4,711");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_empty_pane_says_what_can_be_asked, begin, end),
		cmocka_unit_test_setup_teardown(rows_are_sorted_and_filtered, begin, end),
		cmocka_unit_test_setup_teardown(equal_names_are_told_apart, begin, end),
		cmocka_unit_test_setup_teardown(a_row_leads_to_its_moment_and_thread, begin, end),
		cmocka_unit_test_setup_teardown(two_moments_are_a_range, begin, end),
		cmocka_unit_test_setup_teardown(errors_are_shown_with_their_place, begin, end),
		cmocka_unit_test_setup_teardown(the_same_can_be_asked_again, begin, end),
		cmocka_unit_test_setup_teardown(a_long_answer_can_be_given_up, begin, end),
		cmocka_unit_test_setup_teardown(the_whole_answer_is_written, begin, end),
		cmocka_unit_test_setup_teardown(a_filtered_answer_is_written_as_shown, begin, end),
		cmocka_unit_test_setup_teardown(a_failed_statement_is_not_written, begin, end),
		cmocka_unit_test_setup_teardown(a_prepared_query_is_written_by_its_name, begin, end),
		cmocka_unit_test_setup_teardown(queries_of_the_user_are_listed, begin_with_folder, end_with_folder),
		cmocka_unit_test_setup_teardown(a_row_is_copied_whole, begin, end),
		cmocka_unit_test_setup_teardown(formulas_are_text_for_spreadsheets, begin, end),
		cmocka_unit_test_setup_teardown(a_statement_may_be_long, begin, end),
		cmocka_unit_test_setup_teardown(words_are_completed, begin, end),
		cmocka_unit_test_setup_teardown(an_answer_outlives_its_log, begin, end),
	};
	return cmocka_run_group_tests_name("query pane", tests, NULL, NULL);
}
