/* census_group.h - groups of heap-profile bands: by package, module, prefix, or a regular expression and a replacement.
 *
 * A group takes the place of its bands: afterwards the survey has groups where it had bands, and all that is computed from
 * it is of groups. A band without a package has its module for one, and a band without a module, or that the expression
 * does not match, stays by itself, under its label. */
#ifndef EVL_CENSUS_GROUP_H
#define EVL_CENSUS_GROUP_H

#include "base/buf.h"
#include "heap/census_survey.h"

#include <regex.h>

enum { GROUP_NAME = 255 }; /* bytes; longer names of groups are cut */
enum { GROUP_TEXT = 256 }; /* bytes of a grouping expression, with its NUL */

enum census_group_by { GROUP_BY_NONE, GROUP_BY_PACKAGE, GROUP_BY_MODULE, GROUP_BY_PREFIX, GROUP_BY_REGEX };

struct census_grouping {
	enum census_group_by by;
	unsigned parts; /* of a label that are its prefix; they end at . : and / */
	regex_t regex;
	char replacement[GROUP_TEXT];
	const char *open; /* the bands of the group of this name stay by themselves; NULL: of none. Borrowed */
};

/* Parse "package", "module", "prefix", "prefix 2", "/REGEX/REPLACEMENT/" with \1 … \9 and & as in sed, "none" or "". Return 0
 * or a negative code with *err filled, then nothing is to be freed. */
int census_grouping_parse(struct census_grouping *g, const char *text, struct evl_err *err) EVL_MUST_USE;
void census_grouping_free(struct census_grouping *g);

/* Append the name of a band's group. The label must be followed by a NUL; module: empty if unknown. Return true if the group is
 * opened: then it is the label. */
bool census_group_name(const struct census_grouping *g, struct evl_str label, struct evl_str module, struct buf *out);

/* Names of bands: append the label of one and a NUL, and return its module (borrowed). */
typedef struct evl_str census_naming(void *ctx, const struct band *band, struct buf *label);

/* Group the bands of a survey, which must not be grouped: one more reading of its samples. 0, EVL_CANCELLED or EVL_NOMEM: then
 * it is as it was. */
int census_group(struct census_survey *s, const struct census_grouping *g, census_naming *naming, void *ctx,
	const struct census_run *run) EVL_MUST_USE;

/* Undo that. */
void census_ungroup(struct census_survey *s);

#endif
