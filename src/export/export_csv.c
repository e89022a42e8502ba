/* export_csv.c - a table of rows.def as CSV (RFC 4180, but lines end in a single newline). The first line names the columns;
 * times are ns after the log's time 0, sizes bytes; unknown values are empty. */
#include "export/export.h"
#include "sql/sql.h"

static int export_answer(struct export *x)
{
	struct sql_log log = {x->log, ""};
	struct sql sql;
	struct sql_error error = {0};
	sqlite3_stmt *statement = NULL;
	int result = sql_open(&sql, &log, 1, x->cancel), status = SQLITE_DONE;
	result = result == 0 ? sql_prepare(&sql, x->sql, &statement, &error) : result;
	if (result == 0)
		sql_csv_head(&x->out, statement);
	while (result == 0 && (status = sqlite3_step(statement)) == SQLITE_ROW) {
		sql_csv(&x->out, statement, x->spreadsheet);
		result = export_more(x);
	}
	if (result == 0 && status != SQLITE_DONE)
		result = sql_failed(&sql, &error);
	x->why = result == EVL_USAGE ? "the statement fails" : NULL;
	sqlite3_finalize(statement);
	sql_close(&sql);
	return result;
}

int export_csv(struct export *x)
{
	if (x->sql)
		return export_answer(x);
	struct rows_source source = {
		.log = x->log, .from = x->from, .to = x->to, .group = x->group, .cancel = x->cancel};
	struct rows_scan scan = {.table = rows_find(x->table), .source = &source, .ask = ROWS_ALL};
	int result = rows_open(&scan);
	if (result == 0)
		rows_csv_head(&x->out, scan.table);
	while (result == 0 && (result = rows_next(&scan)) > 0) {
		rows_csv(&x->out, &scan, x->spreadsheet);
		result = scan.scratch.failed ? EVL_NOMEM : export_more(x);
	}
	rows_close(&scan);
	rows_source_free(&source);
	return result;
}
