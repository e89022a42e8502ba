/* export_csv.c - a table of rows.def as CSV (RFC 4180, but lines end in a single newline). The first line names the columns;
 * times are ns after the log's time 0, sizes bytes; unknown values are empty. */
#include "export/export.h"
#include "rows/rows.h"

int export_csv(struct export *x)
{
	struct rows_source source = {.log = x->log, .from = x->from, .to = x->to, .cancel = x->cancel};
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
