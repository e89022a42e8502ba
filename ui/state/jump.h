/* jump.h - jump from the cursor to the next or previous GC, marker, idle period, … (keys: keymap.def)
 *
 * Times are in ns. */
#ifndef EVTUI_JUMP_H
#define EVTUI_JUMP_H

#include "state/model.h"
#include "term/keymap.h"

enum { JUMP_LONGEST = 256 };

/* State of jumps: the last one, which n and N repeat; and the longest pauses of a window or range [t0, t1), through
 * which ]l goes. */
struct jumper {
	enum action last; /* the last jump */
	const struct gc_row *longest[JUMP_LONGEST];
	int n_longest;
	uint64_t t0, t1;
	uint64_t from, to;  /* pauses that overlap the window: those with GC_START in [from, to) */
	size_t rank, ranks; /* rank of the last of them in that window, from 1; number of pauses there */
	bool at_rank;       /* the last jump went there */
	bool widened;       /* the window had no pause: [t0, t1) is the whole run */
	/* A range that takes the place of the window, and the one that [t0, t1) was taken of; to 0: none. */
	struct jump_range {
		uint64_t from, to;
	} range, taken;
	/* The window that ]l last set around a pause, and the cursor there. As long as neither changes, ]l continues
	 * with the pauses of [t0, t1), the window in which it started. If only the cursor was moved, ]l starts over
	 * with the longest of these pauses; in another window, it starts with the pauses of that window. */
	uint64_t fitted0, fitted1, fitted_cursor;
	uint64_t idle_ns; /* if the last jump went to an idle period: its length in ns; else 0 */
};

/* Return whether an action is a jump, or the repetition of one. */
bool jump_is(enum action action);

/* Jump. Return NULL if the cursor reached a target; else a message: there is none, or the log is still being read. */
const char *jump(struct jumper *j, struct model *m, enum action action, int64_t now_ms);

/* After a list of pauses was left for one of them: the next ]l goes to the next longest one of the range (to 0: of the
 * run), as if ]l had set the present window. */
void jump_go_on_from(struct jumper *j, const struct model *m, const struct gc_row *gc, const struct jump_range *range);

#endif
