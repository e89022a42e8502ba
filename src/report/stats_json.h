/* stats_json.h - write all metrics and findings of a log or range as JSON, for `evtui stats --json`, and critical paths
 *
 * Times are in ns, sizes in bytes, shares from 0 to 1; unknown values are null. Keys may be added, never removed. Event
 * counts (event_counts.h) cover the whole log; metrics (metrics.def) cover the range given by the key `range`. */
#ifndef EVL_STATS_JSON_H
#define EVL_STATS_JSON_H

#include "report/findings.h"

struct json;

enum { STATS_SCHEMA = 1 }; /* version of the format, in the key "schema" */

/* Append one object and a newline. Call after the log is indexed. */
void stats_json(const struct evl_log *log, const struct figures *f, const struct findings *findings, struct buf *out);

/* Append the members of an object: each group of metrics.def as an object, with the lists that belong to it; then
 * the other lists: mmu, utilisation, spans, ticky, findings. */
void figures_json(struct json *j, const struct evl_log *log, const struct figures *f, const struct findings *findings);

/* Append a critical path as one object and a newline. If memory ran out, out->failed is set. */
void path_json(const struct evl_log *log, const struct path *p, struct buf *out);

/* Append a metric's value in its unit: an integer, or the fewest digits that read back as the same number; null for
 * NAN. */
void figures_json_value(struct json *j, enum unit unit, double value);

#endif
