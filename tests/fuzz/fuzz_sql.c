/* Any text as a statement over the tables of a log, and as a parameter of it: refused with its place, or rows of it. It
 * cannot write, open a file or take longer than it is let. */
#include "fuzz.h"

#include "sql/sql.h"

static const char path[] = "tests/fuzz/corpus/reader/gc";

static struct evl_log *open_log(void)
{
	static struct evl_log *log;
	struct evl_err err = {0};
	if (!log)
		check(evl_open(&log, path, &err) == 0 && evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0);
	return log;
}

static int too_long(void *ctx)
{
	enum { MOST = 50 };
	return ++*(unsigned *)ctx > MOST;
}

static void step(struct sql *s, sqlite3_stmt *statement)
{
	enum { ROWS = 50 };
	struct sql_error error = {0};
	struct buf out = {0};
	int n = 0, status;
	while ((status = sqlite3_step(statement)) == SQLITE_ROW && n++ < ROWS) {
		for (int i = 0; i < sqlite3_column_count(statement); i++) {
			struct datum cell = sql_cell(statement, i);
			sql_name(statement, i);
			buf_clear(&out);
			cell_csv(&out, &cell);
			cell_csv_safe(&out, &cell);
		}
	}
	if (status != SQLITE_ROW && status != SQLITE_DONE)
		check(sql_failed(s, &error) < 0 && error.text[0]);
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { ROOM = 1024, LENGTH = 1 << 16 };
	static struct sql both[2]; /* of a log, and of the same twice */
	static struct sql_log logs[2] = {{NULL, "a"}, {NULL, "b"}};
	struct sql_error error = {0};
	sqlite3_stmt *statement;
	char text[ROOM];
	unsigned steps = 0;
	struct sql *s = &both[len && data[0] & 1];
	len -= len > 0;
	len = len < ROOM - 1 ? len : ROOM - 1;
	if (len)
		memcpy(text, data + 1, len);
	text[len] = '\0';
	logs[0].log = logs[1].log = open_log();
	if (!s->db)
		check(sql_open(s, logs, (size_t)(s - both) + 1, NULL) == 0);
	sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, LENGTH);
	sqlite3_progress_handler(s->db, LENGTH, too_long, &steps);
	int result = sql_prepare(s, text, &statement, &error);
	check(result == 0 ? statement != NULL : !statement && error.text[0]);
	if (result == 0) {
		check(sqlite3_stmt_readonly(statement));
		check(sql_bind(statement, text, &error) == 0 || error.text[0]);
		step(s, statement);
		sqlite3_finalize(statement);
	}
	sqlite3_progress_handler(s->db, 0, NULL, NULL);
	return 0;
}
