/* export_csv.c - a table of rows.def, or a list as it is shown, as CSV (RFC 4180, but lines end in a single newline). The first
 * line names the columns; times are ns after the log's time 0, sizes bytes; unknown values are empty. */
#include "export/export.h"
#include "export/export_list.h"
#include "sql/answer.h"

/* Filter and sort the rows of a list. */
static int order_rows(const struct export *x, const struct table_kind *kind, void *list, struct table_rows *rows)
{
	struct progress watch = {.cancel = x->cancel};
	struct table_order order = {.column = x->list->column, .falling = x->list->falling};
	struct filter filter;
	struct evl_err err;
	uint64_t *refs;
	size_t n;
	int result = table_filter_parse(&filter, kind, x->list->filter, &err);
	order.filter = &filter;
	if (result == 0 && (result = table_refs(kind, list, &refs, &n)) == 0)
		result = table_rows_make(rows, kind, list, refs, n, &order, &watch);
	filter_free(&filter);
	return result;
}

/* The rows are those that the screen keeps of the answer. */
static int put_shown_answer(struct export *x, struct sql *sql)
{
	struct sql_lines lines = {.spreadsheet = x->spreadsheet};
	struct sql_answer a;
	struct table_rows rows = {0};
	sql_answer_make(&a, sql, x->sql, &lines);
	int result = a.result == 0 ? order_rows(x, &a.kind, &a, &rows) : a.result;
	if (result == 0)
		buf_put(&x->out, lines.text.p, lines.ends[0]);
	for (size_t i = 0; i < rows.n && result == 0; i++) {
		uint64_t row = rows.refs[i];
		size_t from = lines.ends[row], to = lines.ends[row + 1];
		buf_put(&x->out, lines.text.p + from, to - from);
		result = export_more(x);
	}
	table_rows_free(&rows);
	sql_answer_free(&a);
	sql_lines_free(&lines);
	return result;
}

static int export_answer(struct export *x)
{
	struct sql_log log = {x->log, ""};
	struct sql sql;
	struct sql_error error = {0};
	sqlite3_stmt *statement = NULL;
	int result = sql_open(&sql, &log, 1, x->cancel), status = SQLITE_DONE;
	if (result == 0)
		result = x->list ? put_shown_answer(x, &sql) : sql_prepare(&sql, x->sql, &statement, &error);
	if (statement)
		sql_csv_head(&x->out, statement);
	while (statement && result == 0 && (status = sqlite3_step(statement)) == SQLITE_ROW) {
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

/* Make the list, then filter and sort it. */
static int make_list(const struct export *x, void *list, struct table_rows *rows)
{
	const struct export_list *of = x->list;
	struct progress watch = {.cancel = x->cancel};
	int result = of->kind->make ? of->kind->make(list, of->deep, &watch) : 0;
	return result == 0 ? order_rows(x, of->kind, list, rows) : result;
}

static int export_shown(struct export *x)
{
	struct table_range range = x->list->range;
	struct table_rows rows = {0};
	range.log = x->log;
	void *made = x->list->made, *list = made ? made : table_list_new(x->list->kind, &range);
	int result = list ? make_list(x, list, &rows) : EVL_NOMEM;
	table_csv_head(&x->out, x->list->kind);
	for (size_t i = 0; i < rows.n && result == 0; i++) {
		table_csv_row(&x->out, x->list->kind, list, rows.refs[i], x->spreadsheet);
		result = export_more(x);
	}
	table_rows_free(&rows);
	if (list && !made)
		table_list_free(x->list->kind, list);
	return result;
}

int export_csv(struct export *x)
{
	bool any = false;
	if (x->sql)
		return export_answer(x);
	if (x->list && !x->list->keep)
		return export_shown(x);
	struct rows_source source = {
		.log = x->log, .from = x->from, .to = x->to, .group = x->group, .cancel = x->cancel};
	struct rows_scan scan = {.table = rows_find(x->table), .source = &source, .ask = ROWS_ALL};
	if (x->list) {
		scan.table = rows_table(ROWS_events);
		scan.keep = x->list->keep;
		scan.keep_ctx = x->list->made;
	}
	int result = rows_open(&scan);
	if (result == 0)
		rows_csv_head(&x->out, scan.table);
	while (result == 0 && (result = rows_next(&scan)) > 0) {
		any = true;
		rows_csv(&x->out, &scan, x->spreadsheet);
		result = scan.scratch.failed ? EVL_NOMEM : export_more(x);
	}
	if (result == 0 && !any && scan.table->of_profile)
		result = export_no_samples(x, evl_profile(x->log));
	x->no_rows = result == 0 && !any;
	rows_close(&scan);
	rows_source_free(&source);
	return result;
}
