/* rows_private.h - declarations shared by the implementations of the tables (rows_*.c) */
#ifndef EVL_ROWS_PRIVATE_H
#define EVL_ROWS_PRIVATE_H

#include "base/decimal.h"
#include "rows/rows.h"

/* Column numbers of each table: heap_T, heap_CAP, … */
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

/* The implementation of each table; name, help and columns come from rows.def. */
#define LISTED(name, help)                                                                                             \
	extern const struct rows_table rows_##name;                                                                    \
	extern const char name##_help[];
#define ROWS(name, key, help)                                                                                          \
	LISTED(name, help)                                                                                             \
	extern const struct table_column columns_of_##name[];                                                          \
	enum { name##_KEY = name##_##key };
#include "rows/rows.def"

/* Initializers of the members of struct rows_table that come from rows.def. */
#define ROWS_OF_DEF(table)                                                                                             \
	.name = #table, .help = table##_help, .columns = columns_of_##table, .n_columns = table##_COLUMNS,             \
	.key = table##_KEY

/* Return whether a column is wanted. */
static inline bool rows_wants(const struct rows_scan *s, int column) { return s->ask.columns >> column & 1; }

/* `next` of tables whose rows are numbered from `at` to `end`. */
static inline int rows_count_up(struct rows_scan *s)
{
	bool more = s->at < s->end;
	s->at += more;
	return more;
}

/* Append the cells of the row, separated by commas, each as cell_csv writes it. */
void rows_csv_cells(struct rows_scan *s, struct buf *out);

/* Write cells of CSV through a pointer into the buffer: up to ROWS_PUT numbers and commas between rows_put_begin and
 * rows_put_end. The pointer is NULL once memory has run out. */
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

/* Write a cell that is neither a number nor unknown. */
char *rows_put_other(struct buf *out, char *p, struct datum c);

/* Write a cell at p, which must not be NULL. Return the place after it, or NULL if memory ran out. No pointer to c is
 * taken here, so that a cell made in place stays in registers. */
static inline char *rows_put_cell(struct buf *out, char *p, struct datum c)
{
	return c.kind == CELL_COUNT ? decimal_put(p, c.count) : c.kind == CELL_UNKNOWN ? p : rows_put_other(out, p, c);
}

/* Return c, or an unknown cell if c is an empty text. */
static inline struct datum rows_or_none(struct datum c)
{
	return c.kind == CELL_TEXT && c.text.len == 0 ? CELL_NONE : c;
}

/* Cache of texts by number, for texts that recur (e.g. call stacks). Each slot keeps the text stored last. */
enum { ROW_TEXTS = 1024, ROW_TEXT_MOST = 4096 };
struct row_texts {
	struct {
		uint64_t key; /* number + 1; 0: the slot is empty */
		struct buf text;
	} slots[ROW_TEXTS];
};
/* Store the text of a number, borrowed until the next row_texts_keep, in *out. Return false if it is not in the cache
 * or t is NULL. */
bool row_texts_find(const struct row_texts *t, uint64_t number, struct evl_str *out) EVL_MUST_USE;
/* Put the text of a number into the cache, unless it is empty or longer than ROW_TEXT_MOST bytes. t may be NULL: then
 * nothing is stored. */
void row_texts_keep(struct row_texts *t, uint64_t number, struct evl_str text);
void row_texts_free(struct row_texts *t);

/* Make the shared data of a table whose rows come from a list of src/table (rows_lists.c). Return 0 or an error
 * code. */
int rows_make_list(const struct table_kind *kind, struct rows_source *s, bool deep, void **state) EVL_MUST_USE;

/* If s->all is set, compute the metrics and set *out to the results that the lists of src/table can reuse, borrowed
 * from s; otherwise set *out to NULL. Return 0, or an error code with *out NULL. */
struct table_shared;
int rows_shared(struct rows_source *s, struct table_shared **out) EVL_MUST_USE;

/* Free the metrics that several tables share (rows_figures.c), and the order of events (rows_events.c). */
void rows_figures_free(struct rows_source *s);
void rows_rank_free(struct rows_source *s);

#endif
