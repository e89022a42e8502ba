/* view_stats.h - the pane of figures: what other parts of the face use of it. */
#ifndef EVTUI_VIEW_STATS_H
#define EVTUI_VIEW_STATS_H

struct view_host;
struct view_ops;

extern const struct view_ops view_stats;

/* Show the figures of this log beside those of another. NULL, or why not. */
const char *stats_diff(struct view_host *h, const char *path);

#endif
