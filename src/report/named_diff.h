/* named_diff.h - things of one name in two logs, side by side: bands of the heap profile, labels of threads. */
#ifndef EVL_NAMED_DIFF_H
#define EVL_NAMED_DIFF_H

#include "report/named.h"

#define NAMED_ABSENT SIZE_MAX

/* One name: its rows in both lists, or NAMED_ABSENT; by: b - a of the first field, where absent as if 0. */
struct named_pair {
	size_t a, b;
	double by;
};

struct named_diff {
	const struct named_list *lists[2];
	enum named_group group;
	struct named_pair *pairs; /* what differs most first */
	size_t n;
};

/* Compare two lists, which must outlive the result. Return 0 or EVL_NOMEM. */
int named_diff_make(struct named_diff *d, enum named_group group, const struct named_list *a,
	const struct named_list *b) EVL_MUST_USE;
void named_diff_free(struct named_diff *d);

struct evl_str named_diff_name(const struct named_diff *d, size_t i);

/* A field of one side (0: a, 1: b); NAN where it is not known, or the name is not there. */
double named_diff_value(const struct named_diff *d, size_t i, int side, size_t field);

/* A member of an object: at most `most` names, each with the fields of both sides. */
void named_diff_json(const struct named_diff *d, size_t most, struct json *j);

#endif
