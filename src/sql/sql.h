/* sql.h - run SQL over the tables of rows.def, for one log or several: a read-only SQLite connection
 *
 *   struct sql sql;
 *   sql_open(&sql, logs, n, cancel);
 *   sqlite3_stmt *statement;
 *   if (sql_prepare(&sql, "SELECT …", &statement, &error) == 0) … sqlite3_step(statement) …
 *   sqlite3_finalize(statement);
 *   sql_close(&sql);
 *
 * No data is imported: each table is a virtual table that scans the index or the log. Conditions on the order column of
 * a table (its time, or the thread id) and, for events, on capability, type and name limit the scan. A scan returns
 * rows in the order of that column, so ORDER BY on it costs nothing (with several logs: if the query selects one log).
 * With several logs the first column of each table is `log`. SELECT * leaves out some columns: each column with a unit
 * is also available by its name without the unit (pause for pause_ns), and tables with times have wall_ns, the Unix
 * time of the row.
 *
 * An authorizer rejects everything but reading. Data for sorting and grouping beyond a few MB goes to unlinked
 * temporary files. A connection may be used by one thread at a time. */
#ifndef EVL_SQL_H
#define EVL_SQL_H

#include "rows/rows.h"

#include <sqlite3.h>

/* Temporary files that one connection may need. A process that enters a sandbox reserves them first (anon_file.h). */
enum { SQL_TEMP_FILES = 16 };

/* A log to query. */
struct sql_log {
	const struct evl_log *log; /* completely indexed */
	const char *name;          /* value of the column `log` */
};

struct sql {
	sqlite3 *db;
	const struct sql_log *logs;
	size_t n;
	struct rows_source *sources; /* one per log */
	const atomic_bool *cancel;   /* set to true by another thread to stop a statement; NULL: never */
	/* Its function `tell` is called now and then while a statement runs, with share 0 (unknown); NULL: none. */
	const struct progress *watch;
	_Atomic uint64_t *told; /* kept up to date with the number of rows read; NULL: not wanted */
	uint64_t scanned;       /* number of table rows read */
};

/* Open a connection over logs. The logs and their names must outlive it, and *s must not move. Return 0 or
 * EVL_NOMEM; close it in either case. */
int sql_open(struct sql *s, const struct sql_log *logs, size_t n, const atomic_bool *cancel) EVL_MUST_USE;
void sql_close(struct sql *s);

/* Error in a statement, and the position of the offending character, counted from 1; 0: unknown. */
struct sql_error {
	char text[200];
	size_t at;
};

/* Prepare the text, which must be a single statement that only reads. Return 0; or EVL_USAGE or EVL_NOMEM with
 * *error filled. */
int sql_prepare(struct sql *s, const char *text, sqlite3_stmt **out, struct sql_error *error) EVL_MUST_USE;

/* Fill *error after sqlite3_step failed. Return EVL_CANCELLED, EVL_NOMEM or EVL_USAGE. */
int sql_failed(struct sql *s, struct sql_error *error);

/* sql_bind: bind a parameter given as "name=value" to :name, @name or $name, as a number if the value is one.
 * sql_all_bound: check that params[n] bind all parameters of the statement. Return 0; EVL_USAGE with *error filled
 * if names do not match; sql_bind also EVL_NOMEM. */
int sql_bind(sqlite3_stmt *statement, const char *param, struct sql_error *error) EVL_MUST_USE;
int sql_all_bound(sqlite3_stmt *statement, const char *const *params, size_t n, struct sql_error *error) EVL_MUST_USE;

/* Return a value of the current row, or the name of a column; valid until the next step. */
struct datum sql_cell(sqlite3_stmt *statement, int column);
struct evl_str sql_name(sqlite3_stmt *statement, int column);

/* Number columns of equal names, ignoring case: nth[i] is 1, or N if column i is to be called NAME_N, which no
 * earlier one is. */
void sql_number_names(const struct evl_str *names, int n, int *nth);

/* Append the column names, or the current row, as a line of CSV. spreadsheet: see cell_csv_safe. */
void sql_csv_head(struct buf *out, sqlite3_stmt *statement);
void sql_csv(struct buf *out, sqlite3_stmt *statement, bool spreadsheet);

/* Append all tables as CREATE TABLE statements, with the meaning of each column as a comment. many: with the column
 * `log`. */
void sql_schema(struct buf *out, bool many);

/* Append the declaration of a column in such a statement: "name" TYPE. */
void sql_column(struct buf *out, const struct table_column *column);

#endif
