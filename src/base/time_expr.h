/* time_expr.h - parse times as users type them ("3.2s", "50%", "+40ms", "@14:03:22"), in the go-to prompt, --from and
 * --to.
 *
 *   3.2s  40ms  250us  17ns  2min  1h   after the log's time 0; a number without a unit is in seconds
 *   50%                                 halfway from the first event to the last
 *   @14:03:22.5                         wall clock, local time, on the day on which the log starts or the next
 *   +40ms  -1s  -1                      relative to the cursor (if there is one) */
#ifndef EVL_TIME_EXPR_H
#define EVL_TIME_EXPR_H

#include "base/err.h"

struct time_expr {
	uint64_t first, last; /* times of the first and the last event, ns */
	uint64_t wall_ns;     /* Unix time of the log's time 0, in ns; 0: unknown */
	uint64_t cursor;      /* ns; valid if has_cursor */
	bool has_cursor;
};

/* Parse a time to ns after the log's time 0. Return 0, or EVL_USAGE with err filled. */
int time_expr_parse(const struct time_expr *w, const char *text, uint64_t *out, struct evl_err *err) EVL_MUST_USE;

#endif
