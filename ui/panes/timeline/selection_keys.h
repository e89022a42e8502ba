/* selection_keys.h - keys for the selected range: start, keep, drop, other end, span under the cursor, fit. */
#ifndef EVTUI_SELECTION_KEYS_H
#define EVTUI_SELECTION_KEYS_H

#include "panes/timeline/timeline.h"
#include "term/keymap.h"

/* Do it, if the action is one of these now: else false. *why: NULL, or why nothing was done. */
bool select_keys(const struct timeline *t, struct model *m, enum action action, int64_t now_ms, const char **why);

/* Esc: true when there was a selection to drop. */
bool select_drop(struct model *m);

/* The span under t in the selected lane. */
bool select_span_at(const struct timeline *t, const struct model *m, uint64_t at, uint64_t *from, uint64_t *to);

/* Show [from, to) with a margin. */
void select_fit(struct model *m, uint64_t from, uint64_t to, int64_t now_ms);

#endif
