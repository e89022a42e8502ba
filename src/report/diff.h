/* diff.h - `evtui diff`: the metrics, spans and findings of two logs side by side. */
#ifndef EVL_DIFF_H
#define EVL_DIFF_H

#include "base/buf.h"
#include "prof/prof_diff.h"
#include "report/findings.h"
#include "report/named_diff.h"

/* One metric of both. */
struct diff_row {
	double a, b;      /* NAN: not known */
	double by, ratio; /* b - a, and that / a; NAN where they are not known or a is 0 */
	bool notable;     /* they differ by a tenth at least, and by more than a trifle of their unit (diff.c) */
	int sense;        /* of what is notable: 1: b is worse, -1: b is better, 0: neither can be said */
};

/* rows[METRICS], in the order of metrics.def. */
void diff_make(struct diff_row *rows, const struct figures *a, const struct figures *b);

/* The spans of one name; of those that hold the number of an instance ("0 job"), of one label. */
enum diff_span_figure { DIFF_SPAN_N, DIFF_SPAN_TOTAL, DIFF_SPAN_MEAN, DIFF_SPAN_P99, DIFF_SPAN_MAX, DIFF_SPAN_FIGURES };

struct diff_span {
	struct evl_str name;                     /* borrowed from a log */
	struct diff_row rows[DIFF_SPAN_FIGURES]; /* a name that a log does not have has no spans there */
};

struct diff_spans {
	struct diff_span *items; /* most time first, of A and B together */
	size_t n;
};

int diff_spans_make(struct diff_spans *out, const struct figures *a, const struct figures *b) EVL_MUST_USE;
void diff_spans_free(struct diff_spans *d);

/* Name and unit of a metric of spans: "p99". */
const char *diff_span_name(enum diff_span_figure i);
enum unit diff_span_unit(enum diff_span_figure i);

/* A finding of the log by its id; NULL: it has none. */
const struct finding *diff_finding(const struct findings *of, enum finding_id id);

/* Is b worse than a, by a tenth at least? Neither where one is not known. */
bool diff_is_worse(enum metric_sense sense, double a, double b);

/* A range of a log. label: of it only the time that all spans of this label cover (span_is_of); 0: all. */
struct diff_side {
	const struct evl_log *log;
	uint64_t from, to;
	uint64_t label;
};

enum diff_named { DIFF_BANDS, DIFF_LABELS, DIFF_CENTRES, DIFF_NAMED };

struct difference {
	struct figures figures[2]; /* of A and B */
	struct diff_row rows[METRICS];
	struct diff_spans spans;
	struct findings findings[2];
	struct named names[2];
	struct named_diff named[DIFF_NAMED]; /* of them */
	struct prof_side sides[2];
	struct prof_diff profile; /* of them; of whole logs, else empty */
};

/* Compare two sides, whose logs must outlive the result. groups: of named metrics (bits 1 << enum named_group) beyond those
 * compared; deep: what takes a second reading of the logs, too. Return 0, EVL_NOMEM or EVL_CANCELLED with nothing held. */
int difference_make(struct difference *d, const struct diff_side sides[2], unsigned groups, bool deep,
	const struct progress *watch) EVL_MUST_USE;
void difference_free(struct difference *d);

/* The row of one metric of both sides. */
struct diff_row diff_row(enum unit unit, enum metric_sense sense, double a, double b);

/* All of it as one object of JSON and a newline. The names are those of the files. */
void diff_json(const struct difference *d, const char *a, const char *b, struct buf *out);

#endif
