/* comparison.h - `evtui compare`: two sets of runs, metric by metric: medians, shift, p, Holm's correction, verdicts.
 *
 * Set 0 is the base, set 1 the head. Each metric that is known in all runs is tested (Mann-Whitney). The p values of
 * all tests together (the family) are corrected (Holm), so that two equal sets raise a false alarm in at most one of
 * twenty comparisons. */
#ifndef EVL_COMPARISON_H
#define EVL_COMPARISON_H

#include "gate/runs.h"
#include "statistics/mann_whitney.h"

/* X(id, text) */
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
	const struct runs_column *figure; /* column of the runs */
	double base, head;                /* medians of the two sets */
	struct shift shift;               /* head minus base, with its 95 % confidence interval */
	double p, p_holm;                 /* p value before and after Holm's correction */
	double smallest;                  /* smallest difference that these runs could have shown; NaN: none */
	bool differs;                     /* p_holm <= COMPARISON_ALPHA, and there are enough runs */
	enum verdict verdict;             /* WORSE and BETTER only for metrics that have a good direction */
};

struct comparison {
	struct comparison_row *rows; /* metrics known in all runs */
	size_t n;
	size_t n_base, n_head;              /* number of runs in each set */
	bool enough;                        /* there are enough runs to show a difference in a family of this size */
	const struct runs_column **unknown; /* metrics that are known only in some runs */
	size_t n_unknown;
	size_t count[VERDICT_KINDS]; /* rows per verdict */
};

#define COMPARISON_ALPHA 0.05

/* Compare the runs of set 0 with those of set 1. The runs must outlive the result. Return 0 or EVL_NOMEM. */
int comparison_make(struct comparison *c, const struct runs *r) EVL_MUST_USE;
void comparison_free(struct comparison *c);

/* Return the text of a verdict. */
const char *verdict_name(enum verdict verdict);

/* Return the least number of runs per set that could show a difference in a family of n metrics. */
size_t comparison_least_runs(size_t n);

/* Append the comparison as a JSON object and a newline, as a Markdown table, or as a JUnit XML file with one test per
 * metric, which fails if the head is worse. */
void comparison_json(const struct comparison *c, struct buf *out);
void comparison_markdown(const struct comparison *c, struct buf *out);
void comparison_junit(const struct comparison *c, struct buf *out);

/* Format the shift of a row, such as "+1.2 ms (+4.0 %)", or its confidence interval; "" if unknown. Write to `out`
 * (COMPARISON_TEXT bytes) and return it. */
enum { COMPARISON_TEXT = 96 };
char *comparison_by_text(const struct comparison_row *r, char *out);
char *comparison_interval_text(const struct comparison_row *r, char *out);

/* Format a p value, such as "0.0003". Write to `out` (COMPARISON_TEXT bytes) and return it. */
char *comparison_p_text(double p, char *out);

#endif
