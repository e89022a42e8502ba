/* event_filter.h - filter of events (cap:2, type:GC*, text~sort, t>3.2s, !…): parse a line of terms and apply it.
 *
 *   cap:2  cap:0-3        of these capabilities
 *   type:GC*              the name matches, ignoring case; types without a name go by their number
 *   SPARK                 the name contains it
 *   thread:26             is about this thread
 *   text~sort  text~"a b" its text contains it; text~"\v^a.*b" matches (text_match.h)
 *   t>3.2  t<50%          is later, earlier than this moment (time_expr.h)
 *   !term                 negation
 * All terms must hold; they are separated by blanks. */
#ifndef EVL_EVENT_FILTER_H
#define EVL_EVENT_FILTER_H

#include "base/text_match.h"
#include "base/time_expr.h"
#include "index/blocks.h"

enum { FILTER_MOST_TERMS = 16 };

struct event_term {
	enum event_term_kind { TERM_CAP, TERM_TYPE, TERM_THREAD, TERM_TEXT, TERM_AFTER, TERM_BEFORE } kind;
	bool negated;
	uint64_t from, to;      /* capabilities from … to; the thread; the moment */
	struct pattern pattern; /* TERM_TEXT */
};

/* Compiled once; a filter of zeros lets all pass. */
struct event_filter {
	struct event_term terms[FILTER_MOST_TERMS];
	size_t n;
	bool *tags;      /* by tag, UINT16_MAX + 1 of them: what the terms on types let pass; NULL: all */
	uint32_t groups; /* 1 << group: groups that have such types; unknown types may be in any */
	bool needs_text;
};

/* EVL_USAGE or EVL_NOMEM with err filled; then there is nothing to free. when: for moments. */
int event_filter_init(
	struct event_filter *f, const char *text, const struct time_expr *when, struct evl_err *err) EVL_MUST_USE;

/* One of its own for another thread. False: memory is out, and there is nothing to free. */
bool event_filter_copy(struct event_filter *out, const struct event_filter *f) EVL_MUST_USE;
void event_filter_free(struct event_filter *f);

/* What it looks at. The text is asked for only where all else holds: say(ctx) gives it. */
struct event_subject {
	const struct header *header;
	const struct frame *frame;
	uint16_t cap; /* or EVL_NO_CAP */
	struct evl_str (*say)(void *ctx);
	void *ctx;
};
bool event_filter_keeps(const struct event_filter *f, const struct event_subject *s);

#endif
