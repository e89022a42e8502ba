/* heap_table.h - draw the heap table and the details of the selected row */
#ifndef EVTUI_HEAP_TABLE_H
#define EVTUI_HEAP_TABLE_H

#include "draw/canvas.h"
#include "panes/heap/heap_answer.h"

/* A rectangle of the screen. */
struct heap_box {
	int y, x, rows, cols;
};

/* Draw the table in a box: headings in the first row; the sum of unlisted bands, if any, in the last. */
void heap_table(const struct heap_answer *page, const char *filter, struct canvas *c, const struct heap_box *box);

/* Get the order by the column whose heading is at screen column `at` of the table. Return false, with *out unchanged, if
 * there is none. */
bool heap_table_sort(const struct heap_answer *page, const struct heap_box *box, int at, enum heap_sort *out);

/* Return how many table rows fit into `rows` rows of the screen. */
int heap_table_room(const struct heap_answer *page, int rows);

/* Draw the name and the details of the selected row in a box. */
void heap_details(const struct heap_answer *page, struct canvas *c, const struct heap_box *box);

/* Write a change in bytes, "+41.3 MB", "-4.1 MB" or "0 B", to out (TEXT_ROOM bytes). Return out. */
char *heap_change(char *out, int64_t by);

#endif
