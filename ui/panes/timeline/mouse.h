/* mouse.h - what the mouse does to the timeline.
 *
 *   plot      wheel: zoom at the pointer (Ctrl: finer); click: cursor and lane; drag: range; double click: fit the span
 *   labels    wheel: lanes up and down; click: lane
 *   overview  press, drag: the window goes there
 *   ruler     drag: pans
 * Shift with the wheel and wheels sideways pan. What is where, the timeline remembers from its last frame. In all panes a
 * click on a hint or a tab does what stands there. */
#ifndef EVTUI_MOUSE_H
#define EVTUI_MOUSE_H

#include "chrome/screen_rows.h"
#include "panes/timeline/timeline.h"
#include "term/input.h"
#include "term/keymap.h"

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

/* A mouse event over the timeline. NULL, or why nothing was done. */
const char *mouse_event(
	struct mouse *mouse, struct timeline *t, struct model *m, const struct key *key, int64_t now_ms);

/* Is this press the second of two in the same cell? The third is a first one again. */
bool mouse_twice(struct mouse *mouse, const struct key *key, int64_t now_ms);

/* What the hint (or tab) in this column does; ACT_NONE: there is none. */
enum action mouse_hint(const struct hint_spots *hints, int x);

#endif
