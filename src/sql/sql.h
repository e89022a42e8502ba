/* sql.h - SQL over the tables of rows.def of one log or several: an SQLite connection that can only read.
 *
 *   struct sql sql;
 *   sql_open(&sql, logs, n, cancel);
 *   sqlite3_stmt *statement;
 *   if (sql_prepare(&sql, "SELECT …", &statement, &error) == 0) … sqlite3_step(statement) …
 *   sqlite3_finalize(statement);
 *   sql_close(&sql);
 *
 * Nothing is imported: each table is a virtual table that scans the index or the log. Bounds of a table's key (its
 * time, or the id of a thread), and of events their capability, tag and name, are passed on to the scan; a scan is in the
 * order of its key, so ORDER BY that costs nothing (of several logs: where one is chosen). With several logs the first
 * column of each table is `log`. Columns that SELECT * omits: each column with a unit also by its bare key (pause for
 * pause_ns), and wall_ns, the Unix time of the row, where a row has a time.
 *
 * An authorizer refuses everything but reading. What sorting and grouping take beyond a few MB is in unlinked temporary
 * files. One thread at a time. */
#ifndef EVL_SQL_H
#define EVL_SQL_H

#include "rows/rows.h"

#include <sqlite3.h>

/* Temporary files that a connection may need: a process that enters a sandbox reserves them before (anon_file.h). */
enum { SQL_TEMP_FILES = 16 };

struct sql_log {
	const struct evl_log *log; /* walked to its end */
	const char *name;          /* for the column log */
};

struct sql {
	sqlite3 *db;
	const struct sql_log *logs;
	size_t n;
	struct rows_source *sources;  /* one a log */
	const atomic_bool *cancel;    /* becomes true when a statement is to stop; NULL: never */
	const struct progress *watch; /* told now and then, of no share, while a statement runs; NULL: nothing is */
	_Atomic uint64_t *told;       /* where the number of rows read so far is kept up to date; NULL: nowhere */
	uint64_t scanned;             /* rows of tables that were read */
};

/* Open a database over logs. The logs and their names must outlive it, and *s must not move. Return 0 or EVL_NOMEM; close it in
 * either case. */
int sql_open(struct sql *s, const struct sql_log *logs, size_t n, const atomic_bool *cancel) EVL_MUST_USE;
void sql_close(struct sql *s);

/* Error in a statement, with the position of its character, counted from 1. */
struct sql_error {
	char text[200];
	size_t at;
};

/* Prepare the one statement of the text, which may only read. 0, or EVL_USAGE or EVL_NOMEM with error filled. */
int sql_prepare(struct sql *s, const char *text, sqlite3_stmt **out, struct sql_error *error) EVL_MUST_USE;

/* Fill error from a step that failed: EVL_CANCELLED, EVL_NOMEM or EVL_USAGE. */
int sql_failed(struct sql *s, struct sql_error *error);

/* Bind a parameter, given as "name=value", to :name, @name or $name: a number where the value is one. EVL_USAGE with error
 * filled where the statement has none of that name. And check that all were bound. */
int sql_bind(sqlite3_stmt *statement, const char *param, struct sql_error *error) EVL_MUST_USE;
int sql_all_bound(sqlite3_stmt *statement, const char *const *params, size_t n, struct sql_error *error) EVL_MUST_USE;

/* A value of a row, and a name of a column; borrowed until the next step. */
struct datum sql_cell(sqlite3_stmt *statement, int column);
struct evl_str sql_name(sqlite3_stmt *statement, int column);

/* Append the names of all columns as a line of CSV; the row as one. spreadsheet: as cell_csv_safe. */
void sql_csv_head(struct buf *out, sqlite3_stmt *statement);
void sql_csv(struct buf *out, sqlite3_stmt *statement, bool spreadsheet);

/* Append all tables as CREATE TABLE statements, with what each column means as a comment. */
void sql_schema(struct buf *out, bool many);

/* Append "name" TYPE of a column, as the tables declare it. */
void sql_column(struct buf *out, const struct table_column *column);

#endif
