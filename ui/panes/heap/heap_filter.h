/* heap_filter.h - filter of heap bands: words, !words, "quoted", \vregex.
 *
 *   Map          the label contains one of such words
 *   !Internal    and none of these
 *   "a b"  \v^x  with blanks in it; a POSIX extended regular expression (text_match.h) */
#ifndef EVTUI_HEAP_FILTER_H
#define EVTUI_HEAP_FILTER_H

#include "base/text_match.h"

enum { HEAP_FILTER_TERMS = 16 };

struct heap_filter {
	struct {
		struct pattern pattern;
		bool excludes;
	} terms[HEAP_FILTER_TERMS];
	size_t n;
	bool includes; /* some term does not exclude */
};

/* EVL_USAGE with err filled; then there is nothing to free. */
int heap_filter_init(struct heap_filter *f, const char *text, struct evl_err *err) EVL_MUST_USE;
void heap_filter_free(struct heap_filter *f);

/* The label has a NUL behind it. */
bool heap_filter_keeps(const struct heap_filter *f, struct evl_str label);

#endif
