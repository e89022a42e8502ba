/* prof_table.h - draw a profile tree as a table, and the details of its selected row */
#ifndef EVTUI_PROF_TABLE_H
#define EVTUI_PROF_TABLE_H

#include "lanes/parts.h"
#include "lanes/prof_style.h"
#include "panes/prof/prof_rows.h"

/* Draw the headings and the rows from r->first on, in rows [y, y + rows) and columns [x, x + width): inclusive and
 * exclusive shares, samples, a bar, the name indented by its depth and, if there is room, module and source. here:
 * mark the selected row. */
void table_draw(const struct prof_rows *r, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, bool here);

/* Get the order by the column whose heading is at screen column `at` of a table in columns [x, x + width). Return false
 * if there is none. */
bool table_order_at(int x, int width, int at, enum prof_order *out);

/* Draw a tree under a title, with no row marked as selected; used for callers and callees. If the whole first level
 * fits, deeper levels are drawn, too, as far as there is room. The number of missing rows is shown next to the title.
 * self: also draw a row with the exclusive share of the root. */
void table_list(const struct prof_tree *t, const struct prof_look *look, struct canvas *c, int y, int rows, int x,
	int width, const char *title, bool self);

/* Draw the details of the selected row: "go  Main  src/Main.hs:3:1-9   incl 33.5%  self 12.8%  3,988 samples  3.98 s
 * path main > sort > go". interval: ns per sample. */
void table_details(const struct prof_rows *r, const struct prof_look *look, uint64_t interval, struct canvas *c, int y);

#endif
