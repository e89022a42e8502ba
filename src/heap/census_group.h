/* census_group.h - groups of heap-profile bands: by package, module, prefix, or a regular expression and a replacement.
 *
 * A band is one label or cost-centre stack of the profile. Grouping replaces the bands of a survey (census_survey.h) by
 * groups; whatever is computed from the survey afterwards refers to groups. A band whose package is unknown is grouped
 * by its module. A band whose module is unknown, or that the expression does not match, remains a band under its
 * label. */
#ifndef EVL_CENSUS_GROUP_H
#define EVL_CENSUS_GROUP_H

#include "base/buf.h"
#include "heap/census_survey.h"

#include <regex.h>

enum { GROUP_NAME = 255 }; /* bytes; longer names of groups are truncated */
enum { GROUP_TEXT = 256 }; /* bytes of a grouping expression, including its NUL */

enum census_group_by { GROUP_BY_NONE, GROUP_BY_PACKAGE, GROUP_BY_MODULE, GROUP_BY_PREFIX, GROUP_BY_REGEX };

struct census_grouping {
	enum census_group_by by;
	unsigned parts; /* GROUP_BY_PREFIX: number of leading parts of a label, separated by . : or / */
	regex_t regex;
	char replacement[GROUP_TEXT];
	const char *open; /* name of a group whose bands are not combined, borrowed; NULL: all groups are */
};

/* Parse "package", "module", "prefix", "prefix 2", "none", "", or "/REGEX/REPLACEMENT/" with \1 … \9 and & as in sed.
 * Return 0, or a negative code with err filled and *g empty. */
int census_grouping_parse(struct census_grouping *g, const char *text, struct evl_err *err) EVL_MUST_USE;
void census_grouping_free(struct census_grouping *g);

/* Append the name of a band's group and return false. If the bands of that group are not combined (grouping.open),
 * append the label instead and return true. A NUL must follow the label; module is empty if unknown. */
bool census_group_name(const struct census_grouping *g, struct evl_str label, struct evl_str module, struct buf *out);

/* Append the label of a band and a NUL, and return the band's module, which is borrowed. */
typedef struct evl_str census_naming(void *ctx, const struct band *band, struct buf *label);

/* Group the bands of a survey that has no groups yet; this reads all samples again. Return 0, or EVL_CANCELLED or
 * EVL_NOMEM with the survey unchanged. */
int census_group(struct census_survey *s, const struct census_grouping *g, census_naming *naming, void *ctx,
	const struct census_run *run) EVL_MUST_USE;

/* Replace the groups by their bands again. */
void census_ungroup(struct census_survey *s);

#endif
