/* prof_table.h - draw a profile tree as a table, and the details of its selected row. */
#ifndef EVTUI_PROF_TABLE_H
#define EVTUI_PROF_TABLE_H

#include "lanes/parts.h"
#include "lanes/prof_style.h"
#include "panes/prof/prof_rows.h"

/* The header and the rows from r->first on, in rows [y, y + rows) and columns [x, x + width): inclusive and own
 * shares, samples, a bar, the name indented by its depth, module and source as there is room. here: the selected row
 * is marked. */
void table_draw(const struct prof_rows *r, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, bool here);

/* A tree's first levels without a selection, under a title: callers and callees. bars: shares of its root. */
void table_list(const struct prof_tree *t, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, const char *title, bool self);

/* "go  Main  src/Main.hs:3:1-9   incl 33.5%  self 12.8%  3,988 samples  3.98 s   path main > sort > go" */
void table_details(const struct prof_rows *r, const struct prof_look *look, uint64_t interval, struct canvas *c, int y);

#endif
