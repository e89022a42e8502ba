/* answer.h - keep the rows of an SQL statement in memory, as a table (table.h) that can be sorted and filtered
 *
 * A column whose name is that of a column in rows.def gets its unit: start_ns is a moment, total_ns a duration. */
#ifndef EVL_SQL_ANSWER_H
#define EVL_SQL_ANSWER_H

#include "sql/sql.h"

/* Rows are kept until their cells and texts take SQL_ANSWER_MOST_BYTES. */
enum { SQL_ANSWER_MOST_BYTES = 16 << 20, SQL_ANSWER_COLUMNS = TABLE_FIELDS, SQL_ANSWER_TITLE = 64 };

/* The columns. widths: characters of the longest cell or title of a column, at most UINT8_MAX. */
struct sql_answer_columns {
	struct table_column items[SQL_ANSWER_COLUMNS];
	char titles[SQL_ANSWER_COLUMNS][SQL_ANSWER_TITLE];
	uint8_t widths[SQL_ANSWER_COLUMNS];
};

struct sql_answer {
	int result; /* 0, or why rows are missing: EVL_USAGE, EVL_NOMEM or EVL_CANCELLED */
	struct sql_error error;
	struct table_kind kind; /* for this table, the list is the answer; rows in the order of the statement */
	struct sql_answer_columns *columns;
	/* Index of the first column of moments, of the moment after it, and of the column `thread`; -1: none. */
	int moment, end, thread;
	size_t n;  /* number of rows */
	bool more; /* not all rows were kept */
	struct sql_kept *cells;
	size_t n_cells, room;
	struct buf text;
};

/* The rows of an answer as lines of CSV, after a line with the names of the columns. Line i ends before ends[i]. */
struct sql_lines {
	bool spreadsheet; /* see cell_csv_safe */
	struct buf text;
	size_t *ends, n, room;
};
void sql_lines_free(struct sql_lines *lines);

/* Run the statement and keep its rows. a->result says whether it failed. lines: also keep the rows as CSV, exact and
 * whole; NULL: do not. Free with sql_answer_free. */
void sql_answer_make(struct sql_answer *a, struct sql *s, const char *statement, struct sql_lines *lines);
void sql_answer_free(struct sql_answer *a);

/* Build an answer from other data: begin with n columns (at most SQL_ANSWER_COLUMNS), put one cell after another,
 * row by row, then end. sql_answer_put returns false if memory ran out or the answer is full. */
void sql_answer_begin(struct sql_answer *a, const struct table_column *columns, int n);
bool sql_answer_put(struct sql_answer *a, const struct datum *cell);
void sql_answer_end(struct sql_answer *a);

#endif
