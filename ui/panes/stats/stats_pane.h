/* stats_pane.h - the Stats pane, and its functions used by other panes. */
#ifndef EVTUI_STATS_PANE_H
#define EVTUI_STATS_PANE_H

#include "chrome/pane.h"
#include "jobs/path_job.h"
#include "panes/stats/section.h"

struct pane_host;
struct pane_ops;

extern const struct pane_ops stats_pane;

/* Show the table of a critical path, and the path on the timeline. A line that says why not, or NULL. */
const char *stats_show_path(struct pane_host *h, const struct path_subject *of);

/* The path of a span, with the thread that ended it. Likewise. */
const char *stats_span_path(const struct span *span, struct path_subject *of);

/* Go to the next (previous) finding about the run, most at stake first, and say it until it is dropped. NULL, or why not. */
const char *stats_to_finding(struct pane_host *h, bool forward);
void stats_drop_finding(struct pane_host *h);

/* Show the metrics of this log next to those of the other (:diff). Return NULL or an error message. */
const char *stats_diff(struct pane_host *h);

#endif
