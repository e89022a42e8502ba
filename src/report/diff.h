/* diff.h - compare the metrics, spans and findings of two logs or ranges (`evtui diff`)
 *
 * Times are in ns. */
#ifndef EVL_DIFF_H
#define EVL_DIFF_H

#include "base/buf.h"
#include "prof/prof_diff.h"
#include "report/findings.h"
#include "report/named_diff.h"

/* A metric of two logs, A and B. */
struct diff_row {
	double a, b;      /* NAN: unknown */
	double by, ratio; /* b - a, and its share of |a|; NAN if a or b is unknown, ratio also if a is 0 */
	/* they differ by at least a tenth, and by more than the noise threshold of their unit (diff.c) */
	bool notable;
	int sense;   /* if notable: 1: B is worse, -1: B is better; else, or if neither direction is worse: 0 */
	bool trifle; /* they differ by a tenth or more, or from 0, but not by more than that threshold */
};

/* Metrics of the spans of one name, and the parts of their total (span_budget.h; unknown unless the figures are deep).
 * If names hold the number of an instance ("0 job", "1 job"), spans are grouped by label instead. */
enum diff_span_figure {
	DIFF_SPAN_N,
	DIFF_SPAN_TOTAL,
	DIFF_SPAN_MEAN,
	DIFF_SPAN_P99,
	DIFF_SPAN_MAX,
	DIFF_SPAN_RUN, /* the first part of the total */
	DIFF_SPAN_GC,
	DIFF_SPAN_RUNNABLE,
	DIFF_SPAN_BLOCKED,
	DIFF_SPAN_FOREIGN,
	DIFF_SPAN_UNKNOWN,
	DIFF_SPAN_FIGURES
};

/* Spans of one name in two logs. */
struct diff_span {
	struct evl_str name; /* borrowed from one of the logs */
	/* a log without spans of this name has 0 spans and a total of 0; the rest is unknown */
	struct diff_row rows[DIFF_SPAN_FIGURES];
};

struct diff_spans {
	struct diff_span *items; /* sorted by total time in A and B together, largest first */
	size_t n;
};

/* Compare the spans of two sets of figures, of which neither is better if `flat`. Free with diff_spans_free.
 * Return 0 or EVL_NOMEM. */
int diff_spans_make(struct diff_spans *out, const struct figures f[2], bool flat) EVL_MUST_USE;
void diff_spans_free(struct diff_spans *d);

/* Return the name ("p99") or the unit of a metric of spans. */
const char *diff_span_name(enum diff_span_figure i);
/* Report whether lists show a metric: if it is known and, for a part of the total, if it differs. */
bool diff_span_shown(const struct diff_span *s, enum diff_span_figure i);
enum unit diff_span_unit(enum diff_span_figure i);

/* Return true if b is worse than a by at least a tenth. False if either is NAN or sense is METRIC_FLAT. */
bool diff_is_worse(enum metric_sense sense, double a, double b);

/* One side of a comparison: the range [from, to) of a log. label: hash of a span label; only the time covered by its
 * spans (span_is_of); 0: the whole range. */
struct diff_side {
	const struct evl_log *log;
	uint64_t from, to;
	uint64_t label;
};

/* Report whether the sides are logs of programs with different names, as far as the logs tell. */
bool diff_other_program(const struct diff_side sides[2]);

/* Fill rows[METRICS], in the order of metrics.def, from the figures of both sides. Return true if less of something is
 * not better, nor more of it worse: a range is cut, i.e. its end is missing in its log, or the programs differ. */
bool diff_make(struct diff_row *rows, const struct figures f[2], const struct diff_side sides[2]);

/* Kinds of named things that are compared by default. */
enum diff_named { DIFF_PHASES, DIFF_BANDS, DIFF_LABELS, DIFF_WAKERS, DIFF_PATHS, DIFF_CENTRES, DIFF_NAMED };

/* A comparison of two sides, A and B. */
struct difference {
	struct figures figures[2]; /* of A and B; likewise the arrays below */
	struct diff_row rows[METRICS];
	struct diff_spans spans;
	struct findings findings[2];
	struct named names[2];               /* metrics of named things */
	struct named_diff named[DIFF_NAMED]; /* pairs from names[0] and names[1] */
	struct prof_centres sides[2];
	bool flat;                /* diff_make: nothing is better or worse */
	struct prof_diff profile; /* comparison of sides[0] and sides[1]; empty unless both ranges are whole logs */
};

/* Compare two sides, whose logs must outlive the result. groups: named metrics to compute besides those compared, as
 * bits 1 << enum named_group. deep: include metrics that need a second reading of the logs. Return 0; or EVL_NOMEM
 * or EVL_CANCELLED, then there is nothing to free. */
int difference_make(struct difference *d, const struct diff_side sides[2], unsigned groups, bool deep,
	const struct progress *watch) EVL_MUST_USE;
void difference_free(struct difference *d);

/* Return the comparison of one metric with the values a and b. */
struct diff_row diff_row(enum unit unit, enum metric_sense sense, double a, double b);

/* Append the comparison as one JSON object and a newline. a, b: file names of the logs. */
void diff_json(const struct difference *d, const char *a, const char *b, struct buf *out);

#endif
