/* SQL: runs and who wakes whom against a slow walk of the events, joins that scan a table twice, errors, an end by cancel. */
#include "logs.h"
#include "show/event_merge.h"
#include "sql/sql.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const files[] = {
	"tests/logs/9.10.3-conczoo-thr-N2.eventlog", "tests/logs/9.10.3-profmix-p-hc.eventlog"};

/* The first row of the statement as text, its cells separated by blanks. */
static char *first_row(struct sql *s, const char *text)
{
	sqlite3_stmt *statement;
	struct sql_error error;
	struct buf out = {0};
	if (sql_prepare(s, text, &statement, &error) < 0)
		fail_msg("%s: %s", text, error.text);
	if (sqlite3_step(statement) == SQLITE_ROW)
		for (int i = 0; i < sqlite3_column_count(statement); i++) {
			struct datum cell = sql_cell(statement, i);
			if (i)
				buf_char(&out, ' ');
			cell_csv(&out, &cell);
		}
	assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
	buf_char(&out, '\0');
	return out.p;
}

static void expect(struct sql *s, const char *text, const char *row)
{
	char *got = first_row(s, text);
	assert_string_equal(got, row);
	free(got);
}

static void begin(struct sql *s, const struct sql_log *logs, size_t n, const atomic_bool *cancel)
{
	assert_int_equal(sql_open(s, logs, n, cancel), 0);
}

/* --- what the events say --- */

/* The words of runs.why for the numbers of GHC 7.8.3 and later, which all the logs have. */
static const struct {
	unsigned status;
	const char *why;
} whys[] = {{1, "heap overflow"}, {2, "stack overflow"}, {3, "yielding"}, {5, "finished"}, {6, "foreign call"},
	{7, "blocked on an MVar"}, {8, "blocked on a black hole"}, {11, "blocked on threadDelay"},
	{12, "blocked in STM retry"}, {18, "blocked in throwTo"}};

struct sums {
	unsigned long long runs, run_ns, wakes, known, wakers, why[countof(whys)];
};

static struct sums walk(const struct evl_log *log)
{
	enum { CHAINS = 64 };
	uint64_t since[CHAINS] = {0};
	uint32_t running[CHAINS] = {0};
	struct sums sums = {0};
	struct event_merge m;
	struct frame f;
	const struct block *block;
	assert_int_equal(event_merge_begin(&m, &log->blocks, &MERGE_ALL), 0);
	while (event_merge_next(&m, &f, &block)) {
		uint32_t c = block->chain;
		assert_true(c < CHAINS);
		if (f.tag == EVL_RUN_THREAD) {
			running[c] = be32(f.payload.p);
			since[c] = f.t;
		} else if (f.tag == EVL_STOP_THREAD) {
			if (running[c] == be32(f.payload.p)) {
				sums.runs++;
				sums.run_ns += f.t - since[c];
				for (size_t i = 0; i < countof(whys); i++)
					sums.why[i] += be16(f.payload.p + 4) == whys[i].status;
			}
			running[c] = 0;
		} else if (f.tag == EVL_THREAD_WAKEUP) {
			sums.wakes++;
			sums.known += running[c] != 0;
			sums.wakers += running[c];
		}
	}
	event_merge_end(&m);
	return sums;
}

static void rows_are_what_the_events_say(void **state)
{
	size_t whys_seen = 0;
	(void)state;
	for (size_t i = 0; i < countof(files); i++) {
		struct evl_log *log = walked_file(files[i]);
		struct sql_log one = {log, "x"};
		struct sql s;
		begin(&s, &one, 1, NULL);
		struct sums sums = walk(log);
		char want[128];
		snprintf(want, sizeof want, "%llu %llu", sums.runs, sums.run_ns);
		expect(&s, "SELECT count(*), sum(end_ns - start_ns) FROM runs WHERE stop IS NOT NULL", want);
		for (size_t k = 0; k < countof(whys); k++) {
			char text[128];
			snprintf(text, sizeof text, "SELECT count(*) FROM runs WHERE why = '%s'", whys[k].why);
			snprintf(want, sizeof want, "%llu", sums.why[k]);
			expect(&s, text, want);
			whys_seen += sums.why[k] > 0;
		}
		snprintf(want, sizeof want, "%llu %llu", sums.wakes, sums.known);
		expect(&s, "SELECT count(*), count(waker) FROM wakes", want);
		snprintf(want, sizeof want, "%llu", sums.wakers);
		expect(&s, "SELECT coalesce(sum(waker), 0) FROM wakes", want);
		sql_close(&s);
		evl_close(log);
	}
	assert_true(whys_seen > 5);
}

/* --- plans --- */

static void a_table_may_be_scanned_twice_at_once(void **state)
{
	(void)state;
	struct evl_log *log = walked_file(files[0]);
	struct sql_log two[] = {{log, "a"}, {log, "b"}};
	struct sql s;
	begin(&s, two, 1, NULL);
	expect(&s,
		"SELECT (SELECT count(*) FROM threads) = count(*), count(b.blocked_ns) > 0 FROM threads a JOIN threads "
		"b ON a.id = b.id",
		"1 1");
	expect(&s, "SELECT count(*) = (SELECT count(*) FROM runs) FROM runs r JOIN threads t ON t.id = r.thread", "1");
	expect(&s, "SELECT count(*) FROM gc WHERE start_ns < -1 OR start_ns > 1e30 OR start_ns = 'x'", "0");
	expect(&s, "SELECT count(*) = (SELECT count(*) FROM gc) FROM gc WHERE start_ns > -1.5 AND start_ns < 'x'", "1");
	sql_close(&s);
	begin(&s, two, 2, NULL);
	expect(&s, "SELECT count(DISTINCT log), count(*) = 2 * (SELECT count(*) FROM gc WHERE log = 'a') FROM gc",
		"2 1");
	expect(&s, "SELECT count(*) FROM gc WHERE log = 'c'", "0");
	expect(&s, "SELECT count(*) > 0 FROM gc a JOIN gc b ON a.start_ns = b.start_ns AND a.log < b.log", "1");
	sql_close(&s);
	evl_close(log);
}

/* --- errors --- */

static void refuses(struct sql *s, const char *text, size_t at)
{
	sqlite3_stmt *statement;
	struct sql_error error;
	assert_int_equal(sql_prepare(s, text, &statement, &error), EVL_USAGE);
	assert_null(statement);
	assert_null(strchr(error.text, '\n'));
	assert_int_equal(error.at, at);
}

static void errors_say_where(void **state)
{
	(void)state;
	struct evl_log *log = walked_file(files[0]);
	struct sql_log one = {log, "x"};
	struct sql s;
	begin(&s, &one, 1, NULL);
	refuses(&s, "SELECT '\xc3\xa9' FORM gc", 17);
	refuses(&s, "SELECT count(*)\nFROM gcs", 22);
	refuses(&s, " /* x */ DROP TABLE gc", 10);
	refuses(&s, "PRAGMA user_version", 1);
	refuses(&s, "SELECT 1; SELECT 2", 11);
	refuses(&s, ";; -- nothing", 14);
	sql_close(&s);
	evl_close(log);
}

static void a_statement_can_be_cancelled(void **state)
{
	(void)state;
	atomic_bool cancel = false;
	struct evl_log *log = walked_file(files[0]);
	struct sql_log one = {log, "x"};
	struct sql s;
	begin(&s, &one, 1, &cancel);
	struct sql_error error;
	sqlite3_stmt *statement;
	assert_int_equal(
		sql_prepare(&s, "SELECT a.t_ns FROM events a, events b ORDER BY a.t_ns + b.t_ns", &statement, &error),
		0);
	atomic_store(&cancel, true);
	assert_int_equal(sqlite3_step(statement), SQLITE_INTERRUPT);
	assert_int_equal(sql_failed(&s, &error), EVL_CANCELLED);
	sqlite3_finalize(statement);
	sql_close(&s);
	evl_close(log);
}

static void large_groups_take_little_memory(void **state)
{
	(void)state;
	enum { MOST = 16 << 20 };
	struct evl_log *log = walked_file(files[0]);
	struct sql_log one = {log, "x"};
	struct sql s;
	begin(&s, &one, 1, NULL);
	sqlite3_memory_highwater(1);
	expect(&s,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) SELECT count(*), "
		"sum(c), max(t) "
		"FROM (SELECT i * 7919 % 100003 AS g, count(*) AS c, max('some text of some length, so that it is much "
		"' || i) AS t "
		"FROM n GROUP BY 1)",
		"100003 400000 \"some text of some length, so that it is much 99999\"");
	assert_true(sqlite3_memory_highwater(0) < MOST);
	sql_close(&s);
	evl_close(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_what_the_events_say),
		cmocka_unit_test(a_table_may_be_scanned_twice_at_once),
		cmocka_unit_test(errors_say_where),
		cmocka_unit_test(a_statement_can_be_cancelled),
		cmocka_unit_test(large_groups_take_little_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
