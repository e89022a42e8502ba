/* mouse.h - mouse actions of the timeline, and clicks on tabs and hints in all panes.
 *
 *   plot      wheel: zoom at the pointer (Ctrl: finer); click: cursor and lane; drag: range; double click: fit the span
 *   labels    wheel: lanes up and down; click: lane
 *   overview  press, drag: move the window there
 *   ruler     drag: pan
 *   legend    rest, click: the word in a sentence
 * Shift with the wheel and sideways wheels pan. The timeline remembers the layout of its last frame. A click on a
 * hint or a tab does what its key does. */
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

/* The pointer moved, no button is down: true if it is now on another word of the legend. */
bool mouse_rests(struct timeline *t, const struct key *key);

/* Is this press the second of two in the same cell? The third is a first one again. */
bool mouse_twice(struct mouse *mouse, const struct key *key, int64_t now_ms);

/* Return the action of the hint (or tab) in this column, or ACT_NONE. */
enum action mouse_hint(const struct hint_spots *hints, int x);

#endif
