/* diff.h - the same figures of two logs, side by side. */
#ifndef EVL_DIFF_H
#define EVL_DIFF_H

#include "figures.h"

/* One figure of both. */
struct diff_row {
	double a, b;       /* NAN: not known */
	double by, ratio;  /* b - a; by / a: NAN where a is 0 or one of them is not known */
	bool notable;      /* they differ by a tenth or more (shares: by 0.02 or more), and it is no mere noise: see diff.c */
	int sense;         /* 1: b is worse, -1: b is better, 0: neither can be said */
};

/* rows[METRICS], in the order of metrics.def. */
void diff_make(struct diff_row *rows, const struct figures *a, const struct figures *b);

#endif
