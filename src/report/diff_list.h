/* diff_list.h - a comparison as one list: metrics, spans, named things and findings, for the page, CSV and the Stats pane
 *
 * Columns are defined in figure_lists.def (differences). Times are in ns. */
#ifndef EVL_DIFF_LIST_H
#define EVL_DIFF_LIST_H

#include "report/diff.h"

/* Kind of a row. */
enum diff_kind {
	DIFF_HEAD,    /* heading of a group */
	DIFF_FIGURE,  /* a metric, or the first metric of a named thing */
	DIFF_DETAIL,  /* a further metric of the named thing */
	DIFF_FINDING, /* a finding */
	DIFF_MORE     /* number of names left out */
};
enum diff_only { DIFF_BOTH, DIFF_ONLY_A, DIFF_ONLY_B };

/* A row. Texts that it does not have are empty or NULL. */
struct difference_item {
	enum diff_kind kind;
	enum diff_only only;     /* name or finding that only one side has */
	enum diff_named named;   /* kind of the named thing; DIFF_NAMED: a metric, a span or a finding */
	enum finding_id finding; /* of a DIFF_FINDING */
	enum unit unit;          /* UNITS: a finding, without values */
	bool sum;                /* the metric grows with the length of the range */
	const char *group;       /* title of its group */
	struct evl_str name;     /* the metric, the named thing or the id of the finding */
	const char *label;       /* of a metric: its name on the screen */
	const char *figure;      /* of a named thing: which of its metrics */
	struct evl_str text;     /* of a finding */
	uint64_t more;           /* of a DIFF_MORE */
	struct diff_row row; /* of a finding: a and b are unknown; one that only B has is worse, unless all is flat */
};

/* The rows, by group. */
struct diff_list {
	struct difference_item *items;
	size_t n, room;
	char *texts;     /* of the items; NULL: they are borrowed */
	bool failed;     /* memory ran out while the list was made */
	double total[2]; /* length of A and of B */
};

/* Make the list of a comparison, whose names and findings may then be freed. d: NULL: only the metrics `rows`; most:
 * number of names listed per group. Return 0; or EVL_NOMEM, then there is nothing to free. */
int diff_list_make(
	struct diff_list *l, const struct diff_row *rows, const struct difference *d, size_t most) EVL_MUST_USE;
void diff_list_free(struct diff_list *l);

/* Copy the texts of the items into the list. Return 0 or EVL_NOMEM. */
int diff_list_own(struct diff_list *l) EVL_MUST_USE;

/* Report whether a row is a metric or a finding, no heading or number of others. */
static inline bool diff_has_values(const struct difference_item *r)
{
	return r->kind != DIFF_HEAD && r->kind != DIFF_MORE;
}

/* Return "worse", "A only", …; "": there is no notable difference. sense: as in struct diff_row. */
const char *diff_verdict(const struct difference_item *r, int sense);

#endif
