/* event_filter.h - filter of events: the fields of a filter expression (filter.h), and their answers.
 *
 *   cap:2  cap:0-3   on these capabilities
 *   type:GC*         the name is like that; types without a name go by their number
 *   SPARK            the name contains it
 *   thread:26        is about this thread, or a message or marker that it posted
 *   text~sort        its text contains it
 *   t>3.2  t<50%     is later, earlier than this moment (time_expr.h) */
#ifndef EVL_EVENT_FILTER_H
#define EVL_EVENT_FILTER_H

#include "base/filter.h"
#include "index/blocks.h"

/* Compiled once; a filter of zeros lets all pass. */
struct event_filter {
	struct filter expr;
	/* By tag, UINT16_MAX + 1 of them: may an event of that type pass; which terms (bits) hold of its name. NULL: all may
	 * pass. */
	bool *tags;
	uint16_t *holds;
	uint32_t groups; /* 1 << group: groups that have such types; unknown types may be in any */
	bool needs_text;
};

/* Offer completions: fields, names of events. */
extern const struct filter_fields event_filter_fields;

/* EVL_USAGE or EVL_NOMEM with err filled; then there is nothing to free. when: for moments. */
int event_filter_init(
	struct event_filter *f, const char *text, const struct time_expr *when, struct evl_err *err) EVL_MUST_USE;

/* Make a separate copy for another thread. Return false if memory ran out; there is nothing to free then. */
bool event_filter_copy(struct event_filter *out, const struct event_filter *f) EVL_MUST_USE;
void event_filter_free(struct event_filter *f);

/* The event to be filtered. The text is made by say(ctx), and only if all other terms hold. */
struct event_subject {
	const struct header *header;
	const struct frame *frame;
	uint16_t cap; /* or EVL_NO_CAP */
	struct evl_str (*say)(void *ctx);
	uint32_t (*runner)(void *ctx); /* the thread that ran where it was posted; 0: none. NULL: it is not known */
	void *ctx;
};
bool event_filter_keeps(const struct event_filter *f, const struct event_subject *s);

#endif
