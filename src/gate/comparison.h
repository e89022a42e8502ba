/* comparison.h - `evtui compare`: two sets of runs, metric by metric: medians, shift, p, Holm's correction, verdicts.
 *
 * Each figure that is known in all runs is tested (Mann-Whitney); the family of all of them is corrected (Holm), so that equal
 * sets raise a false alarm in at most one of twenty comparisons. */
#ifndef EVL_COMPARISON_H
#define EVL_COMPARISON_H

#include "gate/runs.h"
#include "statistics/mann_whitney.h"

/* X(id, words) */
#define VERDICTS(X)                                                                                                    \
	X(WORSE, "worse")                                                                                              \
	X(BETTER, "better")                                                                                            \
	X(SAME, "no difference shown")                                                                                 \
	X(TOO_FEW, "too few runs")

enum verdict {
#define X(id, words) VERDICT_##id,
	VERDICTS(X)
#undef X
		VERDICT_KINDS
};

struct comparison_row {
	const struct runs_column *figure; /* of the runs */
	double base, head;                /* medians */
	struct shift shift;               /* how much more the head is; 95 % */
	double p, p_holm;
	double smallest;      /* smallest difference that these runs could have shown; NAN: none */
	bool differs;         /* p_holm is at most COMPARISON_ALPHA, and there are enough runs */
	enum verdict verdict; /* never worse or better for figures without a good direction */
};

struct comparison {
	struct comparison_row *rows; /* known in all runs */
	size_t n;
	size_t n_base, n_head;
	bool enough;                        /* the number of runs can show a difference in a family of this size */
	const struct runs_column **unknown; /* figures that are known in some runs only */
	size_t n_unknown;
	size_t count[VERDICT_KINDS];
};

#define COMPARISON_ALPHA 0.05

/* Compare the runs of set 0 with those of set 1. The runs must outlive the result. Return 0 or EVL_NOMEM. */
int comparison_make(struct comparison *c, const struct runs *r) EVL_MUST_USE;
void comparison_free(struct comparison *c);

const char *verdict_name(enum verdict verdict);

/* Return the number of runs per side that could show a difference in a family of n figures. */
size_t comparison_least_runs(size_t n);

/* An object of JSON and a newline; a table in Markdown; a file of JUnit: a test per metric, failed where the head is worse. */
void comparison_json(const struct comparison *c, struct buf *out);
void comparison_markdown(const struct comparison *c, struct buf *out);
void comparison_junit(const struct comparison *c, struct buf *out);

/* "+1.2 ms (+4.0 %)" of a row; "" where it is unknown. Both into `out` (COMPARISON_TEXT bytes), which is returned. */
enum { COMPARISON_TEXT = 96 };
char *comparison_by_text(const struct comparison_row *r, char *out);
char *comparison_interval_text(const struct comparison_row *r, char *out);

/* "p = 0.0003" without the "p =". */
char *comparison_p_text(double p, char *out);

#endif
