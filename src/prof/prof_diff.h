/* prof_diff.h - compare the time profiles of two runs: cost centres added, removed, and changed significantly.
 *
 * Centres are equal if module and label are equal; locations change with every edit. Shares refer to the program's own
 * samples (without GC, IDLE, …), so that runs of different length can be compared. A share has changed if the
 * difference exceeds both three standard errors of sampling and half a percentage point. */
#ifndef EVL_PROF_DIFF_H
#define EVL_PROF_DIFF_H

#include "base/json.h"
#include "prof/prof_centres.h"

enum prof_change { PROF_ONLY_A, PROF_ONLY_B, PROF_MOVED, PROF_STAYED };

struct prof_diff_row {
	struct evl_str module, label; /* borrowed from the sides */
	enum prof_change change;
	uint64_t self[2], incl[2]; /* samples in a and b */
	double share[2], incl_share[2];
};

struct prof_diff {
	struct prof_diff_row *rows; /* by kind of change, then by difference in self, largest first */
	size_t n, room;
	size_t count[PROF_STAYED + 1];
	uint64_t program[2];
};

/* Compare two sides, which must outlive the result. Return 0 or EVL_NOMEM. */
int prof_diff(struct prof_diff *d, const struct prof_centres *a, const struct prof_centres *b) EVL_MUST_USE;
void prof_diff_free(struct prof_diff *d);

/* Report whether the difference of two shares, a of all_a samples and b of all_b, may be chance: less than half a
 * percentage point, or at most three standard errors of sampling. */
bool prof_is_noise(uint64_t a, uint64_t all_a, uint64_t b, uint64_t all_b);

/* Return "only in A", "only in B", "moved" or "stayed". */
const char *prof_change_name(enum prof_change change);

/* Append an array of all rows except PROF_STAYED. Call it after the key. */
void prof_diff_json(const struct prof_diff *d, struct json *j);

#endif
