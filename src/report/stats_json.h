/* stats_json.h - `evtui stats --json`: all metrics of a log as one JSON object; metrics and findings as members of one.
 *
 * Times are ns, sizes bytes, shares numbers from 0 to 1; unknown values are null. Keys are only ever added. The keys
 * of event_counts.h describe the whole log, the groups of metrics.def the range, which is the key `range`. */
#ifndef EVL_STATS_JSON_H
#define EVL_STATS_JSON_H

#include "report/findings.h"

struct json;

enum { STATS_SCHEMA = 1 };

/* Append the object and a newline. Call after the walk of the log. */
void stats_json(const struct evl_log *log, const struct figures *f, const struct findings *findings, struct buf *out);

/* All groups of metrics.def, each an object under its name with the lists that belong to it; then the lists outside
 * of groups: mmu, utilisation, spans, ticky, findings. */
void figures_json(struct json *j, const struct evl_log *log, const struct figures *f, const struct findings *findings);

/* A metric's value by its unit: whole, or as few digits as read back the same; null for NAN. */
void figures_json_value(struct json *j, enum unit unit, double value);

#endif
