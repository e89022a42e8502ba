/* check.h - `evtui check`: parse bounds such as gc.pause.p99>20ms and evaluate them.
 *
 *   NAME OP VALUE   NAME: of a metric (figure_name.h); OP: < <= > >= = == !=, the last one of the line; VALUE: as in units.h,
 *                   or with a baseline a percentage of its median; blanks anywhere between.
 * A bound is broken if its expression is true. */
#ifndef EVL_CHECK_H
#define EVL_CHECK_H

#include "base/compare.h"
#include "report/figure_name.h"

struct check {
	const char *text;        /* the expression */
	struct figure_name name; /* within it */
	bool exists;             /* there is a metric with this name; else its value is unknown */
	bool relative;           /* the value is a share of a baseline */
	enum compare_op op;
	double value;
};

/* Parse a bound. relative: there is a baseline, and percentages are shares of it. Return 0, or EVL_USAGE with err filled; an
 * unknown name is not an error here. The text must outlive the check. */
int check_parse(struct check *c, const char *text, bool relative, struct evl_err *err) EVL_MUST_USE;

enum check_outcome { CHECK_HOLDS, CHECK_BROKEN, CHECK_UNKNOWN };

struct check_result {
	enum check_outcome outcome;
	double is;       /* NAN: not known */
	double baseline; /* the median; NAN: not known, or not asked for */
	double limit;    /* what it was compared with; NAN: not known */
};

/* Evaluate a check. named: has the groups that the name needs. baseline: NAN if the check is not relative. */
struct check_result check_run(
	const struct check *c, const struct figures *f, const struct named *named, double baseline);

/* Append one line to out: why the metric is unknown, and the nearest names. */
void check_explain(const struct check *c, const struct check_result *r, const struct figures *f,
	const struct named *named, struct buf *out);

/* Forms of all results: an object of JSON and a newline, a table in Markdown, a file of JUnit. */
struct checks {
	const struct check *items;
	const struct check_result *results;
	struct evl_str *reasons; /* of those that are unknown */
	size_t n;
	const char *log, *baseline; /* paths; NULL: there is none */
	bool allow_unknown;
};
void checks_json(const struct checks *c, struct buf *out);
void checks_markdown(const struct checks *c, struct buf *out);
void checks_junit(const struct checks *c, struct buf *out);

#endif
