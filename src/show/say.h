/* say.h - one event as a line of text, or of JSON.
 *
 * The text is what `ghc-events show` prints, to the byte. Where that tool gives up, it is the truth instead: numbers
 * without a name as numbers, bytes that are not UTF-8 as \xNN. Everything is appended to `out`, which the caller
 * writes out and clears whenever it likes; out.failed tells that memory ran out. */
#ifndef EVL_SAY_H
#define EVL_SAY_H

#include "base/buf.h"
#include "format/frame.h"

#include <locale.h>

enum { SAY_NO_CAP = 0xffff }; /* the event belongs to no capability */

struct say {
	struct buf out;
	bool printable;     /* escape what a terminal would obey: \x1b, \u{202e} */
	struct say_op *ops; /* the sentences of the schema, compiled, one after another */
	size_t n_ops, room;
	uint32_t *first;  /* row of the schema -> its first op; the one past the last row -> n_ops */
	locale_t unicode; /* tells assigned characters; 0 where there is none */
};

/* EVL_NOMEM, or EVL_USAGE where a sentence of events.def names what does not exist; then there is nothing to free. */
int say_init(struct say *s, bool printable) EVL_MUST_USE;
void say_free(struct say *s);

/* The first lines of a dump: what the header declares. */
void say_header(struct say *s, const struct header *h);

/* "<time>: cap <N>: ", the begin of an event's line. */
void say_prefix(struct say *s, uint64_t t, uint16_t cap);

/* What happened, without newline. type: the declaration of the frame's tag. */
void say_event(struct say *s, const struct header_type *type, const struct frame *f);

/* A whole line, newline included: {"t":…,"cap":…,"tag":…,"name":…, fields}. What fields cannot say is said as
 * "desc" (the file's own description of the type) and "raw" (the payload in hexadecimal). */
void say_json(struct say *s, const struct header_type *type, const struct frame *f, uint16_t cap);

#endif
