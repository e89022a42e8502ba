/* lane_keys.h - timeline keys for lanes: select, page, pin, hide, move, sort; and jumps along one thread */
#ifndef EVTUI_LANE_KEYS_H
#define EVTUI_LANE_KEYS_H

#include "panes/timeline/timeline.h"
#include "term/keymap.h"

enum { LANE_SAY = 256 };

/* Handle an action. Return false if the action is not for lanes. now_ms: current time, for the undo steps of the model.
 * say (LANE_SAY bytes) receives a message or "". Set *warning if nothing was done; the message then tells why. */
bool lane_keys(struct timeline *t, struct model *m, enum action action, int64_t now_ms, char *say, bool *warning);

/* Return whether an action is a jump of lane_keys that n and N repeat. */
bool lane_keys_is_jump(enum action action);

#endif
