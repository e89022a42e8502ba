/* thread_cells.h - cells of thread lanes: state colours of one thread, or of a group in one lane, per column.
 *
 * Columns follow the rule of cells.h; one change in the column of a single thread is an edge at its eighth. Unknown
 * time is hatched, time before creation and after the end is blank. */
#ifndef EVTUI_THREAD_CELLS_H
#define EVTUI_THREAD_CELLS_H

#include "lanes/lanes.h"

/* The style of a state. */
enum style thread_cells_style(enum thread_state state);

/* Room for the columns of the window, all unknown; the caller frees it. NULL when memory is out. */
struct thread_column *thread_cells_new(const struct plot *p);

void thread_cells_draw(const struct lane *lane, const struct plot *p, const struct thread_column *cols, bool many,
	const struct lane_place *at, struct canvas *c, int y);

/* The share of running (of waiting, if that is the order) in the gutter. */
void thread_cells_figure(
	const struct plot *p, const struct thread_column *cols, const struct lane_place *at, struct canvas *c, int y);

/* The numbers of one column, as shares of `all`. */
void thread_cells_inspect(const struct thread_column *col, uint64_t all, struct line *l);

/* The time that is accounted: of all threads in the lane, while they lived. */
uint64_t thread_cells_alive(const struct thread_column *col);

#endif
