/* page.h - text output for people: headings, name-value rows, columns, optional colour. */
#ifndef EVTUI_PAGE_H
#define EVTUI_PAGE_H

#include "cli/options.h"

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

#endif
