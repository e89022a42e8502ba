/* stats_pane.h - the Stats pane, and its functions used by other panes */
#ifndef EVTUI_STATS_PANE_H
#define EVTUI_STATS_PANE_H

#include "chrome/pane.h"
#include "jobs/path_job.h"
#include "panes/stats/section.h"

struct pane_host;
struct pane_ops;

extern const struct pane_ops stats_pane;

/* Show the table of a critical path, and the path on the timeline. Return NULL or an error message. */
const char *stats_show_path(struct pane_host *h, const struct path_subject *of);

/* Get the subject of a span's critical path, which ends with the thread that ended the span. Return NULL or an error
 * message. */
const char *stats_span_path(const struct span *span, struct path_subject *of);

/* stats_to_finding: go to the next or previous finding of the run (most costly first), and show its text until it is
 * dropped; return NULL or an error message. stats_leave_finding: drop it, and go back to the place before. stats_drop_finding:
 * drop it, and put back all lanes that were brought to the top. stats_update_finding: after the place changed to one with
 * another finding or none, show the lanes of that. */
const char *stats_to_finding(struct pane_host *h, bool forward);
void stats_leave_finding(struct pane_host *h);
void stats_drop_finding(struct pane_host *h);
void stats_update_finding(struct pane_host *h);

/* Return the range whose metrics are shown, or the whole run. */
struct jump_range stats_range(const struct pane_host *h);

/* Close the table or comparison that is open, and select the first answer of the summary. back: from where Enter on a row led:
 * that row stays selected, unless it is in a table or comparison. */
void stats_to_summary(struct pane_host *h, bool back);

/* Show the metrics of this log next to those of the other (:diff). Return NULL or an error message. */
const char *stats_diff(struct pane_host *h);

#endif
