/* selection.h - a range of time that the user has chosen: half-open, one for all panes.
 *
 * While it is being made (moving) one end is fixed and the other follows the cursor. */
#ifndef EVTUI_SELECTION_H
#define EVTUI_SELECTION_H

#include "base/base.h"

struct selection {
	bool on, moving;
	uint64_t anchor, end; /* in either order; while moving, `end` is the cursor */
};

void selection_begin(struct selection *s, uint64_t t);

/* The end that follows: to t. Nothing happens unless it is moving. */
void selection_move(struct selection *s, uint64_t t);

/* It stays as it is; an empty one is dropped: then false. */
bool selection_keep(struct selection *s);

void selection_set(struct selection *s, uint64_t from, uint64_t to);
void selection_drop(struct selection *s);

/* Change the ends over: where the cursor has to go. */
uint64_t selection_turn(struct selection *s);

static inline uint64_t selection_from(const struct selection *s)
{
	return min_u64(s->anchor, s->end);
}
static inline uint64_t selection_to(const struct selection *s)
{
	return max_u64(s->anchor, s->end);
}

#endif
