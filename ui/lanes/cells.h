/* cells.h - cells of a column whose time is split into states: the rule by which states become colours and heights.
 *
 * A column is a stretch of time, and a cell has two colours.
 *   one row        running from the bottom with its share, rounded to an eighth; the rest of the cell has the colour of
 *                  the largest other state, idle included
 *   several rows   the states in the order of enum cell_state from the bottom up, in eighths of a row by largest
 *                  remainder; a cell with more than two keeps its two largest
 * A state of less than half an eighth takes no part. A rare but important one that no cell of the column shows is a
 * tick at the top edge where the top cell has one colour. */
#ifndef EVTUI_CELLS_H
#define EVTUI_CELLS_H

#include "draw/canvas.h"
#include "gc/gc.h"

/* All states of all lanes, from the bottom up. */
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

/* Nanoseconds in each state. */
struct cell_shares {
	uint64_t ns[CELL_STATES];
};

/* Content of a cell: `low` up to `eighths`, `high` above it. tick: a rare state, or CELL_STATES. */
struct cell_pair {
	enum cell_state low, high, tick;
	int eighths; /* 0…8 */
};

/* Where cells go. run: the style of running, 0: its usual one. blank: idle is the page itself, and without colours the
 * column is a bar instead of a letter. */
struct cells {
	struct canvas *c;
	int y, rows;
	uint8_t run;
	bool blank;
};

enum style cells_style(enum cell_state state);

/* part / all in eighths, rounded. */
int cells_eighths(uint64_t part, uint64_t all);

/* The same, from 1 to 7: both sides show. */
int cells_part(uint64_t part, uint64_t all);

/* Share `units` among the states by largest remainder; those of less than half a unit get none. No time at all: all 0. */
void cells_share(const struct cell_shares *s, int units, int out[CELL_STATES]);

/* The cells of a column, the bottom one first: `rows` of them. */
void cells_pairs(const struct cell_shares *s, int rows, struct cell_pair *out);

/* Draw a column. Without colours: one letter in the first row, ':' where it ran for less than half of the time. */
void cells_draw(const struct cells *to, int x, const struct cell_shares *s);

/* A column with one change in it: the edge at its eighth from the left. */
void cells_draw_edge(const struct cells *to, int x, enum cell_state left, enum cell_state right, int eighths);

/* A row of n cells: the states from left to right. */
void cells_draw_bar(struct canvas *c, int y, int x, int n, const struct cell_shares *s);

/* Activity of `caps` capabilities together in `width` ns. run, gc: sums over them; pauses: of the same stretch. Those
 * that neither run nor take part in a collection are stopped. */
struct cell_shares cells_of_caps(
	size_t caps, uint64_t width, uint64_t run_ns, uint64_t gc_ns, const struct gc_sum *pauses);

#endif
