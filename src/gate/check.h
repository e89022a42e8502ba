/* check.h - `evtui check`: parse bounds such as gc.pause.p99>20ms and evaluate them.
 *
 * A bound is NAME OP VALUE, with optional blanks in between. NAME is a metric (figure_name.h). OP is the last operator
 * in the text, because names may contain some: < <= > >= = == !=. VALUE is a number with a unit (units.h) or, if there
 * is a baseline, a percentage of the baseline's median. A bound describes a failure: it is broken if NAME OP VALUE is
 * true. */
#ifndef EVL_CHECK_H
#define EVL_CHECK_H

#include "base/compare.h"
#include "report/figure_name.h"

struct check {
	const char *text;        /* the bound as typed; borrowed */
	struct figure_name name; /* parsed name; borrows from `text` */
	bool exists;             /* a metric with this name exists; otherwise the result is CHECK_UNKNOWN */
	bool relative;           /* value is a share of the baseline's median */
	enum compare_op op;
	double value;
};

/* Parse a bound. relative: a baseline exists, and percentages refer to it. Return 0, or EVL_USAGE with err filled; an
 * unknown name is not an error here. The text must outlive *c. */
int check_parse(struct check *c, const char *text, bool relative, struct evl_err *err) EVL_MUST_USE;

enum check_outcome { CHECK_HOLDS, CHECK_BROKEN, CHECK_UNKNOWN };

struct check_result {
	enum check_outcome outcome;
	double is;       /* value of the metric; NaN: unknown */
	double baseline; /* median of the baseline; NaN: unknown or not needed */
	double limit;    /* value compared with; NaN: unknown */
};

/* Evaluate a bound. `named` must contain the groups that the name refers to (named.h). baseline is the median of the
 * metric in the baseline, or NaN if the bound is not relative. */
struct check_result check_run(
	const struct check *c, const struct figures *f, const struct named *named, double baseline);

/* Append one line that tells why the result is unknown, with an RTS flag that would record the metric, if one helps,
 * and the most similar names of metrics. */
void check_explain(const struct check *c, const struct check_result *r, const struct evl_log *log,
	const struct figures *f, const struct named *named, struct buf *out);

/* All results, to be written as a JSON object and a newline, as a Markdown table, or as a JUnit XML file. */
struct checks {
	const struct check *items;
	const struct check_result *results;
	struct evl_str *reasons; /* reason for each unknown result (check_explain) */
	size_t n;
	const char *log, *baseline; /* paths, or NULL */
	bool allow_unknown;         /* JUnit: report unknown results as skipped, not as errors */
	/* The range has no events of some capability after this time (evl_complete_until), so values are bounds:
	 * threads that ran last are taken to run until the end. UINT64_MAX: it has all. */
	uint64_t complete_until;
};

/* Append "complete until T: …", without a newline; nothing if the range has all events. */
void checks_incomplete(const struct checks *c, struct buf *out);
void checks_json(const struct checks *c, struct buf *out);
void checks_markdown(const struct checks *c, struct buf *out);
void checks_junit(const struct checks *c, struct buf *out);

#endif
