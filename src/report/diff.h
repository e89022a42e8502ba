/* diff.h - `evtui diff`: the metrics of two logs side by side. */
#ifndef EVL_DIFF_H
#define EVL_DIFF_H

#include "base/buf.h"
#include "prof/prof_diff.h"
#include "report/figures.h"

/* One figure of both. */
struct diff_row {
	double a, b;      /* NAN: not known */
	double by, ratio; /* b - a, and that / a; NAN where they are not known or a is 0 */
	bool notable;     /* they differ by a tenth at least, and by more than a trifle of their unit (diff.c) */
	int sense;        /* of what is notable: 1: b is worse, -1: b is better, 0: neither can be said */
};

/* rows[METRICS], in the order of metrics.def. */
void diff_make(struct diff_row *rows, const struct figures *a, const struct figures *b);

/* All of them as one object of JSON and a newline, and how the profiles differ. The names are those of the files. */
void diff_json(
	const struct diff_row *rows, const struct prof_diff *profile, const char *a, const char *b, struct buf *out);

#endif
