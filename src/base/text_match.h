/* text_match.h - text search patterns: literal or regular expression, smart case, Unicode case folding.
 *
 * A pattern is literal text or, with the prefix "\v", a POSIX extended regular expression. A capital letter in the
 * pattern makes the search case-sensitive; otherwise case is ignored. A literal pattern with non-ASCII characters is
 * compared after Unicode case folding: "straße" finds STRASSE, and precomposed É finds the decomposed form. A pattern
 * of only ASCII matches only ASCII. Back references are rejected because matching them can take exponential time. */
#ifndef EVL_TEXT_MATCH_H
#define EVL_TEXT_MATCH_H

#include "base/err.h"

#include <regex.h>

enum { PATTERN_ROOM = 256 };

struct pattern {
	char text[PATTERN_ROOM]; /* the pattern without "\v"; length in len */
	size_t len;
	bool regex, fold;            /* fold: ignore case */
	bool wide;                   /* fold, literal, and not only ASCII: compare `folds` instead of `text` */
	int32_t folds[PATTERN_ROOM]; /* the folded code points of the pattern */
	size_t n_folds;
	regex_t compiled;
};

/* Compile a pattern. Return 0, or EVL_USAGE with err filled and *p zeroed. Patterns longer than PATTERN_ROOM - 1 bytes
 * are rejected. */
int pattern_init(struct pattern *p, struct evl_str text, struct evl_err *err) EVL_MUST_USE;

/* Make a separate copy for another thread, because regexec holds a lock. Return false, with *out zeroed, if memory ran
 * out. */
bool pattern_copy(struct pattern *out, const struct pattern *p) EVL_MUST_USE;
void pattern_free(struct pattern *p);

/* Report whether the text contains the pattern. The text may contain NULs. If the pattern is a regular expression, a
 * NUL must follow the text, because some implementations of regexec need one. */
bool pattern_in(const struct pattern *p, struct evl_str text);

#endif
