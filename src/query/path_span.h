/* path_span.h - the span that `evtui path --span` means. */
#ifndef EVL_PATH_SPAN_H
#define EVL_PATH_SPAN_H

#include "log/log.h"

/* Find the span that text names: "NAME", of its spans the longest that has ended (of equals the first), or "NAME#K", the
 * K-th that begins, from 1 on. A name is that of the log, or without the number of an instance: "job" of "0 job".
 * *out is borrowed from the log; NULL: there is none. EVL_NOMEM or 0. */
int path_span_find(const struct evl_log *log, struct evl_str text, const struct span **out) EVL_MUST_USE;

#endif
