/* rows_private.h - the tables of rows.def, and what their files share. */
#ifndef EVL_ROWS_PRIVATE_H
#define EVL_ROWS_PRIVATE_H

#include "base/decimal.h"
#include "rows/rows.h"

/* enum of the columns of each table: heap_T, heap_CAP … */
#define ROWS(name, key, help)                                                                                          \
	enum name##_row_column                                                                                         \
	{                                                                                                              \
		name##_NO_KEY = -1,
#define COLUMN(table, id, key, unit, meaning) table##_##id,
#define END_ROWS(name)                                                                                                 \
	name##_COLUMNS                                                                                                 \
	}                                                                                                              \
	;
#include "rows/rows.def"

/* Functions of the tables; the rest of struct rows_table is in rows.def. */
#define LISTED(name, help)                                                                                             \
	extern const struct rows_table rows_##name;                                                                    \
	extern const char name##_help[];
#define ROWS(name, key, help)                                                                                          \
	LISTED(name, help)                                                                                             \
	extern const struct table_column columns_of_##name[];                                                          \
	enum { name##_KEY = name##_##key };
#include "rows/rows.def"

/* The members that rows.def tells. */
#define ROWS_OF_DEF(table)                                                                                             \
	.name = #table, .help = table##_help, .columns = columns_of_##table, .n_columns = table##_COLUMNS,             \
	.key = table##_KEY

/* Is the column wanted? */
static inline bool rows_wants(const struct rows_scan *s, int column) { return s->ask.columns >> column & 1; }

/* For tables whose rows are numbered at .. end. */
static inline int rows_count_up(struct rows_scan *s)
{
	bool more = s->at < s->end;
	s->at += more;
	return more;
}

/* Append the cells of the row, with commas between them, each as cell_csv writes it. */
void rows_csv_cells(struct rows_scan *s, struct buf *out);

/* Write cells of CSV, with up to ROWS_PUT commas and numbers one after another, through a pointer into the buffer: NULL once memory
 * is out. */
enum { ROWS_PUT = 16 };
static inline char *rows_put_begin(struct buf *out)
{
	return buf_fits(out, ROWS_PUT * (1 + DECIMAL_ROOM)) ? out->p + out->len : NULL;
}

static inline void rows_put_end(struct buf *out, const char *p)
{
	if (p)
		out->len = (size_t)(p - out->p);
}

static inline char *rows_put_cell(struct buf *out, char *p, struct datum c)
{
	if (c.kind == CELL_COUNT)
		return decimal_put(p, c.count);
	if (c.kind == CELL_UNKNOWN)
		return p;
	rows_put_end(out, p);
	cell_csv(out, &c);
	return rows_put_begin(out);
}

/* An empty text is unknown. */
static inline struct datum rows_or_none(struct datum c)
{
	return c.kind == CELL_TEXT && c.text.len == 0 ? CELL_NONE : c;
}

/* Texts of numbers that come again and again, such as stacks: of each slot the one that was made last. */
enum { ROW_TEXTS = 256, ROW_TEXT_MOST = 4096 };
struct row_texts {
	struct {
		uint64_t key; /* number + 1; 0: none */
		struct buf text;
	} slots[ROW_TEXTS];
};
bool row_texts_find(const struct row_texts *t, uint64_t number, struct evl_str *out) EVL_MUST_USE;
void row_texts_keep(struct row_texts *t, uint64_t number, struct evl_str text); /* NULL: nothing is kept */
void row_texts_free(struct row_texts *t);

/* Make the state of a table that is a list of src/table (rows_lists.c). */
int rows_make_list(const struct table_kind *kind, struct rows_source *s, bool deep, void **state) EVL_MUST_USE;

/* Get the results for lists that came with the metrics; NULL unless all tables are scanned. 0 or a code. */
struct table_shared;
int rows_shared(struct rows_source *s, struct table_shared **out) EVL_MUST_USE;

/* The metrics that several tables share (rows_figures.c). */
void rows_figures_free(struct rows_source *s);

#endif
