/* stats_json.h - `evtui stats --json`: all metrics of a log as one JSON object.
 *
 * Times are ns, sizes bytes, shares numbers from 0 to 1; unknown values are null. Keys are only ever added. The keys
 * of event_counts.h describe the whole log, the groups of metrics.def the range, which is the key `range`. */
#ifndef EVL_STATS_JSON_H
#define EVL_STATS_JSON_H

#include "base/buf.h"
#include "report/findings.h"

enum { STATS_SCHEMA = 1 };

/* Append the object and a newline. Call after the walk of the log. */
void stats_json(const struct evl_log *log, const struct figures *f, const struct findings *findings, struct buf *out);

#endif
