/* metrics.h - names, units and meanings of all metrics, expanded from metrics.def; look one up by name
 *
 * `stats`, `check`, `diff`, the Stats pane and docs/metrics.md all use this table. A value is a double: whole
 * numbers are exact up to 2^53 (104 days in ns); NAN means unknown. */
#ifndef EVL_METRICS_H
#define EVL_METRICS_H

#include "base/units.h"

enum metric {
#define METRIC(id, name, unit, where, sense, grows, label, meaning, flag) METRIC_##id,
#include "report/metrics.def"
#undef METRIC
	METRICS
};

/* Where `stats --json` has the metric: under its name, or only as part of a list. */
enum metric_where { METRIC_OWN, METRIC_LISTED };

/* Which direction is worse: neither, up (more is worse), or down (less is worse). */
enum metric_sense { METRIC_FLAT, METRIC_UP, METRIC_DOWN };

/* Whether the value is a sum over the range, which grows with its length. */
enum metric_growth { METRIC_VALUE, METRIC_SUM };

/* Description of a metric. The strings are constants. */
struct metric_info {
	const char *name; /* "gc.pause.p99"; the part before the last dot is the group */
	enum unit unit;
	enum metric_where where;
	enum metric_sense sense;
	enum metric_growth grows;
	const char *label;   /* as shown by `evtui stats` and in the Stats pane: "p99" */
	const char *meaning; /* one sentence, with the formula */
	const char *flag;    /* RTS flag that records it, e.g. "-lg"; "": every log has it */
};

/* Return the description of a metric; never NULL. */
const struct metric_info *metric_info(enum metric m);

/* Return the heading of the metric's group, as shown ("GC pauses"); NULL if it has none. */
const char *metric_group(enum metric m);

/* Return the metric with this name, or METRICS if there is none. */
enum metric metric_find(struct evl_str name);

/* Return true if the metric is a sum over the range. Ranges of different length are compared by its value per
 * second. */
bool metric_is_sum(enum metric m);

/* Return true if the metric needs deep figures, i.e. a second reading of the log (figures.h). */
bool metric_is_deep(enum metric m);

#endif
