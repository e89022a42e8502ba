/* printable.h - make text safe to print on a terminal: escape control characters and invalid UTF-8.
 *
 * Everything that is written to a terminal without being drawn passes through here: error lines, events, exported
 * text. */
#ifndef EVL_PRINTABLE_H
#define EVL_PRINTABLE_H

#include "base/buf.h"

/* Append the text. Each control character and each invalid byte becomes an escape such as \x1b, each other invisible
 * character (utf8_unseen) an escape such as \u{202e}. how.ascii: escape all other non-ASCII characters too, for
 * terminals without UTF-8. how.lines: keep newlines and tabs. */
struct printable {
	bool ascii, lines;
};
void printable_put(struct buf *out, struct evl_str text, struct printable how);

/* Append the start of the text, up to and without the first character that is not printable ASCII; invalid bytes are
 * appended as escapes and passed over. Remove all of it, and that character, from *text, and store the character in
 * *cp. Return false at the end of the text. */
bool printable_next(struct buf *out, struct evl_str *text, uint32_t *cp);

/* Append a character, U+0000 to U+10FFFF: escaped if it is invisible. */
void printable_char(struct buf *out, uint32_t cp);

/* Append a character as UTF-8, never escaped; or a byte as an escape such as \x1b. */
void printable_code_point(struct buf *out, uint32_t cp);
void printable_byte(struct buf *out, uint8_t byte);

/* Return the length of the text without an incomplete UTF-8 sequence at its end, which is 0 to 3 bytes long. */
size_t printable_whole(struct evl_str text);

#endif
