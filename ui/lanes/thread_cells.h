/* thread_cells.h - draw the cells of thread lanes: states of one thread, or of a group, per column
 *
 * Columns follow the rule of cells.h; a single change of state in a column of a single thread is drawn as an edge,
 * to an eighth of a cell. Unknown time is hatched; time before creation and after the end is blank. */
#ifndef EVTUI_THREAD_CELLS_H
#define EVTUI_THREAD_CELLS_H

#include "lanes/lanes.h"

/* Return the style of a state. */
enum style thread_cells_style(enum thread_state state);

/* Allocate the columns of the window, all unknown; the caller frees them. Return NULL if memory ran out. */
struct thread_column *thread_cells_new(const struct plot *p);

/* Draw the columns of a lane. many: it shows a group, not one thread. */
void thread_cells_draw(const struct lane *lane, const struct plot *p, const struct thread_column *cols, bool many,
	const struct lane_place *at, struct canvas *c, int y);

/* Draw in the gutter the figure that threads are sorted by: the share of waiting, the number of wake-ups, else the share of
 * running. */
void thread_cells_figure(
	const struct plot *p, const struct thread_column *cols, const struct lane_place *at, struct canvas *c, int y);

/* Write the values of one column, as shares of its width; of a group they may exceed it. */
void thread_cells_inspect(const struct thread_column *col, uint64_t width, struct line *l);

#endif
