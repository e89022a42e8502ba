/* span_syntax.h - recognise user spans in messages and markers: ghc-events-analyze, GHC's own timings, opentelemetry.
 *
 *   ghc-events-analyze   message or marker   START [n] label … STOP [n] label; n is the number of the instance
 *   GHC itself           message or marker   GHC:started: X … GHC:finished: X
 *   opentelemetry        message             ot2 begin span N name … ot2 end span N
 *   opentelemetry        binary message      "OT" 3 1, u64 serial, name … "OT" 3 2, u64 serial; all little-endian
 *
 * The text is not trusted: it may have any length and contain any bytes. */
#ifndef EVL_SPAN_SYNTAX_H
#define EVL_SPAN_SYNTAX_H

#include "format/frame.h"

enum span_convention { SPAN_ANALYZE, SPAN_GHC, SPAN_OT_TEXT, SPAN_OT_BINARY, SPAN_CONVENTIONS };

/* An event that starts or ends a span. */
struct span_syntax {
	enum span_convention convention;
	bool begins;
	uint64_t key;         /* equal for the start and the end of a span, otherwise unique */
	struct evl_str name;  /* for a start: the name to display, may be empty; borrowed from the event */
	struct evl_str label; /* name without the number of the instance */
};

/* Report whether the key alone identifies spans of this convention, whichever threads start and end them. */
static inline bool span_by_id(enum span_convention c) { return c != SPAN_ANALYZE; }

/* Return the label of a span from its name: the name without the number of the instance. */
struct evl_str span_syntax_label(enum span_convention convention, struct evl_str name);

/* Report whether events with this tag may start or end a span. */
bool span_syntax_wants(uint16_t tag);

/* Parse an event that starts or ends a span. Return false if it does neither. out may be NULL, which only tests the
 * event and is faster. */
bool span_syntax_parse(uint16_t tag, struct evl_str payload, struct span_syntax *out);

#endif
