/* table.h - generic tables: columns, sorting, filtering over rows that are decoded on demand.
 *
 * Rows are known by a 64-bit number (a reference). The owner of a table supplies a function that returns a cell; the
 * functions here sort references by any column and drop those that a filter rejects. 40 bytes per row while sorting,
 * 8 afterwards. */
#ifndef EVL_TABLE_H
#define EVL_TABLE_H

#include "base/cell.h"
#include "base/filter.h"
#include "log/log.h"
#include "sys/progress.h"

struct table_column {
	const char *key;   /* in filters, CSV and the order prompt: "pause" */
	const char *title; /* above the column: "pause" */
	enum unit unit;
	const char *meaning;
	bool deep;   /* known only where the log was read once more for the list */
	bool hidden; /* not in `stats --json`: only for people */
};
enum { SHALLOW, DEEP };

/* The part of a log that a list is made of. */
struct table_range {
	const struct evl_log *log;
	uint64_t from, to;
	uint64_t label;  /* of spans: idmap_key of the label of all of them, for a path their windows; 0: any */
	uint32_t thread; /* that a path ends with; 0: the main thread */
	unsigned list;   /* which of the lists of figures (figure_lists.h) */
	struct table_shared *shared; /* found already for lists of this range, which take it (lists.h); NULL: nothing */
};

struct table_kind {
	const char *name; /* "gc" */
	const struct table_column *columns;
	int n_columns;
	/* The cell of a row; text is borrowed from the log or from scratch. Which cells cost a look into the log is the
	 * business of the table. */
	struct datum (*cell)(void *list, uint64_t ref, int column, struct buf *scratch);
	/* References to all rows, in the order of the list: *refs is the caller's. EVL_NOMEM or 0. NULL: they are 0 .. count-1. */
	int (*refs)(void *list, uint64_t **refs, size_t *n);
	size_t (*count)(const void *list);
	/* A list: `size` bytes, a struct table_range first and zeros after it. 0: a list is made by other means. */
	size_t size;
	/* Make what the cells need, in place of what was made before; deep: for the deep columns, too. EVL_NOMEM,
	 * EVL_CANCELLED or 0. And free it. NULL: cells need nothing. */
	int (*make)(void *list, bool deep, const struct progress *watch);
	void (*unmake)(void *list);
};

/* Return a list that is not made yet, NULL when memory is out; of a kind without a size, `of` is the list. And free it. */
void *table_list_new(const struct table_kind *kind, const void *of);
void table_list_free(const struct table_kind *kind, void *list);

/* References to all rows, in the order of the list: *refs is the caller's. EVL_NOMEM or 0. */
int table_refs(const struct table_kind *kind, void *list, uint64_t **refs, size_t *n) EVL_MUST_USE;

/* Append the name of a column: its key and the suffix of its unit; as a key of JSON. */
void table_column_name(struct buf *out, const struct table_column *column);
void table_json_key(struct json *j, const struct table_column *column);

/* Write the first `columns` cells of a row as `stats --json` has them, into an open object; the first rows of a list of a
 * kind that counts as an array of objects. */
void table_json_cells(struct json *j, const struct table_kind *kind, void *list, uint64_t ref, int columns);
void table_json(struct json *j, const struct table_kind *kind, void *list, size_t most);

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

#endif
