/* span_windows.h - the time covered by all spans of one label, and what happened in it: statistics of a request's windows.
 *
 * Spans that overlap, on several threads or nested, are one window. One pass over the scheduler's events from the first
 * window to the last; 88 bytes per span while it works, 8 per collection. Only when the walk is over. */
#ifndef EVL_SPAN_WINDOWS_H
#define EVL_SPAN_WINDOWS_H

#include "log/run_stats.h"
#include "query/phases.h"

struct span_windows {
	uint64_t spans, spans_ns;  /* of the label, and their lengths added up */
	struct phases windows;     /* in order of time, none touches another */
	struct phase sum;          /* over all windows; from, to: of the first and the last */
	uint64_t covered;          /* by windows; mutator, gc, sync and idle of the sum add up to it */
	struct pause_stats pauses; /* that start in windows */
};

/* Of the spans that begin in [from, to), clipped to it. label: idmap_key of spans_label. 0, EVL_CANCELLED or EVL_NOMEM. */
int span_windows_make(struct span_windows *w, const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;
void span_windows_free(struct span_windows *w);

#endif
