/* figures_json.h - metrics and findings as members of a JSON object. */
#ifndef EVL_FIGURES_JSON_H
#define EVL_FIGURES_JSON_H

#include "base/json.h"
#include "report/findings.h"

/* All groups of metrics.def, each an object under its name with the lists that belong to it; then the lists outside
 * of groups: mmu, utilisation, spans, ticky, findings. */
void figures_json(struct json *j, const struct evl_log *log, const struct figures *f, const struct findings *findings);

/* A figure's value by its unit: whole, or as few digits as read back the same; null for NAN. */
void figures_json_value(struct json *j, enum unit unit, double value);

/* The threads that ended waits, or were waited for, as an array. unknown: write a thread of 0 as null; an owner of 0 is
 * what the event says. */
void figures_json_who(struct json *j, const struct evl_log *log, const struct wait_who *who, size_t n, bool unknown);

#endif
