/* lane_keys.h - timeline keys for lanes: select, page, pin, hide, move, sort; and jumps along one thread. */
#ifndef EVTUI_LANE_KEYS_H
#define EVTUI_LANE_KEYS_H

#include "panes/timeline/timeline.h"
#include "term/keymap.h"

enum { LANE_SAY = 200 };

/* Do it, if the action is one of these: else false. say (LANE_SAY bytes) gets what there is to say, or "". *warning: it
 * is why nothing was done. */
bool lane_keys(struct timeline *t, struct model *m, enum action action, int64_t now_ms, char *say, bool *warning);

/* The actions that n and N repeat. */
bool lane_keys_is_jump(enum action action);

#endif
