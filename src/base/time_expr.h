/* time_expr.h - time expressions as users type them ("3.2s", "50%", "+40ms", "@14:03:22") to ns: the go-to prompt,
 * --from and --to.
 *
 *   3.2s  40ms  250us  17ns  2min   after the log's time 0; a bare number is seconds
 *   50%                             of the way from the first event to the last
 *   @14:03:22.5                     wall clock, local time, on the day of the log (needs its wall clock)
 *   +40ms  -1s  -1                  from the cursor (only where there is one) */
#ifndef EVL_TIME_EXPR_H
#define EVL_TIME_EXPR_H

#include "base/err.h"

struct time_expr {
	uint64_t first, last; /* of the log, ns */
	uint64_t wall_ns;     /* Unix time of the log's time 0; 0: unknown */
	uint64_t cursor;
	bool has_cursor;
};

/* The moment in ns after the log's time 0. EVL_USAGE with err filled when the text is none. */
int time_expr_parse(const struct time_expr *w, const char *text, uint64_t *out, struct evl_err *err) EVL_MUST_USE;

#endif
