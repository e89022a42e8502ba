/* stats_pane.h - the Stats pane, and its functions used by other panes. */
#ifndef EVTUI_STATS_PANE_H
#define EVTUI_STATS_PANE_H

#include "chrome/pane.h"
#include "panes/stats/section.h"

struct pane_host;
struct pane_ops;

extern const struct pane_ops stats_pane;

/* Show the table of the critical path of [from, to) that ends with a thread; 0: the main thread. A line that says why not,
 * or NULL. */
const char *stats_show_path(struct pane_host *h, uint64_t from, uint64_t to, uint32_t thread);

/* The same of a span, with the thread that ended it. */
const char *stats_show_span_path(struct pane_host *h, const struct span *span);

/* Show the figures of this log beside those of another. NULL, or why not. */
const char *stats_diff(struct pane_host *h, const char *path);

/* From a figure to where it comes from: the timeline, the cursor on the very place. */

#endif
