/* page.h - text output for people: headings, name-value rows, columns, optional colour. */
#ifndef EVTUI_PAGE_H
#define EVTUI_PAGE_H

#include "cli/options.h"
#include "table/table.h"

struct page {
	FILE *out;
	bool colour;
	bool ascii; /* log text too */
	char *text; /* of a page that was opened: malloc'ed when it is closed */
	size_t len;
};

/* A page in memory. False when memory is out. */
bool page_open(struct page *p, const struct options *o);

/* Its text is whole then, and the caller's to free. False when memory ran out; there is nothing to free. */
bool page_close(struct page *p);

/* Close a page, and put it if `result` is 0. Return that, or EVL_NOMEM. */
struct out;
int page_end(struct page *p, int result, struct out *out);

enum ink { INK_PLAIN = 0, INK_BOLD = 1, INK_RED = 31, INK_GREEN = 32, INK_YELLOW = 33 };

void page_inked(const struct page *p, enum ink ink, const char *text);

/* Log text as one clean line, of ASCII where the locale or an option asks for it: a report may go to a terminal or a
 * mail. */
void page_text(const struct page *p, struct evl_str s);

/* An empty line, then the name in bold. */
void page_heading(const struct page *p, const char *name);

/* A row: its name, its value, and what else is to be said; NULL: nothing. */
void page_row(const struct page *p, const char *name, const char *value, const char *more);

/* A value right-aligned in `width` columns, after two blanks. */
void page_cell(const struct page *p, int columns, const char *value);

/* The columns of a list that are on the page. width: of a field that is aligned right; below 0: left; 0: as long as it is,
 * and nothing where it is unknown. */
struct page_column {
	int column, width;
	const char *before, *after; /* of its value; NULL: nothing */
	const char *unknown;        /* NULL: as in all columns */
	const char *head;           /* NULL: its title */
};

/* How a list looks. unknown: in fields with a width; more: what there are more of; most: rows, 0: all. */
struct page_look {
	const char *heading, *unknown, *more;
	const struct page_column *columns;
	size_t n, most;
	bool heads;
};
#define PAGE_COLUMNS(items) .columns = items, .n = countof(items)

/* Nothing where it has no rows. */
void page_list(const struct page *p, const struct page_look *look, const struct table_kind *kind, void *list);

#endif
