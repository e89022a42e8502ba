/* table.h - generic tables: columns, sorting, filtering over rows that are decoded on demand.
 *
 * Rows are known by a 64-bit number (a reference). The owner of a table supplies a function that returns a cell; the
 * functions here sort references by any column and drop those that a filter rejects. 40 bytes per row while sorting,
 * 8 afterwards. */
#ifndef EVL_TABLE_H
#define EVL_TABLE_H

#include "base/buf.h"
#include "base/filter.h"
#include "sys/progress.h"

struct table_column {
	const char *key;   /* in filters, CSV and the order prompt: "pause" */
	const char *title; /* above the column: "pause" */
	enum unit unit;
	const char *meaning;
};

/* One cell. Text is borrowed from the log or from the scratch buffer of the asker. */
struct table_cell {
	bool known;
	double number;       /* of all units but TEXT */
	struct evl_str text; /* of UNIT_TEXT */
};

struct table_kind {
	const char *name; /* "gc" */
	const struct table_column *columns;
	int n_columns;
	/* The cell of a row. Which cells cost a look into the log is the business of the table. */
	struct table_cell (*cell)(void *ctx, uint64_t ref, int column, struct buf *scratch);
};

/* A filter of rows (filter.h): its fields are the columns; a word alone must occur in a cell of text. */
enum { TABLE_FILTER = 256, TABLE_FIELDS = 64 };
struct filter_fields table_filter_fields(const struct table_kind *kind, struct filter_field items[TABLE_FIELDS]);
int table_filter_parse(struct filter *f, const struct table_kind *kind, const char *text, struct evl_err *err);

/* The filter and the order that are asked for. column -1: the order in which the references come. Unknown cells go last
 * in any order; equals stay in the order in which they came. */
struct table_order {
	int column;
	bool falling;
	const struct filter *filter; /* NULL: all rows */
};

struct table_rows {
	uint64_t *refs;
	size_t n;
	size_t all; /* before the filter */
};

/* Put refs[n] (which are taken over) into order. 0, EVL_NOMEM or EVL_CANCELLED; then the rows hold nothing. */
int table_rows_make(struct table_rows *out, const struct table_kind *kind, void *ctx, uint64_t *refs, size_t n,
	const struct table_order *order, const struct progress *watch) EVL_MUST_USE;
void table_rows_free(struct table_rows *r);

/* A cell as plain text, for CSV and for copying: numbers with all their digits, times in ns; empty where not known. */
void table_cell_plain(struct buf *out, enum unit unit, const struct table_cell *cell);

#endif
