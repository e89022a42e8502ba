/* named_diff.h - compare equally named things in two logs: phases, heap-profile bands, thread labels, cost centres */
#ifndef EVL_NAMED_DIFF_H
#define EVL_NAMED_DIFF_H

#include "report/named.h"

#define NAMED_ABSENT SIZE_MAX

/* One name: its row in each list, or NAMED_ABSENT. by: b - a of the first field; an absent one counts as 0. */
struct named_pair {
	size_t a, b;
	double by;
};

struct named_diff {
	const struct named_list *lists[2];
	enum named_group group;
	struct named_pair *pairs; /* largest difference first */
	size_t n;
};

/* Compare two lists, which must outlive the result. Free with named_diff_free. Return 0 or EVL_NOMEM. */
int named_diff_make(struct named_diff *d, enum named_group group, const struct named_list *a,
	const struct named_list *b) EVL_MUST_USE;
void named_diff_free(struct named_diff *d);

/* Return the name of pair i as lists show it, borrowed from its list: the phase before the first marker has none. */
struct evl_str named_diff_title(const struct named_diff *d, size_t i);

/* Return a field of one side of pair i (side 0: a, 1: b); NAN if it is unknown or the name is absent. */
double named_diff_value(const struct named_diff *d, size_t i, int side, size_t field);

/* Append a member of a JSON object: at most `most` names, each with the fields of both sides. */
void named_diff_json(const struct named_diff *d, size_t most, struct json *j);

#endif
