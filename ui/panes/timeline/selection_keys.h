/* selection_keys.h - keys for the selected range: start, keep, drop, swap ends, select a span, fit
 *
 * Times are in ns. */
#ifndef EVTUI_SELECTION_KEYS_H
#define EVTUI_SELECTION_KEYS_H

#include "panes/timeline/timeline.h"
#include "term/keymap.h"

/* Handle an action. Return false if it is not one of these, or has no meaning now. *why: NULL, or the reason why
 * nothing was done. */
bool select_keys(const struct timeline *t, struct model *m, enum action action, int64_t now_ms, const char **why);

/* Drop the selection (Esc). Return false if there was none. */
bool select_drop(struct model *m);

/* Get the span at a time in the selected lane. Return false if there is none. */
bool select_span_at(const struct timeline *t, const struct model *m, uint64_t at, uint64_t *from, uint64_t *to);

/* Get the pause at a time, from the request to the end. Return false if there is none. */
bool select_pause_at(const struct model *m, uint64_t at, uint64_t *from, uint64_t *to);

/* Get what is to be fitted at the cursor: the whole pause, whatever the lane, or else the span. Return false if there is
 * none. Lanes of what goes on in a pause, such as spans, keep to their spans. */
bool select_here(const struct timeline *t, const struct model *m, uint64_t *from, uint64_t *to);

/* Show [from, to) with a margin. */
void select_fit(struct model *m, uint64_t from, uint64_t to, int64_t now_ms);

#endif
