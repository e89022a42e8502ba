/* answer.h - the rows of an SQL statement kept in memory, as a table (table.h) that can be sorted and filtered.
 *
 * A column gets the unit of the column of rows.def that its name is: start_ns is a moment, total_ns a length of time. */
#ifndef EVL_SQL_ANSWER_H
#define EVL_SQL_ANSWER_H

#include "sql/sql.h"

/* Rows past this ceiling are left out: MOST_BYTES of cells and texts. */
enum { SQL_ANSWER_MOST_BYTES = 16 << 20, SQL_ANSWER_COLUMNS = TABLE_FIELDS, SQL_ANSWER_TITLE = 64 };

/* A column: its unit and title, and the characters of its longest cell or title, at most UINT8_MAX. */
struct sql_answer_columns {
	struct table_column items[SQL_ANSWER_COLUMNS];
	char titles[SQL_ANSWER_COLUMNS][SQL_ANSWER_TITLE];
	uint8_t widths[SQL_ANSWER_COLUMNS];
};

struct sql_answer {
	int result; /* 0, or why there are no rows, or not all: EVL_USAGE, EVL_NOMEM, EVL_CANCELLED */
	struct sql_error error;
	struct table_kind kind; /* its list is the answer, all rows in the order of the statement */
	struct sql_answer_columns *columns;
	int moment, end,
		thread; /* the first column of moments, the moment after it, and the column `thread`; -1: none */
	size_t n;
	bool more; /* rows were left out */
	struct sql_kept *cells;
	size_t n_cells, room;
	struct buf text;
};

/* Run the statement, and keep its rows. */
void sql_answer_make(struct sql_answer *a, struct sql *s, const char *statement);
void sql_answer_free(struct sql_answer *a);

/* An answer built by the caller: begin with columns (at most SQL_ANSWER_COLUMNS), then put a cell at a time, row by
 * row, then end. Return false if memory runs out, or no more rows are kept. */
void sql_answer_begin(struct sql_answer *a, const struct table_column *columns, int n);
bool sql_answer_put(struct sql_answer *a, const struct datum *cell);
void sql_answer_end(struct sql_answer *a);

#endif
