/* path_span.h - the span that `evtui path --span` means, or the windows of all spans of a name. */
#ifndef EVL_PATH_SPAN_H
#define EVL_PATH_SPAN_H

#include "query/path.h"

/* Find the span that text names: "NAME", the longest of its spans that has ended (the first of equals), or "NAME#K",
 * the K-th to start, counted from 1. A name is that of the log, or without the number of an instance: "job" of "0
 * job". *out is borrowed from the log, or NULL if there is none. Return EVL_NOMEM or 0. */
int path_span_find(const struct evl_log *log, struct evl_str text, const struct span **out) EVL_MUST_USE;

/* Find the windows of time that the spans of a label (span_is_of) cover that start in [from, to), clipped to it: those that
 * overlap or touch are one. The path of a window ends with the thread that ended the span that ends with it, of several the
 * one that began first; where the range cuts it, with the thread that began it. The caller frees *out. EVL_NOMEM or 0. */
int path_windows_find(const struct evl_log *log, uint64_t label, uint64_t from, uint64_t to, struct path_window **out,
	size_t *n) EVL_MUST_USE;

#endif
