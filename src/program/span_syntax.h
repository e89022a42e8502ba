/* span_syntax.h - recognise user spans in messages and markers: ghc-events-analyze, GHC's own timings,
 * opentelemetry.
 *
 *   ghc-events-analyze   message or marker   START [n] label … STOP [n] label; n tells instances apart
 *   GHC itself           message or marker   GHC:started: X … GHC:finished: X
 *   opentelemetry        message             ot2 begin span N name … ot2 end span N
 *   opentelemetry        binary message      "OT" 3 1, u64 serial, name … "OT" 3 2, u64 serial; all little-endian
 *
 * The text is not trusted: it may be of any length and hold any bytes. */
#ifndef EVL_SPAN_SYNTAX_H
#define EVL_SPAN_SYNTAX_H

#include "format/frame.h"

enum span_convention { SPAN_ANALYZE, SPAN_GHC, SPAN_OT_TEXT, SPAN_OT_BINARY, SPAN_CONVENTIONS };

/* An event that starts or ends a span. */
struct span_syntax {
	enum span_convention convention;
	bool begins;
	uint64_t key;         /* the same for both ends of the span, unique otherwise */
	struct evl_str name;  /* of a start: label to show; may be empty. Borrowed from the event */
	struct evl_str label; /* the name without the number of the instance */
};

/* Does the key alone tell spans of the convention apart, whichever thread begins and ends them? */
static inline bool span_by_id(enum span_convention c) { return c != SPAN_ANALYZE; }

/* The label of a span of the convention by its name. */
struct evl_str span_syntax_label(enum span_convention convention, struct evl_str name);

/* May an event with this tag begin or end a span? */
bool span_syntax_wants(uint16_t tag);

/* Parse an event that starts or ends a span. Return false if it is not such an event. A NULL out only tests this, at less cost. */
bool span_syntax_parse(uint16_t tag, struct evl_str payload, struct span_syntax *out);

#endif
