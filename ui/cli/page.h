/* page.h - format reports as text: headings, rows of names and values, columns, optional colour */
#ifndef EVTUI_PAGE_H
#define EVTUI_PAGE_H

#include "cli/options.h"
#include "table/table.h"

/* A text page in memory. */
struct page {
	FILE *out;
	bool colour; /* use colours */
	bool ascii;  /* use ASCII only, also for text from the log */
	bool failed; /* memory ran out for a value: page_close tells it */
	char *text;  /* the text and its length, valid after page_close */
	size_t len;
};

/* Open a page in memory. Return false if memory ran out. */
bool page_open(struct page *p, const struct options *o);

/* Finish the page; the caller then frees p->text. Return false if memory ran out, then there is nothing to free. */
bool page_close(struct page *p);

/* Close a page and, if `result` is 0, write it to out. Return result, or EVL_NOMEM. */
struct out;
int page_end(struct page *p, int result, struct out *out);

enum ink { INK_PLAIN = 0, INK_BOLD = 1, INK_RED = 31, INK_GREEN = 32, INK_YELLOW = 33 };

/* Print text in a colour, if the page has colours. */
void page_inked(const struct page *p, enum ink ink, const char *text);

/* Print text from the log on one line, without control characters; in ASCII if the locale or an option requires it. */
void page_text(const struct page *p, struct evl_str s);

/* Print an empty line, then a heading in bold. */
void page_heading(const struct page *p, const char *name);

/* Print a row: a name, its value and a remark (NULL: none). */
void page_row(const struct page *p, const char *name, const char *value, const char *more);

/* Print a value right-aligned in `columns` columns, after two blanks. */
void page_cell(const struct page *p, int columns, const char *value);

/* A column of a list on the page. width: of a right-aligned field; negative: left-aligned; 0: as wide as the value,
 * omitted if the value is unknown. */
struct page_column {
	short column, width;
	bool share;                 /* show the value as a share of the row's whole (table_kind.whole) */
	const char *before, *after; /* printed around the value; NULL: nothing */
	const char *unknown;        /* printed if the value is unknown; NULL: page_look.unknown */
	const char *head;           /* heading; NULL: the column's title */
	const char *join;           /* printed between it and the field before; NULL: two blanks */
	char *(*write)(char *out, enum unit unit, double value); /* to out[TEXT_CHANGE_ROOM]; NULL: text_value */
};

/* Layout of a list. unknown: printed for unknown values in columns with a width; more: noun for the rows that are
 * not printed; most: maximum number of rows, 0: all; heads: print headings of the columns. */
enum { PAGE_SIGN = 32 };
struct page_look {
	const char *heading, *unknown, *more;
	/* Return a sign that precedes the row, written to out[PAGE_SIGN] or constant, and set its colour; NULL: there are none. */
	const char *(*sign)(const void *list, size_t row, enum ink *ink, char *out);
	/* Print lines that belong to the row; NULL: none. */
	void (*below)(const struct page *p, void *list, size_t row);
	const struct page_column *columns;
	size_t n, most;
	bool heads;
};
/* page_column.write: a number without separators. */
char *page_plain(char *out, enum unit unit, double value);
#define PAGE_COLUMNS(items) .columns = items, .n = countof(items)

/* Print a list; nothing if it has no rows. */
void page_list(struct page *p, const struct page_look *look, const struct table_kind *kind, void *list);

#endif
