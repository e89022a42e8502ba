/* metrics.h - names, units and meanings of all metrics, expanded from metrics.def; look one up by name.
 *
 * `stats`, `stats --json`, `check`, `diff`, the Stats pane and docs/metrics.md all expand this one table. A value is
 * a double: whole numbers are exact up to 2^53 (104 days in ns); NAN means "not known". */
#ifndef EVL_METRICS_H
#define EVL_METRICS_H

#include "base/units.h"

enum metric {
#define METRIC(id, name, unit, where, sense, grows, label, meaning, flag) METRIC_##id,
#include "report/metrics.def"
#undef METRIC
	METRICS
};

/* Place of a metric in the JSON object: under its name, or only as part of a list. */
enum metric_where { METRIC_OWN, METRIC_LISTED };

/* More of it is worse, less is, or neither. */
enum metric_sense { METRIC_FLAT, METRIC_UP, METRIC_DOWN };

/* A sum over the range, which grows with its length, or not. */
enum metric_growth { METRIC_VALUE, METRIC_SUM };

struct metric_info {
	const char *name; /* "gc.pause.p99"; the parts before the last dot are its group */
	enum unit unit;
	enum metric_where where;
	enum metric_sense sense;
	enum metric_growth grows;
	const char *label;   /* of the text and the pane: "p99" */
	const char *meaning; /* with its formula */
	const char *flag;    /* that records it: "-lg"; "" where every log has it */
};

const struct metric_info *metric_info(enum metric m);

/* The heading of its group in the text and the pane: "GC pauses"; NULL: it has none. */
const char *metric_group(enum metric m);

/* By name; METRICS where there is none. */
enum metric metric_find(struct evl_str name);

/* Is it a sum over the range, which grows with its length? Then two ranges are compared by its value per second. */
bool metric_is_sum(enum metric m);

/* Does it take a second reading of the log (struct figures, deep)? */
bool metric_is_deep(enum metric m);

#endif
