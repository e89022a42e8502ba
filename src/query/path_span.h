/* path_span.h - find the span that `evtui path --span` refers to, or the time windows of all spans of a name. */
#ifndef EVL_PATH_SPAN_H
#define EVL_PATH_SPAN_H

#include "query/path.h"

/* Find the span to which a text refers. "NAME" is the longest finished span of that name, the first of equally long
 * ones. "NAME#K" is the K-th to start, counted from 1. The name may omit the number of the instance: "job" for "0 job".
 * *out is borrowed from the log, or NULL if there is no such span. Return 0 or EVL_NOMEM. */
int path_span_find(const struct evl_log *log, struct evl_str text, const struct span **out) EVL_MUST_USE;

/* Find the time covered by spans of a label (span_is_of) that start in [from, to) (ns), clipped to it, as windows:
 * spans that overlap or touch share one. The path of a window ends with the thread that ended the span at its end (of
 * several such spans, the one that started first); if the range cuts that span, with the thread that started it. The
 * caller frees *out. Return 0 or EVL_NOMEM. */
int path_windows_find(const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to, struct path_window **out,
	size_t *n) EVL_MUST_USE;

#endif
