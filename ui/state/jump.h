/* jump.h - jumps to the next or previous GC, marker, idle period, … from the cursor; their keys are in keymap.def. */
#ifndef EVTUI_JUMP_H
#define EVTUI_JUMP_H

#include "state/model.h"
#include "term/keymap.h"

enum { JUMP_LONGEST = 256 };

/* State of jumps: the last kind, for n and N; how far down the list of longest pauses ]l went, in which window. */
struct jumper {
	enum action last;
	const struct gc_row *longest[JUMP_LONGEST];
	int n_longest;
	uint64_t t0, t1;
	uint64_t fitted0, fitted1; /* the window that ]l made, around a pause: the list goes on in the one before */
	uint64_t idle_ns;          /* length of the idle period that the last jump landed at; 0: it was another jump */
};

/* Is this action a jump (or the repetition of one)? */
bool jump_is(enum action action);

/* Jump. A line that says why not, or that the search rests where the cursor now is; NULL when the cursor landed. */
const char *jump(struct jumper *j, struct model *m, enum action action, int64_t now_ms);

#endif
