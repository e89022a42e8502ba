/* check.h - `evtui check`: parse bounds such as gc.pause.p99>20ms and evaluate them.
 *
 *   METRIC OP VALUE   METRIC: a name of metrics.def, or spans.NAME.FIELD of the user spans of that name (FIELD: n, total,
 *                     net, gc, gc_share, mean, p50, p90, p99, max); OP: < <= > >= = == !=; VALUE: as in units.h; blanks
 *                     anywhere between.
 * A bound is exceeded if its expression is true. An unknown metric exceeds no bound; it is reported as unknown. */
#ifndef EVL_CHECK_H
#define EVL_CHECK_H

#include "base/compare.h"
#include "report/figures.h"

struct check {
	const char *text;    /* the expression */
	struct evl_str name; /* of the figure, within it */
	enum metric metric;  /* METRICS: a field of a span: */
	struct evl_str span;
	int field;
	enum unit unit;
	enum compare_op op;
	double value;
};

/* EVL_USAGE with err filled, with a suggestion where the name is like one that there is. The text outlives the check. */
int check_parse(struct check *c, const char *text, struct evl_err *err) EVL_MUST_USE;

/* Does it take the deep figures? */
bool check_is_deep(const struct check *c);

enum check_result { CHECK_HOLDS, CHECK_BROKEN, CHECK_UNKNOWN };

/* What the figures say; *is: the value, NAN where it is not known. */
enum check_result check_run(const struct check *c, const struct figures *f, double *is);

#endif
