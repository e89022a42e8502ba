/* printable.h - text that is safe to print on a terminal: control sequences and bytes that are not UTF-8 are escaped.
 *
 * Everything that is written to a terminal without being drawn passes through here: error lines, events, exported
 * text. */
#ifndef EVL_PRINTABLE_H
#define EVL_PRINTABLE_H

#include "base/buf.h"

/* Append the text: controls and bad bytes as \x1b, other characters without a look (see utf8_unseen) as \u{202e}. ascii:
 * all that is not ASCII too, for terminals that do not know UTF-8. Newlines and tabs are kept if `lines`. */
struct printable {
	bool ascii, lines;
};
void printable_put(struct buf *out, struct evl_str text, struct printable how);

/* The same piece by piece: append plain text and bad bytes up to the next other character, which is taken. Return false at the end. */
bool printable_next(struct buf *out, struct evl_str *text, uint32_t *cp);

/* One such character, U+0000 to U+10FFFF. */
void printable_char(struct buf *out, uint32_t cp);

/* The same as it is. */
void printable_code_point(struct buf *out, uint32_t cp);
void printable_byte(struct buf *out, uint8_t byte);

/* The length of the text without a UTF-8 sequence at its end that may go on: 0 to 3 bytes less. */
size_t printable_whole(struct evl_str text);

#endif
