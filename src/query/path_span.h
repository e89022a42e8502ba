/* path_span.h - the span that `evtui path --span` means. */
#ifndef EVL_PATH_SPAN_H
#define EVL_PATH_SPAN_H

#include "log/log.h"

/* Find the span that text names: "NAME", the longest of its spans that has ended (the first of equals), or "NAME#K",
 * the K-th to start, counted from 1. A name is that of the log, or without the number of an instance: "job" of "0
 * job". *out is borrowed from the log, or NULL if there is none. Return EVL_NOMEM or 0. */
int path_span_find(const struct evl_log *log, struct evl_str text, const struct span **out) EVL_MUST_USE;

#endif
