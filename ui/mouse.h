/* mouse.h - what the mouse does to the timeline.
 *
 *   plot      wheel: zoom at the pointer (Ctrl: finer); click: cursor and lane; drag: range; double click: fit the span
 *   labels    wheel: lanes up and down; click: lane
 *   overview  press, drag: the window goes there
 *   ruler     drag: pans
 *   hints     click: does it
 * Shift with the wheel and wheels sideways pan. What is where, the timeline remembers from its last frame. */
#ifndef EVTUI_MOUSE_H
#define EVTUI_MOUSE_H

#include "input.h"
#include "keymap.h"
#include "view_timeline.h"

enum mouse_grab { GRAB_NOTHING, GRAB_PLOT, GRAB_RULER, GRAB_OVERVIEW };

struct mouse {
	bool on;              /* reports are asked for */
	enum mouse_grab grab; /* what is being dragged */
	uint64_t grabbed,
		grabbed_end; /* the column under the pointer when the button went down: [grabbed, grabbed_end) */
	int y, x;            /* of the last click */
	bool clicked;
	int64_t clicked_ms;
};

/* A mouse event. Returns the action of a hint that was clicked on, else ACT_NONE. *why: NULL, or why nothing was done.
 */
enum action mouse_event(struct mouse *mouse, struct timeline *t, struct model *m, const struct key *key, int64_t now_ms,
	const char **why);

/* What the hint in this column of the bottom row does; ACT_NONE: there is none. */
enum action mouse_hint(const struct hint_spots *hints, int x);

#endif
