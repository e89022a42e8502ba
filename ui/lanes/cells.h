/* cells.h - turn the states in a column of time into the colours and heights of its cells
 *
 * A column is an interval of time; a cell can show two colours.
 *   one row        the share of running from the bottom, rounded to an eighth of the cell; above it the colour of the
 *                  largest other state, including idle
 *   several rows   the states from the bottom up in the order of enum cell_state, each with its share in eighths of a
 *                  row (largest remainder method); a cell with more than two states shows its two largest
 * A state of less than half an eighth is left out. A rare but important state that no cell of the column shows is
 * drawn as a tick at the top edge, if the top cell has one colour. */
#ifndef EVTUI_CELLS_H
#define EVTUI_CELLS_H

#include "draw/canvas.h"
#include "sched/caps.h"

/* The states of all lanes, from the bottom up. */
enum cell_state {
	CELL_RUN,
	CELL_FOREIGN,
	CELL_NM_MARK,
	CELL_NM_SWEEP,
	CELL_NM_SYNC,
	CELL_MINOR,
	CELL_MAJOR,
	CELL_WAIT,
	CELL_SYNC,
	CELL_STOPPED,
	CELL_RUNNABLE_GC,
	CELL_RUNNABLE,
	CELL_BLOCKED,
	CELL_UNKNOWN,
	CELL_IDLE,
	CELL_ABSENT,
	CELL_STATES
};

enum { CELL_EIGHTHS = 8 };

/* Time in each state, in ns. */
struct cell_shares {
	uint64_t ns[CELL_STATES];
};

/* Contents of a cell: `low` up to `eighths`, `high` above. tick: a rare state; CELL_STATES: none. */
struct cell_pair {
	enum cell_state low, high, tick;
	int eighths; /* 0 to 8 */
};

/* Where and how to draw cells. run: style of running; 0: the usual one. blank: leave idle time blank and, without
 * colours, draw a bar instead of a letter. */
struct cells {
	struct canvas *c;
	int y, rows;
	uint8_t run;
	bool blank;
};

enum style cells_style(enum cell_state state);

/* Return part / all in eighths, rounded. */
int cells_eighths(uint64_t part, uint64_t all);

/* Return part / all in eighths, limited to 1 to 7 so that both sides are visible. */
int cells_part(uint64_t part, uint64_t all);

/* Divide `units` among the states by the largest remainder method. States of less than half a unit get none; all get
 * 0 if the total time is 0. */
void cells_share(const struct cell_shares *s, int units, int out[CELL_STATES]);

/* Compute the cells of a column, out[rows], the bottom one first. */
void cells_pairs(const struct cell_shares *s, int rows, struct cell_pair *out);

/* Draw a column at x. Without colours: one letter in the first row, ':' if a thread ran for less than half of the
 * time. */
void cells_draw(const struct cells *to, int x, const struct cell_shares *s);

/* Draw a column that contains one change of state, as a vertical edge `eighths` from its left side. */
void cells_draw_edge(const struct cells *to, int x, enum cell_state left, enum cell_state right, int eighths);

/* Draw a row of n cells with the shares of the states from left to right. */
void cells_draw_bar(struct canvas *c, int y, int x, int n, const struct cell_shares *s);

/* Return the state that shows a share of a capability's time. */
enum cell_state cells_of_share(enum cap_share share);

/* Return the activity of capabilities, given the sums of their shares; the rest of `all` ns is idle. */
struct cell_shares cells_of_caps(const uint64_t ns[CAP_SHARES], uint64_t all);

#endif
