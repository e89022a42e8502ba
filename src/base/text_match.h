/* text_match.h - text search patterns: literal or regular expression, smart case, Unicode case folding.
 *
 * Literal text; with the prefix "\v" a POSIX extended regular expression. A capital letter makes the search
 * case-sensitive; otherwise texts are compared after Unicode case folding: "straße" finds STRASSE, and precomposed É
 * finds the decomposed form. (A pattern of ASCII only matches ASCII only.) Back references are refused, because
 * matching them can take exponential time. */
#ifndef EVL_TEXT_MATCH_H
#define EVL_TEXT_MATCH_H

#include "base/err.h"

#include <regex.h>

enum { PATTERN_ROOM = 256 };

struct pattern {
	char text[PATTERN_ROOM]; /* literal; folded where case does not count */
	size_t len;
	bool regex, fold;
	bool wide; /* folded, and not ASCII alone: */
	int32_t folds[PATTERN_ROOM];
	size_t n_folds;
	regex_t compiled;
};

/* EVL_USAGE with err filled; then the pattern is zeros. Longer than PATTERN_ROOM - 1 bytes is refused. */
int pattern_init(struct pattern *p, struct evl_str text, struct evl_err *err) EVL_MUST_USE;

/* Make a separate copy for another thread, as regexec holds a lock. Return false, and zeros in *out, if memory ran
 * out. */
bool pattern_copy(struct pattern *out, const struct pattern *p) EVL_MUST_USE;
void pattern_free(struct pattern *p);

/* Report whether the text contains the pattern. The text may contain NULs and must be followed by one, as some
 * regexec implementations need it. */
bool pattern_in(const struct pattern *p, struct evl_str text);

#endif
