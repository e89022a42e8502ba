/* mouse.h - mouse actions of the timeline, and clicks on tabs and hints in all panes
 *
 *   plot      wheel: zoom at the pointer (Ctrl: in finer steps); click: set cursor and lane; drag: select a range;
 *             double click: fit the span
 *   labels    wheel: scroll the lanes; click: select a lane; double click: open or close a group
 *   finding   click: go to it, or to the next, as ]f
 *   overview  press or drag: move the window there
 *   ruler     drag: pan
 *   legend    hover or click: explain the word
 * Shift with the wheel, and horizontal wheels, pan. The timeline remembers the layout of its last frame. A click on
 * a hint or tab does what its key does. Times are in ns. */
#ifndef EVTUI_MOUSE_H
#define EVTUI_MOUSE_H

#include "chrome/screen_rows.h"
#include "panes/timeline/timeline.h"
#include "term/input.h"
#include "term/keymap.h"

enum mouse_grab { GRAB_NOTHING, GRAB_PLOT, GRAB_RULER, GRAB_OVERVIEW };

struct mouse {
	bool on;              /* mouse reports are switched on */
	enum mouse_grab grab; /* the part being dragged */
	/* Column of time under the pointer when the button was pressed: [grabbed, grabbed_end). */
	uint64_t grabbed, grabbed_end;
	int y, x;     /* position of the last click */
	bool clicked; /* the next press may complete a double click */
	int64_t clicked_ms;
};

/* Handle a mouse event over the timeline. Return NULL, or the reason why nothing was done. */
const char *mouse_event(
	struct mouse *mouse, struct timeline *t, struct model *m, const struct key *key, int64_t now_ms);

/* Handle a movement without a button. Return true if the pointer is now on another word (timeline_word_at). */
bool mouse_rests(struct timeline *t, const struct key *key);

/* Return whether this press is the second of a double click in one cell. */
bool mouse_twice(struct mouse *mouse, const struct key *key, int64_t now_ms);

/* Return whether the text of a finding is in row y. */
bool mouse_on_finding(const struct timeline *t, int y);

/* Return the action of the hint or tab in column x, or ACT_NONE. */
enum action mouse_hint(const struct hint_spots *hints, int x);

#endif
