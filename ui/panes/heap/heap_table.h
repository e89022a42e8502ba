/* heap_table.h - draw the heap table and the details of the selected row. */
#ifndef EVTUI_HEAP_TABLE_H
#define EVTUI_HEAP_TABLE_H

#include "draw/canvas.h"
#include "panes/heap/heap_answer.h"

struct heap_box {
	int y, x, rows, cols;
};

/* Its head takes the first row, and the others together (where they are drawn so) the last. */
void heap_table(const struct heap_answer *page, struct canvas *c, const struct heap_box *box);

/* Return how many rows of the list fit into `rows` rows. */
int heap_table_room(const struct heap_answer *page, int rows);

/* The name of the selected row, and its figures. */
void heap_details(const struct heap_answer *page, struct canvas *c, const struct heap_box *box);

/* "+41.3 MB", "-4.1 MB", "0 B" into out (TEXT_ROOM bytes), which is returned. */
char *heap_change(char *out, int64_t by);

#endif
