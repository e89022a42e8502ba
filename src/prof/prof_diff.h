/* prof_diff.h - compare the time profiles of two runs: cost centres added, removed, and changed significantly.
 *
 * Centres are the same if module and label are: locations move with every edit. Shares are of the program's own
 * samples (without GC, IDLE, …), so runs of different length compare. A share has changed if the difference exceeds
 * both three standard errors of sampling and half a per cent. */
#ifndef EVL_PROF_DIFF_H
#define EVL_PROF_DIFF_H

#include "base/json.h"
#include "prof/prof_names.h"

/* One profile, summed up. */
struct prof_side {
	struct prof_names names;
	uint64_t *self, *incl; /* by name */
	uint64_t program;      /* samples */
};

enum prof_change { PROF_ONLY_A, PROF_ONLY_B, PROF_MOVED, PROF_STAYED };

struct prof_diff_row {
	struct evl_str module, label; /* belong to the sides */
	enum prof_change change;
	uint64_t self[2], incl[2]; /* of a and b */
	double share[2], incl_share[2];
};

struct prof_diff {
	struct prof_diff_row *rows; /* by kind of change, then the largest difference in self first */
	size_t n, room;
	size_t count[PROF_STAYED + 1];
	uint64_t program[2];
};

/* Sum up the profile of the whole log. Return 0, or EVL_NOMEM and leave *s empty. */
int prof_side_make(struct prof_side *s, const struct prof *p, const struct prof_naming *naming) EVL_MUST_USE;
void prof_side_free(struct prof_side *s);

/* Compare two sides, which must outlive the result. Return 0 or EVL_NOMEM. */
int prof_diff(struct prof_diff *d, const struct prof_side *a, const struct prof_side *b) EVL_MUST_USE;
void prof_diff_free(struct prof_diff *d);

/* Return whether the difference of two shares, a of all_a samples and b of all_b, may be chance: under half a per cent, or
 * under three standard errors of sampling. */
bool prof_is_noise(uint64_t a, uint64_t all_a, uint64_t b, uint64_t all_b);

/* Return "only in A", … */
const char *prof_change_name(enum prof_change change);

/* Append an array of all rows but PROF_STAYED, as the value of a key. */
void prof_diff_json(const struct prof_diff *d, struct json *j);

#endif
