/* event_text.h - one event as a line of text (byte for byte as `ghc-events show`) or of JSON.
 *
 * Where ghc-events gives up, this goes on: numbers without a name as numbers, bytes that are not UTF-8 as \xNN.
 * Output is appended to `out`, which the caller writes and clears at any time; out.failed reports an allocation
 * failure. */
#ifndef EVL_EVENT_TEXT_H
#define EVL_EVENT_TEXT_H

#include "base/buf.h"
#include "format/frame.h"

#include <locale.h>

enum { SAY_NO_CAP = 0xffff }; /* the event belongs to no capability */

/* The words around the values of each row of the schema. */
struct event_words {
	struct buf text;
	uint32_t *at; /* NULL: they are not made yet */
};

struct event_text {
	struct buf out;
	struct event_words words[2]; /* of JSON lines, of cells of CSV */
	bool printable;              /* escape what a terminal would obey: \x1b, \u{202e} */
	struct event_text_op *ops;   /* the sentences of the schema, compiled, one after another */
	size_t n_ops, room;
	uint32_t *first;  /* row of the schema -> its first op; the one past the last row -> n_ops */
	locale_t unicode; /* tells assigned characters; 0 where there is none */
};

/* EVL_NOMEM, or EVL_USAGE where a sentence of events.def names what does not exist; then there is nothing to free. */
int event_text_init(struct event_text *s, bool printable) EVL_MUST_USE;
void event_text_free(struct event_text *s);

/* The first lines of a dump: what the header declares. */
void event_text_header(struct event_text *s, const struct header *h);

/* Append "<time>: cap <N>: ", the start of an event's line. */
void event_text_prefix(struct event_text *s, uint64_t t, uint16_t cap);

/* Append the description, without newline. type: the declaration of the frame's tag. */
void event_text_event(struct event_text *s, const struct header_type *type, const struct frame *f);

/* A whole line, newline included: {"t":…,"cap":…,"tag":…,"name":…, fields}. Anything that has no fields is written
 * as "desc" (the file's own description of the type) and "raw" (the payload in hexadecimal). */
void event_text_json(struct event_text *s, const struct header_type *type, const struct frame *f, uint16_t cap);

/* Append the same object, without newline, to `out` as a cell of CSV: in quotes, its own quotes doubled. */
void event_text_csv(
	struct event_text *s, struct buf *out, const struct header_type *type, const struct frame *f, uint16_t cap);

void event_words_free(struct event_words *w);

#endif
