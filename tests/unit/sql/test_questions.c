/* Questions with names: each of assets/queries has an answer on a bundled log; the user's own take their place. */
#include "logs.h"
#include "sql/answer.h"
#include "sql/questions.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static size_t rows_of(const char *log_name, const struct question *q)
{
	struct evl_log *log = walked_file(log_name);
	struct sql_log one = {log, "x"};
	struct sql sql;
	struct sql_answer a;
	assert_int_equal(sql_open(&sql, &one, 1, NULL), 0);
	sql_answer_make(&a, &sql, q->text, NULL);
	if (a.result)
		fail_msg("%s: %s at %zu", q->name, a.error.text, a.error.at);
	size_t n = a.n;
	assert_false(a.more);
	sql_answer_free(&a);
	sql_close(&sql);
	evl_close(log);
	return n;
}

static void each_is_answered(void **state)
{
	(void)state;
	struct questions q;
	assert_int_equal(questions_open(&q, NULL), 0);
	assert_true(q.n >= 8);
	for (size_t i = 0; i < q.n; i++) {
		assert_true(questions_is_name(q.items[i].name));
		assert_true(strlen(q.items[i].about) > 8);
		size_t n = rows_of("assets/bazaar.eventlog", &q.items[i]);
		if (!n)
			n = rows_of("assets/bazaar-prof.eventlog", &q.items[i]);
		if (!n)
			fail_msg("%s: no rows in any bundled log", q.items[i].name);
	}
	questions_free(&q);
}

static void all_files_are_there(void **state)
{
	(void)state;
	struct questions q;
	size_t n = 0;
	DIR *dir = opendir("assets/queries");
	assert_non_null(dir);
	assert_int_equal(questions_open(&q, NULL), 0);
	for (const struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	assert_int_equal(q.n, n);
	questions_free(&q);
}

static void put_file(const char *dir, const char *name, const char *text, size_t len)
{
	char path[200];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	assert_true(f && fwrite(text, 1, len, f) == len && fclose(f) == 0);
}

static void the_users_own_come_first(void **state)
{
	(void)state;
	static char large[70 << 10];
	char dir[] = "/tmp/evtui-questions-XXXXXX", command[100];
	struct questions q, bundled;
	assert_non_null(mkdtemp(dir));
	memset(large, ' ', sizeof large);
	put_file(dir, "mine.sql", "-- my own\nSELECT 1", 18);
	put_file(dir, "slow-requests.sql", "SELECT 2", 8);
	put_file(dir, "large.sql", large, sizeof large);
	put_file(dir, "binary.sql", "SELECT\0 3", 9);
	put_file(dir, "bad name.sql", "SELECT 4", 8);
	put_file(dir, "other.txt", "SELECT 5", 8);
	put_file(dir, ".sql", "SELECT 6", 8);
	assert_int_equal(questions_open(&bundled, NULL), 0);
	assert_int_equal(questions_open(&q, dir), 0);
	assert_int_equal(q.n, bundled.n + 1);
	assert_string_equal(questions_find(&q, "mine")->about, "my own");
	assert_string_equal(questions_find(&q, "slow-requests")->text, "SELECT 2");
	assert_string_equal(questions_find(&q, "slow-requests")->about, "");
	assert_null(questions_find(&q, "large"));
	assert_null(questions_find(&q, "binary"));
	for (size_t i = 1; i < q.n; i++)
		assert_true(strcmp(q.items[i - 1].name, q.items[i].name) < 0);
	questions_free(&q);
	questions_free(&bundled);
	snprintf(command, sizeof command, "rm -r %s", dir);
	assert_int_equal(system(command), 0);
	assert_int_equal(questions_open(&q, dir), 0); /* no folder: no more questions, no error */
	questions_free(&q);
}

static struct sql_answer answer_to(const char *text)
{
	struct evl_log *log = walked_file("assets/bazaar.eventlog");
	struct sql_log one = {log, "x"};
	struct sql sql;
	struct sql_answer a;
	assert_int_equal(sql_open(&sql, &one, 1, NULL), 0);
	sql_answer_make(&a, &sql, text, NULL);
	sql_close(&sql);
	evl_close(log); /* the answer holds nothing of it */
	return a;
}

/* The start of a pause is that of the request, as on all screens. */
static void the_longest_pause_starts_with_its_request(void **state)
{
	(void)state;
	struct questions q;
	struct buf scratch = {0};
	struct evl_log *log = walked_file("assets/bazaar.eventlog");
	const struct gc_row *longest = gcs_longest(&log->gcs, 0, UINT64_MAX, NULL);
	assert_int_equal(questions_open(&q, NULL), 0);
	struct sql_answer a = answer_to(questions_find(&q, "longest-pauses")->text);
	assert_int_equal(a.result, 0);
	assert_int_equal(a.moment, 0);
	assert_true(longest->sync > 0);
	struct datum first = a.kind.cell(&a, 0, 0, &scratch);
	assert_int_equal((uint64_t)cell_double(&first), gc_requested(longest));
	sql_answer_free(&a);
	questions_free(&q);
	buf_free(&scratch);
	evl_close(log);
}

static void names_of_columns_tell_their_units(void **state)
{
	(void)state;
	struct sql_answer a =
		answer_to("SELECT start_ns, end_ns, pause_ns, max(pause_ns), copied_bytes, 5 AS first_at_ns,"
			  " 7 AS total_ns, 15 AS thread, -3, 'x', 2e9 AS pause_ns, NULL, 8 AS wall_ns FROM gc");
	static const enum unit units[] = {UNIT_MOMENT, UNIT_MOMENT, UNIT_NS, UNIT_NS, UNIT_BYTES, UNIT_MOMENT, UNIT_NS,
		UNIT_COUNT, UNIT_NUMBER, UNIT_TEXT, UNIT_NS, UNIT_COUNT, UNIT_COUNT};
	assert_int_equal(a.result, 0);
	assert_int_equal(a.kind.n_columns, countof(units));
	for (size_t i = 0; i < countof(units); i++)
		if (a.kind.columns[i].unit != units[i])
			fail_msg("column %zu has unit %d", i, a.kind.columns[i].unit);
	assert_string_equal(a.kind.columns[0].key, "start");
	assert_string_equal(a.kind.columns[3].key, "max(pause_ns)");
	assert_int_equal(a.moment, 0);
	assert_int_equal(a.end, 1);
	assert_int_equal(a.thread, 7);
	sql_answer_free(&a);
}

/* Each column of numbers has room for them as they are shown: 1,106,992. */
static void numbers_are_shown_whole(void **state)
{
	struct sql_answer a = answer_to("SELECT column1 AS n, column2 AS x, NULL AS u FROM (VALUES (208098, 0.5), "
					"(1106992, 1.0 / 3), (NULL, -1234567.5))");
	(void)state;
	assert_int_equal(a.result, 0);
	assert_int_equal(a.kind.columns[0].unit, UNIT_COUNT);
	assert_int_equal(a.columns->widths[0], strlen("1,106,992"));
	assert_int_equal(a.kind.columns[1].unit, UNIT_NUMBER);
	assert_int_equal(a.columns->widths[1], strlen(as_value(UNIT_NUMBER, -1234567.5)));
	assert_int_equal(a.columns->widths[2], strlen("u") + 1);
	sql_answer_free(&a);
}

static void many_rows_are_cut_and_that_is_said(void **state)
{
	(void)state;
	struct sql_answer a = answer_to(
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'text ' || i FROM n");
	uint64_t *refs;
	size_t n;
	struct buf scratch = {0};
	assert_int_equal(a.result, 0);
	assert_true(a.more && a.n > 100000);
	assert_int_equal(a.n_cells, 2 * a.n);
	assert_int_equal(table_refs(&a.kind, &a, &refs, &n), 0);
	assert_int_equal(n, a.n);
	struct datum last = a.kind.cell(&a, n - 1, 0, &scratch), text = a.kind.cell(&a, 41, 1, &scratch);
	assert_true(last.kind == CELL_REAL && cell_double(&last) == (double)n);
	assert_true(str_is(text.text, "text 42"));
	buf_free(&scratch);
	free(refs);
	sql_answer_free(&a);
}

static void errors_say_where(void **state)
{
	(void)state;
	struct sql_answer a = answer_to("SELECT nothing FROM gc");
	assert_int_equal(a.result, EVL_USAGE);
	assert_int_equal(a.error.at, 8);
	sql_answer_free(&a);
	a = answer_to("SELECT :p");
	assert_int_equal(a.result, EVL_USAGE);
	sql_answer_free(&a);
	a = answer_to("DELETE FROM gc");
	assert_int_equal(a.result, EVL_USAGE);
	sql_answer_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_answered),
		cmocka_unit_test(all_files_are_there),
		cmocka_unit_test(the_users_own_come_first),
		cmocka_unit_test(the_longest_pause_starts_with_its_request),
		cmocka_unit_test(names_of_columns_tell_their_units),
		cmocka_unit_test(numbers_are_shown_whole),
		cmocka_unit_test(many_rows_are_cut_and_that_is_said),
		cmocka_unit_test(errors_say_where),
	};
	return cmocka_run_group_tests_name("questions", tests, NULL, NULL);
}
