/* event_filter.h - filter expressions for events: cap:2, type:GC*, thread:26, … (syntax: filter.h)
 *
 *   cap:2  cap:0-3   capability is 2; is 0, 1, 2 or 3
 *   type:GC*         name of the event type matches; types without a name are named by their number
 *   SPARK            name of the event type, or text of the event, contains the word
 *   thread:26        the event is about this thread, or is a message or marker logged by it
 *   text~sort        text of the event contains the word
 *   t>3.2  t<50%     the event is later, or earlier, than this moment (time_expr.h) */
#ifndef EVL_EVENT_FILTER_H
#define EVL_EVENT_FILTER_H

#include "base/filter.h"
#include "index/blocks.h"

/* A compiled filter. All zeros: every event passes. */
struct event_filter {
	struct filter expr; /* the parsed expression */
	/* Two tables by event type, UINT16_MAX + 1 entries each: whether an event of that type may pass, and which
	 * terms of the expression (as bits) hold of its name. NULL: every event may pass. */
	bool *tags;
	uint16_t *holds;
	/* Groups of event types that may pass (bits 1 << group); all bits if a type of unknown group may pass. */
	uint32_t groups;
	bool needs_text; /* some term may need the event's text */
};

/* The fields of the expressions, for filter_parse and for completions. */
extern const struct filter_fields event_filter_fields;

/* Compile text. when: the context of time expressions. Return 0; or EVL_USAGE or EVL_NOMEM with *err filled, then
 * there is nothing to free. */
int event_filter_init(
	struct event_filter *f, const char *text, const struct time_expr *when, struct evl_err *err) EVL_MUST_USE;

/* Make an independent copy for another thread. Return false if memory ran out, then there is nothing to free. */
bool event_filter_copy(struct event_filter *out, const struct event_filter *f) EVL_MUST_USE;
void event_filter_free(struct event_filter *f);

/* The event to test. say returns its text; it is only called if all other terms hold. */
struct event_subject {
	const struct header *header;
	const struct frame *frame;
	uint16_t cap; /* EVL_NO_CAP: none */
	struct evl_str (*say)(void *ctx);
	/* The thread that ran where the event was logged; 0: none. NULL if this is unknown. */
	uint32_t (*runner)(void *ctx);
	void *ctx;
};
/* Return whether an event passes the filter. */
bool event_filter_keeps(const struct event_filter *f, const struct event_subject *s);

#endif
