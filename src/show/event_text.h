/* event_text.h - format one event as a line of text (byte for byte as `ghc-events show`) or as JSON
 *
 * Events at which ghc-events fails are printed, too: numbers that have no name as numbers, bytes that are not UTF-8
 * as \xNN. Output is appended to `out`, which the caller writes and clears at any time; out.failed tells if memory
 * ran out. Times are in ns. */
#ifndef EVL_EVENT_TEXT_H
#define EVL_EVENT_TEXT_H

#include "base/buf.h"
#include "format/frame.h"

#include <locale.h>

enum { SAY_NO_CAP = 0xffff }; /* the event belongs to no capability */

/* The constant parts of the output for each event type, e.g. JSON keys. */
struct event_words {
	struct buf text;
	uint32_t *at; /* NULL: not made yet */
};

struct event_text {
	struct buf out;
	struct event_words words[2]; /* for JSON lines; for cells of CSV */
	bool printable;              /* escape control characters and the like, for a terminal: \x1b, \u{202e} */
	struct event_text_op *ops;   /* compiled texts of all schema rows, one after another */
	size_t n_ops, room;
	/* Index of the first op of each schema row; the entry after the last row is n_ops. */
	uint32_t *first;
	locale_t unicode; /* locale that knows which characters are assigned; 0: none is available */
};

/* Compile the texts of events.def. Return 0; EVL_NOMEM; or EVL_USAGE if a text names a field or form that does not
 * exist. After an error there is nothing to free. */
int event_text_init(struct event_text *s, bool printable) EVL_MUST_USE;
void event_text_free(struct event_text *s);

/* Append the first lines of a dump: the event types that the header declares. */
void event_text_header(struct event_text *s, const struct header *h);

/* Append "<time>: cap <N>: ", the start of an event's line. */
void event_text_prefix(struct event_text *s, uint64_t t, uint16_t cap);

/* Append the description of an event, without a newline. type: the header's declaration of its event type. */
void event_text_event(struct event_text *s, const struct header_type *type, const struct frame *f);

/* Append a line with newline: {"t":…,"cap":…,"tag":…,"name":…, fields}. An event type without known fields has
 * instead "desc" (its description in the header) and "raw" (the payload in hexadecimal). */
void event_text_json(struct event_text *s, const struct header_type *type, const struct frame *f, uint16_t cap);

/* Append the same object to `out` as a cell of CSV: quoted, quotes inside doubled, no newline. */
void event_text_csv(
	struct event_text *s, struct buf *out, const struct header_type *type, const struct frame *f, uint16_t cap);

void event_words_free(struct event_words *w);

#endif
