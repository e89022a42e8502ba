/* check.h - bounds on figures, for `evtui check`: gc.pause.p99>20ms.
 *
 *   METRIC OP VALUE   METRIC: a name of metrics.def, or spans.NAME.p99 (n, total, mean, p50, p90, p99, max, gc, net,
 *                     gc_share) of the user spans of that name; OP: < <= > >= = == !=; VALUE: as in unit.h; blanks
 *                     anywhere between.
 * A bound that holds is broken: the expression says what must not be. A figure that is not known breaks no bound; that
 * it is not known is told. */
#ifndef EVL_CHECK_H
#define EVL_CHECK_H

#include "figures.h"
#include "table.h"

struct check {
	enum metric metric;   /* METRICS: of a span */
	struct evl_str span;  /* its name, borrowed from the expression */
	int field;            /* of the span: enum in check.c */
	enum unit unit;
	enum table_op op;
	double value;
	const char *text;     /* the expression */
};

/* EVL_USAGE with err filled, with a suggestion where a name is like one that there is; text outlives the check. */
int check_parse(struct check *c, const char *text, struct evl_err *err) EVL_MUST_USE;

/* Does it take the deep figures? */
bool check_is_deep(const struct check *c);

enum check_result { CHECK_HOLDS, CHECK_BROKEN, CHECK_UNKNOWN };
/* What the figures say; *is: the value. */
enum check_result check_run(const struct check *c, const struct figures *f, double *is);

/* The name of the figure: "gc.pause.p99", "spans.req.p99". */
void check_name(const struct check *c, struct buf *out);

#endif
