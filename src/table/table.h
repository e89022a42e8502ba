/* table.h - generic tables: columns, sorting and filtering of rows that are decoded on demand
 *
 * A row is identified by a 64-bit number, its reference. The owner of a table supplies a function that returns a
 * cell; the functions here sort references by any column and drop those that a filter rejects. Memory: 40 bytes per
 * row while sorting, 8 afterwards. Times are in ns. */
#ifndef EVL_TABLE_H
#define EVL_TABLE_H

#include "base/cell.h"
#include "base/filter.h"
#include "log/log.h"
#include "sys/progress.h"

/* Outputs that a column is in, besides the text page and the Stats pane: all of them; none; `stats --json`; the same,
 * without its key where it is unknown; CSV and SQL. */
enum column_use { COLUMN_SHOWN, COLUMN_HIDDEN, COLUMN_JSON, COLUMN_KNOWN, COLUMN_ROWS };

/* A column. The strings are constants. */
struct table_column {
	const char *key;   /* name in filters, CSV and the sort prompt: "pause" */
	const char *title; /* heading of the column */
	enum unit unit;
	const char *meaning;
	bool deep; /* its cells are known only if the list was made deep, by reading the log once more */
	enum column_use use;
};
enum { SHALLOW, DEEP };

/* The part of a log that a list is made from. */
struct table_range {
	const struct evl_log *log;
	uint64_t from, to;
	/* Hash (idmap_key) of a label: only spans with this label, for a path the time they cover; 0: any. */
	uint64_t label;
	uint32_t thread; /* thread that a path ends with; 0: the main thread */
	unsigned list;   /* enum figure_list_id, for lists of figures (figure_lists.h) */
	/* Results for this range that were computed before; the list takes its part (lists.h). NULL: none. */
	struct table_shared *shared;
	const void *extra; /* contents of a list that is not made from the log; it must outlive the list */
};

/* A further name of a column in filters: as other panes call it, or its former name. */
struct table_alias {
	const char *name;
	int column;
};
#define TABLE_ALIAS(name, column) ((const struct table_alias[]){{name, column}, {NULL, 0}})

/* Columns in the order of JSON (table_kind.json). */
#define TABLE_JSON(...) ((const uint8_t[]){__VA_ARGS__, UINT8_MAX})

/* table_kind.whole: the length of the range. */
enum { TABLE_WHOLE_RANGE = -1 };

/* A kind of table: its columns, and the functions that make a list and return its cells. */
struct table_kind {
	const char *name; /* name of the table: "gc" */
	const struct table_column *columns;
	int n_columns;
	const uint8_t *json; /* columns that `stats --json` writes (TABLE_JSON); NULL: by their use */
	/* Column of times that other times are shown and filtered as shares of (run>50%), or TABLE_WHOLE_RANGE; 0: none. */
	int whole;
	const struct table_alias *aliases; /* the last has no name; NULL: none */
	uint64_t names; /* columns that bare words of a filter match, bit 1 << column; 0: all texts */
	/* Return a cell of a row. Its text is borrowed from the log or from scratch. */
	struct datum (*cell)(void *list, uint64_t ref, int column, struct buf *scratch);
	/* Get all cells of a row. Their texts may move when scratch grows. NULL: the list is no table of rows (rows.h). */
	void (*row)(void *list, uint64_t ref, struct buf *scratch, struct datum *out);
	/* Get references to all rows, in the order of the list; the caller frees *refs. Return 0 or EVL_NOMEM. NULL:
	 * the references are 0 to count - 1. */
	int (*refs)(void *list, uint64_t **refs, size_t *n);
	/* Return the unit of a row's columns of UNIT_NUMBER; NULL: they have none. */
	enum unit (*unit)(void *list, uint64_t ref);
	size_t (*count)(const void *list);
	/* Size of a list in bytes. A list starts with a struct table_range; the rest is zeros until it is made. 0:
	 * lists are created by other means. */
	size_t size;
	/* make: compute what the cells need, replacing earlier results; deep: for the deep columns, too. Return 0,
	 * EVL_NOMEM or EVL_CANCELLED. unmake: free it. NULL: cells need nothing. */
	int (*make)(void *list, bool deep, const struct progress *watch);
	void (*unmake)(void *list);
	/* Append a remark on the whole list, shown with its title, or nothing. NULL: there is none. */
	void (*remark)(const void *list, struct buf *out);
};

/* Return a new list that is not made yet, or NULL if memory ran out. of: its struct table_range; if the kind has no
 * size, the list itself, which is returned. Free it with table_list_free. */
void *table_list_new(const struct table_kind *kind, const void *of);
void table_list_free(const struct table_kind *kind, void *list);

/* Get references to all rows, in the order of the list; the caller frees *refs. Return 0 or EVL_NOMEM. */
int table_refs(const struct table_kind *kind, void *list, uint64_t **refs, size_t *n) EVL_MUST_USE;

/* Append the name of a column (its key and the suffix of its unit), or the same as a JSON key. */
void table_column_name(struct buf *out, const struct table_column *column);
void table_json_key(struct json *j, const struct table_column *column);

/* Return the number in a cell, or its share of the row's `whole`. NAN if it is unknown. */
double table_number(const struct table_kind *kind, void *list, uint64_t ref, int column, bool share);

/* table_json_cells: write the cells of a row into an open JSON object, as in `stats --json`.
 * table_json: write the first `most` rows as an array of objects; only for kinds with count and without refs. */
void table_json_cells(struct json *j, const struct table_kind *kind, void *list, uint64_t ref);
void table_json(struct json *j, const struct table_kind *kind, void *list, size_t most);

/* Append the names of the columns that CSV has as a line, or the cells of a row. spreadsheet: see cell_csv_safe. */
void table_csv_head(struct buf *out, const struct table_kind *kind);
void table_csv_row(struct buf *out, const struct table_kind *kind, void *list, uint64_t ref, bool spreadsheet);

/* Filter expressions over rows (filter.h): the fields are the columns and the aliases; a bare word matches rows with a text (or a
 * name, table_kind.names) that contains it. table_filter_parse returns 0, or an error code with *err filled. */
enum { TABLE_FILTER = 256, TABLE_FIELDS = 64 };
struct filter_fields table_filter_fields(const struct table_kind *kind, struct filter_field items[TABLE_FIELDS]);
int table_filter_parse(struct filter *f, const struct table_kind *kind, const char *text, struct evl_err *err);

/* Order and filter of a table. column -1: keep the order of the references. Unknown cells come last in either
 * direction; equal rows keep their order. */
struct table_order {
	int column;
	bool falling;                /* largest first */
	const struct filter *filter; /* NULL: all rows */
};

/* The rows of a table after filtering and sorting. */
struct table_rows {
	uint64_t *refs;
	size_t n;
	size_t all; /* number of rows before filtering */
};

/* Filter and sort refs[n], taking ownership of refs. ctx: the list. Return 0; or EVL_NOMEM or EVL_CANCELLED, then
 * the result is empty. */
int table_rows_make(struct table_rows *out, const struct table_kind *kind, void *ctx, uint64_t *refs, size_t n,
	const struct table_order *order, const struct progress *watch) EVL_MUST_USE;
void table_rows_free(struct table_rows *r);

#endif
